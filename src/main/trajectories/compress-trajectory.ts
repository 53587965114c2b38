import { many } from '../../shared/amounts.ts'
import { isRefusal, type Refusal } from '../lib/expected-errors.ts'
import { calledTools, countTokens, countTurn, type Conversation, type Turn } from './conversation.ts'

/** Turns that belong together: a reply with the results of its calls, or any other turn alone. */
type Unit = Turn[]

/** Letters to which long results are cut in turns that stay, one step after the other. */
const RESULT_LETTERS = [4_000, 1_000, 300]
/** Letters of what a summary quotes. */
const QUOTE = 160

/**
 * Bring a trajectory to at most `budget` tokens. The head (system, first question, first reply with its results) and the last `keepLast`
 * steps stay; the oldest turns between them become one summary by rules, no more of them than needed. Where that is not enough, fewer last
 * steps stay, then long results are cut in the middle. The first turns and the last step always stay: what is longer by itself is refused.
 * The field `compressed` says what was done.
 */
export function compressTrajectory(
  conversation: Conversation,
  { budget, keepLast = 4 }: { budget: number; keepLast?: number },
): Conversation | Refusal {
  const before = countTokens(conversation)
  if (before <= budget) return conversation
  let refusal: Refusal | undefined
  for (const letters of [Infinity, ...RESULT_LETTERS]) {
    const [turns, shortened] = shortenResults(conversation.turns, letters)
    for (let last = Math.max(1, keepLast); last >= 1; last--) {
      const cut = dropMiddle({ ...conversation, turns }, budget, last)
      if (isRefusal(cut)) {
        refusal = cut
        continue
      }
      const made = { ...conversation, turns: cut.turns }
      const tokens = { before, after: countTokens(made) }
      return {
        ...made,
        rest: { ...conversation.rest, compressed: { by: 'rules', turns: cut.dropped, shortened, tokens } },
      }
    }
  }
  return refusal!
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

const sizeOf = (units: readonly Unit[]) => units.flat().reduce((sum, turn) => sum + countTurn(turn), 0)

/** Replace as many of the oldest units between head and tail as needed. */
function dropMiddle(
  { turns, tools }: Conversation,
  budget: number,
  last: number,
): { turns: Turn[]; dropped: number } | Refusal {
  const units = unitsOf(turns)
  const head = units.findIndex(([turn]) => turn?.role === 'assistant') + 1
  const end = Math.max(head, units.length - last)
  const fixed = countTokens({ turns: [], tools })
  if (fixed + sizeOf(units) <= budget) return { turns: [...turns], dropped: 0 }
  for (let to = head + 1; to <= end; to++) {
    const dropped = units.slice(head, to).flat()
    const rest = units.slice(to).flat()
    for (const withQuotes of [true, false]) {
      const made = [...units.slice(0, head).flat(), ...withSummary(summaryOf(dropped, withQuotes), rest)]
      if (countTokens({ turns: made, tools }) <= budget) return { turns: made, dropped: dropped.length }
    }
  }
  const between = units.slice(head, Math.max(head, units.length - 1)).flat()
  const ends = [...units.slice(0, head), ...units.slice(Math.max(head, units.length - 1))]
  // The shortest summary counts too: what is left out is always said.
  const said = between.length > 0 ? withSummary(summaryOf(between, false), []) : []
  const least = fixed + sizeOf([...ends, said])
  return { refused: `its first and last turns alone have about ${least.toLocaleString('en')} tokens` }
}

/** A summary speaks as the user. It stands in front of a question that follows, since templates want roles in turn; the last turn stays as it is. */
function withSummary(summary: string, rest: readonly Turn[]): Turn[] {
  const [next] = rest
  if (next?.role === 'user' && rest.length > 1)
    return [{ role: 'user', text: `${summary}\n\n${next.text}` }, ...rest.slice(1)]
  return [{ role: 'user', text: summary }, ...rest]
}

/** What turns held, by rules: how many, which tools they called, and what was asked and answered last. */
function summaryOf(turns: readonly Turn[], withQuotes: boolean): string {
  const counts = new Map<string, number>()
  for (const name of calledTools({ turns: [...turns] })) counts.set(name, (counts.get(name) ?? 0) + 1)
  const calls = [...counts].map(([name, count]) => `${name} ${count}×`)
  const asked = turns.findLast(turn => turn.role === 'user')
  const answered = turns.findLast(turn => turn.role === 'assistant' && turn.text !== '')
  const quotes = withQuotes
    ? [
        ...(asked?.role === 'user' ? [`The user asked: “${quoted(asked.text)}”`] : []),
        ...(answered?.role === 'assistant' ? [`The assistant said: “${quoted(answered.text)}”`] : []),
      ]
    : []
  const left = `Left out here: ${many(turns.length, 'earlier turn')}.`
  const called = calls.length === 0 || !withQuotes ? [] : [`Tools called: ${calls.slice(0, 12).join(', ')}.`]
  return `[Summary: ${[left, ...called, ...quotes].join(' ')}]`
}

function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= QUOTE ? line : `${line.slice(0, QUOTE)}…`
}

/** Cut long results in the middle; returns how many were cut. */
function shortenResults(turns: readonly Turn[], letters: number): [Turn[], number] {
  let count = 0
  const shortened = turns.map(turn => {
    if (turn.role !== 'tool') return turn
    const results = turn.results.map(result => {
      if (result.text.length <= letters) return result
      count++
      const half = Math.floor(letters / 2)
      const left = result.text.length - 2 * half
      const text = `${result.text.slice(0, half)}\n[${left.toLocaleString('en')} characters were left out here.]\n${result.text.slice(-half)}`
      return { ...result, text }
    })
    return { ...turn, results }
  })
  return [shortened, count]
}
