import { useEffect, useEffectEvent, useState } from 'react'
import type { Outcome } from './attempt.ts'

/** Debounce while the user types, in ms. */
const TYPING_MS = 120

/** Page size, equal to the host's maximum. */
const PAGE = 50
const MOST = 200

/**
 * The latest answer to a query that runs whenever `key` changes. The old answer stays until the next one
 * arrives. Undefined before the first.
 */
export function useAsked<T>(
  ask: (signal: AbortSignal) => Promise<Outcome<T>>,
  key: string,
): Outcome<T> | undefined {
  const [answered, setAnswered] = useState<{ key: string; answer: Outcome<T> }>()
  const asking = useEffectEvent(ask)
  useEffect(() => {
    const over = new AbortController()
    void asking(over.signal).then(answer => !over.signal.aborted && setAnswered({ key, answer }))
    return () => over.abort()
  }, [key])
  return answered?.answer
}

type Page<T> = { items: readonly T[]; more: boolean }
export type Paged<T> = {
  /** Undefined before the first answer. */
  items: readonly T[] | undefined
  more: boolean
  problem: string | null
  loadMore: () => Promise<void>
}

/** A list that is loaded page by page. When `key` changes, the loaded range is fetched again. */
export function usePaged<T>(
  ask: (known: readonly T[], limit: number, signal?: AbortSignal) => Promise<Outcome<Page<T>>>,
  key: string,
): Paged<T> {
  const [page, setPage] = useState<Page<T> & { key: string }>()
  const [problem, setProblem] = useState<string | null>(null)
  const problemOf = (answer: Outcome<Page<T>>) => setProblem(answer.ok ? null : answer.fault.message)
  const refresh = useEffectEvent(async (key: string, signal: AbortSignal) => {
    const answer = await ask([], Math.min(MOST, Math.max(PAGE, page?.items.length ?? 0)), signal)
    if (signal.aborted) return
    problemOf(answer)
    if (answer.ok) setPage({ ...answer.value, key })
  })
  useEffect(() => {
    const over = new AbortController()
    const timer = setTimeout(() => void refresh(key, over.signal), TYPING_MS)
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [key])
  return {
    items: page?.items,
    more: page?.more ?? false,
    problem,
    async loadMore() {
      if (!page) return
      const answer = await ask(page.items, PAGE)
      problemOf(answer)
      if (!answer.ok) return
      const { items, more } = answer.value
      // Skip if the list was reloaded meanwhile: it already has these items, or is another list.
      setPage(now => (now === page ? { key, items: [...page.items, ...items], more } : now))
    },
  }
}

/**
 * Loads a list again with each version, and when the window gets the focus back: other programs change files without an
 * event. The version rises with the first greeting of the host and with every change.
 */
export function useFresh(load: () => Promise<unknown>, version: number): void {
  useEffect(() => {
    if (version > 0) void load()
  }, [load, version])
  useEffect(() => {
    const look = () => void load()
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [load])
}

/** Debounces a value: returns the newest one after it has been stable for `ms`. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
