import { english } from './english.ts'
import { german } from './german.ts'
import type { WordKind } from './word-table.ts'

/** The possible meanings of a word. `german`: only the German table lists it. */
export type Meanings = Partial<Record<WordKind, number>> & { german?: true }

const WORDS = new Map<string, Meanings>()
for (const table of [english, german])
  for (const [kind, values] of Object.entries(table))
    for (const [value, words] of Object.entries(values))
      for (const word of words.split(' ')) {
        const known = WORDS.get(word) ?? (table === german ? { german: true as const } : {})
        WORDS.set(word, { ...known, [kind]: known[kind as WordKind] ?? Number(value) })
      }

/** Kinds of words in which one mistake is forgiven: long words that resemble no other word. */
const FORGIVEN: readonly WordKind[] = [
  'weekday',
  'weekdays',
  'group',
  'groups',
  'month',
  'adverb',
  'offset',
  'clock',
  'except',
]
const FORGIVEN_WORDS =
  'every jeden minutes hours minuten stunden nächsten kommenden evening afternoon morning night letzten monats month'
const SHORTEST_FORGIVEN = 5
const LONGEST = 20

const forgiven = [...WORDS]
  .filter(
    ([word, meanings]) =>
      word.length >= SHORTEST_FORGIVEN &&
      (FORGIVEN.some(kind => kind in meanings) || FORGIVEN_WORDS.split(' ').includes(word)),
  )
  .map(([word]) => word)
const byFirst = Map.groupBy(forgiven, word => word[0]!)

/** Everyday words that differ from a word of time by one letter. */
const OTHERS = new Set(
  'mouth mouths house horse hour daisy dairy marsh match marching reden jenen ever very money mourning'.split(
    ' ',
  ),
)

/** The possible meanings of a lower-case word, forgiving one mistake in long words; empty for other words. */
export function meaningsOf(word: string): Meanings {
  const known = WORDS.get(word)
  if (known) return known
  // “Monday’s” is no mistake for “Mondays”.
  if (word.includes("'")) return {}
  if (word.length < SHORTEST_FORGIVEN || word.length > LONGEST || OTHERS.has(word)) return {}
  const near = (byFirst.get(word[0]!) ?? []).find(each => isOneMistake(word, each))
  return near === undefined ? {} : WORDS.get(near)!
}

/** Whether one letter is missing, added, wrong, or swapped with its neighbour. */
function isOneMistake(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  const [restA, restB] = [a.slice(at), b.slice(at)]
  return (
    restA.slice(1) === restB.slice(1) ||
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    (restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0])
  )
}
