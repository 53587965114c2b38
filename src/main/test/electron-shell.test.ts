import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { connectClient } from '../../shared/connect.ts'
import { call, stream, type Contract, type Handlers } from '../../shared/rpc.ts'
import { CSP } from '../lib/csp.ts'
import { overWorkerPort } from '../../../testing/host/over-worker-port.ts'
import { serveAppScheme, lockDown, answerPortRequests } from '../desktop/page.ts'
import { spawnEngine } from '../desktop/desktop.ts'
import {
  app,
  becomeReady,
  BrowserWindow,
  exposed,
  ipcMain,
  ipcRenderer,
  permissions,
  resetShim,
  state,
  utilityProcess,
} from '../../../testing/host/electron-shim.ts'

const page = 'app://bundle/index.html'
const root = mkdtempSync(join(tmpdir(), 'shell-'))

beforeEach(resetShim)
afterAll(() => rmSync(root, { recursive: true }))
afterEach(() => {
  delete process.env['ELECTRON_RENDERER_URL']
})

test('every renderer is sandboxed and the app scheme is declared before Electron is ready', () => {
  lockDown()
  expect([state.sandboxed, state.schemes]).toEqual([
    true,
    [
      {
        scheme: 'app',
        privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
      },
    ],
  ])
})

test('with the switch no-sandbox the sandbox is not enabled', () => {
  state.switches.add('no-sandbox')
  lockDown()
  expect(state.sandboxed).toBe(false)
})

function aWindow() {
  lockDown()
  return new BrowserWindow({ width: 1, height: 1 }).webContents
}

function refuses(contents: ReturnType<typeof aWindow>, event: string, url: string) {
  let prevented = false
  contents.emit(event, { url, preventDefault: () => (prevented = true) })
  return prevented
}

test.for([
  [page, false],
  ['app://bundle/index.html#/chat/1', false],
  ['app://elsewhere/index.html', true],
  ['app:index.html', true],
  ['https://example.com/', true],
  ['file:///etc/passwd', true],
  ['javascript:alert(1)', true],
  ['data:text/html,hello', true],
  ['http://localhost:5173/', true],
  ['not an address', true],
] as const)('a navigation to %s is stopped: %s', ([url, stopped]) => {
  expect(refuses(aWindow(), 'will-frame-navigate', url)).toBe(stopped)
})

test('the development server counts as our page only during development', () => {
  process.env['ELECTRON_RENDERER_URL'] = 'http://localhost:5173'
  const contents = aWindow()
  const stopped = (url: string) => refuses(contents, 'will-frame-navigate', url)
  app.isPackaged = false
  const developing = [stopped('http://localhost:5173/chat'), stopped('http://localhost:5174/')]
  app.isPackaged = true
  expect([...developing, stopped('http://localhost:5173/chat')]).toEqual([false, true, true])
})

test('no window opens: https links open in the browser, all else is dropped', () => {
  const contents = aWindow()
  const answers = [
    'https://example.com/a',
    'http://example.com/',
    'file:///etc/passwd',
    'app://bundle/',
    'x',
  ].map(url => contents.openHandler({ url }).action)
  expect([new Set(answers), state.opened]).toEqual([new Set(['deny']), ['https://example.com/a']])
})

test('a webview is never attached', () => {
  expect(refuses(aWindow(), 'will-attach-webview', '')).toBe(true)
})

test('our page may write to the clipboard, and no page may do anything else', async () => {
  lockDown()
  becomeReady()
  await app.whenReady()
  const verdicts = [
    { permission: 'clipboard-sanitized-write', requestingUrl: page, isMainFrame: true },
    { permission: 'clipboard-sanitized-write', requestingUrl: page, isMainFrame: false },
    { permission: 'clipboard-sanitized-write', requestingUrl: 'https://example.com/', isMainFrame: true },
    { permission: 'clipboard-read', requestingUrl: page, isMainFrame: true },
    { permission: 'media', requestingUrl: page, isMainFrame: true },
    { permission: 'notifications', requestingUrl: page, isMainFrame: true },
  ].map(({ permission, ...details }) => {
    let asked: boolean | undefined
    permissions.ask(null, permission, allowed => (asked = allowed), details)
    return [asked, permissions.check(null, permission, '', details)]
  })
  const no = [false, false]
  expect([verdicts, permissions.device()]).toEqual([[[true, true], no, no, no, no, no], false])
})

const get = (url: string, method = 'GET') => state.schemeHandlers.get('app')!(new Request(url, { method }))

function serveFolder() {
  const folder = join(root, 'renderer')
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(root, 'secret.txt'), 'secret')
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  writeFileSync(join(folder, 'assets/main.js'), 'export {}')
  serveAppScheme(folder)
}

test('the app scheme serves the built window with its content types and policy', async () => {
  serveFolder()
  const answers = await Promise.all([get(`${page}?a#b`), get('app://bundle/assets/main.js')])
  const facts = answers.map(({ status, headers }) => [
    status,
    headers.get('content-type'),
    headers.get('content-security-policy'),
    headers.get('x-content-type-options'),
  ])
  expect(facts).toEqual([
    [200, 'text/html; charset=utf-8', CSP, 'nosniff'],
    [200, 'text/javascript; charset=utf-8', CSP, 'nosniff'],
  ])
})

