import {
  app,
  protocol,
  session,
  shell,
  type WebContents,
  ipcMain,
  MessageChannelMain,
  type MessagePortMain,
  type WebFrameMain,
} from 'electron'
import { CSP } from '../lib/csp.ts'
import { readSiteFile } from '../lib/site-file.ts'
import type { Channel, Contract, Handlers } from '../../shared/rpc.ts'
import { serveContract } from '../rpc/serve.ts'

/** Register `app:` as a scheme like https, with an origin, a secure context and fetch. Call it before `ready`. */
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
    const found = isOurs ? await readSiteFile(root, url.pathname) : undefined
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

/** The development server that electron-vite started, which a packaged application never listens to. */
function devServer(): URL | null {
  const given = process.env['ELECTRON_RENDERER_URL']
  return given && !app.isPackaged ? URL.parse(given) : null
}

/** The address that the window loads. */
export const pageUrl = (): string => devServer()?.href ?? 'app://bundle/index.html'

/**
 * Whether an address belongs to our own page. Node gives every custom scheme the origin `null`, so for `app:` the scheme
 * and the host are compared instead.
 */
function isOurPage(text: string): boolean {
  const url = URL.parse(text)
  if (!url) return false
  if (url.protocol === 'app:') return url.host === 'bundle'
  return url.origin !== 'null' && url.origin === devServer()?.origin
}

/** Restrict every renderer before `ready`: sandboxed, no navigation away from our page, no permissions. */
export function lockDown(): void {
  // Respect Chromium's `--no-sandbox` (root in a container): setting both would end the process.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
  declareAppScheme()
  app.on('web-contents-created', (_event, contents) => confine(contents))
  void app.whenReady().then(denyPermissions)
}

function confine(contents: WebContents): void {
  // Unlike `will-navigate`, this event covers sub-frames too.
  contents.on('will-frame-navigate', event => {
    if (!isOurPage(event.url)) event.preventDefault()
  })
  contents.on('will-attach-webview', event => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    if (URL.parse(url)?.protocol === 'https:') void shell.openExternal(url)
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

/** A message port of the main process as a channel. */
const overMainPort = (port: MessagePortMain): Channel => ({
  post: message => port.postMessage(message),
  onMessage: listener => {
    port.on('message', event => listener(event.data))
    port.start()
  },
  onClose: listener => port.on('close', listener),
  close: () => port.close(),
})

/** The requesting frame; undefined when it is gone, embedded or not our page. */
const ours = (frame: WebFrameMain | null) =>
  frame !== null && frame.parent === null && isOurPage(frame.url) ? frame : undefined

/**
 * Send a port that speaks `contract` to each of our pages that requests one. A reload or a closed window closes its port, which
 * aborts its streams. Runs continue, because they belong to the host.
 */
export function answerPortRequests<C extends Contract>(
  contract: C,
  handlers: Handlers<C>,
  report: (error: unknown) => void,
): void {
  ipcMain.on('host-port', event => {
    const frame = ours(event.senderFrame)
    if (!frame) {
      report(new Error(`A port was refused to ${event.senderFrame?.url ?? 'a frame that is gone'}.`))
      return
    }
    const { port1, port2 } = new MessageChannelMain()
    serveContract(contract, handlers, overMainPort(port1), report)
    frame.postMessage('host-port', null, [port2])
  })
}
