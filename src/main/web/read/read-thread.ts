import { workInThread } from '../../threads/inside-thread.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import type { ReadPage } from '../web-parts.ts'
import { readPage, type PageJob } from './read-page.ts'
import { openEyes, type Eyes } from './seen/browser/see-in-browser.ts'

// Libraries say what they think of a page on the console; nobody reads it there.
for (const method of ['log', 'warn', 'error', 'info', 'debug'] as const) console[method] = () => undefined

/** One browser for all pages of this thread. Who ends the thread ends it. */
let eyes: Eyes | undefined

workInThread(async function* ({ page, browser }: PageJob, { signal }): AsyncGenerator<ReadPage | Refusal> {
  if (!browser) yield await readPage(page)
  else
    yield await readPage(page, { eyes: isRefusal(browser) ? browser : (eyes ??= openEyes(browser)), signal })
})
