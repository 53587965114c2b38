import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import { aFoundFile, demoModel } from '../../test/fake-models.ts'
import { button } from '../../test/show-app.tsx'
import { asked, big, card, details, huge, showModels } from './test-models.tsx'

const menu = async (name: string, item: string) => {
  const found = page.getByRole('menuitem', { name: item })
  // A click that comes at once after a menu has closed counts as the one that closed it.
  await expect
    .poll(async () => {
      if (!found.query()) await button(`More for ${name}`).click()
      return found.query()
    })
    .not.toBeNull()
  await found.click()
}
const dialog = () => page.getByRole('dialog')

test('every model says what it is and whether it fits', async () => {
  await showModels()
  await expect.element(card('big-8b.gguf')).toMatchTextContent('5 GB · 8.2B · Q4_K_M · qwen3')
  await expect.element(card('big-8b.gguf')).toMatchTextContent('Fits into memory')
  await expect.element(card('huge-70b.gguf')).toMatchTextContent('in 3 parts')
  await expect.element(card('huge-70b.gguf')).toMatchTextContent('Too big: 33.5 GB missing')
  await expect.element(card('huge-70b.gguf')).toMatchTextContent('Images')
  await expect.element(card('gone.gguf')).toMatchTextContent('The file is not there any more.')
  await expect.element(card('workshop')).toMatchTextContent('a server on this computer')
})

test('memory is second best where there is a graphics card', async () => {
  await showModels(({ models, files }) => {
    files.machine = {
      ...files.machine,
      gpu: { backend: 'vulkan', names: ['Radeon'], totalBytes: 8e9, freeBytes: 7e9 },
    }
    models.push({ ...demoModel, id: 'a.gguf', name: 'a.gguf', kind: 'file', demo: false, sizeBytes: 5e9 })
  })
  await expect.element(card('a.gguf')).toMatchTextContent('Runs in memory, slower')
})

test('a model is loaded, shows how far it is, and can be stopped', async () => {
  const host = await showModels()
  await button('Load: big-8b.gguf').click()
  expect(asked(host, 'model.load')).toEqual([{ id: big }])
  host.engine({ phase: 'loading', modelId: big, progress: 0.42 })
  await expect.element(card('big-8b.gguf')).toMatchTextContent('Reading the file, 42%')
  await expect.element(page.getByRole('progressbar', { name: 'Loading big-8b.gguf' })).toHaveValue(0.42)
  // One at a time.
  await expect.element(button('Load anyway: huge-70b.gguf')).toBeDisabled()
  await button('Stop loading').click()
  expect(asked(host, 'model.cancelLoad')).toHaveLength(1)
  host.engine({ phase: 'ready', modelId: big, notice: 'It has 4,096 tokens instead of 8,192.' })
  await expect.element(card('big-8b.gguf')).toMatchTextContent('In memory')
  await expect.element(card('big-8b.gguf')).toMatchTextContent('It has 4,096 tokens instead of 8,192.')
  await button('Unload: big-8b.gguf').click()
  expect(asked(host, 'model.unload')).toHaveLength(1)
})

test('a model that is too big can be loaded all the same', async () => {
  const host = await showModels()
  await button('Load anyway: huge-70b.gguf').click()
  expect(asked(host, 'model.load')).toEqual([{ id: huge, anyway: true }])
})

test('each button below a load that failed does what it says', async () => {
  const host = await showModels()
  await expect.element(card('huge-70b.gguf')).toBeVisible()
  const failed = () =>
    host.engine({
      phase: 'failed',
      modelId: huge,
      error: 'It needs 44 GB, and 11 GB are free.',
      fix: 'A smaller context needs less.',
      fixes: [
        { do: 'context', tokens: 4_096 },
        { do: 'layers', gpuLayers: 12 },
        { do: 'cpu' },
        { do: 'anyway' },
        { do: 'again' },
        { do: 'smaller' },
      ],
    })
  failed()
  const alert = card('huge-70b.gguf').getByRole('alert')
  await expect.element(alert).toMatchTextContent('It needs 44 GB, and 11 GB are free.')
  await expect.element(alert).toMatchTextContent('A smaller context needs less.')
  for (const name of [
    'Context of 4,096 tokens',
    '12 layers on the graphics card',
    'Without the graphics card',
    'Load anyway',
    'Try again',
  ])
    await alert.getByRole('button', { name, exact: true }).click()
  expect(asked(host, 'model.load')).toEqual([
    { id: huge, options: { contextTokens: 4_096 } },
    { id: huge, options: { gpuLayers: 12 } },
    { id: huge, cpu: true },
    { id: huge, anyway: true },
    { id: huge },
  ])
  await alert.getByRole('button', { name: 'Look for a smaller file' }).click()
  await expect.element(page.getByRole('tab', { name: 'Discover' })).toHaveAttribute('aria-selected', 'true')
})

test('a refusal of the host is said', async () => {
  const host = await showModels()
  host.failNext('model.load', new Fault('busy', 'Another model is being loaded.'))
  await button('Load: big-8b.gguf').click()
  await expect.element(page.getByText('Another model is being loaded.')).toBeVisible()
})

