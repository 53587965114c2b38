import { app, session, shell, type WebContents } from 'electron'
import { declareAppScheme } from './app-scheme.ts'
import { isOurPage } from './page-url.ts'

/** Settle what must be settled before `ready`: every renderer is sandboxed, and no page leaves our own or gets a permission. */
export function lockDown(): void {
  // Someone who passes Chromium's own switch (root in a container) has decided; asking for both would end the process.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
  declareAppScheme()
  app.on('web-contents-created', (_event, contents) => confine(contents))
  void app.whenReady().then(denyPermissions)
}

function confine(contents: WebContents): void {
  // Unlike `will-navigate`, this one is also asked about sub-frames.
  contents.on('will-frame-navigate', event => {
    if (!isOurPage(event.url)) event.preventDefault()
  })
  contents.on('will-attach-webview', event => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    if (URL.parse(url)?.protocol === 'https:') void shell.openExternal(url)
    return { action: 'deny' }
  })
}

/** Only the copy buttons of the window need a permission: writing plain text or images to the clipboard. */
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
