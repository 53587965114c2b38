import { createContext, use, useMemo, useState, type FocusEvent, type ReactNode } from 'react'

/** What the rows of a list remember, by names of their own. It outlives the rows. */
export type Kept = Map<string, unknown>

const Row = createContext<{ kept: Kept; row: string } | null>(null)

/** A row of a list that draws only what is near the window: what its parts remember with `useKept` survives while it is not drawn. */
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

/** State like that of `useState` that survives while its row is not drawn; outside such rows it is plain state. */
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

/** Whether a part of a row, drawn or not, remembers that it is so: an opened one, say. */
export const isKept = (kept: Kept, row: string, name: string): boolean => kept.get(`${row} ${name}`) === true

const itemOf = (element: Element | null) => element?.closest<HTMLElement>('[data-item]')?.dataset['item']

/**
 * The row that has the keyboard's focus, by its `data-item`, and the handlers for the element around the rows. A list that draws only what is
 * near the window has to keep that row: if it were removed while the user scrolls by keys, the focus would go, and the keys would do nothing.
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
      // A window that is left gives the focus back when it is returned to.
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (document.hasFocus() && !currentTarget.contains(relatedTarget)) setFocused(undefined)
      },
    },
  }
}
