import { dialog, type BrowserWindow } from 'electron'
import { isOurPage, pageUrl } from './address.ts'

/** Why the window cannot show its page: its process ended, its memory ran out, or its page did not load. */
type StopReason = 'crashed' | 'memory' | 'load'

const reasons: Readonly<Record<StopReason, string>> = {
  crashed: 'This window stopped working.',
  memory: 'This window ran out of memory.',
  load: 'This window could not be loaded.',
}

const folder = '/stopped'

/** Return the address of the page that replaces `lost`, the address of the page that stopped. */
function stoppedPageUrl(why: StopReason, lost: string): string {
  const query = new URLSearchParams({ why, page: isOurPage(lost) && !isStoppedPage(lost) ? lost : pageUrl() })
  return `app://bundle${folder}/index.html?${query.toString()}`
}

/** Return whether an address is that of the replacement page. */
const isStoppedPage = (address: string): boolean => address.startsWith(`app://bundle${folder}/index.html`)

/** Return a file of the replacement page, from inline texts, because built files may be missing. */
export function stoppedPage({ pathname, searchParams }: URL): { body: string; type: string } | undefined {
  if (pathname === `${folder}/style.css`) return { body: style, type: 'text/css; charset=utf-8' }
  // Without the built window, this page is the only thing to show.
  const isMissing = pathname === '/index.html'
  if (!isMissing && pathname !== `${folder}/index.html`) return undefined
  const why = isMissing ? 'load' : searchParams.get('why')
  const page = searchParams.get('page') ?? ''
  return {
    body: html(reasons[isReason(why) ? why : 'crashed'], isOurPage(page) ? page : pageUrl()),
    type: 'text/html; charset=utf-8',
  }
}

const isReason = (text: string | null): text is StopReason => text !== null && Object.hasOwn(reasons, text)

const html = (what: string, page: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="color-scheme" content="light dark" />
    <title>Talaria</title>
    <link rel="stylesheet" href="app://bundle${folder}/style.css" />
  </head>
  <body>
    <main>
      <h1>${what}</h1>
      <p>Talaria itself is still running: your chats are safe, and an answer in progress continues.</p>
      <p><a href="${escaped(page)}">Reload</a></p>
    </main>
  </body>
</html>
`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

const style = `body {
  margin: 0;
  min-height: 100vh;
  display: grid;
  place-items: center;
  font: 15px/1.5 system-ui, sans-serif;
  color: light-dark(#1a1a1c, #ececf1);
  background: light-dark(#ffffff, #1a1a1c);
}
main {
  max-width: 26rem;
  padding: 1.5rem;
  text-align: center;
}
h1 {
  font-size: 1.25rem;
}
a {
  display: inline-block;
  padding: 0.5rem 1.25rem;
  border-radius: 0.5rem;
  color: light-dark(#ffffff, #1a1a1c);
  background: light-dark(#1a1a1c, #ececf1);
  text-decoration: none;
}
`

/** Chromium's ERR_ABORTED: another navigation came first, so nothing failed. */
const aborted = -3

/**
 * Show a page with *Reload* if the page of a window crashes or does not load. Ask *Wait* or *Reload* if it
 * does not respond.
 */
export function watchPage(window: BrowserWindow, report: (error: unknown) => void): void {
  const { webContents } = window
  let isOurDoing = false

  const standIn = (why: StopReason, lost: string) => {
    if (isStoppedPage(lost)) return
    window.loadURL(stoppedPageUrl(why, lost)).catch(report)
  }
  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || isOurDoing) return
    report(new Error(`The page of the window is gone: ${reason}, exit code ${exitCode}.`))
    standIn(reason === 'oom' || reason === 'memory-eviction' ? 'memory' : 'crashed', webContents.getURL())
  })
  webContents.on('did-fail-load', (_event, code, text, url, isMainFrame) => {
    if (!isMainFrame || code === aborted) return
    report(new Error(`The page of the window did not load: ${text} (${code}).`))
    standIn('load', url)
  })

  let asking: AbortController | undefined
  const askToWait = async () => {
    const mine = (asking = new AbortController())
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      title: 'Talaria',
      message: 'The window is not responding.',
      detail: 'Wait for it, or reload it. Chats are safe, and an answer in progress continues.',
      buttons: ['Wait', 'Reload'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
      signal: mine.signal,
    })
    if (asking === mine) asking = undefined
    if (response !== 1 || mine.signal.aborted) return
    // A hanging page cannot be reloaded while its process lives.
    isOurDoing = true
    webContents.forcefullyCrashRenderer()
    webContents.reload()
  }
  window.on('unresponsive', () => {
    if (!asking) askToWait().catch(report)
  })
  window.on('responsive', () => asking?.abort())
  webContents.on('did-finish-load', () => (isOurDoing = false))
}
