import {
  createContext,
  use,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
  type Context,
  type ReactNode,
} from 'react'
import { QueryClientProvider } from '@tanstack/react-query'
import { useStore, type StoreApi } from 'zustand'
import { createAnswers, type Answers } from './answers.ts'
import { createHostStore, type HostStore } from './host-store.ts'
import type { ConnectionState, Link } from './link.ts'

/**
 * Create a context that a page provides, and the hook for its parts. Outside the page the hook throws, with
 * `outside` as the message.
 */
export function createPageContext<T>(outside: string): readonly [Context<T | null>, () => T] {
  const PageContext = createContext<T | null>(null)
  const usePage = () => {
    const value = use(PageContext)
    if (value === null) throw new Error(outside)
    return value
  }
  return [PageContext, usePage]
}

type HostOfPage = { link: Link; answers: Answers; store: StoreApi<HostStore> }

const [HostContext, useContextOfHost] = createPageContext<HostOfPage>(
  'A page was rendered outside HostProvider.',
)

/** Provides the host to all pages. Tests pass a fake client. */
export function HostProvider({ link, children }: { link: Link; children: ReactNode }): ReactNode {
  const [context] = useState<HostOfPage>(() => {
    const answers = createAnswers(link.client)
    return { link, answers, store: createHostStore(link, answers) }
  })
  // Follow the host before the pages ask anything, so that no change after their answers is missed.
  useLayoutEffect(() => {
    const leave = new AbortController()
    void context.store.getState().follow(leave.signal)
    return () => leave.abort()
  }, [context])
  return (
    <QueryClientProvider client={context.answers.queries}>
      <HostContext value={context}>{children}</HostContext>
    </QueryClientProvider>
  )
}

/** Selects a part of the host state. The component re-renders only when that part changes. */
export const useHost = <T,>(select: (state: HostStore) => T): T => useStore(useContextOfHost().store, select)

/** The store itself, for code outside rendering. */
export const useHostStore = (): StoreApi<HostStore> => useContextOfHost().store

export const useAnswers = (): Answers => useContextOfHost().answers

export const useLink = (): Link => useContextOfHost().link

/** The state of the connection to the host. */
export function useConnection(): ConnectionState {
  const link = useLink()
  return useSyncExternalStore(link.subscribe, link.state)
}

/** Why the last attempt to connect failed, for the user; empty while connected. */
export function useConnectionProblem(): string {
  const link = useLink()
  return useSyncExternalStore(link.subscribe, link.problem)
}
