/** A value of front matter: plain JSON whose maps have no prototype. */
export type FrontValue = string | number | boolean | null | FrontValue[] | FrontMap
export type FrontMap = { [key: string]: FrontValue }

/** Keys that could reach the prototype of a map's copy. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** An empty map without a prototype. */
export const frontMap = (): FrontMap => Object.create(null) as FrontMap

export const isFrontMap = (value: FrontValue | undefined): value is FrontMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value of an unquoted word. It is a number only if it prints the same: `1.0` is a version. */
export function plainValue(source: string): string | number | boolean | null {
  if (source === '' || source === '~' || source === 'null') return null
  if (source === 'true') return true
  if (source === 'false') return false
  return /^-?\d/.test(source) && String(Number(source)) === source ? Number(source) : source
}

/** The text of a scalar; undefined for lists, maps and null. */
export const textOf = (value: FrontValue | undefined): string | undefined =>
  value === null || value === undefined || typeof value === 'object' ? undefined : String(value)
