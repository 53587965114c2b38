import { existsSync, writeFileSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import type { SearchJob } from '../../src/main/chats/search/recall-thread.ts'
import { workInThread } from '../../src/main/threads/inside-thread.ts'

// A thread that ends in the middle of its work: each time, or only once if a file says so.
const mark = workerData as string
workInThread(async function* ({ given }: SearchJob, { check }): AsyncGenerator {
  const { query } = given[0] as { query: string }
  if (query === 'never ends') for (;;) check()
  if (query === 'throws later') setImmediate(throwLater)
  else if (query === 'ends' || !existsSync(mark)) {
    writeFileSync(mark, '')
    process.exit(1)
  }
  if (query === 'throws later') await new Promise(() => setInterval(() => undefined, 1_000))
  yield [query]
})

function throwLater(): never {
  throw new Error('The thread threw outside of its work.')
}
