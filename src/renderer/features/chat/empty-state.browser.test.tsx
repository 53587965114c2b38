import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import { engineEvent } from '../../test/a-computer.ts'
import { aHistory } from '../../test/messages.ts'
import { button, composer, openWindow, showWindow, startHost, transcript } from '../../test/show-window.tsx'
import type { TestHost } from '../../test/test-host.ts'

const loads = (host: TestHost) =>
  host.asked.filter(({ name }) => name === 'model.load').map(({ input }) => input)

/** A window whose new chats use a model file. It has no weights, so nothing is really loaded. */
async function showFox() {
  const host = await startHost(({ seed }) => void seed.modelFile({ home: 'models/fox.gguf', sizeBytes: 5e9 }))
  const { models } = await host.elsewhere['model.list']({})
  const { id } = models.find(({ kind }) => kind === 'file')!
  await host.elsewhere['model.setDefault']({ id })
  host.answer({ 'model.load': () => ({}) })
  await openWindow(host)
  return { host, id }
}

const ideas = () => page.getByRole('list', { name: 'Things to try' }).getByRole('listitem')
const words = () =>
  ideas()
    .elements()
    .map(each => each.textContent)

test('what to try fits what is set up: files in the folder, and what is remembered', async () => {
  const host = await showWindow(() => {}, { workspaceFiles: { 'seeds.csv': 'basil,3' } })
  await expect
    .poll(words)
    .toEqual([
      'What are the files in this folder about?',
      'Remember how I like answers',
      'Make a skill for a task that I repeat',
    ])
  await host.elsewhere['memory.add']({ target: 'user', text: 'Lives in Bern.' })
  await expect
    .poll(words)
    .toEqual([
      'What are the files in this folder about?',
      'What do you know about me?',
      'Make a skill for a task that I repeat',
    ])
})

test('the field stands in the middle, and moves below the conversation without losing focus or draft', async () => {
  const host = await showWindow()
  const field = composer().element()
  const middle = () => field.getBoundingClientRect().top / innerHeight
  expect(middle()).toBeLessThan(0.6)
  await composer().fill('Hello')
  await userEvent.keyboard('{Enter}')
  const asked = await host.nextAsked()
  await userEvent.keyboard('And')
  await asked.say('Good morning.')
  await expect.element(transcript().getByText('Good morning.')).toBeVisible()
  expect(composer().element()).toBe(field)
  await expect.element(composer()).toHaveFocus()
  await expect.element(composer()).toHaveValue('And')
  expect(middle()).toBeGreaterThan(0.75)
})

test('the last chats are offered where the list of chats is not on the page', async () => {
  await showWindow(({ seed }) => void seed.chat({ id: 'c1', title: 'Garden', messages: aHistory(1) }))
  const last = page.getByRole('heading', { name: 'Recent chats' })
  await expect.element(composer()).toBeVisible()
  await expect.element(last).not.toBeInTheDocument()
  await page.viewport(420, 800)
  await expect.element(last).toBeVisible()
  await button('Garden').click()
  await expect.element(page.getByText('Answer 1')).toBeVisible()
})

test('the last chats are offered in a wide window too while the sidebar is collapsed', async () => {
  await showWindow(({ seed }) => void seed.chat({ id: 'c1', title: 'Garden', messages: aHistory(1) }))
  const last = page.getByRole('heading', { name: 'Recent chats' })
  await expect.element(composer()).toBeVisible()
  await userEvent.keyboard('{Control>}b{/Control}')
  await expect.element(last).toBeVisible()
  await userEvent.keyboard('{Control>}b{/Control}')
  await expect.element(last).not.toBeInTheDocument()
})

test('a temporary chat says what it is, and offers nothing that needs memory', async () => {
  await showWindow(() => {}, { workspaceFiles: { 'seeds.csv': 'basil,3' } })
  await button('New temporary chat').click()
  await expect
    .element(page.getByText(/^This chat starts without your memory and earlier chats/))
    .toBeVisible()
  await expect
    .poll(words)
    .toEqual(['What are the files in this folder about?', 'What can you do without a network?'])
})

