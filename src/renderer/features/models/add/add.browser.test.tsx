import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { HostProvider } from '../../../rpc/host-context.tsx'
import { aMachine, GB, runOn } from '../../../test/a-computer.ts'
import { button, startHost } from '../../../test/show-window.tsx'
import type { PreparedHost } from '../../../test/test-host.ts'
import { AddModelDialog } from './AddModelDialog.tsx'
import { asked, details, drop, fill, showModels } from '../../../test/models.tsx'
import { sendFile } from '../../../rpc/page-token.ts'

const dialog = () => page.getByRole('dialog')
const path = () => page.getByRole('textbox', { name: 'Path of a .gguf file' })
const file = (name: string, text = 'GGUF') => new File([text], name)
const tea = { workspace: 'stick/tea.gguf', sizeBytes: 4 * GB, parameters: 7_000_000_000 }
const small = { ...tea, sizeBytes: 2_000_000, parameters: 1_000_000 }

/** The page in a window of the desktop, which knows where files lie; what is dropped is on a stick. */
async function onDesktop(
  prepare: (host: PreparedHost) => void = host => void host.seed.modelFile(tea),
  options: Parameters<typeof showModels>[1] = {},
) {
  const host = await showModels(each => {
    fill(each)
    prepare(each)
  }, options)
  const stick = `${host.workspace}/stick`
  window.desktop = { requestPort() {}, pathOf: dropped => `${stick}/${(dropped as File).name}` }
  await expect.element(details('big-8b')).toBeVisible()
  return { ...host, stick }
}
afterEach(() => {
  delete window.desktop
})

test('a model file dropped anywhere is inspected, and can be added and loaded', async () => {
  const host = await onDesktop()
  drop(details('big-8b').element(), file('tea.gguf'))
  await expect.element(dialog()).toMatchTextContent('tea')
  await expect.element(dialog()).toMatchTextContent('4 GB · 7B · Q4_K_M · qwen3')
  await expect.element(dialog()).toMatchTextContent('Fits into memory')
  await expect.element(dialog()).toMatchTextContent('Needs 5.5 GB for 2 chats, of 11 GB')
  await expect.element(page.getByRole('radio', { name: 'Use it where it is' })).toBeChecked()
  await button('Add and load').click()
  await expect.element(details('tea')).toBeVisible()
  expect(asked(host, 'model.add')).toEqual([{ path: `${host.stick}/tea.gguf` }])
  await expect.poll(() => asked(host, 'model.load')).toEqual([{ id: `file:${host.stick}/tea.gguf` }])
  expect(host.told.added.map(model => model.name)).toEqual(['tea'])
})

test('a file can be copied into Talaria’s folder, if there is enough space', async () => {
  const host = await onDesktop(({ seed }) => void seed.modelFile(small), {
    computer: { machine: { ...aMachine, diskFreeBytes: 500_000 } },
  })
  drop(document.body, file('tea.gguf'))
  await page.getByRole('radio', { name: 'Copy it into Talaria’s folder' }).click()
  await expect.element(dialog()).toMatchTextContent('Takes 2 MB of 500 kB free.')
  await expect.element(page.getByText('Not enough space: 1.5 MB more needed.')).toBeVisible()
  await host.seed.workspaceFiles({ 'stick/tea.gguf': 'GGUF' })
  await button('Copy and add').click()
  await expect.element(page.getByText(/it ends inside its header/)).toBeVisible()
  await host.seed.modelFile(small)
  await button('Copy and add').click()
  await expect.element(dialog()).not.toBeInTheDocument()
  expect(asked(host, 'download.copy').at(-1)).toEqual({ path: `${host.stick}/tea.gguf` })
  expect(asked(host, 'model.add')).toEqual([])
  await expect.element(details('tea')).toBeVisible()
})

test('the parts of a split model count as one, and duplicates are reported', async () => {
  const split = 'split-00001-of-00002.gguf'
  await onDesktop(({ seed }) => {
    void seed.modelFile({ workspace: `stick/${split}`, sizeBytes: 9 * GB })
    void seed.modelFile({ home: `models/${split}`, sizeBytes: 9 * GB })
  })
  drop(document.body, file(split), file('split-00002-of-00002.gguf'))
  await expect.element(dialog()).toMatchTextContent('split over 2 files')
  await expect.element(dialog()).toMatchTextContent('The same model as split, which is in your list.')
  await expect.element(page.getByRole('checkbox')).not.toBeInTheDocument()
})

