import { actionsOf, onlyLooks, readRequest, stemsOf, type Actions } from './read-request.ts'
import { meantBy, sameAs } from './related-words.ts'

/** A tool as far as the search knows it. */
export type FindableTool = { server: string; name: string; description: string }

/** Weights of where a word stands. These and all below were measured with `npm run -s eval:findtool`. */
const IN_NAME = 1.8
const IN_SERVER = 1.16
/** What another word for the same, a word that may mean it, and one that only begins alike count beside the word itself. */
const SAME = 0.5
const MEANT = 0.53
const MEANT_HALF = 0.4
const BEGUN = 0.3
/** BM25's own constants, for texts that are short. */
const K = 0.93
const B = 0.6
const LEAST_RARITY = 0.57
/** What the words of all tools of a server count for each of them. */
const OF_SERVER = 0.3
/** How the score changes when the tool does what is wanted, changes what was asked about, or only looks. */
const AGREES = 1.4
const CHANGES = 0.54
const ONLY_LOOKS = 0.78
/** The part of the score that a name loses when nothing of it was asked for. */
const UNASKED_NAME = 0.3

type Entry = { weights: Map<string, number>; length: number; named: readonly string[]; actions: Actions }

/** The tools that fit a request in anybody's words, best first; those that share nothing with it are left out. */
export function findTools<T extends FindableTool>(tools: readonly T[], request: string, most = 3): T[] {
  const entries = tools.map(entryOf)
  const wanted = readRequest(request)
  const mean = entries.reduce((sum, { length }) => sum + length, 0) / Math.max(1, entries.length)
  const scores = entries.map(() => 0)
  const ofServer = new Map<string, number>()
  for (const [stem, weight] of wanted.stems) {
    const matches = entries.map(entry => matchOf(stem, entry, entry.length / mean))
    // What a word says is how few tools it, or what is meant by it, leads to.
    const found = matches.reduce((sum, { share }) => sum + share, 0)
    const rarity =
      weight * Math.max(LEAST_RARITY, Math.log(1 + (entries.length - found + 0.5) / (found + 0.5)))
    const best = new Map<string, number>()
    for (const [at, { value }] of matches.entries()) {
      const { server } = tools[at]!
      scores[at]! += value * rarity
      best.set(server, Math.max(best.get(server) ?? 0, value * rarity))
    }
    for (const [server, value] of best) ofServer.set(server, (ofServer.get(server) ?? 0) + value)
  }
  return tools
    .map((tool, at) => {
      const score = scores[at]! + OF_SERVER * ofServer.get(tool.server)!
      return { tool, score: score * fitOf(entries[at]!, wanted) }
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ tool }) => tool)
}

/** The best match of a stem of the request in one tool: its value, and from 0 to 1 how much it is the word itself. */
function matchOf(wanted: string, { weights }: Entry, length: number): { value: number; share: number } {
  const valueOf = (weight: number) => (weight * (K + 1)) / (weight + K * (1 - B + B * length))
  const itself = weights.get(wanted)
  if (itself !== undefined) return { value: valueOf(itself), share: 1 }
  let best = { value: 0, share: 0 }
  const take = (share: number, weight: number) => {
    const value = share * valueOf(weight)
    if (value > best.value) best = { value, share }
  }
  for (const stem of sameAs(wanted)) take(SAME, weights.get(stem) ?? 0)
  for (const group of meantBy(wanted)) {
    const found = group.map(stem => weights.get(stem) ?? 0).filter(weight => weight > 0)
    const whole = found.length >= Math.min(2, group.length)
    if (found.length > 0) take(MEANT * (whole ? 1 : MEANT_HALF), Math.max(...found))
  }
  if (best.value > 0 || wanted.length < 4) return best
  for (const [stem, weight] of weights)
    if (stem.length >= 4 && (stem.startsWith(wanted) || wanted.startsWith(stem))) take(BEGUN, weight)
  return best
}

/** What a score is multiplied by for what the tool does, and for what its name says that nobody asked for. */
function fitOf({ actions, named }: Entry, wanted: ReturnType<typeof readRequest>): number {
  const asked = named.filter(stem =>
    [...wanted.stems.keys()].some(
      each => each === stem || sameAs(each).has(stem) || meantBy(each).some(group => group.includes(stem)),
    ),
  )
  const covered = 1 - UNASKED_NAME * (1 - asked.length / Math.max(1, named.length))
  if (actions.size === 0 || wanted.actions.size === 0) return covered
  if ([...actions].some(each => wanted.actions.has(each))) return covered * AGREES
  if (onlyLooks(actions) === wanted.asks) return covered
  return covered * (wanted.asks ? CHANGES : ONLY_LOOKS)
}

function entryOf({ server, name, description }: FindableTool): Entry {
  const weights = new Map<string, number>()
  const add = (stem: string, weight: number) => weights.set(stem, (weights.get(stem) ?? 0) + weight)
  const ofServer = new Set(stemsOf(server))
  const ofName = stemsOf(name)
  for (const stem of ofName) add(stem, ofServer.has(stem) && ofName.length > 1 ? IN_SERVER : IN_NAME)
  for (const stem of ofServer) if (!ofName.includes(stem)) add(stem, IN_SERVER)
  for (const stem of stemsOf(description)) add(stem, 1)
  const length = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  const named = ofName.filter(stem => !ofServer.has(stem))
  return { weights, length, named, actions: actionsOf(name, description) }
}
