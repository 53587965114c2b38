import { randomBytes } from 'node:crypto'
import type { Refusal } from '../../../../lib/expected-errors.ts'
import { untilAborted } from '../../../../lib/timing.ts'
import { answerRequest, ADDRESS, type Paused } from './answer-request.ts'
import { lookAtTexts, PageTexts, SCREEN, type UnseenText } from './look-at-texts.ts'
import { pageProgram } from './page-program.ts'
import { startBrowser, type Browser, type BrowserPlace } from './start-browser.ts'

type SeeOptions = {
  signal: AbortSignal
  /** The attribute with the numbers of the elements to look at. */
  attribute: string
  /** The numbers of the elements to look at. */
  among: readonly number[]
}

/** Texts that users cannot see, by the number of their element. `isTooBig`: not all was looked at. */
type SeenInBrowser = { ok: true; unseen: readonly UnseenText[]; isTooBig: boolean }

/** Looks at pages one after another in one browser, which starts with the first page and stays open. */
export type Eyes = {
  see: (html: string, options: SeeOptions) => Promise<SeenInBrowser | Refusal>
  /** End the browser. The next page starts another. */
  close: () => Promise<void>
}

const MOST = { ms: 15_000, loadMs: 4_000, lookMs: 10_000 }

/** Create an attribute name for `SeeOptions` that no page can guess. */
export const newAttribute = (): string => `data-seen-${randomBytes(6).toString('hex')}`

/**
 * Show pages in an installed browser, without a window, scripts or network, only to find out which texts can
 * be seen. Compares pictures of a page with and without each text, one page at a time.
 */
export function openEyes(place: BrowserPlace): Eyes {
  let opened: { browser: Browser; page: Promise<Page> } | undefined
  const close = async () => {
    const { browser } = opened ?? {}
    opened = undefined
    await browser?.end()
  }
  const open = () => {
    const browser = startBrowser(place)
    const page = openPage(browser)
    page.catch(() => undefined)
    return { browser, page }
  }
  return {
    close,
    async see(html, { signal, attribute, among }) {
      if (signal.aborted) return { refused: 'Stopped.' }
      if (opened?.browser.hasEnded()) await close()
      const { page } = (opened ??= open())
      const ending = AbortSignal.any([signal, AbortSignal.timeout(MOST.ms)])
      const stop = () => void close()
      ending.addEventListener('abort', stop, { once: true })
      try {
        const seen = await untilAborted(
          page.then(each => look(each, html, { attribute, among })),
          ending,
        )
        if (seen) return { ok: true, ...seen }
        throw new Error('it was stopped')
      } catch (error) {
        await close()
        if (signal.aborted) return { refused: 'Stopped.' }
        const why = ending.aborted
          ? `it took longer than ${MOST.ms / 1_000} seconds`
          : error instanceof Error
            ? error.message
            : String(error)
        return { refused: `The browser could not show the page: ${why}` }
      } finally {
        ending.removeEventListener('abort', stop)
      }
    },
  }
}

/** The browser's only tab, which shows one document after another. */
type Page = {
  show: (html: string) => Promise<void>
  evaluate: (expression: string) => Promise<unknown>
  shoot: () => Promise<Buffer>
}

async function openPage(browser: Browser): Promise<Page> {
  const { targetId } = await browser.ask('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await browser.ask('Target.attachToTarget', { targetId, flatten: true })
  if (typeof sessionId !== 'string') throw new Error('it gave no page')
  const ask = (method: string, params: object = {}) => browser.ask(method, params, sessionId)
  let shown = ''
  let loaded = Promise.withResolvers<void>()
  browser.listen(event => {
    if (event.sessionId !== sessionId) return
    if (event.method === 'Page.loadEventFired') loaded.resolve()
    if (event.method === 'Inspector.targetCrashed') void browser.end()
    if (event.method !== 'Fetch.requestPaused') return
    const { requestId, resourceType, request } = event.params as Paused
    void answerRequest(ask, { requestId, resourceType, request }, shown).catch(() => undefined)
  })
  await Promise.all([
    ask('Page.enable'),
    ask('Inspector.enable'),
    ask('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
    ask('Emulation.setScriptExecutionDisabled', { value: true }),
    ask('Emulation.setDeviceMetricsOverride', {
      width: SCREEN.width,
      height: SCREEN.height,
      deviceScaleFactor: SCREEN.scale,
      mobile: false,
    }),
  ])
  return {
    async show(html) {
      shown = html
      loaded = Promise.withResolvers()
      const { errorText } = await ask('Page.navigate', { url: ADDRESS })
      if (typeof errorText === 'string') throw new Error(errorText)
      const timer = setTimeout(loaded.resolve, MOST.loadMs)
      await loaded.promise
      clearTimeout(timer)
    },
    async evaluate(expression) {
      const { result, exceptionDetails } = await ask('Runtime.evaluate', { expression, returnByValue: true })
      if (exceptionDetails)
        throw new Error(`its page failed: ${JSON.stringify(exceptionDetails).slice(0, 300)}`)
      return (result as { value?: unknown } | undefined)?.value
    },
    async shoot() {
      const { data } = await ask('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true })
      return Buffer.from(String(data), 'base64')
    },
  }
}

async function look(page: Page, html: string, { attribute, among }: Pick<SeeOptions, 'attribute' | 'among'>) {
  const late = Date.now() + MOST.lookMs
  await page.show(html)
  const texts = PageTexts.parse(await page.evaluate(pageProgram(attribute, among)))
  return lookAtTexts(texts, { ...page, isLate: () => Date.now() > late })
}
