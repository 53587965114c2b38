import { app, powerMonitor, dialog, type BrowserWindow } from 'electron'
import type { Transfer } from '../../shared/contract/models/download.ts'
import type { Session } from '../../shared/contract/chats/session.ts'
import { many } from '../../shared/text/amounts.ts'

type Parts = {
  work: Pick<Work, 'text'>
  window(): BrowserWindow | undefined
  /** Whether the app stays reachable in the tray after its window is closed. */
  isInTray(): boolean
  /** Close everything that must be closed before the process ends. Called once. */
  close(): Promise<void>
  /** Start installing a requested update, which quits the app again; false if there is none. */
  installUpdate(): boolean
  report(error: unknown): void
}

/** How the app ends: after a question while work is in progress, or immediately if the system shuts down. */
export type Ending = {
  /** Quit, after a question if something is in progress. */
  quit(): void
  /** On closing this window, hide it, ask, or quit. */
  guard(window: BrowserWindow): void
}

/** Handle every way out of the app from now on. */
export function createEnding({ work, window, isInTray, close, installUpdate, report }: Parts): Ending {
  let isAsking = false
  /** Whether nothing keeps the app open any longer: neither a question nor the tray. */
  let isDecided = false
  let closing: Promise<void> | undefined
  let isClosed = false

  function end() {
    isDecided = true
    app.quit()
  }
  function quit() {
    const what = work.text()
    if (what === undefined) return end()
    if (isAsking) return
    isAsking = true
    mayEnd(what, window())
      .then(isWanted => isWanted && end())
      .catch(report)
      .finally(() => (isAsking = false))
  }

  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  app.on('before-quit', event => {
    if (!isDecided && work.text() !== undefined) {
      event.preventDefault()
      quit()
    } else isDecided = true
  })
  // A second request to quit waits for the close that the first one started.
  app.on('will-quit', event => {
    if (isClosed) return
    event.preventDefault()
    closing ??= close().then(() => {
      isClosed = true
      if (!installUpdate()) app.exit(0)
    })
  })
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault()
    end()
  })

  return {
    quit,
    guard(guarded) {
      guarded.on('close', event => {
        // On macOS, apps stay open without windows.
        if (isDecided || process.platform === 'darwin') return
        if (isInTray()) {
          event.preventDefault()
          guarded.hide()
        } else if (work.text() !== undefined) {
          event.preventDefault()
          quit()
        }
      })
      // Windows is ending the user's session, so the user cannot answer a question.
      guarded.on('query-session-end', () => (isDecided = true))
      guarded.on('session-end', () => (isDecided = true))
    },
  }
}

/** Work that would end with the program: turns, and transfers of model files. */
type Work = {
  onSession(session: Session): void
  onRemoved(id: string): void
  onTransfers(transfers: readonly Transfer[]): void
  /** Describe the work in progress for the user; undefined if there is none. */
  text(): string | undefined
}

const moving: readonly Transfer['state'][] = ['waiting', 'running', 'checking']

/** Track the work in progress. */
export function createWork(): Work {
  const answering = new Set<string>()
  let transfers = 0
  return {
    onSession({ id, activeRunId }) {
      if (activeRunId === null) answering.delete(id)
      else answering.add(id)
    },
    onRemoved: id => void answering.delete(id),
    onTransfers: list => void (transfers = list.filter(({ state }) => moving.includes(state)).length),
    text() {
      const parts = [
        ...(answering.size > 0 ? [many(answering.size, 'answer')] : []),
        ...(transfers > 0 ? [many(transfers, 'model transfer', 'model transfers')] : []),
      ]
      return parts.length === 0 ? undefined : `Still in progress: ${parts.join(', ')}.`
    },
  }
}

/** Ask whether to end the work in progress. */
async function mayEnd(what: string, window: BrowserWindow | undefined): Promise<boolean> {
  const options = {
    type: 'question' as const,
    title: 'Quit Talaria',
    message: what,
    detail:
      'If you quit, an answer stops where it is, and a transfer continues at the next start. What has been written is kept.',
    buttons: ['Keep running', 'Quit'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  }
  const { response } = await (window
    ? dialog.showMessageBox(window, options)
    : dialog.showMessageBox(options))
  return response === 1
}
