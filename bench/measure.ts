/** The value below which a share of the samples lies; `share` from 0 to 1. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  if (value === undefined) throw new Error('No samples were taken.')
  return value
}

export const median = (samples: readonly number[]): number => percentile(samples, 0.5)

/** Round to two digits after the point. These clocks are less exact than that. */
export const round = (value: number): number => Math.round(value * 100) / 100

/** The milliseconds that some work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