test('the star says which model new chats begin with', async () => {
  await showModels()
  await expect
    .element(button(`Used for new chats: ${demoModel.name}`))
    .toHaveAttribute('aria-pressed', 'true')
  await button('Use for new chats: workshop').click()
  await expect.element(button('Used for new chats: workshop')).toBeVisible()
  await expect.element(button(`Use for new chats: ${demoModel.name}`)).toBeVisible()
})

test('a chat is begun from the menu', async () => {
  const host = await showModels()
  await menu('workshop', 'Chat with it')
  expect(host.told.asked).toEqual(['chat workshop'])
})

test('a linked file is taken off the list after a question, and stays where it is', async () => {
  const host = await showModels()
  await menu('huge-70b.gguf', 'Remove from the list')
  await expect.element(dialog()).toMatchTextContent('The file stays where it is')
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  expect(asked(host, 'model.forget')).toEqual([])
  await menu('huge-70b.gguf', 'Remove from the list')
  await dialog().getByRole('button', { name: 'Remove from the list' }).click()
  await expect.element(details('huge-70b.gguf')).not.toBeInTheDocument()
  await expect.element(page.getByText('huge-70b.gguf was removed from the list.')).toBeVisible()
  expect(asked(host, 'model.deleteFile')).toEqual([])
})

test('a file in Talaria’s own folder is deleted after a question', async () => {
  const host = await showModels()
  await menu('big-8b.gguf', 'Delete the file')
  await expect.element(dialog()).toMatchTextContent('5 GB are freed, and it cannot be brought back')
  host.failNext('model.deleteFile', new Fault('busy', 'It is in memory. Unload it first.'))
  await dialog().getByRole('button', { name: 'Delete the file' }).click()
  await expect.element(page.getByText('It is in memory. Unload it first.')).toBeInTheDocument()
  await dialog().getByRole('button', { name: 'Delete the file' }).click()
  await expect.element(details('big-8b.gguf')).not.toBeInTheDocument()
  expect(asked(host, 'model.deleteFile')).toEqual([{ id: big }, { id: big }])
  expect(asked(host, 'model.forget')).toEqual([])
})

test('the demo model alone leads to better ones', async () => {
  await showModels(() => {})
  await button('Find a model').click()
  await expect.element(page.getByRole('tab', { name: 'Discover' })).toHaveAttribute('aria-selected', 'true')
})

test('a server says where it is and whether it answers', async () => {
  const host = await showModels()
  await details('workshop').click()
  await expect.element(card('workshop')).toMatchTextContent('It runs on this computer, so nothing leaves it.')
  await button('Test').click()
  await expect.element(page.getByText('A server of llama.cpp with one model.')).toBeVisible()
  expect(asked(host, 'model.tryServer')).toEqual([
    { id: 'workshop', protocol: 'openai', baseUrl: 'http://127.0.0.1:8080/v1', model: 'big' },
  ])
  host.files.check = { ok: false, text: 'Nobody answers there.', fix: 'Is it running?', models: [], ms: 5 }
  await button('Test').click()
  await expect.element(page.getByText('Is it running?')).toBeVisible()
})

test('other programs are looked into only when asked, and their files stay where they are', async () => {
  const host = await showModels(host => {
    host.files.apps.files = [
      aFoundFile('/home/ada/jan/tea.gguf', { app: 'Jan' }),
      aFoundFile('/home/ada/jan/known.gguf', { app: 'Jan', knownAs: '/home/ada/jan/known.gguf' }),
    ]
  })
  await expect.element(button('Add')).toBeVisible()
  expect(asked(host, 'model.scanApps')).toEqual([])
  await button('Add').click()
  await page.getByRole('menuitem', { name: /^Look into other programs…/ }).click()
  await expect.element(page.getByRole('checkbox', { name: 'Add tea.gguf' })).toBeChecked()
  await expect.element(page.getByRole('checkbox', { name: 'Add known.gguf' })).toBeDisabled()
  await expect.element(dialog()).toMatchTextContent('Jan')
  await expect.element(dialog()).toMatchTextContent('Looked in ~/.lmstudio/models, ~/jan/models.')
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await expect.element(details('tea.gguf')).toBeVisible()
  expect(asked(host, 'model.add')).toEqual([{ path: '/home/ada/jan/tea.gguf' }])
  expect(asked(host, 'model.load')).toEqual([])
})

test.for([
  ['A model file…', 'add file'],
  ['A server…', 'add server'],
] as const)('the header leads to the dialog that adds models: %s', async ([name, told]) => {
  const host = await showModels()
  await button('Add').click()
  await page.getByRole('menuitem', { name }).click()
  expect(host.told.asked).toEqual([told])
})

test('what cannot be read is said, and is asked for again', async () => {
  await showModels(host => host.failNext('machine.look', new Fault('internal', 'Something broke.')))
  await expect.element(page.getByRole('alert')).toMatchTextContent('This could not be read: Something broke.')
  await button('Try again').click()
  await expect.element(page.getByText('This could not be read')).not.toBeInTheDocument()
})

test('the sides are chosen by key', async () => {
  await showModels()
  await page.getByRole('tab', { name: 'Installed' }).click()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}')
  await expect.element(page.getByRole('tab', { name: 'Engine' })).toHaveFocus()
  await expect.element(page.getByText('Copy diagnostics')).toBeVisible()
})
