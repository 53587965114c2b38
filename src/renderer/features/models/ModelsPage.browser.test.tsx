import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Gpu } from '../../../shared/contract/models/model.ts'
import { Fault } from '../../../shared/rpc.ts'
import { aMachine, engineEvent } from '../../test/a-computer.ts'
import { button } from '../../test/show-window.tsx'
import { asked, card, details, fill, onlyDemo, showModels } from '../../test/models.tsx'

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

test('each model shows its size, format and whether it fits', async () => {
  const host = await showModels()
  await expect.element(card('big-8b')).toMatchTextContent('5 GB on disk · 8.2B · Q4_K_M · qwen3')
  await expect.element(card('big-8b')).toMatchTextContent('Fits into memory')
  await expect.element(card('huge-70b')).toMatchTextContent('in 3 parts')
  await expect.element(card('huge-70b')).toMatchTextContent('Too big: 33.5 GB missing')
  await expect.element(card('huge-70b')).toMatchTextContent('Images')
  await expect
    .element(card('gone'))
    .toMatchTextContent(`There is no model file at ${host.workspace}/gone.gguf.`)
  await expect.element(card('Served model')).toMatchTextContent('a server on this computer')
})

test('nothing on a card moves when it is known whether the model fits', async () => {
  let answerFits = () => {}
  await showModels(host => {
    fill(host)
    answerFits = host.holdNext('model.fit')
    // Until the machine is known, the fits are asked for once.
    host.holdNext('machine.look')
  })
  const places = () =>
    page
      .getByRole('listitem')
      .getByRole('button')
      .elements()
      .map(each => each.getBoundingClientRect().toJSON() as unknown)
  await expect.element(card('Served model')).toBeVisible()
  await expect.element(card('big-8b')).not.toMatchTextContent('Fits into memory')
  const before = places()
  answerFits()
  await expect.element(card('big-8b')).toMatchTextContent('≈ Fits into memory')
  await expect.element(card('huge-70b')).toMatchTextContent('Load anyway')
  expect(places()).toEqual(before)
})

test('with a graphics card, main memory is marked as slower', async () => {
  const gpu: Gpu = { backend: 'vulkan', names: ['Radeon'], totalBytes: 8e9, freeBytes: 7e9 }
  await showModels(fill, { computer: { machine: { ...aMachine, gpu } } })
  await expect.element(card('big-8b')).toMatchTextContent('Runs in memory, slower')
})

test('a model can be loaded with progress, cancelled and unloaded', async () => {
  const host = await showModels()
  await button('Load: big-8b').click()
  expect(asked(host, 'model.load')).toEqual([{ id: host.big }])
  host.publish(engineEvent({ phase: 'loading', modelId: host.big, progress: 0.42 }))
  await expect.element(card('big-8b')).toMatchTextContent('Reading the file, 42%')
  await expect.element(page.getByRole('progressbar', { name: 'Loading big-8b' })).toHaveValue(0.42)
  // One at a time.
  await expect.element(button('Load anyway: huge-70b')).toBeDisabled()
  await button('Stop loading').click()
  expect(asked(host, 'model.cancelLoad')).toHaveLength(1)
  host.publish(
    engineEvent({ phase: 'ready', modelId: host.big, notice: 'It has 4,096 tokens instead of 8,192.' }),
  )
  await expect.element(card('big-8b')).toMatchTextContent('In memory')
  await expect.element(card('big-8b')).toMatchTextContent('It has 4,096 tokens instead of 8,192.')
  await button('Unload: big-8b').click()
  expect(asked(host, 'model.unload')).toHaveLength(1)
})

test('a model that is too big can be loaded anyway', async () => {
  const host = await showModels()
  await button('Load anyway: huge-70b').click()
  expect(asked(host, 'model.load')).toEqual([{ id: host.huge, anyway: true }])
})

