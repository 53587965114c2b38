import { parentPort, workerData } from 'node:worker_threads'
import { searchFolder, type Match, type Search, type SearchEnd } from './search-folder.ts'

/** Messages from the thread during a search. */
export type SearchNews =
  | { type: 'match'; match: Match }
  | { type: 'enter'; file: string }
  | { type: 'end'; end: SearchEnd }

// A regular expression can run forever, and only a separate thread can be terminated while it runs.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const say = (news: SearchNews) => parentPort!.postMessage(news)
const end = searchFolder(
  workerData as Search,
  match => say({ type: 'match', match }),
  file => say({ type: 'enter', file }),
)
say({ type: 'end', end })
