import { useSyncExternalStore } from 'react'

/** What the address says is shown. The web host's token lives in the same fragment and is never touched. */
export type Route = { chatId: string | null }

/** Read a route from a fragment such as `#token=…&chat=abc`. */
export const readRoute = (hash: string): Route => ({ chatId: parts(hash).get('chat') || null })

/** The fragment for a route that keeps everything else in the present one. */
export function writeRoute(hash: string, { chatId }: Route): string {
  const found = parts(hash)
  if (chatId === null) found.delete('chat')
  else found.set('chat', chatId)
  const text = found.toString()
  return text === '' ? '' : `#${text}`
}

const parts = (hash: string) => new URLSearchParams(hash.replace(/^#/u, ''))

const listeners = new Set<() => void>()

/** Show something else; back and forward return to it. `replace` is for what the person did not choose. */
export function go(route: Route, how: 'push' | 'replace' = 'push'): void {
  const hash = writeRoute(location.hash, route)
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

/** The chat that the address names. */
export const useChatId = (): string | null =>
  useSyncExternalStore(subscribe, () => readRoute(location.hash).chatId)