test.for([
  'app://bundle/..%2fsecret.txt',
  'app://bundle/%2e%2e/secret.txt',
  'app://bundle/%2e%2e%2fsecret.txt',
  'app://bundle/assets/..%2f..%2fsecret.txt',
  'app://bundle/..%5csecret.txt',
  'app://bundle//etc/passwd',
  'app://elsewhere/index.html',
  'app://bundle/missing.html',
  'app://bundle/assets',
  'app://bundle/index.html%00',
  'app://bundle/%E0%A4%A',
])('the app scheme finds nothing at %s', async url => {
  serveFolder()
  const { status, headers } = await get(url)
  expect([status, headers.get('content-security-policy')]).toEqual([404, CSP])
})

test('the app scheme finds nothing under a name that is invalid for the file system', async () => {
  serveFolder()
  expect((await get(`app://bundle/${'a'.repeat(5_000)}`)).status).toBe(404)
})

test('the app scheme answers only GET', async () => {
  serveFolder()
  expect((await get(page, 'POST')).status).toBe(404)
})

const contract = {
  'tiny.double': call(z.object({ number: z.number() }), z.number()),
  'tiny.forever': stream(z.object({}), z.number()),
} satisfies Contract

/** A frame of the page as the main process sees it, and the port it was handed. */
function aFrame(url: string, parent: object | null = null) {
  const received: { port: MessagePort }[] = []
  const frame = {
    url,
    parent,
    postMessage: (message: string, _data: null, ports: { port: MessagePort }[]) => {
      if (message === 'host-port') received.push(...ports)
    },
  }
  return { frame, received }
}

function aPortHost() {
  const seen = { aborted: 0, reports: [] as unknown[] }
  const handlers: Handlers<typeof contract> = {
    'tiny.double': ({ number }) => number * 2,
    async *'tiny.forever'(_, signal) {
      signal.addEventListener('abort', () => (seen.aborted += 1))
      yield 1
      await new Promise(resolve => signal.addEventListener('abort', resolve))
    },
  }
  answerPortRequests(contract, handlers, error => seen.reports.push(error))
  return seen
}

test('our page gets a port to call the host', async () => {
  aPortHost()
  const { frame, received } = aFrame(page)
  ipcMain.emit('host-port', { senderFrame: frame })
  const channel = overWorkerPort(received[0]!.port)
  const answer = await connectClient(contract, channel)['tiny.double']({ number: 21 })
  channel.close()
  expect(answer).toBe(42)
})

test('a page that goes away stops its subscriptions', async () => {
  const seen = aPortHost()
  const { frame, received } = aFrame(page)
  ipcMain.emit('host-port', { senderFrame: frame })
  const channel = overWorkerPort(received[0]!.port)
  const events = connectClient(contract, channel)['tiny.forever']({})
  const first = await events.next()
  channel.close()
  await expect.poll(() => seen.aborted).toBe(1)
  expect(first.value).toBe(1)
})

test.for([
  ['a foreign page', aFrame('https://example.com/').frame],
  ['another host of our scheme', aFrame('app://elsewhere/index.html').frame],
  ['our page inside another', aFrame(page, aFrame('https://example.com/').frame).frame],
  ['our page inside our page', aFrame(page, aFrame(page).frame).frame],
  ['an empty frame', aFrame('').frame],
  ['a frame that is gone', null],
] as const)('%s gets no port, and the attempt is reported', ([, senderFrame]) => {
  const seen = aPortHost()
  let handed = 0
  if (senderFrame) senderFrame.postMessage = () => void (handed += 1)
  ipcMain.emit('host-port', { senderFrame })
  expect([handed, seen.reports.length]).toEqual([0, 1])
})

test('the preload exposes two functions: one requests a port, one gives the path of a dropped file', async () => {
  const posted: unknown[][] = []
  const asked: string[] = []
  const pageWindow = { postMessage: (...message: unknown[]) => posted.push(message) }
  Object.assign(globalThis, { window: pageWindow, location: { origin: 'app://bundle' } })
  ipcRenderer.on('sent', (channel: string) => asked.push(channel))
  // By address, because the preload is compiled with the page's types and not with Node's.
  await import(new URL('../../preload/index.ts', import.meta.url).href)
  const { desktop } = exposed as { desktop: { requestPort(): void; pathOf(file: object): string } }
  desktop.requestPort()
  expect(desktop.pathOf({ path: '/media/stick/a.gguf' })).toBe('/media/stick/a.gguf')
  ipcRenderer.emit('host-port', { ports: ['the port'] })
  expect([Object.keys(exposed), Object.keys(desktop), asked, posted]).toEqual([
    ['desktop'],
    ['requestPort', 'pathOf'],
    ['host-port'],
    [['host-port', 'app://bundle', ['the port']]],
  ])
})

test('the engine runs in a utility process with one libuv thread', () => {
  const heard: unknown[] = []
  const engine = spawnEngine('engine.js', { LANG: 'C' })
  const { script, options, child } = utilityProcess.forked.at(-1)!
  engine.onMessage(message => heard.push(message))
  engine.post('question')
  child.emit('message', 'answer')
  engine.kill()
  expect([script, options.env, child.sent, heard, child.killed]).toEqual([
    'engine.js',
    { LANG: 'C', UV_THREADPOOL_SIZE: '1' },
    ['question'],
    ['answer'],
    1,
  ])
})

// A utility process tells a number and no signal. Which one stands for what is nowhere documented.
test.for([0, 1, 9, 15, 134, 0xc0000005])('an engine that exits with %i is reported as ended, once', code => {
  const ends: string[] = []
  const engine = spawnEngine('engine.js', {})
  engine.onExit(how => ends.push(how))
  utilityProcess.forked.at(-1)!.child.emit('exit', code)
  expect(ends).toHaveLength(1)
})