test('starters send a question, or put text to finish into the message field', async () => {
  const host = await showWindow()
  await button('Remember how I like answers').click()
  await expect.element(composer()).toHaveValue('Remember that I like answers to be short and in plain words.')
  await expect.element(composer()).toHaveFocus()
  await button('Make a skill for a task that I repeat').click()
  await expect.element(composer()).toHaveValue('Make a skill for this task that I repeat: ')
  expect(host.asked.some(({ name }) => name === 'chat.send')).toBe(false)
  await composer().fill('')
  await button('What can you do without a network?').click()
  expect((await host.nextAsked()).text).toBe('What can you do without a network?')
})

test('a model that is not loaded can be loaded before the first message', async () => {
  const { host, id } = await showFox()
  await expect.element(page.getByText(/^The model loads with your first message\./)).toBeVisible()
  await button('Load fox, 5 GB').click()
  expect(loads(host)).toEqual([{ id }])
  host.publish(engineEvent({ phase: 'loading', modelId: id, progress: 0.4 }))
  await expect.element(page.getByText(/^The model is being loaded, 40%\./)).toBeVisible()
  await expect.element(button('Load fox, 5 GB')).not.toBeInTheDocument()
  host.publish(engineEvent({ phase: 'ready', modelId: id }))
  await expect.element(page.getByText(/^The model is loaded and ready\./)).toBeVisible()
})

test('a failed load shows the reason and possible fixes', async () => {
  const { host, id } = await showFox()
  await expect.element(button('Load fox, 5 GB')).toBeVisible()
  const failed = engineEvent({
    phase: 'failed',
    modelId: id,
    error: 'The graphics card gave up.',
    fix: 'Without it, it is slower.',
    fixes: [{ do: 'cpu' }, { do: 'context', tokens: 2_048 }, { do: 'smaller' }],
  })
  host.publish(failed)
  await expect.element(page.getByText('The graphics card gave up. Without it, it is slower.')).toBeVisible()
  await expect.element(button('Look for a smaller file')).not.toBeInTheDocument()
  await button('Load without the graphics card').click()
  host.failNext('model.load', new Fault('not_ready', 'It did not load.'))
  await button('Use a context of 2,048 tokens').click()
  await expect.element(page.getByText('It did not load.')).toBeVisible()
  expect(loads(host)).toEqual([
    { id, cpu: true },
    { id, options: { contextTokens: 2_048 } },
  ])
})

test('with only the demo model, the empty chat shows the progress of a better model’s download', async () => {
  const host = await showWindow(
    ({ seed }) => void seed.servedFile({ name: 'fox.gguf', answers: [{ holdAfter: 10_000 }] }),
    { config: { models: { default: 'builtin' } } },
  )
  const { 'download.start': download, 'download.cancel': cancel } = host.elsewhere
  const { id } = await download({ address: `${host.filesUrl}/fox.gguf` })
  await expect.element(page.getByText(/fox\S* is downloading: \d+%\./)).toBeVisible()
  await cancel({ id })
  await expect.element(button('Add a model')).toBeVisible()
})

test('a missing model file is reported, with a link to add another', async () => {
  const gone = { models: { files: ['/nowhere/fox.gguf'], default: 'file:/nowhere/fox.gguf' } }
  await showWindow(() => {}, { config: gone })
  await expect
    .element(page.getByText(/^There is no model file at \/nowhere\/fox\.gguf\./).last())
    .toBeVisible()
  await button('Add a model').click()
  await expect.element(page.getByRole('dialog', { name: 'Add a model' })).toBeVisible()
})

test('the empty chat says where messages go, and that the offline lock blocks a server', async () => {
  const host = await startHost()
  const office = { name: 'Office', baseUrl: 'https://llm.example.org/v1', model: 'big', apiKey: '' }
  const { id } = await host.elsewhere['model.addServer'](office)
  await host.elsewhere['model.setDefault']({ id })
  await openWindow(host)
  await expect.element(page.getByText('Messages are sent to the server of Office.')).toBeVisible()
  await host.elsewhere['network.lock']({ locked: true })
  await expect.element(page.getByText(/^The offline lock is on, so Office is blocked\./)).toBeVisible()
  await host.elsewhere['model.setDefault']({ id: 'server:served' })
  await expect
    .element(page.getByText('Messages are sent to the server of Served model, on this computer.'))
    .toBeVisible()
})
