import { app } from 'electron'

/** Return the development server that electron-vite started. A packaged application ignores it. */
function devServer(): URL | null {
  const given = process.env['ELECTRON_RENDERER_URL']
  return given && !app.isPackaged ? URL.parse(given) : null
}

/** Return the address that a window loads; `fragment` without its hash sign. */
export function pageUrl(fragment = ''): string {
  const url = devServer()?.href ?? 'app://bundle/index.html'
  return fragment === '' ? url : `${url}#${fragment}`
}

/**
 * Return whether an address belongs to our own page. Node gives every custom scheme the origin `null`, so for
 * `app:` compare scheme and host instead.
 */
export function isOurPage(text: string): boolean {
  const url = URL.parse(text)
  if (!url) return false
  if (url.protocol === 'app:') return url.host === 'bundle'
  return url.origin !== 'null' && url.origin === devServer()?.origin
}
