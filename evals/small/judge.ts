import { hasRun } from '../../src/shared/words/call-words.ts'
import type { RunEvent } from '../../src/shared/contract/runs/run.ts'
import { shareOf, type Figures } from '../records.ts'
import type { AskedModel, Heard } from './ask-host.ts'
import { isKnownSpeech } from './known-speech.ts'
import { compareCall, wantsTool, type FirstCall, type RequestRow } from './row.ts'

/**
 * How a chat ended. `asked`: a call asked for approval, or there was a second question, and nobody answered.
 * `cut`: at the limit of its length or steps. `loop`: words or calls repeated themselves. `void`: no answer
 * for another reason. `nonsense`: the answer has the built-in model's own words.
 */
export const ENDS = ['done', 'asked', 'cut', 'loop', 'void', 'nonsense', 'failed'] as const
type End = (typeof ENDS)[number]

/** The result of a request. `ran`: the call ran. `right`: it was the wanted call, with all its arguments. */
export type JudgedRow = {
  id: string
  asked: boolean
  tool: string | null
  arguments: Record<string, unknown>
  ran: boolean
  ended: End
  right: 'at once' | 'after a question' | 'no'
  chars: number
  answer: string
}

/** The first call of a chat that is not a question. */
export function firstCallOf({ messages }: Pick<Heard, 'messages'>): (FirstCall & { id: string }) | undefined {
  return messages
    .flatMap(message => (message.role === 'assistant' ? message.calls : []))
    .find(({ name }) => name !== 'ask_user')
}

/**
 * Judge what happened with a request. In the answer, `FOLDER` replaces the folder's path, which is different
 * each time.
 */
export function judgeRow(row: RequestRow, heard: Heard, model: AskedModel): JudgedRow {
  const call = firstCallOf(heard)
  const answer = answerOf(heard)
  const shown = answer.replaceAll(heard.folder, 'FOLDER')
  const asked = heard.choices !== undefined
  const isRight = call ? compareCall(row, call).whole : wantsTool(row) !== 'tool'
  return {
    id: row.id,
    asked,
    tool: call?.name ?? null,
    arguments: call?.arguments ?? {},
    ran: heard.messages.some(
      message => message.role === 'tool' && message.callId === call?.id && hasRun(message.record),
    ),
    ended: endOf(heard, answer, model),
    right: !isRight ? 'no' : asked ? 'after a question' : 'at once',
    chars: shown.length,
    answer: shown,
  }
}

const lastOf = ({ messages }: Heard) => messages.findLast(message => message.role === 'assistant')

/** The last text that the person reads: the answer, or why there is none. */
function answerOf(heard: Heard): string {
  const text = lastOf(heard)?.text ?? ''
  const error = heard.events.findLast(event => event.type === 'error')
  return text !== '' || !error ? text : `${error.text} ${error.fix}`.trim()
}

function endOf(heard: Heard, answer: string, model: AskedModel): End {
  const { events, denied, unanswered } = heard
  const end = events.at(-1)
  const reason = end?.type === 'turn_end' ? end.reason : 'failed'
  if (['failed', 'stopped', 'tool_calls_invalid'].includes(reason)) return 'failed'
  const last = lastOf(heard)
  const warnings = events.flatMap(event => (event.type === 'warning' ? [event.text] : []))
  if (warnings.some(text => /asked for the same \d+ times/.test(text))) return 'loop'
  if (last?.void || warnings.some(text => VOID.test(text)) || answer.trim() === '')
    return voidEnd(events, warnings)
  if (last?.cut || reason === 'budget_exhausted') return 'cut'
  if (model === 'builtin' && !isKnownSpeech(answer, heard)) return 'nonsense'
  return denied.size > 0 || unanswered > 0 ? 'asked' : 'done'
}

/** Matches what the agent says when there is no real answer. */
const VOID = /answered with nothing|goes in circles|gives the answer of before/

