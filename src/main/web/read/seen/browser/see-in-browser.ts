import { accessSync, constants, statSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import type { Refusal } from '../../../../lib/expected-errors.ts'
import { findBrowser as findInstalled } from './find-browser.ts'
import { lookAtTexts, PageTexts, type UnseenText } from './look-at-texts.ts'
import { startBrowser, type Browser } from './start-browser.ts'
import { pageProgram } from './page-program.ts'

export type SeeOptions = {
  signal: AbortSignal
  /** The program of a browser; by default the one that is installed. */
  findBrowser?: () => string | undefined
  /** The attribute that numbers the elements whose texts are looked at. */
  attribute: string
}

/** Texts of a page that nobody sees, by the number of their element; and whether the page is longer than what was looked at. */
export type SeenInBrowser = { ok: true; unseen: readonly UnseenText[]; isTooBig: boolean }

const MOST = { ms: 15_000, loadMs: 4_000, lookMs: 10_000 }
const NO_BROWSER =
  'No browser is installed that can show the page: install Chromium, Google Chrome or Microsoft Edge, or read the page without --browser.'

/** A picture that stands for those of the page, which are not fetched: text on it can be read whether it is light or dark. */
const PICTURE = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180"><rect width="100%" height="100%" fill="#808080"/></svg>',
).toString('base64')

/** An attribute for `SeeOptions` that no page can know. */
export const newAttribute = (): string => `data-seen-${randomBytes(6).toString('hex')}`

/**
 * Shows a page in an installed browser, without a window, scripts or network, only to learn which of its texts can be seen. It
 * compares pictures of the page with and without each text.
 */
export async function seeInBrowser(html: string, options: SeeOptions): Promise<SeenInBrowser | Refusal> {
  const program = (options.findBrowser ?? findHere)()
  if (program === undefined) return { refused: NO_BROWSER }
  if (options.signal.aborted) return { refused: 'Stopped.' }
  const browser = startBrowser(program)
  const stop = () => void browser.end()
  const timer = setTimeout(stop, MOST.ms)
  options.signal.addEventListener('abort', stop)
  try {
    return { ok: true, ...(await look(browser, html, options.attribute)) }
  } catch (error) {
    if (options.signal.aborted) return { refused: 'Stopped.' }
    return {
      refused: `The browser could not show the page: ${error instanceof Error ? error.message : String(error)}`,
    }
  } finally {
    clearTimeout(timer)
    options.signal.removeEventListener('abort', stop)
    await browser.end()
  }
}

function findHere(): string | undefined {
  return findInstalled({
    platform: process.platform,
    env: process.env,
    isProgram: path => {
      try {
        accessSync(path, constants.X_OK)
        return statSync(path).isFile()
      } catch {
        return false
      }
    },
  })
}

const ADDRESS = 'https://page.invalid/'

async function look(browser: Browser, html: string, attribute: string) {
  const late = Date.now() + MOST.lookMs
  const { targetId } = await browser.ask('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await browser.ask('Target.attachToTarget', { targetId, flatten: true })
  if (typeof sessionId !== 'string') throw new Error('it gave no page')
  const ask = (method: string, params: object = {}) => browser.ask(method, params, sessionId)
  const evaluate = async (expression: string): Promise<unknown> => {
    const { result, exceptionDetails } = await ask('Runtime.evaluate', { expression, returnByValue: true })
    if (exceptionDetails)
      throw new Error(`its page failed: ${JSON.stringify(exceptionDetails).slice(0, 300)}`)
    return (result as { value?: unknown } | undefined)?.value
  }
  const loaded = Promise.withResolvers<void>()
  browser.listen(event => {
    if (event.method === 'Page.loadEventFired') loaded.resolve()
    if (event.method !== 'Fetch.requestPaused') return
    const { requestId, resourceType, request } = event.params as Paused
    void answerRequest(ask, { requestId, resourceType, request }, html).catch(() => undefined)
  })
  await ask('Page.enable')
  await ask('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
  await ask('Emulation.setScriptExecutionDisabled', { value: true })
  await ask('Emulation.setDeviceMetricsOverride', {
    width: 1_280,
    height: 1_600,
    deviceScaleFactor: 1,
    mobile: false,
  })
  await ask('Page.navigate', { url: ADDRESS })
  const timer = setTimeout(loaded.resolve, MOST.loadMs)
  await loaded.promise
  clearTimeout(timer)
  const page = PageTexts.parse(await evaluate(pageProgram(attribute)))
  const shoot = async () => {
    const { data } = await ask('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true })
    return Buffer.from(String(data), 'base64')
  }
  return lookAtTexts(page, { evaluate, shoot, isLate: () => Date.now() > late })
}

type Paused = { requestId: string; resourceType: string; request: { url: string } }

/** The page itself, a grey picture for each picture, and nothing else. */
async function answerRequest(
  ask: (method: string, params: object) => Promise<unknown>,
  { requestId, resourceType, request }: Paused,
  html: string,
): Promise<void> {
  const answer = (type: string, body: string) =>
    ask('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders: [{ name: 'Content-Type', value: type }],
      body,
    })
  if (resourceType === 'Document' && request.url === ADDRESS)
    await answer('text/html; charset=utf-8', Buffer.from(html).toString('base64'))
  else if (resourceType === 'Image') await answer('image/svg+xml', PICTURE)
  else await ask('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
}
