import { app, session, dialog, shell, type WebContents, protocol } from 'electron'
import { isOurPage } from './address.ts'
import { CSP } from '../../lib/csp.ts'
import { readPageFile } from '../../lib/built-page.ts'
import { stoppedPage } from './stopped-page.ts'

/** Restrict every renderer before `ready`: sandboxed, no navigation away from our page, no permissions. */
export function lockDown(report: (error: unknown) => void): void {
  // Respect Chromium's `--no-sandbox` (root in a container): setting both would end the process.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
  declareAppScheme()
  app.on('web-contents-created', (_event, contents) => confine(contents, report))
  void app.whenReady().then(denyPermissions)
}

function confine(contents: WebContents, report: (error: unknown) => void): void {
  // Unlike `will-navigate`, this event covers sub-frames too.
  contents.on('will-frame-navigate', event => {
    if (!isOurPage(event.url)) event.preventDefault()
  })
  contents.on('will-attach-webview', event => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    openOutside(url).catch(report)
    return { action: 'deny' }
  })
}

/** The only permission: the copy buttons of the window write text or images to the clipboard. */
const isAllowed = (permission: string, url: string | undefined, isMainFrame: boolean) =>
  permission === 'clipboard-sanitized-write' && isMainFrame && isOurPage(url ?? '')

function denyPermissions(): void {
  session.defaultSession.setPermissionRequestHandler((_contents, permission, reply, details) =>
    reply(isAllowed(permission, details.requestingUrl, details.isMainFrame)),
  )
  session.defaultSession.setPermissionCheckHandler((_contents, permission, _origin, details) =>
    isAllowed(permission, details.requestingUrl, details.isMainFrame),
  )
  session.defaultSession.setDevicePermissionHandler(() => false)
}

/** Maximum length of an address: users cannot check longer ones at a glance, and Windows truncates them. */
const longest = 2_000

/** Return an address that another program may open, normalised, and whether to show it to the user first. */
function judgeOutside(text: string): { address: string; ask: boolean } | undefined {
  const url = text.length <= longest ? URL.parse(text) : null
  if (!url || hasControls(text)) return undefined
  if (url.protocol === 'mailto:') return isPlainMail(url) ? { address: url.href, ask: true } : undefined
  // A user name before the host makes an address look like another one.
  const isWeb = (url.protocol === 'https:' || url.protocol === 'http:') && url.host !== ''
  if (!isWeb || url.username !== '' || url.password !== '') return undefined
  return { address: url.href, ask: url.protocol === 'http:' }
}

/** Return whether a mail address has only plain fields: some mail programs attach files that it names. */
const isPlainMail = ({ pathname, searchParams }: URL) =>
  pathname !== '' && [...searchParams.keys()].every(key => mailFields.has(key.toLowerCase()))
const mailFields = new Set(['to', 'cc', 'bcc', 'subject', 'body'])

/** Return whether a text has control characters, or characters that reorder it. */
const hasControls = (text: string) => /[\p{Cc}\p{Cf}]/u.test(text)

/** Open a link in the user's browser or mail program. Addresses other than https are shown first. */
async function openOutside(text: string): Promise<void> {
  const link = judgeOutside(text)
  if (!link) return
  if (link.ask && !(await isWanted(link.address))) return
  await shell.openExternal(link.address)
}

async function isWanted(address: string): Promise<boolean> {
  const isMail = address.startsWith('mailto:')
  const { response } = await dialog.showMessageBox({
    type: 'question',
    title: 'Open a link',
    message: isMail
      ? 'Open this address in your mail program?'
      : 'Open this address in your browser? It is not encrypted.',
    detail: address,
    buttons: ['Cancel', 'Open'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  return response === 1
}

/** Register `app:` as a scheme like https: origin, secure context, fetch. Call this before `ready`. */
function declareAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

/** Serve the built window under `app://bundle/`, and nothing outside `root`. */
export function serveAppScheme(root: string): void {
  protocol.handle('app', async request => {
    const url = URL.parse(request.url)
    const isOurs = request.method === 'GET' && url?.protocol === 'app:' && url.host === 'bundle'
    const found = isOurs ? ((await readPageFile(root, url.pathname)) ?? stoppedPage(url)) : undefined
    return new Response(found?.body ?? 'Not found', {
      status: found ? 200 : 404,
      headers: {
        'content-type': found?.type ?? 'text/plain; charset=utf-8',
        'content-security-policy': CSP,
        'x-content-type-options': 'nosniff',
      },
    })
  })
}
