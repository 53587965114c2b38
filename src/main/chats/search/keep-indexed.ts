import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../store/types.ts'

/** Passages at a time: some ten milliseconds, in which nothing else is answered. */
const BATCH = 10
/** While messages are coming, the last passage changes with each; indexing waits until they pause. */
const QUIET_MS = 2_000

/** Indexes in the background what searches would otherwise have to. */
export type Indexing = {
  /** Something was said. */
  soon(): void
  /** Settles when nothing is left to index, or when it was closed. */
  idle(): Promise<void>
  close(): void
}

/**
 * Keep the index over passages up to date while nobody waits, beginning with what an import or a crash left. A store
 * that fails here will fail where somebody sees it, so `report` is told and the work ends.
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
        while (store.refresh(BATCH) === BATCH) await nextTurn(undefined, { signal })
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