/** Why an answer is void, from its warning, or else from the reason of the last new attempt. */
function voidEnd(events: readonly RunEvent[], warnings: readonly string[]): 'loop' | 'void' {
  const said = warnings.findLast(text => VOID.test(text))
  if (said !== undefined) return said.includes('circles') ? 'loop' : 'void'
  return events.findLast(event => event.type === 'retry')?.reason === 'looping' ? 'loop' : 'void'
}

/** Count the results of the requests. */
export function countJudged(requests: readonly RequestRow[], judged: readonly JudgedRow[]): Figures {
  const pairs = requests.map((request, at) => ({ request, row: judged[at]!, wants: wantsTool(request) }))
  const wanting = pairs.filter(({ wants }) => wants === 'tool')
  const others = pairs.filter(({ wants }) => wants === 'none')
  const hasTool = ({ request, row }: (typeof pairs)[number]) =>
    row.tool !== null && compareCall(request, { name: row.tool, arguments: row.arguments }).tool
  const count = (of: typeof pairs, holds: (pair: (typeof pairs)[number]) => boolean) =>
    of.filter(holds).length
  const rightAtOnce = count(wanting, ({ row }) => row.right === 'at once')
  const rightAfterQuestion = count(wanting, ({ row }) => row.right === 'after a question')
  const lengths = judged.map(({ chars }) => chars).toSorted((a, b) => a - b)
  return {
    requests: judged.length,
    wantTool: wanting.length,
    called: count(wanting, ({ row }) => row.tool !== null),
    toolAtOnce: count(wanting, pair => hasTool(pair) && !pair.row.asked),
    toolAfterQuestion: count(wanting, pair => hasTool(pair) && pair.row.asked),
    rightAtOnce,
    rightAfterQuestion,
    rightShare: shareOf(rightAtOnce + rightAfterQuestion, wanting.length),
    wantNone: others.length,
    calledUnwanted: count(others, ({ row }) => row.tool !== null),
    askedUnwanted: count(others, ({ row }) => row.asked),
    either: pairs.length - wanting.length - others.length,
    eitherWrong: count(pairs, ({ wants, row }) => wants === 'either' && row.right === 'no'),
    ...Object.fromEntries(ENDS.map(end => [end, judged.filter(({ ended }) => ended === end).length])),
    charsMedian: lengths[Math.floor(lengths.length / 2)] ?? 0,
    charsMost: lengths.at(-1) ?? 0,
  }
}

/** Tools that only look. A call of them that nobody wanted changes nothing. */
const READS: ReadonlySet<string> = new Set([
  'list_files',
  'read_file',
  'search_files',
  'session_search',
  'skills_list',
  'skill_view',
])

/**
 * Count the first calls, whatever followed. `wrongAsked`: calls that nobody wanted, which asked and were
 * denied. `wrongActs`: calls that nobody wanted, which wrote or ran something. There must be none of these.
 */
export function countCalls(requests: readonly RequestRow[], judged: readonly JudgedRow[]): Figures {
  const pairs = requests.map((request, at) => {
    const row = judged[at]!
    const call = row.tool === null ? undefined : { name: row.tool, arguments: row.arguments }
    return { row, wants: wantsTool(request), compared: compareCall(request, call) }
  })
  const wanting = pairs.filter(({ wants }) => wants === 'tool')
  const wrong = pairs.filter(({ row, compared }) => row.tool !== null && !compared.whole)
  const needed = pairs.filter(
    ({ row, wants }) => wants === 'either' || (wants === 'tool') === (row.tool !== null),
  ).length
  const tool = wanting.filter(({ compared }) => compared.tool).length
  const whole = wanting.filter(({ compared }) => compared.whole).length
  return {
    requests: pairs.length,
    wantTool: wanting.length,
    neededRight: needed,
    neededShare: shareOf(needed, pairs.length),
    toolRight: tool,
    toolShare: shareOf(tool, wanting.length),
    wholeRight: whole,
    wholeShare: shareOf(whole, wanting.length),
    wrongAsked: wrong.filter(({ row }) => !row.ran).length,
    wrongReads: wrong.filter(({ row }) => row.ran && READS.has(row.tool!)).length,
    wrongActs: wrong.filter(({ row }) => row.ran && !READS.has(row.tool!)).length,
  }
}
