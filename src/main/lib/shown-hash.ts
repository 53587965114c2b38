import { createHash, createHmac, randomBytes } from 'node:crypto'

/**
 * Hashed data may contain a secret that is not shown, and a short one could be guessed from a plain hash. So
 * each process has its own key, and after a restart the user decides again.
 */
const KEY = randomBytes(32)

/** Hash what a user is shown for a decision, with any hidden data that matters for it. */
export const hashShown = (shown: unknown): string =>
  createHmac('sha256', KEY).update(canonicalJson(shown)).digest('hex')

/** Return the SHA-256 of a value as JSON with sorted object keys, in hex. */
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
