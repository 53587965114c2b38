import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Fault } from '../../shared/rpc.ts'
import {
  app,
  becomeReady,
  BrowserWindow,
  Menu,
  nativeTheme,
  powerMonitor,
  resetShim,
  state,
} from '../../../testing/host/electron-shim.ts'
import { aDesktopHost, requestsTo, startDesktop } from '../../../testing/host/a-desktop.ts'
import { onPlatform } from '../../../testing/host/on-platform.ts'
import type { DesktopSettings } from '../app/host-types.ts'
import { runDesktop } from './run-desktop.ts'

let home: string
beforeEach(() => {
  resetShim()
  onPlatform('linux')
  home = mkdtempSync(join(tmpdir(), 'desktop-'))
})
afterEach(() => {
  onPlatform()
  rmSync(home, { recursive: true })
})

const aHost = (...settings: [theme?: string, changes?: Partial<DesktopSettings>]) =>
  aDesktopHost(home, ...settings)
const started = (host = aHost(), args: string[] = []) => startDesktop(host, args)

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
      spellcheck: false,
    },
    true,
  ])
  expect(window.options).toMatchObject({ show: false, minWidth: 480, minHeight: 480 })
  expect([seen.options?.hosting, seen.options?.home, seen.reports]).toEqual(['desktop', home, []])
})

test('before Electron is ready the sandbox is on and no host is created', () => {
  const { seen, create } = aHost()
  void runDesktop(create, ['--home', home], new EventEmitter())
  expect([seen.options, state.sandboxed, state.paths.get('userData')]).toEqual([
    undefined,
    true,
    join(home, 'window'),
  ])
})

test('the host looks at the clock when the computer wakes up', async () => {
  const { seen } = await started()
  powerMonitor.emit('resume')
  expect(seen.looked).toBe(1)
})

test('a run keeps the computer awake, also with the window in the tray', async () => {
  onPlatform('win32')
  const { seen, window } = await started(aHost('system', { keep_running: true }))
  const letSleep = seen.options!.keepAwake!()
  window.close()
  expect([state.awake.size, window.visible, state.exitCode]).toEqual([1, false, undefined])
  letSleep()
  expect(state.awake.size).toBe(0)
})

test('a run that ended is told while the window is in the tray, and opens its chat in it', async () => {
  const { seen, window, publish } = await started(aHost('system', { keep_running: true }))
  window.close()
  await publish({ type: 'schedule_ended', name: 'Notes', sessionId: 'c1', ok: true, content: '' })
  const bodies = state.notices.map(({ body }) => body)
  state.notices[0]?.emit('click', {})
  const taken = requestsTo(seen)
  await expect.poll(() => taken).toEqual([{ type: 'chat', id: 'c1' }])
  expect([bodies, window.visible]).toEqual([['A schedule has run.'], true])
})

test('a second instance with the same home ends at once, without a host', async () => {
  state.isFirst = false
  const { seen, create } = aHost()
  await runDesktop(create, ['--home', home], new EventEmitter())
  expect([state.exitCode, seen.options, BrowserWindow.all]).toEqual([0, undefined, []])
})

test('the first instance comes to the front when a second one is started', async () => {
  const { window } = await started()
  window.minimized = true
  app.emit('second-instance', {}, ['/usr/bin/talaria'], '/')
  expect([window.minimized, window.did, BrowserWindow.all.length]).toEqual([
    false,
    ['show', 'show', 'focus'],
    1,
  ])
})

test('activating an application without a window opens one', async () => {
  onPlatform('darwin')
  const { window } = await started()
  window.close()
  app.emit('activate', {}, false)
  expect(BrowserWindow.all.map(each => each.url)).toEqual([window.url])
})

test('closing the last window closes the host before the process ends', async () => {
  const { seen, window } = await started()
  const exited = new Promise(resolve => app.once('exited', resolve))
  window.close()
  app.quit()
  const before = state.exitCode
  await exited
  expect([before, state.exitCode, seen.closed]).toEqual([undefined, 0, 1])
})

test('the window reopens at its last position', async () => {
  const { window } = await started()
  window.bounds = { x: 40, y: 50, width: 900, height: 700 }
  window.maximized = true
  window.close()
  resetShim()
  const again = (await started()).window
  expect([again.bounds, again.maximized]).toEqual([{ x: 40, y: 50, width: 900, height: 700 }, true])
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
  const words = { misspelledWord: '', dictionarySuggestions: [] }
  const ask = (params: object) =>
    window.webContents.emit('context-menu', {}, { editFlags, ...words, ...params })
  ask({ isEditable: true, selectionText: 'a' })
  ask({ isEditable: false, selectionText: ' ' })
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
    await runDesktop(() => Promise.reject(error), ['--home', home], new EventEmitter())
    const lines = log.mock.calls.length
    log.mockRestore()
    expect([state.errors, state.exitCode, lines]).toEqual([[`Talaria cannot start: ${text}`], 1, logged])
  },
)

test('a window that does not load says so, and can be loaded again', async () => {
  state.loadFails = new Error('The page is missing.')
  const { seen, window } = await started()
  expect([new URL(window.url).pathname, state.exitCode, seen.reports.length]).toEqual([
    '/stopped/index.html',
    undefined,
    1,
  ])
})

test('Windows takes the app for one program, and gives it its links', async () => {
  onPlatform('win32')
  await started()
  expect([state.modelId, state.linkSchemes]).toEqual(['app.talaria.desktop', ['talaria']])
})

