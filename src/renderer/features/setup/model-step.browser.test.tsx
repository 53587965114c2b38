import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import { aMachine, aTransfer, GB } from '../../test/a-computer.ts'
import { button } from '../../test/show-window.tsx'
import { drop } from '../../test/models.tsx'
import {
  asked,
  back,
  defaultModel,
  fetchFrom,
  goTo,
  next,
  showFirstRun,
  showSteps,
  title,
} from '../../test/steps.tsx'

const card = (name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name }) })
const fox = 'qwen3-8b-q4-k-m'
const name = `${fox}.gguf`
const held = { name, answers: [{ holdAfter: 250_000 }, { holdAfter: 250_000 }] }
afterEach(() => {
  delete window.desktop
})

test('three models are suggested, each with its size, fit, speed and licence', async () => {
  await showSteps()
  await goTo('A model')
  const balanced = card('Balanced')
  for (const fact of [
    'Recommended',
    'Qwen3 8B',
    'All-round work with tools; thinks before it answers when that helps.',
    '5 GB to download',
    'Fits into memory',
    /Writes roughly \d+ to \d+ words a second/,
    'Licence: Apache 2.0',
  ])
    await expect.element(balanced).toMatchTextContent(fact)
  await expect.element(card('Best that fits')).toMatchTextContent('Too big: 2.6 GB missing')
})

test('a download shows its progress on every step and on its card', async () => {
  const host = await showSteps(each => void each.seed.servedFile(held))
  await goTo('A model')
  await button('Download Qwen3 8B').click()
  expect(asked(host, 'download.start')).toEqual([{ catalogueId: fox }])
  await expect.element(card('Balanced')).toMatchTextContent(/\d\d%/)
  await expect.element(button('Download Qwen3 8B')).not.toBeInTheDocument()
  await next().click()
  const coming = page.getByRole('region', { name: 'Model download' })
  await expect.element(coming).toMatchTextContent(/qwen3-8b-q4-k-m\.gguf\d\d% · /)
  // The speed of the download differs between machines.
  const [transfer] = (await host.elsewhere['download.list']({})).transfers
  host.publish({ type: 'transfers', transfers: [{ ...transfer!, secondsLeft: 242 }] })
  await expect.element(coming).toMatchTextContent(/\d\d% · 4 min 2 s left/)
  await next().click()
  await expect.element(page.getByText(`${name} takes over once it is ready.`, { exact: false })).toBeVisible()
  await back().click()
  await back().click()
  await expect.element(card('Balanced')).toMatchTextContent(/\d\d%/)
  await expect.element(coming).not.toBeInTheDocument()
  await button(`Pause: ${name}`).click()
  await button(`Resume: ${name}`).click()
  await expect.poll(() => asked(host, 'download.resume')).toEqual([{ id: transfer!.id }])
})

test('the buttons stay where they are when a transfer appears', async () => {
  await page.viewport(420, 500)
  const host = await showSteps()
  await goTo('How should it learn?')
  const { top } = next().element().getBoundingClientRect()
  host.publish({ type: 'transfers', transfers: [aTransfer()] })
  await expect.element(page.getByRole('region', { name: 'Model download' })).toBeInTheDocument()
  expect(next().element().getBoundingClientRect().top).toBe(top)
})

test('a failed download says why, and can be tried again or cancelled', async () => {
  const host = await showSteps(undefined, { begun: each => fetchFrom(each, fox) })
  await goTo('A model')
  const alert = card('Balanced').getByRole('alert')
  await expect
    .element(alert)
    .toMatchTextContent(/^127\.0\.0\.1:\d+ has no file at this address\. Check the address/)
  await button(`Try again: ${name}`).click()
  expect(asked(host, 'download.resume')).toHaveLength(1)
  await button(`Cancel: ${name}`).click()
  await expect.element(button('Download Qwen3 8B')).toBeVisible()
})

test('too little disk space is reported before a download, and the host’s refusal is shown', async () => {
  const host = await showSteps(undefined, { computer: { machine: { ...aMachine, diskFreeBytes: 4.5 * GB } } })
  await goTo('A model')
  await expect.element(card('Balanced')).toMatchTextContent('Not enough disk space: 1 GB more needed.')
  await expect.element(card('Light')).not.toMatchTextContent('Not enough disk space')
  host.failNext('download.start', new Fault('not_found', 'The catalogue has no such file.'))
  await button('Download Qwen3 8B').click()
  await expect
    .element(card('Balanced').getByRole('alert'))
    .toMatchTextContent('The catalogue has no such file.')
})

test('the offline lock disables downloads, and can be switched off there', async () => {
  const host = await showSteps(undefined, { config: { network: { offline: true } } })
  await goTo('A model')
  await expect.element(button('Download Qwen3 8B')).toBeDisabled()
  await button('Turn the lock off').click()
  await expect.element(button('Download Qwen3 8B')).toBeEnabled()
  expect((await host.elsewhere['network.list']({})).locked).toBe(false)
})

