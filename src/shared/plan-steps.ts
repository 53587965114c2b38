/** One step of the plan of a turn. */
export type PlanStep = { state: 'open' | 'doing' | 'done' | 'dropped'; text: string }

const MARKS: Readonly<Record<string, PlanStep['state']>> = {
  ' ': 'open',
  '': 'open',
  '>': 'doing',
  '~': 'doing',
  '*': 'doing',
  x: 'done',
  X: 'done',
  '✓': 'done',
  '✔': 'done',
  '-': 'dropped',
}
const SIGNS: Readonly<Record<PlanStep['state'], string>> = {
  open: ' ',
  doing: '>',
  done: 'x',
  dropped: '-',
}

/**
 * Read the steps of a plan, a text with one step per line: `[x] Read the file`. Bullets and numbers before
 * the mark are ignored. A line without a mark is an open step, because small models forget marks.
 */
export function readPlan(plan: string): PlanStep[] {
  return plan.split('\n').flatMap(line => {
    const [, mark = '', rest = ''] = /^\s*(?:[-*•]\s+|\d{1,3}[.)]\s+)?(?:\[(.?)\])?\s*(.*)$/u.exec(line) ?? []
    const text = rest.trim().replaceAll(/\s+/g, ' ')
    return text === '' ? [] : [{ state: MARKS[mark] ?? 'open', text }]
  })
}

/** A plan as text, in the form that `readPlan` reads. */
export const writePlan = (steps: readonly PlanStep[]): string =>
  steps.map(({ state, text }) => `[${SIGNS[state]}] ${text}`).join('\n')
