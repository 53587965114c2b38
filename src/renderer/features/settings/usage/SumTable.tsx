import type { ReactNode } from 'react'
import type { UsageSum } from '../../../../shared/contract/usage.ts'
import { formatShare } from '../../../ui/format.ts'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { usageText } from './strings.ts'

type Props = {
  caption: string
  /** What the first column names. */
  label: string
  isPriced: boolean
  rows: readonly { id: string; name: ReactNode; sum: UsageSum }[]
}

const shareOf = ({ cachedTokens, promptTokens }: UsageSum) =>
  promptTokens === 0 ? '–' : formatShare(cachedTokens / promptTokens)

/** Sums, one line each. */
export function SumTable({ caption, label, isPriced, rows }: Props): ReactNode {
  const columns: readonly (readonly [string, (sum: UsageSum) => string])[] = [
    [usageText.answers, ({ answers }) => usageText.count(answers)],
    [usageText.read, ({ promptTokens }) => usageText.count(promptTokens)],
    [usageText.cached, shareOf],
    [usageText.written, ({ outputTokens }) => usageText.count(outputTokens)],
    [usageText.time, ({ ms }) => usageText.duration(ms)],
    ...(isPriced ? [[usageText.cost, ({ costUsd }: UsageSum) => usageText.dollars(costUsd)] as const] : []),
  ]
  return (
    <Scrollable label={caption} className="data-frame">
      <table className="data-table">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{label}</th>
            {columns.map(([name]) => (
              <th key={name} scope="col" className="data-number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </Scrollable>
  )
}
