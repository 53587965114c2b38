import { app } from 'electron'

/** The development server that electron-vite started, which a packaged application never listens to. */
function devServer(): URL | null {
  const given = process.env['ELECTRON_RENDERER_URL']
  return given && !app.isPackaged ? URL.parse(given) : null
}

/** The address that a window loads; `fragment` without its hash sign. */
export function pageUrl(fragment = ''): string {
  const url = devServer()?.href ?? 'app://bundle/index.html'
  return fragment === '' ? url : `${url}#${fragment}`
}

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
