import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Fault } from '../../../../shared/rpc.ts'
import { HostProvider } from '../../../rpc/host-context.tsx'
import { fakeHost, type FakeHost } from '../../../test/fake-host.ts'
import { aFoundFile } from '../../../test/fake-models.ts'
import { button } from '../../../test/show-app.tsx'
import { AddModelDialog } from '../AddModelDialog.tsx'
import { asked, big, details, drop, fill, GB, huge, showModels } from '../test-models.tsx'

const dialog = () => page.getByRole('dialog')
const path = () => page.getByRole('textbox', { name: 'Path of a .gguf file' })
const file = (name: string, text = 'GGUF') => new File([text], name)
/** The desktop knows where files lie; these are on a stick. */
const onDesktop = () => {
  window.desktop = { requestPort() {}, pathOf: dropped => `/mnt/stick/${(dropped as File).name}` }
}
afterEach(() => {
  delete window.desktop
})

test('a file that is dropped anywhere is looked at, and can be added and loaded', async () => {
  onDesktop()
  const host = await showModels(fill)
  await expect.element(details('big-8b.gguf')).toBeVisible()
  drop(details('big-8b.gguf').element(), file('tea.gguf'))
  await expect.element(dialog()).toMatchTextContent('tea.gguf')
  await expect.element(dialog()).toMatchTextContent('5 GB · 8.2B · Q4_K_M · qwen3')
  await expect.element(dialog()).toMatchTextContent('Fits into memory')
  await expect.element(dialog()).toMatchTextContent('Needs 6.5 GB of 11 GB')
  await expect.element(page.getByRole('radio', { name: 'Use it where it is' })).toBeChecked()
  await button('Add and load').click()
  await expect.element(details('tea.gguf')).toBeVisible()
  expect(asked(host, 'model.add')).toEqual([{ path: '/mnt/stick/tea.gguf' }])
  await expect.poll(() => asked(host, 'model.load')).toEqual([{ id: '/mnt/stick/tea.gguf' }])
  expect(host.told.added.map(model => model.name)).toEqual(['tea.gguf'])
})

test('a file is copied into Talaria’s folder instead, if there is room', async () => {
  onDesktop()
  const host = await showModels(host => {
    fill(host)
    host.files.machine = { ...host.files.machine, diskFreeBytes: 2 * GB }
  })
  await expect.element(details('big-8b.gguf')).toBeVisible()
  drop(document.body, file('tea.gguf'))
  await page.getByRole('radio', { name: 'Copy it into Talaria’s folder' }).click()
  await expect.element(dialog()).toMatchTextContent('Takes 5 GB of 2 GB that are free.')
  await expect.element(page.getByText('Too little space: 3 GB more are needed.')).toBeVisible()
  host.failNext('transfer.copy', new Fault('bad_input', 'The disk is too full for it.'))
  await button('Copy and add').click()
  await expect.element(page.getByText('The disk is too full for it.')).toBeVisible()
  await button('Copy and add').click()
  await expect.element(dialog()).not.toBeInTheDocument()
  expect(asked(host, 'transfer.copy').at(-1)).toEqual({ path: '/mnt/stick/tea.gguf' })
  expect(asked(host, 'model.add')).toEqual([])
})

test('parts of one model are one, and duplicates are said', async () => {
  onDesktop()
  const whole = aFoundFile('/mnt/stick/split-00001-of-00002.gguf', { parts: 2, copyOf: big })
  await showModels(host => {
    fill(host)
    for (const part of [1, 2]) host.files.paths.set(`/mnt/stick/split-0000${part}-of-00002.gguf`, [whole])
  })
  await expect.element(details('big-8b.gguf')).toBeVisible()
  drop(document.body, file('split-00001-of-00002.gguf'), file('split-00002-of-00002.gguf'))
  await expect.element(dialog()).toMatchTextContent('split over 2 files')
  await expect.element(dialog()).toMatchTextContent('The same model as big-8b.gguf, which is in your list.')
  await expect.element(page.getByRole('checkbox')).not.toBeInTheDocument()
})

