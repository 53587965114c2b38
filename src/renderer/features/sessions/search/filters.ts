export const roleNames = {
  any: 'Anyone',
  user: 'You',
  assistant: 'Talaria',
  tool: 'Tools',
} satisfies Record<Role, string>
/** How far back to search. */
export type Since = 'any' | 'week' | 'month' | 'year'

/** Whose messages to search. */
export type Role = 'any' | 'user' | 'assistant' | 'tool'

export type Filters = { since: Since; role: Role }

export const everywhere: Filters = { since: 'any', role: 'any' }

export const isFiltered = ({ since, role }: Filters): boolean => since !== 'any' || role !== 'any'

const DAY_MS = 86_400_000
const days: Record<Exclude<Since, 'any'>, number> = { week: 7, month: 30, year: 365 }

/** Start of the search period in epoch ms; undefined for all time. */
export const startOf = (since: Since, now: number): number | undefined =>
  since === 'any' ? undefined : now - days[since] * DAY_MS
