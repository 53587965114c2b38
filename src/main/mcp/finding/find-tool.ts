import {
  actionsOf,
  onlyLooks,
  readRequest,
  stemsOf,
  wordsOf,
  type Actions,
  type Request,
} from './read-request.ts'
import { meantBy, sameAs } from './related-words.ts'
import { likenessOf, vectorOf, type WordVector } from './word-vectors.ts'

/** The parts of a tool that the search uses. */
export type FindableTool = { server: string; name: string; description: string }

/** Weights for the place of a word. All constants were measured with `npm run -s eval:findtool`. */
const IN_NAME = 1.8
const IN_SERVER = 1.16
/** Weights of a synonym, of a word that may mean it, and of one with the same beginning. */
const SAME = 0.5
const MEANT = 0.69
const MEANT_HALF = 0.31
const BEGUN = 0.3
/** The constants of BM25, for short texts. */
const K = 0.93
const B = 0.78
const LEAST_RARITY = 0.57
/** Weight of the words of all tools of a server for each of its tools. */
const OF_SERVER = 0.25
/** Factors for a tool that does what is wanted, changes what was only asked about, or only looks. */
const AGREES = 1.15
const CHANGES = 0.65
const ONLY_LOOKS = 0.78
/** Share of the score that a name loses if the request mentions none of its words. */
const UNASKED_NAME = 0.39
/** How much a request that names a server adds to its tools; half if other servers use that word. */
const NAMED_SERVER = 0.8
/** Maximum that filler words add to the score of the other words. */
const MOST_FILLER = 0.6
const FILLER_ALONE = 0.3
/** Weights of meaning beside the word score: by the table and by the encoder. */
const BY_TABLE = 0.3
const BY_ENCODER = 0.5
/** Minimum likeness of meaning for a tool that shares no word with the request. */
const LEAST_LIKENESS = 0.35
/** Minimum standard deviation: with few tools, all meanings may be nearly alike and must not decide. */
const LEAST_SPREAD = 0.02
/** Weight of a tool's name in its meaning, beside its description and its server. */
const NAME_FOR_MEANING = 2

type Entry = {
  server: readonly string[]
  weights: ReadonlyMap<string, number>
  length: number
  named: readonly string[]
  actions: Actions
  meaning: WordVector
}
type Match = { value: number; share: number }

