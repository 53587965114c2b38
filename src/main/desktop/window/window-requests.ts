import { app } from 'electron'
import type { WindowRequest } from '../../../shared/contract/desktop.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { readStartOptions } from '../../app/start-options.ts'

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

/** What a start of the app, a link or the dock asks for; undefined only asks for the window. */
type Asked = WindowRequest | undefined

/**
 * Take the requests of the system from now on, and keep them until `serve` says what to do with them. Call it before the first
 * await: the link that starts the app on macOS comes once, and others may come while the host is opening.
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
 * What the arguments of a start ask of the window. A start by a link has no options: the author of the link may have put them
 * there. `folder` is the working folder of that start.
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

/** Whether an argument of a start is a link. */
export const isLink = (argument: string): boolean => argument.toLowerCase().startsWith(`${linkScheme}:`)

/**
 * What a link opens: `talaria://new?text=…`, `talaria://chat/<id>`, `talaria://settings/privacy` or another page. Any page in a
 * browser may open one, so a link only shows something or fills in a field; hidden characters of its text become visible.
 * Undefined for anything else.
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
