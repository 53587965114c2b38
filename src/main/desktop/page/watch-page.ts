import { dialog, type BrowserWindow } from 'electron'
import { isStoppedPage, stoppedPageUrl, type StopReason } from './stopped-page.ts'

/** Chromium's ERR_ABORTED: another navigation came first, so nothing failed. */
const aborted = -3

/**
 * Show a page with *Reload* when the page of a window crashes or does not load, and ask *Wait* or *Reload* when it does not
 * react.
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
      message: 'The window does not react.',
      detail: 'Wait for it, or reload it. Chats are safe, and an answer in progress goes on.',
      buttons: ['Wait', 'Reload'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
      signal: mine.signal,
    })
    if (asking === mine) asking = undefined
    if (response !== 1 || mine.signal.aborted) return
    // A page that hangs cannot be reloaded while its process lives.
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
