import { protocol } from 'electron'
import { CSP } from '../../lib/csp.ts'
import { readSiteFile } from '../../lib/site-file.ts'
import { stoppedPage } from './stopped-page.ts'

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
    const found = isOurs ? ((await readSiteFile(root, url.pathname)) ?? stoppedPage(url)) : undefined
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