test('of several files, only new models are selected', async () => {
  const host = await onDesktop(({ seed }) => {
    void seed.modelFile(tea)
    // The same bytes as those of the model in Talaria’s folder.
    void seed.modelFile({ workspace: 'stick/second.gguf' })
    void seed.workspaceFiles({ 'stick/cut.gguf': 'GGUF' })
  })
  const names = ['tea.gguf', 'second.gguf', 'huge-70b-00001-of-00003.gguf', 'cut.gguf']
  drop(document.body, ...names.map(name => file(name)))
  await expect.element(page.getByRole('checkbox', { name: 'Add tea' })).toBeChecked()
  await expect.element(page.getByRole('checkbox', { name: 'Add second' })).not.toBeChecked()
  await expect.element(page.getByRole('checkbox', { name: 'Add huge-70b' })).toBeDisabled()
  await expect.element(page.getByRole('checkbox', { name: 'Add cut' })).toBeDisabled()
  await expect.element(page.getByText(/cut short: it ends inside its header/)).toBeVisible()
  await page.getByRole('checkbox', { name: 'Add second' }).click()
  await button('Add 2').click()
  await expect.element(page.getByText('2 models were added.')).toBeVisible()
  const paths = [`${host.stick}/tea.gguf`, `${host.stick}/second.gguf`]
  expect(asked(host, 'model.add')).toEqual(paths.map(path => ({ path })))
  expect(host.told.added).toEqual([])
})

test('a model that is too big is added without loading it', async () => {
  const host = await onDesktop(({ seed }) => void seed.modelFile({ ...tea, sizeBytes: 43 * GB }))
  drop(document.body, file('tea.gguf'))
  await expect.element(dialog()).toMatchTextContent('Too big: 33.5 GB missing')
  await expect.element(button('Add and load')).not.toBeInTheDocument()
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await expect.element(details('tea')).toBeVisible()
  expect(asked(host, 'model.load')).toEqual([])
})

test('a browser uploads the file to the host', async () => {
  const host = await showModels(fill)
  await expect.element(details('big-8b')).toBeVisible()
  const sent = file('tea.gguf', 'GGUF and more')
  drop(document.body, sent)
  await expect.element(dialog()).toMatchTextContent('A browser page cannot use a file in place')
  await button('Send 13 B').click()
  await expect.element(page.getByText('The file is being sent.')).toBeVisible()
  expect(asked(host, 'download.upload')).toEqual([{ name: 'tea.gguf', sizeBytes: 13 }])
  const { transfers } = await host.elsewhere['download.list']({})
  expect(host.sent).toEqual([{ id: transfers[0]?.id, file: sent }])
  await expect.element(page.getByRole('tab', { name: /^Downloads/ })).toHaveAttribute('aria-selected', 'true')
  await expect.element(page.getByText(/^From this page · Waiting/)).toBeVisible()
})

test('an upload that fails is reported, and its entry removed', async () => {
  const host = await showModels(fill, { send: () => Promise.resolve(false) })
  await expect.element(details('big-8b')).toBeVisible()
  drop(document.body, file('tea.gguf'))
  await button('Send 4 B').click()
  await expect.element(page.getByText('tea.gguf could not be sent. Is it still there?')).toBeVisible()
  await expect.poll(() => host.elsewhere['download.list']({})).toEqual({ transfers: [] })
})

test('an upload that the host rejects stays listed with the reason', async () => {
  const host = await showModels(fill, {
    send: (id, { upload }) => upload(id, 'GGUF'),
  })
  await expect.element(details('big-8b')).toBeVisible()
  drop(document.body, file('tea.gguf'))
  await button('Send 4 B').click()
  await expect.element(page.getByText(/is cut short: it ends inside its header/)).toBeVisible()
  expect(asked(host, 'download.cancel')).toEqual([])
})

test('in a browser, a file on the host’s computer can be added by path', async () => {
  const host = await showModels(each => {
    fill(each)
    void each.seed.modelFile(tea)
  })
  await expect.element(details('big-8b')).toBeVisible()
  drop(document.body, file('tea.gguf'))
  await path().fill(`${host.workspace}/stick/tea.gguf`)
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await expect.element(details('tea')).toBeVisible()
  expect(asked(host, 'download.upload')).toEqual([])
  expect(host.told.added.map(model => model.id)).toEqual([`file:${host.workspace}/stick/tea.gguf`])
})

