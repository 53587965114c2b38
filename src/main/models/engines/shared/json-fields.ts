/** An object of which nothing is known. */
export type Fields = Record<string, unknown>

/** Whether a value is an object, and no list. */
export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value as an object; an empty one when it is none. */
export const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {})

/** A value as a list of objects; empty when it is none. */
export const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

/** A number of tokens that a server tells; 0 when it is none that can be. */
export const countOf = (value: unknown): number =>
  typeof value === 'number' && value > 0 && value < 1e9 ? Math.floor(value) : 0

/** A value as text; empty when it is none. */
export const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '')
