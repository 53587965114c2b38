import { workInThread } from '../../threads/thread-work.ts'
import type { Refusal } from '../../lib/expected-errors.ts'
import type { ReadPage } from '../web-parts.ts'
import { readPage, type PageJob } from './read-page.ts'

// Libraries say what they think of a page on the console; nobody reads it there.
for (const method of ['log', 'warn', 'error', 'info', 'debug'] as const) console[method] = () => undefined

workInThread(async function* (job: PageJob, { signal }): AsyncGenerator<ReadPage | Refusal> {
  yield await readPage(job, signal)
})
