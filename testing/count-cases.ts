import { expect } from 'vitest'

/**
 * Counts what a property really checked, by kind, so that a condition that skips nearly all cases is noticed.
 * Where a property is about some cases only, `fc.pre` draws until there are enough of them.
 */
export function countCases<Kind extends string>(): {
  met(kind: Kind): void
  atLeast(least: Record<Kind, number>): void
} {
  const counts = new Map<string, number>()
  return {
    met: kind => void counts.set(kind, (counts.get(kind) ?? 0) + 1),
    atLeast(least) {
      for (const [kind, count] of Object.entries<number>(least))
        expect(counts.get(kind) ?? 0, `cases: ${kind}`).toBeGreaterThanOrEqual(count)
    },
  }
}
