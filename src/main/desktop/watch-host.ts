import type { AppEvent, Settings } from '../../shared/contract/app.ts'
import type { Transfer } from '../../shared/contract/download.ts'
import type { Session } from '../../shared/contract/session.ts'
import type { Host } from '../app/host-types.ts'

/** What the desktop app follows of its host. */
export type HostListener = {
  onTheme(theme: Settings['theme']): void
  /** A setting or the offline lock changed. */
  onSettings(isLocked: boolean): void
  onSession(session: Session): void
  onRemoved(id: string): void
  onTransfers(transfers: readonly Transfer[]): void
  onProposals(open: number): void
}

/**
 * Follow the host until `signal` aborts. The promise settles once its first settings are known, so that a window opened after
 * it has the right background.
 */
export async function watchHost(host: Host, listener: HostListener, signal: AbortSignal): Promise<void> {
  const known = Promise.withResolvers<void>()
  let isLocked = false
  function take(event: AppEvent): void {
    switch (event.type) {
      case 'hello':
      case 'network':
        isLocked = event.locked
        if (event.type === 'hello') listener.onTheme(event.settings.theme)
        return listener.onSettings(isLocked)
      case 'settings':
        listener.onTheme(event.settings.theme)
        return listener.onSettings(isLocked)
      case 'session':
        return listener.onSession(event.session)
      case 'session_removed':
        return listener.onRemoved(event.id)
      case 'transfers':
        return listener.onTransfers(event.transfers)
      case 'learning':
        return listener.onProposals(event.open)
      default:
    }
  }
  async function follow() {
    for await (const event of host.handlers['app.watch']({}, signal)) {
      take(event as AppEvent)
      known.resolve()
    }
  }
  void follow()
    .catch((error: unknown) => {
      if (!signal.aborted) host.report(error)
    })
    .finally(known.resolve)
  await known.promise
}