test('of several, only those that are models and new are chosen', async () => {
  onDesktop()
  const host = await showModels(host => {
    fill(host)
    host.files.paths.set('/mnt/stick/a.gguf', [
      aFoundFile('/mnt/stick/a.gguf'),
      aFoundFile('/mnt/stick/second.gguf', { copyOf: big }),
      aFoundFile('/mnt/stick/known.gguf', { knownAs: huge }),
      aFoundFile('/mnt/stick/cut.gguf', { problem: 'It is cut off.', file: null, fit: null }),
    ])
  })
  await expect.element(details('big-8b.gguf')).toBeVisible()
  drop(document.body, file('a.gguf'))
  await expect.element(page.getByRole('checkbox', { name: 'Add a.gguf' })).toBeChecked()
  await expect.element(page.getByRole('checkbox', { name: 'Add second.gguf' })).not.toBeChecked()
  await expect.element(page.getByRole('checkbox', { name: 'Add known.gguf' })).toBeDisabled()
  await expect.element(page.getByRole('checkbox', { name: 'Add cut.gguf' })).toBeDisabled()
  await expect.element(page.getByText('It is cut off.')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Add second.gguf' }).click()
  await button('Add 2').click()
  await expect.element(page.getByText('2 models were added.')).toBeVisible()
  expect(asked(host, 'model.add')).toEqual([
    { path: '/mnt/stick/a.gguf' },
    { path: '/mnt/stick/second.gguf' },
  ])
  expect(host.told.added).toEqual([])
})

test('what is too big is added without being loaded', async () => {
  onDesktop()
  const host = await showModels(host => {
    fill(host)
    const fit = host.files.fit({ ...host.models[0]!, sizeBytes: 43 * GB }, 8_192)
    host.files.paths.set('/mnt/stick/a.gguf', [aFoundFile('/mnt/stick/a.gguf', { sizeBytes: 43 * GB, fit })])
  })
  await expect.element(details('big-8b.gguf')).toBeVisible()
  drop(document.body, file('a.gguf'))
  await expect.element(dialog()).toMatchTextContent('Too big: 33.5 GB missing')
  await expect.element(button('Add and load')).not.toBeInTheDocument()
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await expect.element(details('a.gguf')).toBeVisible()
  expect(asked(host, 'model.load')).toEqual([])
})

test('a browser sends the bytes to the host that served it', async () => {
  const host = await showModels(fill)
  await expect.element(details('big-8b.gguf')).toBeVisible()
  const tea = file('tea.gguf', 'GGUF and more')
  drop(document.body, tea)
  await expect.element(dialog()).toMatchTextContent('A page in a browser cannot use a file where it lies')
  await button('Send 13 B').click()
  await expect.element(page.getByText('The file is being sent.')).toBeVisible()
  expect(asked(host, 'transfer.upload')).toEqual([{ name: 'tea.gguf', sizeBytes: 13 }])
  expect(host.sent).toEqual([{ id: 'transfer-new-1', file: tea }])
  await expect.element(page.getByRole('tab', { name: /^Downloads/ })).toHaveAttribute('aria-selected', 'true')
  await expect.element(page.getByText(/^From this page · Waits for its turn/)).toBeVisible()
})

test('bytes that never came are said, and their transfer goes', async () => {
  const host = await showModels(fill, { send: () => Promise.resolve(false) })
  await expect.element(details('big-8b.gguf')).toBeVisible()
  drop(document.body, file('tea.gguf'))
  await button('Send 4 B').click()
  await expect.element(page.getByText('tea.gguf could not be sent. Is it still there?')).toBeVisible()
  await expect.poll(() => host.files.transfers()).toEqual([])
})

test('what the host says about a broken upload stays for the person to read', async () => {
  const host = await showModels(fill, {
    send: async id => {
      host.files.transfer({ id, state: 'failed', error: 'The disk is full.' })
      return false
    },
  })
  await expect.element(details('big-8b.gguf')).toBeVisible()
  drop(document.body, file('tea.gguf'))
  await button('Send 4 B').click()
  await expect.element(page.getByText('The disk is full.')).toBeVisible()
  expect(asked(host, 'transfer.cancel')).toEqual([])
})

test('a file on the same computer is named by its path instead of being sent', async () => {
  const host = await showModels(fill)
  await expect.element(details('big-8b.gguf')).toBeVisible()
  drop(document.body, file('tea.gguf'))
  await path().fill('/home/ada/tea.gguf')
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await expect.element(details('tea.gguf')).toBeVisible()
  expect(asked(host, 'transfer.upload')).toEqual([])
  expect(host.told.added.map(model => model.id)).toEqual(['/home/ada/tea.gguf'])
})

test('what is no model is not taken, and does not lead the window away', async () => {
  await showModels(fill)
  await expect.element(details('big-8b.gguf')).toBeVisible()
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(file('notes.txt'))
  const event = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer })
  document.body.dispatchEvent(event)
  expect(event.defaultPrevented).toBe(true)
  await expect.element(page.getByText(/Talaria takes model files here/)).toBeVisible()
  await expect.element(dialog()).not.toBeInTheDocument()
})

