import { parentPort, workerData } from 'node:worker_threads'
import type { LeftOut } from './left-out-files.ts'
import { searchFolder, type Match, type Search, type SearchEnd } from './search-folder.ts'

/** Messages from the thread during a search. */
export type SearchNews =
  | { type: 'match'; match: Match }
  /** `leftOut` is set only if it has changed since the last file. */
  | { type: 'enter'; file: string; leftOut: LeftOut | undefined }
  /** The pattern as written found nothing, and is now read in another way. */
  | { type: 'again'; end: SearchEnd; because: string }
  | { type: 'end'; end: SearchEnd }

// A regular expression can run forever, and only a separate thread can be terminated while it runs.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const say = (news: SearchNews) => parentPort!.postMessage(news)
const end = searchFolder(workerData as Search, {
  found: match => say({ type: 'match', match }),
  enter: (file, leftOut) => say({ type: 'enter', file, leftOut }),
  again: (nothing, because) => say({ type: 'again', end: nothing, because }),
})
say({ type: 'end', end })
