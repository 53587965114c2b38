import type { WindowRequest } from '../../../shared/contract/desktop.ts'

/** Requests to the main window. They wait while its page is loading. */
export type WindowRequests = {
  send(request: WindowRequest): void
  watch(input: object, signal: AbortSignal): AsyncGenerator<WindowRequest, void, void>
}

/** Requests that no page has taken; more than a few come only from a mistake. */
const most = 20

/** Create the line of requests. Only the newest page takes them: it replaced the others. */
export function createWindowRequests(): WindowRequests {
  const waiting: WindowRequest[] = []
  let wake = () => {}
  let newest = 0
  return {
    send(request) {
      waiting.push(request)
      waiting.splice(0, waiting.length - most)
      wake()
    },
    async *watch(_input, signal) {
      const mine = ++newest
      const isNewest = () => mine === newest
      wake()
      while (!signal.aborted && isNewest()) {
        const request = waiting.shift()
        if (request) {
          yield request
          continue
        }
        const news = Promise.withResolvers<void>()
        const resume = () => news.resolve()
        wake = resume
        signal.addEventListener('abort', resume, { once: true })
        await news.promise
        signal.removeEventListener('abort', resume)
      }
    },
  }
}