test('other places that take files keep theirs, but not a model', async () => {
  onDesktop()
  await showModels(fill)
  await expect.element(details('big-8b.gguf')).toBeVisible()
  const zone = document.createElement('div')
  document.body.append(zone)
  const taken: string[] = []
  for (const type of ['dragover', 'drop'])
    zone.addEventListener(type, event => {
      if (!event.defaultPrevented) taken.push(type)
      event.preventDefault()
    })
  drop(zone, file('skill.zip'))
  expect(taken).toEqual(['dragover', 'drop'])
  await expect.element(dialog()).not.toBeInTheDocument()
  drop(zone, file('tea.gguf'))
  expect(taken).toEqual(['dragover', 'drop', 'dragover'])
  await expect.element(dialog()).toMatchTextContent('tea.gguf')
  zone.remove()
})

test('the window says where a file may be dropped while it is dragged', async () => {
  await showModels(fill)
  await expect.element(details('big-8b.gguf')).toBeVisible()
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(file('tea.gguf'))
  const tell = (type: string, relatedTarget: Element | null = null) =>
    document.body.dispatchEvent(
      new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer, relatedTarget }),
    )
  tell('dragover')
  await expect.element(page.getByText('Drop a .gguf file to add it')).toBeVisible()
  tell('dragleave', document.querySelector('h1'))
  await expect.element(page.getByText('Drop a .gguf file to add it')).toBeVisible()
  tell('dragleave')
  await expect.element(page.getByText('Drop a .gguf file to add it')).not.toBeInTheDocument()
  const words = new DataTransfer()
  words.setData('text/plain', 'words')
  const event = new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer: words })
  document.body.dispatchEvent(event)
  expect(event.defaultPrevented).toBe(false)
})

/** The dialog that the chat and the page open, over a host of its own. */
async function showDialog(prepare: (host: FakeHost) => void = fill) {
  const host = fakeHost()
  const added: string[] = []
  let closed = 0
  prepare(host)
  await render(
    <HostProvider link={host.link}>
      <AddModelDialog how="file" onAdded={model => added.push(model.id)} onClose={() => closed++} />
    </HostProvider>,
  )
  return { host, added, closed: () => closed }
}

test('what lies at a path is shown while it is typed', async () => {
  const { host, added } = await showDialog()
  await path().fill('/home/ada/tea.gguf')
  await expect.element(dialog()).toMatchTextContent('5 GB · 8.2B · Q4_K_M')
  await expect.element(dialog()).toMatchTextContent('Fits into memory')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => added).toEqual(['/home/ada/tea.gguf'])
  expect(asked(host, 'model.add')).toEqual([{ path: '/home/ada/tea.gguf' }])
})

test('of a folder, the files in it are chosen', async () => {
  const { host, added } = await showDialog(host =>
    host.files.paths.set('/models', [aFoundFile('/models/a.gguf'), aFoundFile('/models/b.gguf')]),
  )
  await path().fill('/models')
  expect(asked(host, 'model.look')).toEqual([])
  await button('Look into it').click()
  await page.getByRole('checkbox', { name: 'Add a.gguf' }).click()
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await expect.poll(() => added).toEqual(['/models/b.gguf'])
  expect(asked(host, 'model.add')).toEqual([{ path: '/models/b.gguf' }])
})

test('what is wrong with a path is said only when it is to be added', async () => {
  const { host, added, closed } = await showDialog()
  host.failNext('model.look', new Fault('not_found', 'There is no file at this path.'))
  await path().fill('/nowhere.gguf')
  await expect.poll(() => asked(host, 'model.look')).toHaveLength(1)
  await expect.element(page.getByText('There is no file at this path.')).not.toBeInTheDocument()
  host.failNext('model.add', new Fault('not_found', 'There is no file at this path.'))
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await expect.element(page.getByText('There is no file at this path.')).toBeVisible()
  expect(added).toEqual([])
  await path().fill('/home/ada/tea.gguf')
  await page.getByRole('radio', { name: 'Copy it into Talaria’s folder' }).click()
  await button('Copy and add').click()
  await expect.poll(closed).toBe(1)
  expect(asked(host, 'transfer.copy')).toEqual([{ path: '/home/ada/tea.gguf' }])
})
