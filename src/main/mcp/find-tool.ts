import { stemmer } from 'stemmer'
import { relatedTo } from './related-words.ts'

/** A tool as far as the search knows it. */
export type FindableTool = { server: string; name: string; description: string }

/** Words that say nothing about what is wanted. */
const EMPTY = new Set(
  'a an the of to for in on at by with from and or is are was were be been do does did can could would should will shall i me my we our us you your it its this that these those there here please want need like help some any into about as so if then just also have has had not no them they their'.split(
    ' ',
  ),
)
const WORD = /[\p{L}\p{N}]+/gu

/** Weights of where a word stands. Measured by `npm run -s eval:findtool`. */
const IN_NAME = 2.6
const IN_SERVER = 1.2
const IN_DESCRIPTION = 1
/** What a related word counts beside the word itself. */
const RELATED = 0.55
const BEGUN = 0.6
/** BM25's own constants, for texts that are short. */
const K = 1.2
const B = 0.4
/** Later sentences describe details and tell of other tools. */
const FIRST_WORDS = 30
const LATER = 0.4

/** The tools that fit a request in anybody's words, best first; those that share no word with it are left out. */
export function findTools<T extends FindableTool>(tools: readonly T[], request: string, most = 3): T[] {
  const entries = tools.map(entryOf)
  const wanted = [...new Set(stemsOf(request))]
  const mean = entries.reduce((sum, { length }) => sum + length, 0) / Math.max(1, entries.length)
  const scores = entries.map(() => 0)
  for (const stem of wanted) {
    const matches = entries.map(({ weights, length }) => matchOf(stem, weights, length / mean))
    // What a word says is how few tools it, or what is meant by it, leads to.
    const found = matches.reduce((sum, { share }) => sum + share, 0)
    const rarity = Math.log(1 + (entries.length - found + 0.5) / (found + 0.5))
    for (const [at, { value }] of matches.entries()) scores[at]! += value * rarity
  }
  const scored = tools.map((tool, at) => ({ tool, score: scores[at]! }))
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ tool }) => tool)
}

/** The best match of a word of the request in one tool. */
function matchOf(wanted: string, weights: ReadonlyMap<string, number>, length: number) {
  let best = { value: 0, share: 0 }
  for (const [found, weight] of weights) {
    const share = closeness(wanted, found)
    if (share === 0) continue
    const value = (share * weight * (K + 1)) / (weight + K * (1 - B + B * length))
    if (value > best.value) best = { value, share }
  }
  return best
}

/** From 0 to 1: how much a word of a tool counts for a word of the request. */
function closeness(wanted: string, found: string): number {
  if (wanted === found) return 1
  if (relatedTo(wanted).has(found)) return RELATED
  const [short, long] = wanted.length < found.length ? [wanted, found] : [found, wanted]
  return short.length >= 4 && long.startsWith(short) ? BEGUN : 0
}

function entryOf({ server, name, description }: FindableTool): {
  weights: Map<string, number>
  length: number
} {
  const weights = new Map<string, number>()
  const add = (stem: string, weight: number) => weights.set(stem, (weights.get(stem) ?? 0) + weight)
  for (const stem of stemsOf(name)) add(stem, IN_NAME)
  for (const stem of stemsOf(server)) add(stem, IN_SERVER)
  for (const [at, stem] of stemsOf(description).entries())
    add(stem, at < FIRST_WORDS ? IN_DESCRIPTION : LATER * IN_DESCRIPTION)
  return { weights, length: [...weights.values()].reduce((sum, weight) => sum + weight, 0) }
}

/** `createPullRequest`, `create_pull_request` and “create a pull request” have the same stems. */
const stemsOf = (text: string): string[] =>
  [
    ...text
      .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .matchAll(WORD),
  ]
    .map(([word]) => word)
    .filter(word => !EMPTY.has(word))
    .map(stemmer)
