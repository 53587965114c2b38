import { createContext, use, type ReactNode } from 'react'
import { formatCount } from '../ui/text/format-values.ts'
import { CopyButton } from '../ui/IconButton.tsx'
import { Scrollable } from '../ui/Scrollable.tsx'
import { Sought, Unfolded } from '../ui/text/fold-text.tsx'
import { useKept } from '../ui/row-state.tsx'
import { csvOf, rowsOf, type TableNode } from './table-csv.ts'

/** Reads all rows of a table of which only some are rendered. */
const WholeTable = createContext<(() => string[][]) | null>(null)

type TableProps = { node?: TableNode | undefined; dir?: string | undefined; children?: ReactNode }

/** A table that scrolls sideways, with a button that copies it as CSV. */
export function Table({ node, dir, children }: TableProps): ReactNode {
  const whole = use(WholeTable)
  return (
    <div className="table-block">
      <Scrollable className="table-scroll" label="Table">
        <table dir={dir}>{children}</table>
      </Scrollable>
      <CopyButton
        label="Copy the table as CSV"
        doneLabel="Copied"
        className="table-copy"
        text={() => csvOf(whole?.() ?? (node ? rowsOf(node) : []))}
      />
    </div>
  )
}

/** How many cells of a table to render at first, and with each *Show more*. */
const FIRST = 1_000
const MORE = 4_000

const HEAD = /^.*\n {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*(?:\n|$)/

/** The parts of a table text that is too long to render at once; undefined for any other text. */
export function longTable(text: string): { head: string; rows: string[]; columns: number } | undefined {
  if (text.length < 2 * FIRST) return undefined
  const head = HEAD.exec(text)?.[0]
  if (head === undefined || !head.includes('|')) return undefined
  const rows = text.slice(head.length).trimEnd().split('\n')
  const columns = head
    .split('\n')[1]!
    .split('|')
    .filter(part => part.includes('-')).length
  return rows.length * columns > FIRST ? { head, rows, columns } : undefined
}

type LongProps = {
  table: NonNullable<ReturnType<typeof longTable>>
  /** Parses all rows of a table text. */
  read: (text: string) => string[][]
  /** Renders a table text. */
  draw: (text: string) => ReactNode
}

/** A table of thousands of cells: its first rows, and a button that shows more. */
export function LongTable({ table: { head, rows, columns }, read, draw }: LongProps): ReactNode {
  const isWhole = use(Unfolded)
  const step = (cells: number) => Math.max(1, Math.floor(cells / columns))
  const sought = use(Sought)
  const [most, setMost] = useKept(`table ${head}${rows[0]}`, step(FIRST))
  // A search for a frequent letter must not render ten thousand cells.
  const found = sought ? rows.slice(0, step(MORE)).findLastIndex(row => row.search(sought) >= 0) + 1 : 0
  const shown = isWhole ? rows : rows.slice(0, Math.max(most, found))
  return (
    <WholeTable value={() => read(head + rows.join('\n'))}>
      {draw(head + shown.join('\n'))}
      {rows.length > shown.length && (
        <button type="button" className="fold-btn" onClick={() => setMost(most + step(MORE))}>
          {`Show more: ${formatCount(rows.length - shown.length)} of ${formatCount(rows.length)} rows left`}
        </button>
      )}
    </WholeTable>
  )
}
