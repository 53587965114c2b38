import { agentChanges } from './rules/agent-changes.ts'
import { credentials } from './rules/credentials.ts'
import { destructive } from './rules/destructive.ts'
import { everydayWords } from './rules/everyday-words.ts'
import { exfiltration } from './rules/exfiltration.ts'
import { injection } from './rules/injection.ts'
import { otherLanguages } from './rules/other-languages.ts'
import { obfuscation } from './rules/obfuscation.ts'
import { harmfulOrders } from './rules/harmful-orders.ts'
import { persistence } from './rules/persistence.ts'
import { plainHarm } from './rules/plain-harm.ts'
import { privilege, traversal } from './rules/privilege.ts'
import { remoteOrders } from './rules/remote-orders.ts'
import { supplyChain } from './rules/supply-chain.ts'
import { deception } from './rules/deception.ts'
import type { Rule, Unit } from './rule.ts'

/** All rules, grouped by family. */
export const RULES: readonly Rule[] = [
  ...exfiltration,
  ...injection,
  ...remoteOrders,
  ...harmfulOrders,
  ...deception,
  ...plainHarm,
  ...everydayWords,
  ...agentChanges,
  ...otherLanguages,
  ...destructive,
  ...persistence,
  ...supplyChain,
  ...privilege,
  ...traversal,
  ...credentials,
  ...obfuscation,
]

/** The word groups that a word belongs to, each as the number of its rule and the bit of the group. */
type Votes = readonly (readonly [rule: number, bit: number])[]

/** Maximum number of words to cache with their votes. */
const MOST_KNOWN = 30_000
const FUNCTION_SIGN = '(function)'
const ESCAPE_SIGN = '(escapes)'
const FOREIGN_SIGN = '(foreign)'
const UP_SIGN = '(up)'

/** For each rule, the bits of all its word groups. */
const NEEDED = Uint8Array.from(RULES, rule => (1 << rule.hints.length) - 1)
const HINTS = hintsByBeginning()
const known = new Map<string, Votes>()

/** For each rule, the word groups in a text. This excludes most rules without trying their patterns. */
export function votesOf(text: string): Uint8Array {
  const seen = new Uint8Array(RULES.length)
  const vote = (votes: Votes) => {
    for (const [rule, bit] of votes) seen[rule]! |= bit
  }
  let start = -1
  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at)
    const isWord = (code > 96 && code < 123) || (code > 47 && code < 58) || code === 95
    if (isWord) {
      if (start < 0) start = at
    } else if (start >= 0) {
      if (at - start < 41) vote(votesOfWord(text.slice(start, at)))
      start = -1
    }
  }
  if (text.includes('(){') || text.includes('() {') || text.includes('%0')) vote(votesOfWord(FUNCTION_SIGN))
  if (text.includes('&#') || text.includes('\\')) vote(votesOfWord(ESCAPE_SIGN))
  if (/\.\.[/\\]{1,2}\.\./.test(text)) vote(votesOfWord(UP_SIGN))
  // oxlint-disable-next-line no-control-regex
  if (/[^\x00-\u024f]/.test(text)) vote(votesOfWord(FOREIGN_SIGN))
  return seen
}

/** The rules whose word groups all occur in a unit; the others cannot match. */
export const rulesFor = ({ kind, votes }: Unit): Rule[] =>
  RULES.filter((rule, n) => votes[n] === NEEDED[n] && rule.kinds.includes(kind))

function votesOfWord(word: string): Votes {
  const before = known.get(word)
  if (before) return before
  const parts = word.includes('_') ? [word, ...word.split('_')] : [word]
  const votes = parts.flatMap(part =>
    (HINTS.get(part.slice(0, 3)) ?? [])
      .filter(([hint]) => (hint.length < 3 ? part === hint : part.startsWith(hint)))
      .flatMap(([, each]) => each),
  )
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(word, votes)
  return votes
}

function hintsByBeginning() {
  const byHint = new Map<string, [number, number][]>()
  RULES.forEach((rule, n) =>
    rule.hints.forEach((group, bit) => {
      for (const hint of group) byHint.set(hint, [...(byHint.get(hint) ?? []), [n, 1 << bit]])
    }),
  )
  return Map.groupBy(byHint, ([hint]) => hint.slice(0, 3))
}
