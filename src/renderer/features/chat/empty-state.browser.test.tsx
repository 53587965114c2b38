import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import type { FakeHost } from '../../test/fake-host.ts'
import { aFileModel, aServerModel, aTransfer } from '../../test/fake-models.ts'
import { button, composer, showApp } from '../../test/show-app.tsx'

const fox = aFileModel('/m/fox.gguf')
const using = (model: typeof fox) => ({ models: [model] })
const loads = (host: FakeHost) =>
  host.asked.filter(({ name }) => name === 'model.load').map(({ input }) => input)

test('starters show what only Talaria does; what the person has to finish is put where they write', async () => {
  const host = await showApp(() => {}, using(fox))
  await button('Remember how I like answers').click()
  await expect.element(composer()).toHaveValue('Remember that I like answers to be short and in plain words.')
  await expect.element(composer()).toHaveFocus()
  await button('Make a skill from this').click()
  await expect.element(composer()).toHaveValue('Make a skill from this: ')
  expect(host.asked.some(({ name }) => name === 'chat.send')).toBe(false)
  await composer().fill('')
  await button('What can you do offline?').click()
  expect((await host.nextRun()).text).toBe('What can you do offline?')
})

test('a model that is not loaded can be loaded before the first message', async () => {
  const host = await showApp(() => {}, using(fox))
  await expect.element(page.getByText(/^The model is loaded with your first message\./)).toBeVisible()
  await button('Load fox.gguf, 5 GB').click()
  expect(loads(host)).toEqual([{ id: fox.id }])
  host.engine({ phase: 'loading', modelId: fox.id, progress: 0.4 })
  await expect.element(page.getByText(/^The model is being loaded, 40%\./)).toBeVisible()
  await expect.element(button('Load fox.gguf, 5 GB')).not.toBeInTheDocument()
  host.engine({ phase: 'ready', modelId: fox.id })
  await expect.element(page.getByText(/^The model is loaded and ready\./)).toBeVisible()
})

test('a load that fails says why, with what helps', async () => {
  const host = await showApp(() => {}, using(fox))
  host.engine({
    phase: 'failed',
    modelId: fox.id,
    error: 'The graphics card gave up.',
    fix: 'Without it, it is slower.',
    fixes: [{ do: 'cpu' }, { do: 'context', tokens: 2_048 }, { do: 'smaller' }],
  })
  await expect.element(page.getByText('The graphics card gave up. Without it, it is slower.')).toBeVisible()
  await expect.element(button('Look for a smaller file')).not.toBeInTheDocument()
  await button('Without the graphics card').click()
  host.failNext('model.load', new Fault('not_ready', 'It did not load.'))
  await button('Context of 2,048 tokens').click()
  await expect.element(page.getByText('It did not load.')).toBeVisible()
  expect(loads(host)).toEqual([
    { id: fox.id, cpu: true },
    { id: fox.id, options: { contextTokens: 2_048 } },
  ])
})

test('who has only the demo model sees how far a better one is', async () => {
  const host = await showApp(({ files }) => void files.transfer(aTransfer({ name: 'Fox 8B' })))
  await expect.element(page.getByText(/Fox 8B is on its way: 42%\./)).toBeVisible()
  host.files.transfer({ id: 'transfer-1', state: 'done' })
  await expect.element(button('Add a model')).toBeVisible()
})

test('a file that is gone is told, with a way to another model', async () => {
  await showApp(() => {}, using({ ...fox, problem: 'The file is not there any more.' }))
  await expect.element(page.getByText(/^The file is not there any more\./).last()).toBeVisible()
  await button('Add a model').click()
  await expect.element(page.getByRole('dialog', { name: 'Add a model' })).toBeVisible()
})

test('where words go is said, and that the lock keeps a server from answering', async () => {
  const near = aServerModel('Workshop')
  const far = { ...near, id: 'far', name: 'Office', server: { ...near.server!, nearby: false } }
  const host = await showApp(() => {}, using(far))
  await expect.element(page.getByText('Messages are sent to the server of Office.')).toBeVisible()
  host.config.put('network.offline', true)
  await expect.element(page.getByText(/^The offline lock is on, so Office cannot be asked\./)).toBeVisible()
  await showApp(() => {}, { ...using(near), hello: { locked: true } })
  await expect
    .element(page.getByText('Messages are sent to the server of Workshop, on this computer.'))
    .toBeVisible()
})
