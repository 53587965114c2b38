import { workerData } from 'node:worker_threads'
import { openReadStore, type ReadStore } from '../../db/file/read-store.ts'
import { workInThread } from '../../threads/inside-thread.ts'
import { findInChat } from './find-in-chat.ts'
import { findBest } from './find-best.ts'
import { searchChats } from './find-chats.ts'
import { createRecall, type Recall } from './recall.ts'

type Parts = { store: ReadStore; recall: Recall }

/**
 * The searches of this thread: of all chats, for a model or a user; of chats with some words; in one chat.
 */
const searches = {
  best: (parts: Parts, ...given: BestArguments) => findBest(parts, ...given),
  hits: (parts: Parts, ...given: HitArguments) => searchChats(parts, ...given),
  inChat: (parts: Parts, ...given: InChatArguments) => findInChat(parts, ...given),
  list: ({ store }: Parts, ...given: ListArguments) => store.sessions.list(...given),
}
type InChatArguments = Parameters<typeof findInChat> extends [unknown, ...infer R] ? R : never
type BestArguments = Parameters<typeof findBest> extends [unknown, ...infer R] ? R : never
type HitArguments = Parameters<typeof searchChats> extends [unknown, ...infer R] ? R : never
type ListArguments = Parameters<ReadStore['sessions']['list']>

export type Searches = typeof searches
export type SearchArguments<S extends keyof Searches> =
  Parameters<Searches[S]> extends [unknown, ...infer R] ? R : never
/** A job of the thread. */
export type SearchJob = { search: keyof Searches; given: readonly unknown[] }

const path = workerData as string
let parts: Parts | undefined
let check = () => {}

function open(): Parts {
  const store = openReadStore(path, {
    beforeEach: () => check(),
    report: error => process.emitWarning(String(error)),
  })
  return { store, recall: createRecall(store.recall) }
}

// SQLite cannot be interrupted, so stops are checked between two queries.
workInThread(async function* ({ search, given }: SearchJob, stopping): AsyncGenerator {
  check = stopping.check
  const opened = (parts ??= open())
  const run = searches[search] as (parts: Parts, ...given: readonly unknown[]) => unknown
  yield opened.store.atOneMoment(() => run(opened, ...given))
})
process.once('exit', () => parts?.store.close())