test('each fix offered after a failed load does what it says', async () => {
  const host = await showModels()
  await expect.element(card('huge-70b')).toBeVisible()
  const failed = () =>
    host.publish(
      engineEvent({
        phase: 'failed',
        modelId: host.huge,
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
      }),
    )
  failed()
  const alert = card('huge-70b').getByRole('alert')
  await expect.element(alert).toMatchTextContent('It needs 44 GB, and 11 GB are free.')
  await expect.element(alert).toMatchTextContent('A smaller context needs less.')
  for (const name of [
    'Use a context of 4,096 tokens',
    'Put 12 layers on the graphics card',
    'Load without the graphics card',
    'Load anyway',
    'Try again',
  ])
    await alert.getByRole('button', { name, exact: true }).click()
  expect(asked(host, 'model.load')).toEqual([
    { id: host.huge, options: { contextTokens: 4_096 } },
    { id: host.huge, options: { gpuLayers: 12 } },
    { id: host.huge, cpu: true },
    { id: host.huge, anyway: true },
    { id: host.huge },
  ])
  await alert.getByRole('button', { name: 'Look for a smaller file' }).click()
  await expect.element(page.getByRole('tab', { name: 'Discover' })).toHaveAttribute('aria-selected', 'true')
})

test('a refused load says why', async () => {
  const host = await showModels()
  host.failNext('model.load', new Fault('not_ready', 'The engine for local models does not start.'))
  await button('Load: big-8b').click()
  await expect.element(page.getByText('The engine for local models does not start.')).toBeVisible()
})

test('the star marks the default model for new chats, and can be moved', async () => {
  await showModels()
  await expect
    .element(button('Used for new chats: Built-in demo model'))
    .toHaveAttribute('aria-pressed', 'true')
  await button('Use for new chats: Served model').click()
  await expect.element(button('Used for new chats: Served model')).toBeVisible()
  await expect.element(button('Use for new chats: Built-in demo model')).toBeVisible()
})

test('the menu starts a chat with the model', async () => {
  const host = await showModels()
  await menu('Served model', 'Chat with it')
  expect(host.told.asked).toEqual(['chat Served model'])
})

test('a linked file is removed from the list after confirmation, and stays on disk', async () => {
  const host = await showModels()
  await menu('huge-70b', 'Remove from the list')
  await expect.element(dialog()).toMatchTextContent('The file stays where it is')
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  expect(asked(host, 'model.forget')).toEqual([])
  await menu('huge-70b', 'Remove from the list')
  await dialog().getByRole('button', { name: 'Remove from the list' }).click()
  await expect.element(details('huge-70b')).not.toBeInTheDocument()
  await expect.element(page.getByText('huge-70b was removed from the list.')).toBeVisible()
  expect(asked(host, 'model.deleteFile')).toEqual([])
  await host.elsewhere['model.add']({ path: host.huge.slice('file:'.length) })
})

test('a file in Talaria’s own folder is deleted after confirmation', async () => {
  const host = await showModels()
  await menu('big-8b', 'Delete the file')
  await expect.element(dialog()).toMatchTextContent('This frees 5 GB and cannot be undone')
  host.failNext('model.deleteFile', new Fault('busy', 'big-8b is loaded. Unload it first.'))
  await dialog().getByRole('button', { name: 'Delete the file' }).click()
  await expect.element(page.getByText('big-8b is loaded. Unload it first.')).toBeInTheDocument()
  await dialog().getByRole('button', { name: 'Delete the file' }).click()
  await expect.element(details('big-8b')).not.toBeInTheDocument()
  expect(asked(host, 'model.deleteFile')).toEqual([{ id: host.big }, { id: host.big }])
  expect(asked(host, 'model.forget')).toEqual([])
})

test('with only the demo model, the page links to Discover', async () => {
  await showModels(() => {}, { config: onlyDemo })
  await button('Find a model').click()
  await expect.element(page.getByRole('tab', { name: 'Discover' })).toHaveAttribute('aria-selected', 'true')
})

test('a server shows where it is, and can be tested', async () => {
  const host = await showModels()
  await details('Served model').click()
  await expect
    .element(card('Served model'))
    .toMatchTextContent('It runs on this computer, so nothing leaves this computer.')
  await button('Test').click()
  await expect.element(page.getByText('llama-server answers, with 2 models.')).toBeVisible()
  expect(asked(host, 'model.tryServer')).toEqual([
    { id: 'server:served', protocol: 'openai', baseUrl: host.modelUrl, model: 'qwen3-8b' },
  ])
  await host.seed.servedModels([])
  await button('Test').click()
  await expect.element(page.getByText('Load or pull a model there.')).toBeVisible()
})

