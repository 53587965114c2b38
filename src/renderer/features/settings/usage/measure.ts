import { formatCount } from '../../../ui/format.ts'
import type { UsageSum } from '../../../../shared/contract/usage.ts'
import { formatCost, formatHours } from './format-usage.ts'

export const measureNames = { tokens: 'Tokens', answers: 'Answers', time: 'Time', cost: 'Cost' } as const

export type Measure = keyof typeof measureNames

/** A slice of a bar and its colour. */
export type Slice = { label: string; className: string; of: (sum: UsageSum) => number }

/** The slices of a bar from bottom to top, and the text for its value. */
export const measures: Record<Measure, { slices: readonly Slice[]; words: (value: number) => string }> = {
  tokens: {
    slices: [
      { label: 'From the cache', className: 'slice-cached', of: ({ cachedTokens }) => cachedTokens },
      {
        label: 'Newly read',
        className: 'slice-read',
        of: ({ promptTokens, cachedTokens }) => Math.max(0, promptTokens - cachedTokens),
      },
      { label: 'Written', className: 'slice-written', of: ({ outputTokens }) => outputTokens },
    ],
    words: value => `${formatCount(value)} tokens`,
  },
  answers: {
    slices: [{ label: 'Answers', className: 'slice-read', of: ({ answers }) => answers }],
    words: formatCount,
  },
  time: {
    slices: [{ label: 'Time', className: 'slice-read', of: ({ ms }) => ms }],
    words: formatHours,
  },
  cost: {
    slices: [{ label: 'Cost', className: 'slice-read', of: ({ costUsd }) => costUsd ?? 0 }],
    words: formatCost,
  },
}

/** The value of a bar: the sum of its slices. */
export const heightOf = (measure: Measure, sum: UsageSum): number =>
  measures[measure].slices.reduce((height, { of }) => height + of(sum), 0)
