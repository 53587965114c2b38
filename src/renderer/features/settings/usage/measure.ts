import type { UsageSum } from '../../../../shared/contract/usage.ts'
import { usageText } from './strings.ts'

export type Measure = keyof typeof usageText.measures

/** A part of a bar, with its colour. */
export type Slice = { label: string; className: string; of: (sum: UsageSum) => number }

/** What a bar is made of, from the ground up, and how its height is said. */
export const measures: Record<Measure, { slices: readonly Slice[]; words: (value: number) => string }> = {
  tokens: {
    slices: [
      { label: usageText.cached, className: 'slice-cached', of: ({ cachedTokens }) => cachedTokens },
      {
        label: usageText.fresh,
        className: 'slice-read',
        of: ({ promptTokens, cachedTokens }) => Math.max(0, promptTokens - cachedTokens),
      },
      { label: usageText.written, className: 'slice-written', of: ({ outputTokens }) => outputTokens },
    ],
    words: usageText.tokens,
  },
  answers: {
    slices: [{ label: usageText.answers, className: 'slice-read', of: ({ answers }) => answers }],
    words: usageText.count,
  },
  time: {
    slices: [{ label: usageText.time, className: 'slice-read', of: ({ ms }) => ms }],
    words: usageText.duration,
  },
  cost: {
    slices: [{ label: usageText.cost, className: 'slice-read', of: ({ costUsd }) => costUsd ?? 0 }],
    words: usageText.dollars,
  },
}

/** The height of a bar. */
export const heightOf = (measure: Measure, sum: UsageSum): number =>
  measures[measure].slices.reduce((height, { of }) => height + of(sum), 0)
