import fc from 'fast-check'
import { expect, test } from 'vitest'
import { barsOf, localDay, startOfDay } from './measures.ts'

const day = (day: string, answers = 1, costUsd: number | null = null) => ({
  day,
  answers,
  promptTokens: answers * 100,
  cachedTokens: answers * 40,
  outputTokens: answers * 10,
  ms: answers * 1_000,
  costUsd,
})

test('a few weeks have one bar per day, including days without answers', () => {
  const bars = barsOf([day('2026-11-02', 3), day('2026-11-04')], '2026-11-01', '2026-11-05')
  expect(bars.map(({ from, to, answers }) => [from, to, answers])).toEqual([
    ['2026-11-01', '2026-11-01', 0],
    ['2026-11-02', '2026-11-02', 3],
    ['2026-11-03', '2026-11-03', 0],
    ['2026-11-04', '2026-11-04', 1],
    ['2026-11-05', '2026-11-05', 0],
  ])
})

test('a year has one bar per week from Monday to Sunday, and the last one ends today', () => {
  const bars = barsOf([day('2025-11-24'), day('2025-11-30'), day('2026-11-18')], '2025-11-22', '2026-11-21')
  expect(bars.slice(0, 2)).toMatchObject([
    { from: '2025-11-22', to: '2025-11-23', answers: 0 },
    { from: '2025-11-24', to: '2025-11-30', answers: 2 },
  ])
  expect(bars.at(-1)).toMatchObject({ from: '2026-11-16', to: '2026-11-21', answers: 1 })
})

test('several years have one bar per month', () => {
  const bars = barsOf([day('2024-02-29')], '2024-02-10', '2026-11-21')
  expect(bars[0]).toMatchObject({ from: '2024-02-10', to: '2024-02-29', answers: 1 })
  expect(bars[1]).toMatchObject({ from: '2024-03-01', to: '2024-03-31' })
  expect(bars).toHaveLength(34)
})

test('for any range, the bars follow each other without gaps and contain every answer', () => {
  const inRange = fc.integer({ min: 0, max: 1_500 })
  fc.assert(
    fc.property(inRange, fc.array(inRange), (span, at) => {
      const on = (index: number) => new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10)
      const used = at.filter(index => index <= span).map(index => day(on(index)))
      const bars = barsOf(used, on(0), on(span))
      expect(bars.length).toBeLessThanOrEqual(110)
      expect([bars[0]?.from, bars.at(-1)?.to]).toEqual([on(0), on(span)])
      for (const [index, bar] of bars.entries()) {
        const next = bars[index + 1]
        if (next) expect(Date.parse(next.from) - Date.parse(bar.to)).toBe(86_400_000)
      }
      expect(bars.reduce((sum, { answers }) => sum + answers, 0)).toBe(used.length)
    }),
  )
})

test('a total cost is the sum of known costs, and unknown only if none is known', () => {
  const costOf = (...days: Parameters<typeof barsOf>[0]) =>
    barsOf(days, '2026-11-01', '2026-11-01')[0]!.costUsd
  expect(costOf(day('2026-11-01', 1, 0.5), day('2026-11-01'))).toBe(0.5)
  expect(costOf(day('2026-11-01'))).toBeNull()
  expect(costOf()).toBeNull()
})

test('a range starts at midnight, local time', () => {
  const now = new Date(2026, 2, 30, 15, 20)
  expect(localDay(startOfDay(now, 29))).toBe('2026-03-01')
  expect(startOfDay(now, 29).getHours()).toBe(0)
  expect(localDay(now)).toBe('2026-03-30')
})
