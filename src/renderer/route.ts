import { useSyncExternalStore } from 'react'

export type Page = 'chat' | 'memory' | 'skills' | 'activity' | 'models' | 'settings'

/**
 * What the address says is shown. A page beside the chats keeps the chat, so that the way back leads to it. The web host's
 * token lives in the same fragment and is never touched.
 */
export type Route = {
  page: Page
  chatId: string | null
  /** The message of the chat that is to be seen, after a search or from what was learned there. */
  messageId: number | null
  /** The entry that the Memory page shows in full. */
  entryId: string | null
  /** The skill that the Skills page shows. */
  skillId: string | null
  /** The side of the skill or of the Models page, or the section of the settings. */
  tab: string | null
  /** The card that the Activity page shows: a proposal, a change or a review. */
  itemId: string | null
}

/** Where to go: to a chat, at a message of it if one is named, or to a page, at what it shows if that is named. */
export type Place =
  | { chatId: string | null; messageId?: number | null }
  | { page: 'memory'; entryId?: string | null }
  | { page: 'skills'; skillId?: string | null; tab?: string | null }
  | { page: 'activity'; itemId?: string | null }
  | { page: 'models'; tab?: string | null }
  | { page: 'settings'; tab?: string | null }

/** Read a route from a fragment such as `#token=…&chat=abc` or `#token=…&chat=abc&page=memory&entry=note_1`. */
export function readRoute(hash: string): Route {
  const found = parts(hash)
  const page = PAGES.find(each => each === found.get('page')) ?? 'chat'
  const message = Number(found.get('message') || Number.NaN)
  return {
    page,
    chatId: found.get('chat') || null,
    messageId: page === 'chat' && Number.isSafeInteger(message) ? message : null,
    entryId: page === 'memory' ? found.get('entry') || null : null,
    skillId: page === 'skills' ? found.get('skill') || null : null,
    tab: TABBED.includes(page) ? found.get('tab') || null : null,
    itemId: page === 'activity' ? found.get('item') || null : null,
  }
}

const PAGES: readonly Page[] = ['memory', 'skills', 'activity', 'models', 'settings']
const TABBED: readonly Page[] = ['skills', 'models', 'settings']

/** The fragment for a place that keeps everything else in the present one. */
export function writeRoute(hash: string, place: Place): string {
  const found = parts(hash)
  const put = (name: string, value: string | number | null | undefined) =>
    value == null ? found.delete(name) : found.set(name, String(value))
  // A page beside the chats keeps the chat.
  if (!('page' in place)) put('chat', place.chatId)
  put('page', 'page' in place ? place.page : null)
  put('message', 'messageId' in place ? place.messageId : null)
  put('entry', 'entryId' in place ? place.entryId : null)
  put('skill', 'skillId' in place ? place.skillId : null)
  put('tab', 'tab' in place ? place.tab : null)
  put('item', 'itemId' in place ? place.itemId : null)
  const text = found.toString()
  return text === '' ? '' : `#${text}`
}

const parts = (hash: string) => new URLSearchParams(hash.replace(/^#/u, ''))

const listeners = new Set<() => void>()

/** Show something else; back and forward return to it. `replace` is for what the person did not choose. */
export function go(place: Place, how: 'push' | 'replace' = 'push'): void {
  show(writeRoute(location.hash, place), how)
}

/** Name the chat in the address, whatever page is shown: a new chat has just got its id. */
export function nameChat(chatId: string): void {
  const found = parts(location.hash)
  found.set('chat', chatId)
  show(`#${found.toString()}`, 'replace')
}

function show(hash: string, how: 'push' | 'replace') {
  if (hash === location.hash) return
  const url = `${location.pathname}${location.search}${hash}`
  if (how === 'push') history.pushState(null, '', url)
  else history.replaceState(null, '', url)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  window.addEventListener('popstate', listener)
  window.addEventListener('hashchange', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('popstate', listener)
    window.removeEventListener('hashchange', listener)
  }
}

/** Read a part of the route; the component draws again when that part changes. */
export const useRoute = <T extends string | number | null>(select: (route: Route) => T): T =>
  useSyncExternalStore(subscribe, () => select(readRoute(location.hash)))

/** The chat that the address names. */
export const useChatId = (): string | null => useRoute(route => route.chatId)
