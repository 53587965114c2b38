import type { ReactNode } from 'react'
import type { UsageSum } from '../../../../shared/contract/network.ts'
import { formatShare, formatCount } from '../../../ui/format.ts'
import { DataTable } from '../DataTable.tsx'
import { formatCost, formatHours } from './measures.ts'

type Props = {
  caption: string
  /** Heading of the first column. */
  label: string
  isPriced: boolean
  rows: readonly { id: string; name: ReactNode; sum: UsageSum }[]
}

const shareOf = ({ cachedTokens, promptTokens }: UsageSum) =>
  promptTokens === 0 ? '–' : formatShare(cachedTokens / promptTokens)

/** A table of sums, one row each. */
export function SumTable({ caption, label, isPriced, rows }: Props): ReactNode {
  const columns: readonly (readonly [string, (sum: UsageSum) => string])[] = [
    ['Answers', ({ answers }) => formatCount(answers)],
    ['Read', ({ promptTokens }) => formatCount(promptTokens)],
    ['From the cache', shareOf],
    ['Written', ({ outputTokens }) => formatCount(outputTokens)],
    ['Time', ({ ms }) => formatHours(ms)],
    ...(isPriced ? [['Cost', ({ costUsd }: UsageSum) => formatCost(costUsd)] as const] : []),
  ]
  return (
    <DataTable caption={caption} columns={[label, ...columns.map(([number]) => ({ number }))]}>
      {rows.map(({ id, name, sum }) => (
        <tr key={id}>
          <th scope="row">{name}</th>
          {columns.map(([column, words]) => (
            <td key={column} className="data-number">
              {words(sum)}
            </td>
          ))}
        </tr>
      ))}
    </DataTable>
  )
}
