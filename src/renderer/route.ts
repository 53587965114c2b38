import { useSyncExternalStore } from 'react'

export type Page =
  | 'chat'
  | 'memory'
  | 'skills'
  | 'activity'
  | 'schedules'
  | 'connections'
  | 'messengers'
  | 'models'
  | 'projects'
  | 'settings'
  | 'help'

/**
 * The view described by the address. Other pages keep the chat in the address, so that Back returns to it.
 * The web host's token is in the same fragment and stays unchanged.
 */
export type Route = {
  page: Page
  chatId: string | null
  /** The message to scroll to, from a search or a learned entry. */
  messageId: number | null
  /** The entry that the Memory page shows in full. */
  entryId: string | null
  /** The skill that the Skills page shows. */
  skillId: string | null
  /**
   * The tab of a skill or of Models, the section of Settings, the heading of a Help page, or `SETTINGS_TAB`.
   */
  tab: string | null
  /** The item that the page shows: a card on Activity, a project, a schedule, a setting or a Help page. */
  itemId: string | null
}

/** The `tab` of an address that shows the settings of a chat. */
export const SETTINGS_TAB = 'settings'

/** A navigation target: a chat, optionally at a message; or a page, optionally at an item. */
export type Place =
  | { chatId: string | null; messageId?: number | null; tab?: typeof SETTINGS_TAB }
  | { page: 'memory'; entryId?: string | null }
  | { page: 'skills'; skillId?: string | null; tab?: string | null }
  | { page: 'activity'; itemId?: string | null }
  | { page: 'schedules'; itemId?: string | null }
  | { page: 'connections' }
  | { page: 'messengers' }
  | { page: 'projects'; itemId?: string | null }
  | { page: 'models'; tab?: string | null }
  | { page: 'settings'; tab?: string | null; itemId?: string | null }
  | { page: 'help'; tab?: string | null; itemId?: string | null }

/** Parse a route from a fragment such as `#chat=abc` or `#chat=abc&page=memory&entry=note_1`. */
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
    itemId: ITEMED.includes(page) ? found.get('item') || null : null,
  }
}

const PAGES: readonly Page[] = [
  'memory',
  'skills',
  'activity',
  'schedules',
  'connections',
  'messengers',
  'models',
  'projects',
  'settings',
  'help',
]
const ITEMED: readonly Page[] = ['activity', 'projects', 'schedules', 'settings', 'help']
const TABBED: readonly Page[] = ['chat', 'skills', 'models', 'settings', 'help']

/** The fragment for a target. All other parts of the current fragment stay. */
function writeRoute(hash: string, place: Place): string {
  const found = parts(hash)
  const put = (name: string, value: string | number | null | undefined) =>
    value == null ? found.delete(name) : found.set(name, String(value))
  // Other pages keep the chat.
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

/** The fragment of the address that leads to a target, for links. */
export const hashOf = (place: Place): string => writeRoute(location.hash, place)

const listeners = new Set<() => void>()

/** Navigate; back and forward return here. Use `replace` for changes the user did not make. */
export function goTo(place: Place, how: 'push' | 'replace' = 'push'): void {
  show(writeRoute(location.hash, place), how)
}

/** Put the new id of a chat into the address, on any page. */
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

/** Select a part of the route. The component re-renders only when that part changes. */
export const useRoute = <T extends string | number | null>(select: (route: Route) => T): T =>
  useSyncExternalStore(subscribe, () => select(readRoute(location.hash)))

/** The chat named in the address. */
export const useChatId = (): string | null => useRoute(route => route.chatId)
