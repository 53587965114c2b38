import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../../db/store.ts'

/** Maximum number of passages per batch. */
const BATCH = 10
/** Debounce in ms, because every new message changes the last passage. */
const QUIET_MS = 2_000

/** Indexes in the background, so that searches do not have to. */
export type Indexing = {
  /** Call this after new messages were stored. */
  soon(): void
  /** Resolves once everything is indexed, or the indexing is closed. */
  idle(): Promise<void>
  close(): void
}

/**
 * Keep the passage index up to date in the background, starting with what an import or crash left unindexed.
 * Stops at the first error and reports it: with a broken store the user will see a later call fail.
 */
export function keepIndexed(
  store: Pick<Store['recall'], 'refresh'>,
  { report, quietMs = QUIET_MS }: { report: (error: unknown) => void; quietMs?: number },
): Indexing {
  const closing = new AbortController()
  const { signal } = closing
  let wanted = true
  let working: Promise<void> | undefined

  async function work(): Promise<void> {
    try {
      while (wanted) {
        wanted = false
        await sleep(quietMs, undefined, { signal, ref: false })
        while (store.refresh(BATCH) > 0) await nextTurn(undefined, { signal })
      }
    } catch (error) {
      if (!signal.aborted) report(error)
    } finally {
      working = undefined
    }
  }
  working = work()

  return {
    soon() {
      wanted = true
      if (!signal.aborted) working ??= work()
    },
    idle: async () => working,
    close: () => closing.abort(),
  }
}
