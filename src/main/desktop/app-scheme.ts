import { app, protocol } from 'electron'
import { CSP } from '../lib/csp.ts'
import { readSiteFile } from '../lib/site-file.ts'

/** Register `app:` as a scheme like https, with an origin, a secure context and fetch. Call it before `ready`. */
export function declareAppScheme(): void {
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
export function isOurPage(text: string): boolean {
  const url = URL.parse(text)
  if (!url) return false
  if (url.protocol === 'app:') return url.host === 'bundle'
  return url.origin !== 'null' && url.origin === devServer()?.origin
}
