import { createContext, use, useEffect, useLayoutEffect, useRef } from 'react'
import { actionText, keysOf, type ActionId } from './action-table.ts'
import { useHost } from './rpc/host-context.tsx'
import { useKeys } from './ui/keyboard/keys.ts'

/** Carries out an action. Returns `false` to leave a shared key to other parts of the page. */
export type ActionHandler = () => unknown

/** The actions that are possible now: each part of the window adds its own while it is shown. */
export type Actions = {
  /** Adds handlers, which are read at the time of use; returns how to remove them. */
  add: (handlers: () => Handlers) => () => void
  /** All actions that are possible now. Later additions override earlier ones. */
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

/** All actions that are possible in this window now, such as for the palette. */
export const useAllActions = (): Actions | null => use(ActionsContext)

/**
 * Offers actions of the table while the component is shown, and binds their keys. An undefined action is not
 * possible now: the palette omits it, and its key does nothing.
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
