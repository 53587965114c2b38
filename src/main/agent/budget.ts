/** Maximum usage; an absent value means no limit. */
export type Limits = { steps?: number | undefined; tokens?: number | undefined }

/** Counts the usage of turns, and reports when it reaches its limit. Several turns can share a budget. */
export type Budget = {
  /** Take one step. If none is left, nothing is taken and the reason is returned, as text for the user. */
  takeStep(): string | undefined
  /** Count tokens that were used. They are known only later, so the last reply may exceed the limit. */
  spend(tokens: number): void
  readonly used: { steps: number; tokens: number }
}

/** Create a budget, charged to the shared `pool` as well. `whose` names the budget's owner in reasons. */
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
