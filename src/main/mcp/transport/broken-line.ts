import { showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'

/** Our own code for an unreadable answer; the server may have acted. No server sends this code. */
export const NOT_JSON = -32_750

/** How many characters are quoted on each side of the mistake. */
const QUOTED = 60

/**
 * Find which request a line of invalid JSON answers, such as one with Python's NaN: by its id, else the only
 * waiting request. Undefined for any other line.
 */
export function findBrokenAnswer(line: string, waiting: readonly string[]): string | undefined {
  if (!/^\s*\{/.test(line) || !line.includes('"jsonrpc"') || line.includes('"method"')) return undefined
  const named = [...line.matchAll(/"id" {0,4}: {0,4}(\d{1,15})\b/g)].map(match => match[1])
  const known = new Set(waiting.filter(id => named.includes(id)))
  if (known.size === 1) return [...known][0]
  return known.size === 0 && waiting.length === 1 ? waiting[0] : undefined
}

/** Describe a line of invalid JSON for the user, with the part around the mistake. */
export function describeBroken(line: string): string {
  const found = /(?<!["\w])(?:NaN|-?Infinity|undefined|None|True|False)\b/.exec(line)?.index ?? 0
  const from = Math.max(0, found - QUOTED)
  const part = line.slice(from, found + QUOTED)
  const quoted = `${from > 0 ? '…' : ''}${part}${from + part.length < line.length ? '…' : ''}`
  return `The server sent something that is not JSON: “${showHiddenInLine(quoted)}”.`
}
