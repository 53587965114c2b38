import { useState, type ReactNode } from 'react'
import { Segmented } from '../../../ui/fields/Choice.tsx'
import {
  heightOf,
  measureNames,
  measures,
  formatDaySpan,
  formatIsoDay,
  formatCost,
  formatHours,
  type Bar,
  type Measure,
} from './measures.ts'
import type { UsageSum } from '../../../../shared/contract/connections/network.ts'
import { formatShare, formatCount } from '../../../ui/text/format-values.ts'
import { DataTable } from '../SectionParts.tsx'

/** Height of the SVG coordinate system. The chart is scaled to its container. */
const HEIGHT = 100
const GAP = 0.14

type Props = { bars: readonly Bar[]; isPriced: boolean }

/** One bar per day, week or month, with a table for screen readers. */
export function Chart({ bars, isPriced }: Props): ReactNode {
  const [chosen, setMeasure] = useState<Measure>('tokens')
  const [pointed, setPointed] = useState<number | null>(null)
  const measure = chosen === 'cost' && !isPriced ? 'tokens' : chosen
  const { slices, words } = measures[measure]
  const heights = bars.map(bar => heightOf(measure, bar))
  const most = Math.max(...heights)
  const [first, last] = [bars[0]!, bars.at(-1)!]
  const shown = pointed === null ? undefined : bars[pointed]
  const options = (Object.keys(measureNames) as Measure[]).filter(each => isPriced || each !== 'cost')
  return (
    <figure className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="max-w-md">
        <Segmented
          label="Chart shows"
          options={options.map(value => ({ value, label: measureNames[value] }))}
          value={measure}
          onChange={setMeasure}
        />
      </div>
      <p aria-hidden="true" className="flex justify-between gap-4 text-xs text-ink-3 tabular-nums">
        <span>{words(most)}</span>
        {shown && (
          <span className="text-ink">
            {formatDaySpan(shown.from, shown.to)}: {words(heightOf(measure, shown))}
          </span>
        )}
      </p>
      <svg
        role="img"
        aria-label={`${measureNames[measure]} from ${formatIsoDay(first.from)} to ${formatIsoDay(last.to)}. Peak: ${words(most)}.`}
        viewBox={`0 0 ${bars.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="usage-chart"
        onPointerLeave={() => setPointed(null)}
      >
        {bars.map((bar, index) => (
          <g key={bar.from} onPointerEnter={() => setPointed(index)}>
            <rect
              x={index}
              width={1}
              height={HEIGHT}
              className={index === pointed ? 'slice-pointed' : 'slice-none'}
            />
            <BarSlices bar={bar} index={index} slices={slices} most={most} />
          </g>
        ))}
      </svg>
      <p aria-hidden="true" className="flex justify-between gap-4 text-xs text-ink-3">
        <span>{formatIsoDay(first.from)}</span>
        <span>{formatIsoDay(last.to)}</span>
      </p>
      {slices.length > 1 && (
        <ul aria-label="Colours" className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
          {slices.map(({ label, className }) => (
            <li key={label} className="inline-flex items-center gap-1.5">
              <svg viewBox="0 0 8 8" aria-hidden="true" className="size-2.5">
                <rect width={8} height={8} rx={2} className={className} />
              </svg>
              {label}
            </li>
          ))}
        </ul>
      )}
      <details className="text-sm">
        <summary className="link-btn w-max max-w-full">Show as a table</summary>
        <div className="mt-2">
          <SumTable
            caption={measureNames[measure]}
            label="When"
            isPriced={isPriced}
            rows={bars
              .filter(({ answers }) => answers > 0)
              .toReversed()
              .map(bar => ({ id: bar.from, name: formatDaySpan(bar.from, bar.to), sum: bar }))}
          />
        </div>
      </details>
    </figure>
  )
}

type SlicesProps = {
  bar: Bar
  index: number
  slices: (typeof measures)[Measure]['slices']
  most: number
}

/** The slices of one bar, stacked from the bottom. */
function BarSlices({ bar, index, slices, most }: SlicesProps) {
  if (most === 0) return null
  const parts = slices.map(({ of }) => (of(bar) / most) * HEIGHT)
  return slices.map(({ label, className }, at) => {
    const below = parts.slice(0, at).reduce((sum, part) => sum + part, 0)
    const height = parts[at]!
    return height === 0 ? null : (
      <rect
        key={label}
        x={index + GAP / 2}
        y={HEIGHT - below - height}
        width={1 - GAP}
        height={height}
        className={className}
      />
    )
  })
}

type TableProps = {
  caption: string
  /** Heading of the first column. */
  label: string
  isPriced: boolean
  rows: readonly { id: string; name: ReactNode; sum: UsageSum }[]
}

const shareOf = ({ cachedTokens, promptTokens }: UsageSum) =>
  promptTokens === 0 ? '–' : formatShare(cachedTokens / promptTokens)

/** A table of sums, one row each. */
export function SumTable({ caption, label, isPriced, rows }: TableProps): ReactNode {
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
