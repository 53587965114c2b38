import { createContext, use, useMemo, useState, type ReactNode } from 'react'

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
