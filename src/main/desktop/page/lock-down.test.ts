import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  app,
  becomeReady,
  BrowserWindow,
  permissions,
  resetShim,
  state,
} from '../../../../testing/host/electron-shim.ts'
import { lockDown } from './lock-down.ts'

beforeEach(resetShim)

const ignore = () => {}

function aWindow() {
  lockDown(ignore)
  return new BrowserWindow({ width: 1, height: 1 }).webContents
}

/** Click a link to another program, and wait until it is opened or refused. */
async function openOutside(url: string): Promise<void> {
  aWindow().openHandler({ url })
  await new Promise(resolve => setImmediate(resolve))
}

test.for([
  ['https://example.com/a?b#c', { address: 'https://example.com/a?b#c', ask: false }],
  ['http://localhost:4310/', { address: 'http://localhost:4310/', ask: true }],
  ['mailto:ada@example.com?subject=Hello', { address: 'mailto:ada@example.com?subject=Hello', ask: true }],
  ['HTTPS://EXAMPLE.com', { address: 'https://example.com/', ask: false }],
  ['https://example.com:pass@evil.example/', undefined],
  ['https://user@evil.example/', undefined],
  ['mailto:ada@example.com?attach=/etc/passwd', undefined],
  ['mailto:', undefined],
  ['file:///etc/passwd', undefined],
  ['javascript:alert(1)', undefined],
  ['smb://server/share', undefined],
  ['talaria://new?text=hi', undefined],
  ['ms-msdt:/id', undefined],
  ['https://example.com/\u202Egpj.exe', undefined],
  [`https://example.com/${'a'.repeat(3_000)}`, undefined],
  ['not an address', undefined],
  ['', undefined],
] as const)('the address %s is judged', async ([text, verdict]) => {
  state.clicks.push(1)
  await openOutside(text)
  const asked = state.boxes.map(({ detail }) => detail)
  expect([state.opened, asked]).toEqual([
    verdict ? [verdict.address] : [],
    verdict?.ask ? [verdict.address] : [],
  ])
})

test('an unencrypted or mail address is opened only after the user has seen it', async () => {
  state.clicks.push(0, 1, 1)
  await openOutside('http://example.com/a')
  const refused = [...state.opened]
  await openOutside('http://example.com/a')
  await openOutside('mailto:ada@example.com')
  expect([refused, state.opened]).toEqual([[], ['http://example.com/a', 'mailto:ada@example.com']])
  expect(state.boxes.map(({ detail }) => detail)).toEqual([
    'http://example.com/a',
    'http://example.com/a',
    'mailto:ada@example.com',
  ])
})

test('an encrypted address is opened at once, and others never', async () => {
  await openOutside('https://example.com/')
  await openOutside('file:///etc/passwd')
  expect([state.opened, state.boxes]).toEqual([['https://example.com/'], []])
})

const page = 'app://bundle/index.html'

afterEach(() => {
  delete process.env['ELECTRON_RENDERER_URL']
})

test('every renderer is sandboxed and the app scheme is declared before Electron is ready', () => {
  lockDown(ignore)
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
  lockDown(ignore)
  expect(state.sandboxed).toBe(false)
})

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

test('no window opens, and what a link names goes to another program', async () => {
  const contents = aWindow()
  const answers = ['https://example.com/a', 'file:///etc/passwd', 'app://bundle/', 'x'].map(
    url => contents.openHandler({ url }).action,
  )
  await expect.poll(() => state.opened).toEqual(['https://example.com/a'])
  expect(new Set(answers)).toEqual(new Set(['deny']))
})

test('a webview is never attached', () => {
  expect(refuses(aWindow(), 'will-attach-webview', '')).toBe(true)
})

test('our page may write to the clipboard, and no page may do anything else', async () => {
  lockDown(ignore)
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
