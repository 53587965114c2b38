import { createHash, createHmac, randomBytes } from 'node:crypto'

/**
 * What is hashed may hold a secret that is not shown, and a short one could be guessed from a plain hash. So each process has a
 * key of its own, and after a restart everything is looked at again.
 */
const KEY = randomBytes(32)

/** The hash of what a person is shown for a decision, with whatever counts without being shown. */
export const hashShown = (shown: unknown): string =>
  createHmac('sha256', KEY).update(canonicalJson(shown)).digest('hex')

/** SHA-256 of a value as JSON with the keys of its objects in order, in hex. */
export const hashOf = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex')

const canonicalJson = (value: unknown): string => JSON.stringify(inOrder(value)) ?? 'undefined'

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, inOrder(item)]),
  )
}
