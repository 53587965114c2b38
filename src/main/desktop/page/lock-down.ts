import { app, session, type WebContents } from 'electron'
import { isOurPage } from './address.ts'
import { declareAppScheme } from './app-scheme.ts'
import { openOutside } from './outside-links.ts'

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
