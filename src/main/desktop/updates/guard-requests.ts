import type { Session } from 'electron'
import type { RequestGate } from '../../app/host-types.ts'
import { OfflineError } from '../../lib/offline.ts'

/**
 * Let every request of a session pass the gate: it is in the ledger before it leaves, and the offline lock ends it. The
 * random number that electron-updater sends to identify copies is removed. `onBlocked` hears what the lock ended.
 */
export function guardRequests(
  { webRequest }: Pick<Session, 'webRequest'>,
  gate: RequestGate,
  onBlocked: (error: OfflineError) => void,
): void {
  const running = new Map<number, ReturnType<RequestGate>>()
  const end = (id: number, ok: boolean) => {
    running.get(id)?.end(ok)
    running.delete(id)
  }
  // The listener is called again, with the same id, for the address that a redirect leads to.
  webRequest.onBeforeRequest(({ id, url }, answer) => {
    end(id, true)
    try {
      running.set(id, gate(new URL(url).host))
      answer({})
    } catch (error) {
      // Answered first: a request without an answer waits for ever.
      answer({ cancel: true })
      if (!(error instanceof OfflineError)) throw error
      onBlocked(error)
    }
  })
  webRequest.onBeforeSendHeaders(({ requestHeaders }, answer) => {
    const kept = Object.entries(requestHeaders).filter(([name]) => name.toLowerCase() !== 'x-user-staging-id')
    answer({ requestHeaders: Object.fromEntries(kept) })
  })
  webRequest.onCompleted(({ id }) => end(id, true))
  webRequest.onErrorOccurred(({ id }) => end(id, false))
}
