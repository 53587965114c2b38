import type { Store } from '../../db/store.ts'
import { Fault } from '../../../shared/rpc.ts'
import { entryPath } from '../../lib/disk/shipped-files.ts'
import { openThread, ThreadEnded } from '../../threads/start-thread.ts'
import type { SearchArguments, Searches, SearchJob } from './recall-thread.ts'

/**
 * Searches all chats in a separate thread, for the tool, the window and the terminal. Everything stored
 * before the question is found. Aborting the signal stops a search.
 */
export type ChatSearch = {
  [S in keyof Searches]: (
    signal: AbortSignal,
    ...given: SearchArguments<S>
  ) => Promise<ReturnType<Searches[S]>>
}

/** How many passages to index before a search; the rest is indexed in the background (`keep-indexed.ts`). */
const REFRESHED = 10
/** Maximum duration of a search, in ms. A million messages take a few hundredths of a second. */
const LIMIT_MS = 30_000

type Parts = {
  store: { path: string; recall: Pick<Store['recall'], 'refresh'> }
  report(error: unknown): void
  script?: string
}

/** Prepare to search a store. The thread starts with the first search, and again if it has ended early. */
export function openSearch({
  store,
  report,
  script = entryPath('recall-thread'),
}: Parts): ChatSearch & { close(): Promise<void> } {
  const thread = openThread<unknown>(script, { data: store.path })
  // A separate thread: searching all chats takes hundredths of a second, reading one long chat seconds.
  const chatThread = openThread<unknown>(script, { data: store.path })

  async function ask(job: SearchJob, signal: AbortSignal): Promise<unknown> {
    const own = job.search === 'inChat' ? chatThread : thread
    for await (const answer of own.run(job, signal)) return answer
    throw new Error('The thread ended a search without an answer.')
  }

  async function search(job: SearchJob, given: AbortSignal): Promise<unknown> {
    const tooLate = AbortSignal.timeout(LIMIT_MS)
    const signal = AbortSignal.any([given, tooLate])
    refresh()
    try {
      return await ask(job, signal).catch(error => {
        if (error instanceof ThreadEnded) return ask(job, signal)
        throw error
      })
    } catch (error) {
      if (tooLate.aborted && !given.aborted)
        throw new Fault('busy', 'The search took too long and was stopped. Search for fewer or rarer words.')
      if (!(error instanceof ThreadEnded)) throw error
      report(error)
      throw new Fault(
        'not_ready',
        'The search stopped unexpectedly. Try again; if it stops again, restart Talaria.',
      )
    }
  }

  /** A full disk prevents indexing, but what is indexed can still be searched. */
  function refresh(): void {
    try {
      store.recall.refresh(REFRESHED)
    } catch {
      // The background indexer reports this error, and a damaged file makes the search itself fail.
    }
  }

  const searching =
    (name: keyof Searches) =>
    (signal: AbortSignal, ...given: readonly unknown[]) =>
      search({ search: name, given }, signal)
  const searches = {
    best: searching('best'),
    hits: searching('hits'),
    list: searching('list'),
    inChat: searching('inChat'),
  } as ChatSearch
  return { ...searches, close: async () => void (await Promise.all([thread.close(), chatThread.close()])) }
}
