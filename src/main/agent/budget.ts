/** The most that something may use; absent: no limit. */
export type Limits = { steps?: number | undefined; tokens?: number | undefined }

/** Counts what turns use, and says when it is used up. Several turns can share one. */
export type Budget = {
  /** Take one step. The reason, for the person, when none is left; then nothing is taken. */
  takeStep(): string | undefined
  /** Count tokens that were evaluated or written. They are known only afterwards, so the last reply may exceed the limit. */
  spend(tokens: number): void
  readonly used: { steps: number; tokens: number }
}

/** Create a budget. What is taken from it is taken from `pool` too, which others share; `whose` names it in reasons. */
export function createBudget(
  { steps = Infinity, tokens = Infinity }: Limits,
  whose: string,
  pool?: Budget,
): Budget {
  const used = { steps: 0, tokens: 0 }
  return {
    takeStep() {
      if (used.steps >= steps) return `All ${steps} steps of ${whose} are used.`
      if (used.tokens >= tokens) return `All ${tokens.toLocaleString('en-US')} tokens of ${whose} are used.`
      const reason = pool?.takeStep()
      if (reason === undefined) used.steps++
      return reason
    },
    spend(count) {
      used.tokens += count
      pool?.spend(count)
    },
    used,
  }
}
