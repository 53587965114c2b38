import { estimateTokens } from '../../shared/text/estimate-tokens.ts'
import type { Refusal } from '../lib/expected-errors.ts'
import { countTools, countTurn, type Conversation, type Count, type Turn } from './conversation.ts'
import { startSummary } from './summarise-turns.ts'

/** Turns that belong together: a reply with the results of its calls, or any other single turn. */
type Unit = Turn[]

/** Lengths to which long results are cut in remaining turns, in characters, one step after the other. */
const RESULT_LETTERS = [4_000, 1_000, 300]

/** A trajectory that fits: its turns, how many turns a summary replaced, and the first unit kept after it. */
type Fit = { turns: Turn[]; dropped: number; to: number; tokens: number }
type Limits = { budget: number; tools: number; count: Count }

/**
 * Shrink a trajectory to at most `budget` tokens. The head (system, first question, first reply with its
 * results) and the last `keepLast` steps stay. The oldest turns in between become one rule-based summary, no
 * more of them than needed. If that is not enough, long results are cut in the middle, and only then fewer
 * last steps stay. The head and the last step always stay; if they alone are too long, the trajectory is
 * refused. `compressed` says what was done. Time is linear in the length of the trajectory.
 */
export function compressTrajectory(
  conversation: Conversation,
  {
    budget,
    keepLast = 4,
    count = estimateTokens,
  }: { budget: number; keepLast?: number | undefined; count?: Count | undefined },
): Conversation | Refusal {
  const limits = { budget, count, tools: countTools(conversation.tools, count) }
  const units = unitsOf(conversation.turns)
  const before = limits.tools + sizesOf(units, count).reduce((sum, size) => sum + size, 0)
  if (before <= budget) return conversation
  const head = units.findIndex(([turn]) => turn?.role === 'assistant') + 1
  // Units from here on stay as long as cutting results is enough.
  const tail = Math.max(head, units.length - Math.max(1, keepLast))
  let fits: { fit: Fit; shortened: number } | undefined
  let least = 0
  for (const letters of [Infinity, ...RESULT_LETTERS]) {
    const [cut, shortened] = shortenResults(units, letters)
    const tried = fitUnits(cut, head, limits)
    least = tried.least
    const { fit } = tried
    if (!fit || (fits && fit.to >= fits.fit.to)) continue
    fits = { fit, shortened }
    if (fit.to <= tail) break
  }
  if (!fits)
    return {
      refused: `its first and last turns alone have about ${least.toLocaleString('en')} tokens, more than ${budget.toLocaleString('en')}`,
    }
  const { fit, shortened } = fits
  const tokens = { before, after: fit.tokens }
  return {
    ...conversation,
    turns: fit.turns,
    rest: { ...conversation.rest, compressed: { by: 'rules', turns: fit.dropped, shortened, tokens } },
  }
}

function unitsOf(turns: readonly Turn[]): Unit[] {
  const units: Unit[] = []
  for (const turn of turns) {
    const last = units.at(-1)
    if (turn.role === 'tool' && last) last.push(turn)
    else units.push([turn])
  }
  return units
}

const sizeOf = (turns: readonly Turn[], count: Count) =>
  turns.reduce((sum, turn) => sum + countTurn(turn, count), 0)
const sizesOf = (units: readonly Unit[], count: Count) => units.map(unit => sizeOf(unit, count))

/** Drop as many of the oldest units after the head as needed, but not the last. `least`: tokens left. */
function fitUnits(units: readonly Unit[], head: number, { budget, tools, count }: Limits) {
  const sizes = sizesOf(units, count)
  const begin = tools + sizes.slice(0, head).reduce((sum, size) => sum + size, 0)
  let rest = sizes.slice(head).reduce((sum, size) => sum + size, 0)
  const summary = startSummary()
  const end = Math.max(head, units.length - 1)
  let to = head
  if (begin + rest <= budget)
    return { fit: { turns: units.flat(), dropped: 0, to, tokens: begin + rest }, least: begin + rest }
  let least = begin + rest
  while (to < end) {
    for (const turn of units[to]!) summary.add(turn)
    rest -= sizes[to]!
    to++
    for (const text of summary.texts()) {
      // A joined summary costs no more than a separate one, so build and count only what could fit.
      least = begin + rest + countTurn({ role: 'user', text }, count)
      if (least > budget) continue
      const [next, ...behind] = units.slice(to).flat()
      const joined = withSummary(text, next, behind.length > 0)
      const tokens = begin + rest - (next ? countTurn(next, count) : 0) + sizeOf(joined, count)
      if (tokens > budget) continue
      const turns = [...units.slice(0, head).flat(), ...joined, ...behind]
      return { fit: { turns, dropped: summary.count(), to, tokens }, least }
    }
  }
  return { fit: undefined, least }
}

/** Add a summary in the user's role. A following question is joined to it, because roles must alternate. */
function withSummary(summary: string, next: Turn | undefined, hasMore: boolean): Turn[] {
  if (next?.role === 'user' && hasMore) return [{ ...next, text: `${summary}\n\n${next.text}` }]
  return [{ role: 'user', text: summary }, ...(next ? [next] : [])]
}

/** Cut long results in the middle. Returns the units, and how many results were cut. */
function shortenResults(units: readonly Unit[], letters: number): [Unit[], number] {
  let count = 0
  const shorten = (turn: Turn): Turn => {
    if (turn.role !== 'tool') return turn
    const results = turn.results.map(result => {
      if (result.text.length <= letters) return result
      count++
      const half = Math.floor(letters / 2)
      const left = result.text.length - 2 * half
      // Half a surrogate pair cannot be written as UTF-8.
      const begin = result.text.slice(0, half).toWellFormed()
      const end = result.text.slice(-half).toWellFormed()
      const text = `${begin}\n[${left.toLocaleString('en')} characters were left out here.]\n${end}`
      return { ...result, text }
    })
    return { ...turn, results }
  }
  const shortened = letters === Infinity ? [...units] : units.map(unit => unit.map(shorten))
  return [shortened, count]
}
