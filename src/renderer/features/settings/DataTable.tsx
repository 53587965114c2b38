import type { ReactNode } from 'react'
import { Scrollable } from '../../ui/Scrollable.tsx'

type Props = {
  caption: string
  /** Headings; those of numbers are aligned to the right. */
  columns: readonly (string | { number: string })[]
  /** The rows, as `tr` elements. */
  children: ReactNode
}

/** A table of figures that scrolls sideways where it does not fit. */
export function DataTable({ caption, columns, children }: Props): ReactNode {
  return (
    <Scrollable label={caption} className="data-frame">
      <table className="data-table">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(column =>
              typeof column === 'string' ? (
                <th key={column} scope="col">
                  {column}
                </th>
              ) : (
                <th key={column.number} scope="col" className="data-number">
                  {column.number}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Scrollable>
  )
}