test('a dropped file that is not a model is refused, and the page does not navigate to it', async () => {
  await showModels(fill)
  await expect.element(details('big-8b')).toBeVisible()
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(file('notes.txt'))
  const event = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer })
  document.body.dispatchEvent(event)
  expect(event.defaultPrevented).toBe(true)
  await expect.element(page.getByText(/You can drop model files here/)).toBeVisible()
  await expect.element(dialog()).not.toBeInTheDocument()
})

test('other drop zones keep their files, except models', async () => {
  await onDesktop()
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
  await expect.element(dialog()).toMatchTextContent('tea')
  zone.remove()
})

test('dragging a file over the window shows a hint, dragging text does not', async () => {
  await showModels(fill)
  await expect.element(details('big-8b')).toBeVisible()
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

/** The dialog that the chat and the page open, over a host of its own with two files on a stick. */
async function showDialog() {
  const host = await startHost(({ seed }) => {
    void seed.modelFile(tea)
    void seed.modelFile({ ...tea, workspace: 'stick/second.gguf' })
  })
  runOn(host)
  const added: string[] = []
  let closed = 0
  await render(
    <HostProvider link={host.link}>
      <AddModelDialog how="file" onAdded={model => added.push(model.id)} onClose={() => closed++} />
    </HostProvider>,
  )
  return { host, added, stick: `${host.workspace}/stick`, closed: () => closed }
}

test('typing a path shows the model found there', async () => {
  const { host, added, stick } = await showDialog()
  await path().fill(`${stick}/tea.gguf`)
  await expect.element(dialog()).toMatchTextContent('4 GB · 7B · Q4_K_M')
  await expect.element(dialog()).toMatchTextContent('Fits into memory')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => added).toEqual([`file:${stick}/tea.gguf`])
  expect(asked(host, 'model.add')).toEqual([{ path: `${stick}/tea.gguf` }])
})

test('for a folder, its model files can be selected', async () => {
  const { host, added, stick } = await showDialog()
  await path().fill(stick)
  expect(asked(host, 'model.look')).toEqual([])
  await button('Look inside').click()
  await page.getByRole('checkbox', { name: 'Add second' }).click()
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await expect.poll(() => added).toEqual([`file:${stick}/tea.gguf`])
  expect(asked(host, 'model.add')).toEqual([{ path: `${stick}/tea.gguf` }])
})

test('an invalid path is reported only when it is added', async () => {
  const { host, added, stick, closed } = await showDialog()
  await path().fill('/nowhere.gguf')
  await expect.poll(() => asked(host, 'model.look')).toHaveLength(1)
  const problem = page.getByText(/There is no model file at \/nowhere\.gguf\./)
  await expect.element(problem).not.toBeInTheDocument()
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await expect.element(problem).toBeVisible()
  expect(added).toEqual([])
  await host.seed.modelFile(small)
  await path().fill(`${stick}/tea.gguf`)
  await page.getByRole('radio', { name: 'Copy it into Talaria’s folder' }).click()
  await button('Copy and add').click()
  await expect.poll(closed).toBe(1)
  expect(asked(host, 'download.copy')).toEqual([{ path: `${stick}/tea.gguf` }])
})

type Sent = { url: string; init: RequestInit | undefined }

function recorder(answer: () => Promise<Response> = () => Promise.resolve(new Response('{}'))) {
  const sent: Sent[] = []
  const fetch: typeof window.fetch = (url, init) => {
    sent.push({ url: url instanceof Request ? url.url : url.toString(), init })
    return answer()
  }
  return { sent, parts: { fetch, token: () => Promise.resolve('abc-1'), origin: 'http://127.0.0.1:4000' } }
}

test('an upload carries the page’s token to its own host', async () => {
  const { sent, parts } = recorder()
  const file = new File(['GGUF'], 'big.gguf')
  expect(await sendFile('up/1', file, parts)).toBe(true)
  expect(sent.map(({ url }) => url)).toEqual(['http://127.0.0.1:4000/upload/up%2F1'])
  expect(sent[0]?.init).toMatchObject({ method: 'PUT', headers: { authorization: 'Bearer abc-1' } })
  expect(sent[0]?.init?.body).toBe(file)
})

test('an upload fails if the host refuses it or the connection breaks', async () => {
  const refuses = recorder(() => Promise.resolve(new Response('', { status: 403 })))
  expect(await sendFile('up-1', new Blob(['x']), refuses.parts)).toBe(false)
  const breaks = recorder(() => Promise.reject(new TypeError('network')))
  expect(await sendFile('up-1', new Blob(['x']), breaks.parts)).toBe(false)
})
