import { app } from 'electron'
import type { WindowRequest } from '../../../shared/contract/desktop.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { readStartOptions } from '../../app/start-options.ts'

/** Requests to the main window. They are queued while its page is loading. */
export type WindowRequests = {
  send(request: WindowRequest): void
  watch(input: object, signal: AbortSignal): AsyncGenerator<WindowRequest, void, void>
}

/** Maximum number of queued requests; more only come from a bug. */
const most = 20

/** Create the queue of requests. Only the newest page takes them, because it replaced the others. */
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

/** The request of a launch, a link or the dock; undefined only opens the window. */
type Asked = WindowRequest | undefined

/**
 * Collect the system's requests from now on, and keep them until `serve` handles them. Call this before the
 * first await: the link that starts the app on macOS arrives only once, and others may arrive while the host
 * is opening.
 */
export function takeRequests(): { serve(show: (asked: Asked) => void): void } {
  const early: Asked[] = []
  let take = (asked: Asked): void => {
    early.push(asked)
  }
  app.on('second-instance', (_event, args, folder) => take(readStart(args.slice(1), folder)))
  app.on('activate', () => take(undefined))
  app.on('open-url', (event, link) => {
    event.preventDefault()
    take(readLink(link))
  })
  return {
    serve(show) {
      take = show
      early.splice(0).forEach(show)
    },
  }
}

/**
 * Read the window request in a launch's arguments. A launch by a link has no options, because the link's
 * author may have put them there. `folder`: the working folder of that launch.
 */
export function readStart(args: readonly string[], folder: string): Asked {
  const link = args.find(isLink)
  if (link !== undefined) return readLink(link)
  const { workspace } = readStartOptions([...args], { INIT_CWD: folder }, 'lenient')
  return workspace === undefined ? undefined : { type: 'folder', folder: workspace }
}

/** The scheme of links that open Talaria, without its colon. */
export const linkScheme = 'talaria'

const longestText = 10_000
const pages = ['memory', 'skills', 'activity', 'models', 'settings'] as const

/** Return whether an argument of a launch is a link. */
export const isLink = (argument: string): boolean => argument.toLowerCase().startsWith(`${linkScheme}:`)

/**
 * Read a link: `talaria://new?text=…`, `talaria://chat/<id>`, `talaria://settings/privacy` or another page.
 * Any web page may open one, so a link only shows a page or fills in a field; hidden characters in its text
 * become visible. Undefined for anything else.
 */
function readLink(text: string): WindowRequest | undefined {
  const url = isLink(text) && text.length <= 4 * longestText ? URL.parse(text) : null
  if (!url) return undefined
  const [tab = '', ...deeper] = url.pathname.split('/').filter(part => part !== '')
  if (deeper.length > 0) return undefined
  if (url.host === 'new') {
    const draft = url.searchParams.get('text')?.trim() ?? ''
    return draft === ''
      ? { type: 'chat', id: null }
      : { type: 'draft', text: showHidden(draft.slice(0, longestText)) }
  }
  if (url.host === 'chat') return /^[\w-]{1,100}$/.test(tab) ? { type: 'chat', id: tab } : undefined
  const page = pages.find(each => each === url.host)
  return page && { type: 'page', page, tab: /^[a-z]{1,40}$/.test(tab) ? tab : null }
}
