import { createContext, use, useMemo, useState, type FocusEvent, type ReactNode } from 'react'

/** State of the rows of a list, by name. It outlives the rows. */
export type Kept = Map<string, unknown>

const Row = createContext<{ kept: Kept; row: string } | null>(null)

/** A row of a virtual list: state that its parts keep with `useKept` survives while the row is unmounted. */
export function KeepingRow({
  kept,
  row,
  children,
}: {
  kept: Kept
  row: string
  children: ReactNode
}): ReactNode {
  const place = useMemo(() => ({ kept, row }), [kept, row])
  return <Row value={place}>{children}</Row>
}

/** Like `useState`, but kept while its row is unmounted. Outside a `KeepingRow` it is plain state. */
export function useKept<T>(name: string, initial: T): [T, (next: T) => void] {
  const row = use(Row)
  const key = `${row?.row} ${name}`
  const [value, setValue] = useState(() => (row?.kept.has(key) ? (row.kept.get(key) as T) : initial))
  return [
    value,
    next => {
      row?.kept.set(key, next)
      setValue(next)
    },
  ]
}

/** Whether a part of a row has this boolean state, such as being open, even if it is unmounted. */
export const isKept = (kept: Kept, row: string, name: string): boolean => kept.get(`${row} ${name}`) === true

const itemOf = (element: Element | null) => element?.closest<HTMLElement>('[data-item]')?.dataset['item']

/**
 * The row with the keyboard focus, by its `data-item`, and the handlers for the element around the rows. A
 * virtual list must keep that row mounted: if it were removed while the user scrolls by keys, the focus would
 * be lost and the keys would do nothing.
 */
export function useFocusedRow(): {
  focused: string | undefined
  watch: { onFocus: (event: FocusEvent) => void; onBlur: (event: FocusEvent) => void }
} {
  const [focused, setFocused] = useState<string>()
  return {
    focused,
    watch: {
      onFocus: ({ target }) => setFocused(itemOf(target)),
      // When the window loses focus, the row keeps it for the return.
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (document.hasFocus() && !currentTarget.contains(relatedTarget)) setFocused(undefined)
      },
    },
  }
}
