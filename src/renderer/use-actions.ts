import { createContext, use, useEffect, useLayoutEffect, useRef } from 'react'
import { actionText, keysOf, type ActionId } from './action-table.ts'
import { useHost } from './rpc/host-context.tsx'
import { useKeys } from './ui/keyboard/keys.ts'

/** What does an action. For a key that other parts of the page use too, `false` leaves it to them. */
export type ActionHandler = () => unknown

/** What can be done now: each part of the window adds what it does for as long as it is shown. */
export type Actions = {
  /** Adds what is asked for at the time of use; returns how to take it back. */
  add: (handlers: () => Handlers) => () => void
  /** All that can be done now. What was added last counts. */
  now: () => Map<ActionId, ActionHandler>
}
type Handlers = Partial<Record<ActionId, ActionHandler | undefined>>

/** The actions of one window. */
export function createActions(): Actions {
  const added = new Set<() => Handlers>()
  return {
    add(handlers) {
      added.add(handlers)
      return () => void added.delete(handlers)
    },
    now() {
      const found = [...added].flatMap(each => Object.entries(each())) as [ActionId, ActionHandler?][]
      return new Map(found.flatMap(([id, run]) => (run ? [[id, run]] : [])))
    },
  }
}

export const ActionsContext = createContext<Actions | null>(null)

/** All that can be done in this window now, such as for the palette. */
export const useAllActions = (): Actions | null => use(ActionsContext)

/**
 * Offers actions of the table for as long as the component is shown, and binds their keys. One that is undefined cannot be done
 * now: it is in no palette, and its key does nothing.
 */
export function useActions(handlers: Handlers): void {
  const actions = use(ActionsContext)
  const bound = useHost(host => host.settings.keys)
  const newest = useRef(handlers)
  useLayoutEffect(() => {
    newest.current = handlers
  })
  useEffect(() => actions?.add(() => newest.current), [actions])
  const keys = Object.entries(handlers).flatMap(([id, run]) => {
    const { isOnlyKey = false } = actionText(id as ActionId)
    const keys = keysOf(id as ActionId, bound)
    return run && keys !== undefined && !isOnlyKey ? [[keys, run] as const] : []
  })
  useKeys(Object.fromEntries(keys))
}