test('what is asked for while the host opens is done when the window is there', async () => {
  const host = aHost()
  void runDesktop(host.create, ['--home', home], new EventEmitter())
  app.emit('second-instance', {}, ['/usr/bin/talaria', '--workspace', 'notes'], '/home/ada')
  app.emit('open-url', { preventDefault() {} }, 'talaria://memory')
  becomeReady()
  await expect.poll(() => BrowserWindow.all.length).toBe(1)
  const taken = requestsTo(host.seen)
  await expect
    .poll(() => taken)
    .toEqual([
      { type: 'folder', folder: '/home/ada/notes' },
      { type: 'page', page: 'memory', tab: null },
    ])
  expect(BrowserWindow.all.length).toBe(1)
})

test('a start by a link opens it, and takes no options from it', async () => {
  vi.stubEnv('TALARIA_HOME', home)
  const host = aHost()
  becomeReady()
  await runDesktop(host.create, ['--workspace', '/etc', 'talaria://chat/c1'], new EventEmitter())
  vi.unstubAllEnvs()
  const taken = requestsTo(host.seen)
  await expect.poll(() => taken).toEqual([{ type: 'chat', id: 'c1' }])
  expect(host.seen.options?.workspace).toBeUndefined()
})

test('keys of the quick window that another program has are told in the window', async () => {
  state.takenKeys.add('Ctrl+Space')
  const { seen, change } = await started()
  const taken = requestsTo(seen)
  await change({ quick_window: true, quick_keys: 'Ctrl+Space' })
  await change({ notify_titles: true })
  await expect.poll(() => taken.map(({ type }) => type)).toEqual(['trouble'])
})

test('a chat of the quick window is shown in the main one', async () => {
  const { seen, window } = await started(aHost('system', { quick_window: true, quick_keys: 'Alt+Q' }))
  state.keys.get('Alt+Q')?.()
  const [, quick] = BrowserWindow.all
  await seen.options!.desktop!['desktop.showChat']({ id: 'c1' }, new AbortController().signal)
  const taken = requestsTo(seen)
  await expect.poll(() => taken).toEqual([{ type: 'chat', id: 'c1' }])
  expect([quick!.visible, window.focused]).toEqual([false, true])
})

test('a hidden quick window does not keep the app running', async () => {
  const { window } = await started(aHost('system', { quick_window: true, quick_keys: 'Alt+Q' }))
  state.keys.get('Alt+Q')?.()
  const exited = new Promise(resolve => app.once('exited', resolve))
  window.close()
  await exited
  expect([state.exitCode, [...state.keys.keys()]]).toEqual([0, []])
})

describe('the menu', () => {
  const labelled = (menu: Menu, label: string) =>
    menu.items.flatMap(item => item.submenu ?? []).find(item => item.label === label)

  test('has keys on macOS, where the page leaves them to it, and settings in the menu of the app', async () => {
    onPlatform('darwin')
    const { seen } = await started()
    const [appMenu] = state.menus[0]!.items
    const settings = appMenu?.submenu?.find(item => item.label === 'Settings…')
    settings?.click?.()
    const taken = requestsTo(seen)
    await expect.poll(() => taken).toEqual([{ type: 'page', page: 'settings', tab: null }])
    expect([settings?.accelerator, settings?.registerAccelerator]).toEqual(['CommandOrControl+,', true])
  })

  test('opens the command palette of the window', async () => {
    const { seen } = await started()
    const item = labelled(state.menus[0]!, 'Command Palette…')
    item?.click?.()
    const taken = requestsTo(seen)
    await expect.poll(() => taken).toEqual([{ type: 'palette' }])
    expect(item?.accelerator).toBe('CommandOrControl+K')
  })

  test('only names the keys elsewhere', async () => {
    await started()
    expect(labelled(state.menus[0]!, 'New Chat')).toMatchObject({
      accelerator: 'CommandOrControl+N',
      registerAccelerator: false,
    })
  })
})

test('the context menu offers corrections for a misspelled word', async () => {
  const { window } = await started()
  const editFlags = { canCut: false }
  window.webContents.emit(
    'context-menu',
    {},
    {
      isEditable: true,
      selectionText: '',
      editFlags,
      misspelledWord: 'helo',
      dictionarySuggestions: ['hello'],
    },
  )
  state.menus.at(-1)?.items[0]?.click?.()
  expect(window.webContents.did).toEqual(['replace hello'])
})

test('Ctrl and the wheel change the size of the page, within limits', async () => {
  const { window } = await started()
  window.webContents.emit('zoom-changed', {}, 'in')
  const once = window.webContents.zoom
  for (let at = 0; at < 50; at++) window.webContents.emit('zoom-changed', {}, 'out')
  expect([once, window.webContents.zoom]).toEqual([0.5, -7.6])
})

describe('an error that nothing caught', () => {
  const crash = async (args: string[] = []) => {
    const running = await started(aHost(), args)
    const exited = new Promise(resolve => app.once('exited', resolve))
    running.errors.emit('uncaughtException', new Error('planted'))
    await exited
    return running
  }

  test('closes the host, and the app starts again once', async () => {
    const { seen } = await crash()
    expect([state.exitCode, state.relaunches.length, seen.closed, seen.reports.length]).toEqual([1, 1, 1, 1])
    const [again] = state.relaunches
    expect(again?.args?.at(-1)).toMatch(/^--crashed-at=\d+$/)
  })

  test('is told in the window of that start', async () => {
    const { seen } = await started(aHost(), ['--crashed-at=1'])
    expect(seen.options?.notices?.map(({ id }) => id)).toEqual(['restarted-after-crash'])
  })

  test('ends the app if it comes back at once', async () => {
    await crash([`--crashed-at=${Date.now()}`])
    expect([state.relaunches, state.errors, state.exitCode]).toEqual([
      [],
      [expect.stringContaining('planted')],
      1,
    ])
  })
})
