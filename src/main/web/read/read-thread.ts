import { workInThread } from '../../threads/inside-thread.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import type { ReadPage } from '../web-parts.ts'
import { readPage, type PageJob } from './read-page.ts'
import { openEyes, type Eyes } from './seen/browser/see-in-browser.ts'

// Libraries write their opinion of a page to the console, where no one reads it.
for (const method of ['log', 'warn', 'error', 'info', 'debug'] as const) console[method] = () => undefined

/** One browser for all pages of this thread. The owner of the thread ends it. */
let eyes: Eyes | undefined

workInThread(async function* ({ page, browser }: PageJob, { signal }): AsyncGenerator<ReadPage | Refusal> {
  if (!browser) yield await readPage(page)
  else
    yield await readPage(page, { eyes: isRefusal(browser) ? browser : (eyes ??= openEyes(browser)), signal })
})