test('other programs’ folders are scanned only on request, and their files stay in place', async () => {
  const host = await showModels(
    each => {
      void each.seed.modelFile({ workspace: 'jan/tea.gguf', sizeBytes: 4e9, parameters: 7e9 })
      void each.seed.modelFile({ workspace: 'jan/known.gguf' })
    },
    {
      config: { models: { default: 'builtin', files: ['$workspace/jan/known.gguf'] } },
      // The folders of other programs are those of whoever runs the test.
      async begun({ answer, elsewhere, workspace }) {
        const { files } = await elsewhere['model.look']({ path: `${workspace}/jan` })
        const looked = ['LM Studio: ~/.lmstudio/models', 'Jan: ~/jan/models']
        answer({ 'model.scanApps': () => ({ files: files.map(file => ({ ...file, app: 'Jan' })), looked }) })
      },
    },
  )
  await expect.element(button('Add')).toBeVisible()
  expect(asked(host, 'model.scanApps')).toEqual([])
  await button('Add').click()
  await page.getByRole('menuitem', { name: /^Look in other programs…/ }).click()
  await expect.element(page.getByRole('checkbox', { name: 'Add tea' })).toBeChecked()
  await expect.element(page.getByRole('checkbox', { name: 'Add known' })).toBeDisabled()
  await expect.element(dialog()).toMatchTextContent('Jan')
  await expect
    .element(dialog())
    .toMatchTextContent('Looked in LM Studio: ~/.lmstudio/models, Jan: ~/jan/models.')
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await expect.element(details('tea')).toBeVisible()
  expect(asked(host, 'model.add')).toEqual([{ path: `${host.workspace}/jan/tea.gguf` }])
  expect(asked(host, 'model.load')).toEqual([])
})

test.for([
  ['A model file…', 'add file'],
  ['A server…', 'add server'],
] as const)('the header opens the dialog that adds a model: %s', async ([name, told]) => {
  const host = await showModels()
  await button('Add').click()
  await page.getByRole('menuitem', { name }).click()
  expect(host.told.asked).toEqual([told])
})

test('a failed read says why and can be tried again', async () => {
  let heal = () => {}
  await showModels(host => {
    fill(host)
    heal = host.failEach('machine.look', new Fault('internal', 'Something broke.'))
  })
  await expect.element(page.getByRole('alert')).toMatchTextContent('This could not be read: Something broke.')
  heal()
  await button('Try again').click()
  await expect.element(page.getByText('This could not be read')).not.toBeInTheDocument()
})

test('the tabs work with the arrow keys', async () => {
  await showModels()
  await page.getByRole('tab', { name: 'Installed' }).click()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}')
  await expect.element(page.getByRole('tab', { name: 'Engine' })).toHaveFocus()
  await expect.element(page.getByText('Copy diagnostics')).toBeVisible()
})

test('each change reads the list once: add, set default, remove, delete', async () => {
  const host = await showModels(prepared => {
    fill(prepared)
    void prepared.seed.modelFile({ workspace: 'stick/tea.gguf' })
  })
  const { client } = host.link
  const reads = async () => {
    await host.answered()
    return asked(host, 'model.list').length
  }
  await expect.element(details('big-8b')).toBeVisible()
  const first = await reads()
  const server = { protocol: 'openai', baseUrl: 'http://127.0.0.1:1/v1', model: 'far', name: 'Far' } as const
  await client['model.addServer']({ ...server, apiKey: 'sk-1' })
  await expect.element(details('Far')).toBeVisible()
  expect(await reads()).toBe(first + 1)
  await button('Use for new chats: Far').click()
  await expect.element(button('Used for new chats: Far')).toBeVisible()
  expect(await reads()).toBe(first + 2)
  await menu('Far', 'Remove from the list')
  await dialog().getByRole('button', { name: 'Remove from the list' }).click()
  await expect.element(details('Far')).not.toBeInTheDocument()
  expect(await reads()).toBe(first + 3)
  await menu('big-8b', 'Delete the file')
  await dialog().getByRole('button', { name: 'Delete the file' }).click()
  await expect.element(details('big-8b')).not.toBeInTheDocument()
  expect(await reads()).toBe(first + 4)
  await client['model.add']({ path: `${host.workspace}/stick/tea.gguf` })
  await expect.element(details('tea')).toBeVisible()
  expect(await reads()).toBe(first + 5)
})
