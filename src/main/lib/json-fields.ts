/** An unvalidated object. */
export type Fields = Record<string, unknown>

/** Whether a value is an object and not an array. */
export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value if it is an object, else an empty object. */
export const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {})

/** The value as a list of objects; empty when it is not a list. */
export const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

/** A count, such as one of tokens, as a server reports it; 0 when the value is not a valid count. */
export const countOf = (value: unknown): number =>
  typeof value === 'number' && value > 0 && value < 1e9 ? Math.floor(value) : 0

/** The value if it is a string, else an empty string. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
