import { beforeEach, expect, test } from 'vitest'
import { BrowserWindow, resetShim, state } from '../../../../testing/host/electron-shim.ts'
import { watchPage } from './stopped-page.ts'

const page = 'app://bundle/index.html#chat=1'

beforeEach(resetShim)

async function aWindow() {
  const window = new BrowserWindow({ width: 1, height: 1 })
  const reports: unknown[] = []
  watchPage(window as never, error => reports.push(error))
  await window.loadURL(page)
  return { window, contents: window.webContents, reports }
}

/** The reason and the page of the replacement that a window shows. */
function shownBy({ url }: BrowserWindow) {
  const { pathname, searchParams } = new URL(url)
  return [pathname, searchParams.get('why'), searchParams.get('page')]
}

test.for([
  ['crashed', 'crashed'],
  ['killed', 'crashed'],
  ['abnormal-exit', 'crashed'],
  ['launch-failed', 'crashed'],
  ['oom', 'memory'],
  ['memory-eviction', 'memory'],
])(
  'a page that is gone (%s) is replaced by one that says %s and knows the way back',
  async ([reason, why]) => {
    const { window, contents, reports } = await aWindow()
    contents.emit('render-process-gone', {}, { reason, exitCode: 9 })
    expect([shownBy(window), reports.length]).toEqual([['/stopped/index.html', why, page], 1])
  },
)

test('a page that ends in good order stays as it is', async () => {
  const { window, contents } = await aWindow()
  contents.emit('render-process-gone', {}, { reason: 'clean-exit', exitCode: 0 })
  expect(window.url).toBe(page)
})

test.for([
  [-6, true, '/stopped/index.html'],
  [-3, true, '/index.html'],
  [-6, false, '/index.html'],
] as const)('a load that fails with %i (main frame: %s) shows %s', async ([code, isMainFrame, shown]) => {
  const { window, contents } = await aWindow()
  contents.emit('did-fail-load', {}, code, 'ERR', page, isMainFrame)
  expect(new URL(window.url).pathname).toBe(shown)
})

test('the way back from an address that is not ours leads to our page', async () => {
  const { window, contents } = await aWindow()
  contents.emit('did-fail-load', {}, -6, 'ERR', 'https://example.com/', true)
  expect(shownBy(window)).toEqual(['/stopped/index.html', 'load', 'app://bundle/index.html'])
})

test('a stand-in that fails too is not replaced again', async () => {
  const { window, contents } = await aWindow()
  contents.emit('did-fail-load', {}, -6, 'ERR', page, true)
  const first = window.url
  contents.emit('did-fail-load', {}, -6, 'ERR', first, true)
  contents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 9 })
  expect(window.url).toBe(first)
})

test('a page that does not react is reloaded only if the user wants it', async () => {
  const { window, contents } = await aWindow()
  state.clicks.push(0)
  window.emit('unresponsive')
  await expect.poll(() => state.boxes.length).toBe(1)
  const waited = [...contents.did]
  state.clicks.push(1)
  await expect
    .poll(() => {
      if (state.boxes.length === 1) window.emit('unresponsive')
      return contents.did
    })
    .toEqual(['crash', 'reload'])
  expect([waited, window.url, state.boxes[0]?.buttons]).toEqual([[], page, ['Wait', 'Reload']])
})

test('the question disappears when the page reacts again, and is asked once at a time', async () => {
  const { window, contents } = await aWindow()
  window.emit('unresponsive')
  window.emit('unresponsive')
  const asked = state.boxes.length
  window.emit('responsive')
  await expect
    .poll(() => {
      if (state.boxes.length === 1) window.emit('unresponsive')
      return state.boxes.length
    })
    .toBe(2)
  expect([asked, contents.did]).toEqual([1, []])
})