test('if the list cannot be read it can be tried again, and other ways to add a model stay available', async () => {
  let heal = () => {}
  const host = await showSteps(each => {
    heal = each.failEach('catalogue.list', new Fault('internal', 'It is damaged.'))
  })
  await goTo('A model')
  await expect.element(page.getByText('The list of models could not be read: It is damaged.')).toBeVisible()
  await button(/^A server address…/).click()
  await button(/^A \.gguf file…/).click()
  await button(/^Look in LM Studio/).click()
  expect(host.told).toEqual(['server', 'file', 'scan'])
  heal()
  await button('Try again').click()
  await expect.element(button('Download Qwen3 8B')).toBeVisible()
})

test('a computer without a suitable model gets an explanation', async () => {
  await showSteps(undefined, { computer: { suggested: { light: '', balanced: '', best: '' } } })
  await goTo('A model')
  await expect.element(page.getByText(/The list has no model for this computer/)).toBeVisible()
})

test('a model without tools says what it cannot do, and which model can', async () => {
  await showSteps(undefined, {
    // All of the list have them today.
    async begun({ answer, link }) {
      const list = await link.client['catalogue.list']({})
      const models = list.models.map(model => ({
        ...model,
        format: model.maker === 'Meta' ? '' : model.format,
      }))
      answer({ 'catalogue.list': () => ({ ...list, models }) })
    },
  })
  await goTo('A model')
  await expect
    .element(card('Light'))
    .toMatchTextContent('It cannot use tools, so it can do and learn little. Qwen3 8B can.')
})

test('installed models are listed, and one can be made the default', async () => {
  const host = await showSteps(each => void each.seed.modelFile({ home: 'models/tea.gguf' }), {
    config: { models: { default: 'builtin', servers: [], files: ['$workspace/gone.gguf'] } },
  })
  await goTo('A model')
  await expect.element(page.getByText('gone', { exact: true })).not.toBeInTheDocument()
  await button('Use in new chats: tea').click()
  await expect.element(page.getByText('Answers in new chats')).toBeVisible()
  expect(await defaultModel(host)).toBe(`file:models/tea.gguf`)
  await next().click()
  await next().click()
  await expect.element(page.getByText(/tea answers in your first chat\./)).toBeVisible()
})

test('a file dropped during setup is added and becomes the default', async () => {
  const host = await showFirstRun(each => void each.seed.modelFile({ workspace: 'stick/tea.gguf' }))
  const path = `${host.workspace}/stick/tea.gguf`
  window.desktop = { requestPort() {}, pathOf: () => path }
  await goTo('A model')
  drop(title('A model').element(), new File(['GGUF'], 'tea.gguf'))
  await expect.element(page.getByRole('dialog')).toMatchTextContent('tea')
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
  await expect.element(page.getByText('Answers in new chats')).toBeVisible()
  expect(await defaultModel(host)).toBe(`file:${path}`)
})

test('a server can be added during setup without leaving it', async () => {
  const host = await showFirstRun()
  await goTo('A model')
  await button(/^A server address…/).click()
  await page.getByText('Ollama', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Model' }).fill('qwen3:8b')
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
  await expect.element(page.getByText('Answers in new chats')).toBeVisible()
  await expect.element(title('A model')).toBeVisible()
  expect(await defaultModel(host)).toBe('server:qwen3-8b')
})

test('the first downloaded model becomes the default, a later one does not', async () => {
  const ant = 'llama-3.2-3b-q4-k-m'
  const host = await showSteps(({ seed }) => {
    void seed.servedFile({ name })
    void seed.servedFile({ name: `${ant}.gguf` })
  })
  await goTo('A model')
  await button('Download Qwen3 8B').click()
  await expect.element(card('Balanced')).toMatchTextContent('Installed')
  const first = `file:models/${name}`
  await expect.poll(() => defaultModel(host)).toBe(first)
  await expect.element(page.getByText(`${fox} answers in new chats now.`)).toBeVisible()
  await fetchFrom(host, ant)
  await expect.element(page.getByText(ant, { exact: true })).toBeVisible()
  expect(asked(host, 'model.setDefault')).toEqual([{ id: first }])
})

test('a download whose server refuses says at once why it waits, and can be tried now or cancelled', async () => {
  const host = await showSteps(undefined, { begun: each => fetchFrom(each, fox) })
  await goTo('A model')
  const [{ from } = aTransfer()] = (await host.elsewhere['download.list']({})).transfers
  const refused = aTransfer({
    from,
    doneBytes: 0,
    totalBytes: null,
    secondsLeft: null,
    note: 'huggingface.co refuses connections.',
    retryAt: Date.now() + 3_600_000,
  })
  host.publish({ type: 'transfers', transfers: [refused] })
  await expect.element(page.getByText('huggingface.co refuses connections.').first()).toBeVisible()
  await expect.element(page.getByText(/^Talaria tries again in/).first()).toBeVisible()
  await expect.element(page.getByText(/Waiting to try again/).first()).toBeVisible()
  await button(`Retry now: ${refused.name}`).first().click()
  await expect.poll(() => asked(host, 'download.resume')).toEqual([{ id: refused.id }])
  await expect.element(button(`Cancel: ${refused.name}`).first()).toBeVisible()
})
