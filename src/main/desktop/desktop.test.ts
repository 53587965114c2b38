import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AppEvent } from '../../shared/contract/app.ts'
import { Fault } from '../../shared/rpc.ts'
import type { Host, HostOptions } from '../app/host-types.ts'
import {
  app,
  becomeReady,
  BrowserWindow,
  Menu,
  nativeTheme,
  resetShim,
  state,
} from '../../../testing/host/electron-shim.ts'
import { runDesktop } from './desktop.ts'

let home: string
beforeEach(() => {
  resetShim()
  home = mkdtempSync(join(tmpdir(), 'desktop-'))
})
afterEach(() => rmSync(home, { recursive: true }))

/** A host that knows a theme and nothing else. */
function aHost(theme = 'system') {
  const seen = { options: undefined as HostOptions | undefined, closed: 0, reports: [] as unknown[] }
  async function* watch(_: object, signal: AbortSignal) {
    yield { type: 'hello', settings: { theme } } as AppEvent
    await new Promise(resolve => signal.addEventListener('abort', resolve))
  }
  const create = async (options: HostOptions): Promise<Host> => {
    seen.options = options
    return {
      handlers: { 'app.watch': watch } as unknown as Host['handlers'],
      home,
      report: error => seen.reports.push(error),
      receiveUpload: async () => ({ ok: true }),
      close: async () => void (seen.closed += 1),
    }
  }
  return { seen, create }
}

async function started(host = aHost()) {
  becomeReady()
  await runDesktop(host.create, ['.', '--inspect=0', '--home', home, '--no-sandbox'])
  return { seen: host.seen, window: BrowserWindow.all[0]! }
}

test('a window opens on our page, isolated, and is shown once it has rendered', async () => {
  const { seen, window } = await started()
  const { preload, ...preferences } = window.options.webPreferences as Record<string, unknown>
  expect([window.url, window.did, preferences, String(preload).endsWith('preload/index.cjs')]).toEqual([
    'app://bundle/index.html',
    ['show'],
    {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      spellcheck: process.platform === 'darwin',
    },
    true,
  ])
  expect(window.options).toMatchObject({ show: false, minWidth: 480, minHeight: 480 })
  expect([seen.options?.hosting, seen.options?.home, seen.reports]).toEqual(['desktop', home, []])
})

test('before Electron is ready the sandbox is on and no host is created', () => {
  const { seen, create } = aHost()
  void runDesktop(create, ['--home', home])
  expect([seen.options, state.sandboxed, state.paths.get('userData')]).toEqual([
    undefined,
    true,
    join(home, 'window'),
  ])
})

test('a second instance with the same home ends at once, without a host', async () => {
  state.isFirst = false
  const { seen, create } = aHost()
  await runDesktop(create, ['--home', home])
  expect([state.exitCode, seen.options, BrowserWindow.all]).toEqual([0, undefined, []])
})

test('the first instance comes to the front when a second one is started', async () => {
  const { window } = await started()
  window.minimized = true
  app.emit('second-instance')
  expect([window.minimized, window.did, BrowserWindow.all.length]).toEqual([
    false,
    ['show', 'show', 'focus'],
    1,
  ])
})

test('activating an application without a window opens one', async () => {
  const { window } = await started()
  BrowserWindow.all = []
  app.emit('activate')
  expect(BrowserWindow.all.map(each => each.url)).toEqual([window.url])
})

test.runIf(process.platform !== 'darwin')(
  'closing the last window closes the host before the process ends',
  async () => {
    const { seen, window } = await started()
    const ended = new Promise(resolve => app.once('exited', resolve))
    window.close()
    app.quit()
    const before = state.exitCode
    await ended
    expect([before, state.exitCode, seen.closed]).toEqual([undefined, 0, 1])
  },
)

test('the window reopens at its last position, unless that screen is gone', async () => {
  const { window } = await started()
  window.bounds = { x: 40, y: 50, width: 900, height: 700 }
  window.maximized = true
  window.close()
  resetShim()
  const again = (await started()).window
  const kept = JSON.parse(readFileSync(join(home, 'window.json'), 'utf8')) as { bounds: { x: number } }
  writeFileSync(
    join(home, 'window.json'),
    JSON.stringify({ ...kept, bounds: { ...kept.bounds, x: 4_000 }, maximized: false }),
  )
  resetShim()
  const elsewhere = (await started()).window
  expect([again.bounds, again.maximized, elsewhere.options.x]).toEqual([
    { x: 40, y: 50, width: 900, height: 700 },
    true,
    undefined,
  ])
})

test('an unreadable window position is ignored', async () => {
  writeFileSync(join(home, 'window.json'), '{"bounds":{"x":"left"')
  const { window } = await started()
  expect([window.options.x, state.errors]).toEqual([undefined, []])
})

test('the theme from the settings is known before the window is created', async () => {
  nativeTheme.shouldUseDarkColors = true
  const { window } = await started(aHost('dark'))
  expect([nativeTheme.themeSource, window.options['backgroundColor']]).toEqual(['dark', '#1a1a1c'])
})

test('a packaged application cannot reload its page', async () => {
  await started()
  const roles = (menu: Menu) => menu.items.flatMap(item => item.submenu ?? []).map(item => item.role)
  app.isPackaged = false
  const packaged = roles(state.menus[0]!)
  resetShim()
  app.isPackaged = false
  await started()
  expect([packaged.includes('reload'), roles(state.menus[0]!).includes('reload')]).toEqual([false, true])
})

test('the context menu offers actions for the text under the pointer', async () => {
  const { window } = await started()
  const editFlags = { canCut: true, canCopy: true, canPaste: false }
  window.webContents.emit('context-menu', {}, { isEditable: true, selectionText: 'a', editFlags })
  window.webContents.emit('context-menu', {}, { isEditable: false, selectionText: ' ', editFlags })
  const offered = state.menus
    .slice(1)
    .map(({ items }) => items.filter(item => item.enabled).map(({ role }) => role))
  expect(offered).toEqual([['cut', 'copy'], []])
})

test.for([
  ['A fault', new Fault('busy', 'Another Talaria is running.'), 'Another Talaria is running.', 0],
  ['A bug', new Error('oops'), 'Something unexpected happened: Error: oops', 1],
] as const)(
  '%s during startup is shown to the user, and the process ends',
  async ([, error, text, logged]) => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    becomeReady()
    await runDesktop(() => Promise.reject(error), ['--home', home])
    const lines = log.mock.calls.length
    log.mockRestore()
    expect([state.errors, state.exitCode, lines]).toEqual([[`Talaria cannot start: ${text}`], 1, logged])
  },
)

test('a host whose window cannot open is closed before the process ends', async () => {
  const { seen, create } = aHost()
  state.loadFails = new Fault('internal', 'The page is missing.')
  becomeReady()
  await runDesktop(create, ['--home', home])
  expect([state.errors, seen.closed, state.exitCode]).toEqual([
    ['Talaria cannot start: The page is missing.'],
    1,
    1,
  ])
})
