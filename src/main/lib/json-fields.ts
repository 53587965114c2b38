/** An unvalidated object. */
export type Fields = Record<string, unknown>

/** Return whether a value is an object and not an array. */
export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Return the value if it is an object, else an empty object. */
export const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {})

/** Return the value as a list of objects; empty if it is not a list. */
export const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

/** Return a count reported by a server, such as a number of tokens; 0 if it is not a valid count. */
export const countOf = (value: unknown): number =>
  typeof value === 'number' && value > 0 && value < 1e9 ? Math.floor(value) : 0

/** Return the value if it is a string, else an empty string. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