/** Computes embeddings of length 1, near each other for similar texts; undefined if not possible in time. */
export type Encode = (
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<readonly Float32Array[] | undefined>

/** The embeddings of a request and of each tool. */
type Encoded = { request: Float32Array; tools: readonly Float32Array[] }

/** Find tools like `findTools`, using the encoder if it is available. */
export async function findToolsByMeaning<T extends FindableTool>(
  tools: readonly T[],
  request: string,
  { encode, signal, most = 3 }: { encode: Encode; signal: AbortSignal; most?: number },
): Promise<T[]> {
  const isChoice = tools.length > most && request.trim() !== ''
  const vectors = isChoice ? await encode([request, ...tools.map(textForEncoder)], signal) : undefined
  // Damaged weights give no numbers, and would sort the tools at random.
  if (!vectors?.every(vector => vector.every(Number.isFinite))) return findTools(tools, request, most)
  return findTools(tools, request, most, { request: vectors[0]!, tools: vectors.slice(1) })
}

/** The text of a tool as the encoder was trained on it (`training/find-tool/encoder.py`). */
const textForEncoder = ({ server, name, description }: FindableTool): string =>
  `${wordsOf(server).join(' ')}: ${wordsOf(name).join(' ')}. ${description}`

/** Maximum length of a request that is read. */
const MOST_LETTERS = 2_000

/** Find the tools that fit a request in any wording, best first; those without a match are left out. */
function findTools<T extends FindableTool>(
  tools: readonly T[],
  request: string,
  most = 3,
  encoded?: Encoded,
): T[] {
  const entries = tools.map(entryOf)
  const wanted = readRequest(request.slice(0, MOST_LETTERS))
  const index = indexOf(entries)
  const content = entries.map(() => 0)
  const filler = entries.map(() => 0)
  const ofServer = new Map<string, { content: number; filler: number }>()
  for (const [stem, { weight, fills }] of wanted.stems) {
    const matches = matchesOf(stem, index)
    // A word says more if it, or its synonyms, lead to fewer tools.
    const found = [...matches.values()].reduce((sum, { share }) => sum + share, 0)
    const rarity =
      weight * Math.max(LEAST_RARITY, Math.log(1 + (entries.length - found + 0.5) / (found + 0.5)))
    const best = new Map<string, number>()
    for (const [at, { value }] of matches) {
      const { server } = tools[at]!
      const scores = fills ? filler : content
      scores[at]! += value * rarity
      best.set(server, Math.max(best.get(server) ?? 0, value * rarity))
    }
    for (const [server, value] of best) {
      const sums = ofServer.get(server) ?? { content: 0, filler: 0 }
      sums[fills ? 'filler' : 'content'] += value
      ofServer.set(server, sums)
    }
  }
  const reached = reachedBy(wanted)
  const lifts = liftsOf(entries, tools, wanted)
  const scores = tools.map((tool, at) => {
    const sums = ofServer.get(tool.server) ?? { content: 0, filler: 0 }
    const said = content[at]! + OF_SERVER * sums.content
    const rest = filler[at]! + OF_SERVER * sums.filler
    const score = said + Math.min(rest, Math.max(MOST_FILLER * said, FILLER_ALONE))
    return score * fitOf(entries[at]!, wanted, reached) * lifts.get(tool.server)!
  })
  const meant = vectorOf([[request, 1]], 'request')
  const byTable = entries.map(({ meaning }) => likenessOf(meaning, meant))
  const byEncoder = encoded && encoded.tools.map(each => likenessOf(each, encoded.request))
  const best = Math.max(...scores) || 1
  const [table, encoder] = [standingOut(byTable), byEncoder && standingOut(byEncoder)]
  const ranks = scores.map(
    (score, at) => score / best + BY_TABLE * table[at]! + (encoder ? BY_ENCODER * encoder[at]! : 0),
  )
  const likest = (at: number) => Math.max(byTable[at]!, byEncoder?.[at] ?? 0)
  return tools
    .map((tool, at) => ({ tool, at }))
    .filter(({ at }) => scores[at]! > 0 || likest(at) >= LEAST_LIKENESS)
    .toSorted((a, b) => ranks[b.at]! - ranks[a.at]!)
    .slice(0, most)
    .map(({ tool }) => tool)
}

/** How far each likeness is from their mean, in standard deviations. */
function standingOut(likenesses: readonly number[]): number[] {
  const mean = likenesses.reduce((sum, each) => sum + each, 0) / likenesses.length
  const spread = Math.sqrt(likenesses.reduce((sum, each) => sum + (each - mean) ** 2, 0) / likenesses.length)
  return likenesses.map(each => (each - mean) / Math.max(spread, LEAST_SPREAD))
}

type Index = ReadonlyMap<string, ReadonlyMap<number, number>>

/** Index the tools by stem, with the BM25 value of the stem in each tool. */
function indexOf(entries: readonly Entry[]): Index {
  const mean = entries.reduce((sum, { length }) => sum + length, 0) / Math.max(1, entries.length)
  const index = new Map<string, Map<number, number>>()
  for (const [at, { weights, length }] of entries.entries()) {
    const damped = K * (1 - B + (B * length) / mean)
    for (const [stem, weight] of weights) {
      const tools = index.get(stem) ?? new Map<number, number>()
      index.set(stem, tools.set(at, (weight * (K + 1)) / (weight + damped)))
    }
  }
  return index
}

/** The best match of a requested stem in each tool. `share`: from 0 to 1, how much it is the same word. */
function matchesOf(wanted: string, index: Index): Map<number, Match> {
  const matches = new Map<number, Match>()
  const take = (at: number, share: number, value: number) => {
    if (share * value > (matches.get(at)?.value ?? 0)) matches.set(at, { value: share * value, share })
  }
  for (const stem of sameAs(wanted)) for (const [at, value] of index.get(stem) ?? []) take(at, SAME, value)
  for (const group of meantBy(wanted)) {
    const found = new Map<number, { count: number; value: number }>()
    for (const stem of group)
      for (const [at, value] of index.get(stem) ?? []) {
        const before = found.get(at) ?? { count: 0, value: 0 }
        found.set(at, { count: before.count + 1, value: Math.max(value, before.value) })
      }
    for (const [at, { count, value }] of found)
      take(at, MEANT * (count >= Math.min(2, group.length) ? 1 : MEANT_HALF), value)
  }
  const itself = index.get(wanted)
  for (const [at, value] of itself ?? []) matches.set(at, { value, share: 1 })
  if (wanted.length < 4) return matches
  const known = new Set(matches.keys())
  for (const [stem, tools] of index)
    if (stem.length >= 4 && (stem.startsWith(wanted) || wanted.startsWith(stem)))
      for (const [at, value] of tools) if (!known.has(at)) take(at, BEGUN, value)
  return matches
}

/** All stems that a request contains or may mean. */
const reachedBy = ({ stems }: Request): ReadonlySet<string> =>
  new Set([...stems.keys()].flatMap(each => [each, ...sameAs(each), ...meantBy(each).flat()]))

/** The factor for what a tool does, and for words of its name that the request does not have. */
function fitOf({ actions, named }: Entry, wanted: Request, reached: ReadonlySet<string>): number {
  const asked = named.filter(stem => reached.has(stem))
  const covered = 1 - UNASKED_NAME * (1 - asked.length / Math.max(1, named.length))
  if (actions.size === 0 || wanted.actions.size === 0) return covered
  if ([...actions].some(each => wanted.actions.has(each))) return covered * AGREES
  if (onlyLooks(actions) === wanted.asks) return covered
  return covered * (wanted.asks ? CHANGES : ONLY_LOOKS)
}

/** The factor for each server's tools, because the request names that server. */
function liftsOf(
  entries: readonly Entry[],
  tools: readonly FindableTool[],
  { stems, names }: Request,
): Map<string, number> {
  const lifts = new Map<string, number>()
  for (const [at, { server }] of tools.entries()) {
    if (lifts.has(server)) continue
    const words = entries[at]!.server
    const said = words.filter(stem => stems.has(stem) || names.has(stem))
    const shared = said.filter(stem =>
      tools.some((tool, other) => tool.server !== server && entries[other]!.weights.has(stem)),
    )
    const share = (said.length - shared.length / 2) / Math.max(1, words.length)
    lifts.set(server, 1 + NAMED_SERVER * share)
  }
  return lifts
}

const MOST_ENTRIES = 4_000
const known = new Map<string, Entry>()
/** Read a tool for the search. Results are remembered, because requests come in a row over the same tools. */
function entryOf({ server, name, description }: FindableTool): Entry {
  const key = `${server}\0${name}\0${description}`
  const before = known.get(key)
  if (before !== undefined) return before
  if (known.size >= MOST_ENTRIES) known.clear()
  const entry = readTool({ server, name, description })
  known.set(key, entry)
  return entry
}

function readTool({ server, name, description }: FindableTool): Entry {
  const weights = new Map<string, number>()
  const add = (stem: string, weight: number) => weights.set(stem, (weights.get(stem) ?? 0) + weight)
  const ofServer = new Set(stemsOf(server))
  const ofName = stemsOf(name)
  for (const stem of ofName) add(stem, ofServer.has(stem) && ofName.length > 1 ? IN_SERVER : IN_NAME)
  for (const stem of ofServer) if (!ofName.includes(stem)) add(stem, IN_SERVER)
  for (const stem of stemsOf(description)) add(stem, 1)
  const length = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  const named = ofName.filter(stem => !ofServer.has(stem))
  const meaning = vectorOf(
    [
      [name, NAME_FOR_MEANING],
      [server, 1],
      [description, 1],
    ],
    'tool',
  )
  return { server: [...ofServer], weights, length, named, actions: actionsOf(name, description), meaning }
}
