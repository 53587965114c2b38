import type { Message } from '../../shared/contract/chats/messages.ts'
import type { EndReason } from '../../shared/contract/runs/run.ts'
import type { EngineFailure } from '../models/interface/engine.ts'
import { beginTurn, runCalls } from './run-calls.ts'
import {
  countAhead,
  fitHistory,
  mostMessages,
  fixedCost,
  tokensOf,
  type FittedHistory,
} from './fit-history.ts'
import { beginsTurn, newestTurn, type OmittedHistory } from './fit-turn.ts'
import { isSummary } from './compaction/apply-compaction.ts'
import { isSameAnswer, isEchoOf } from './repetition/same-answer.ts'
import type { ExpectedAnswer } from '../json-schema/expected-answer.ts'
import { letOthersRun } from '../lib/timing.ts'
import { readGuidedReply } from './guided-reply.ts'
import { ownSentences } from './own-sections.ts'
import { hasWritten, readReply, readWording, type Reply, type VoidReason } from './reply.ts'
import { alternateRoles } from './strategies/strategy.ts'
import type { BegunReply, Turn, TurnEnd, TurnPorts, Wording } from './turn-types.ts'

/** Maximum number of consecutive replies without a runnable call; the turn then ends. */
const MAX_STRIKES = 3
/** Maximum consecutive repetitions of the same calls with the same results. Polling takes a few tries. */
const MAX_SAME = 4
/** Maximum length of a repeated cycle, in steps: a model may also alternate between two or three of them. */
const MOST_IN_CIRCLE = 3
/** Maximum number of times that the same calls may have the same results in one turn. */
const MAX_SAME_IN_TURN = 10
/** Maximum number of attempts if the engine rejects the prompt as too long; each sends less history. */
const MAX_ATTEMPTS = 3

const CLOSING =
  'You have used all the steps of this turn. Do not use any tool now. In a few sentences, say what you did and what is left to do.'

const SAME =
  'You asked for the same again and again, and the result was always the same. Do not use any tool now. Answer with what the results above say.'

const NOTHING = 'The model answered with nothing. Try other words, or a larger model.'
const CIRCLES =
  'The model goes in circles, so its answer was cut where it began to repeat itself. Other words, a new chat or a larger model may help.'

const SAME_AGAIN =
  'The model gives the answer of before again, to another question. Other words, a new chat or a larger model may help.'

const ECHO =
  'The model repeats the instructions that it got from Talaria instead of an answer. Other words, a new chat or a larger model may help.'

const UNREADABLE =
  'The model wrote signs that are no text. Its file may be damaged or may not fit this version of Talaria: download it again, or take another model.'

/** Warnings about a reply that is not an answer even on the second attempt. */
const VOID_TEXTS = { empty: NOTHING, looping: CIRCLES, same: SAME_AGAIN, echo: ECHO, unreadable: UNREADABLE }

const WAS_CUT =
  'The answer was cut: the model reached the end of its room. What was done is kept. Write “go on”, or ask for it in smaller parts.'

const WAS_LIMITED =
  'The answer was cut here, because so small a model seldom ends a long one by itself. Continue, or write “go on”. The length of answers can be set for the chat.'

const ONLY_THOUGHT =
  'The answer was cut: the model had only thought, and had not begun to answer. Write “go on”, ask for something smaller, or take another model.'

/** Whether a reply was cut before it had any content: in a long call, or within its thoughts. */
const isLost = ({ end, text, calls }: Reply): boolean =>
  end === 'cut' && calls.length === 0 && text.trim() === ''

/** The warning about a reply that was cut. */
const sayCut = (reply: Reply): string =>
  isLost(reply) && reply.reasoning.trim() !== '' ? ONLY_THOUGHT : reply.isLimited ? WAS_LIMITED : WAS_CUT

/**
 * Answer the newest message of a session: ask the model, run the tools it calls, and repeat until it answers
 * without a call. The history is valid after every step, so the chat survives a stop or a crash at any point.
 */
export async function runTurn(
  settled: Turn,
  ports: TurnPorts,
  omitted: OmittedHistory,
  signal: AbortSignal,
): Promise<TurnEnd> {
  let turn = settled
  const warn = (text: string) => ports.emit({ type: 'warning', text })
  const warnOfVoid = (text: string) => ports.emit({ type: 'warning', text, offersOthers: true })
  const told = new Set<string>()
  /** Whether the newest reply was cut within a call. The next request then leaves more room. */
  let wasCut = false
  let strikes = 0
  const done: string[] = []
  const seen = new Map<string, number>()
  const wording = turn.begun ? undefined : await beginTurn(turn, ports, signal)
  for (let step = 0; step < turn.maxIterations; step++) {
    turn = { ...turn, ...(await ports.beforeRequest?.(turn, step, signal)) }
    if (signal.aborted) return 'stopped'
    const spent = turn.budget?.takeStep()
    if (spent !== undefined) {
      warn(spent)
      return close(CLOSING, 'budget_exhausted')
    }
    const first = step === 0 ? { begun: turn.begun, wording } : {}
    const reply = await requestReply(turn, ports, omitted, signal, { ...first, told, tighter: wasCut })
    if (isBroken(reply)) return endOf(turn, reply)
    wasCut = reply.end === 'cut' && reply.calls.length > 0
    if (reply.void) warnOfVoid(VOID_TEXTS[reply.void])
    else if (reply.end === 'cut' && !wasCut) warn(sayCut(reply))
    if (reply.calls.length === 0) return holdTo(reply, 'done')
    const { ran, fingerprint } = await runCalls(turn, ports, reply.calls, signal)
    if (signal.aborted) return 'stopped'
    strikes = ran ? 0 : strikes + 1
    if (strikes === MAX_STRIKES) {
      warn(
        `The model wrote ${MAX_STRIKES} replies in a row whose tool calls could not run, so the turn ends here. A larger model may do better.`,
      )
      return 'tool_calls_invalid'
    }
    done.push(fingerprint)
    const circle = lengthOfCircle(done)
    const times = (seen.get(fingerprint) ?? 0) + 1
    seen.set(fingerprint, times)
    if (circle > 0 || times === MAX_SAME_IN_TURN) {
      const often = circle > 0 ? `${MAX_SAME} times in a row` : `${times} times`
      const what = circle > 1 ? `the same ${circle} steps` : 'the same'
      warn(`The model asked for ${what} ${often}, so it is asked to answer now.`)
      return close(SAME, 'done')
    }
  }
  warn(`All ${turn.maxIterations} steps of this turn are used.`)
  return close(CLOSING, 'budget_exhausted')

  async function close(closing: string, reason: EndReason): Promise<TurnEnd> {
    const reply = await requestReply(turn, ports, omitted, signal, { closing, told })
    if (reply.void) warnOfVoid(VOID_TEXTS[reply.void])
    return isBroken(reply) ? endOf(turn, reply) : holdTo(reply, reason)
  }

  /** Ask once more if the last answer does not have the form that it must have. */
  async function holdTo({ text, end }: Reply, reason: EndReason): Promise<TurnEnd> {
    const problem = end === 'done' || end === 'cut' ? turn.expected?.problemOf(text) : undefined
    if (problem === undefined || !turn.expected) return reason
    const closing = turn.expected.correction(problem)
    const again = await requestReply(turn, ports, omitted, signal, {
      closing,
      expected: turn.expected,
      told,
    })
    return isBroken(again) ? endOf(turn, again) : reason
  }
}

type BrokenReply = Reply & { end: 'stopped' | 'failed' }
const isBroken = (reply: Reply): reply is BrokenReply => reply.end === 'stopped' || reply.end === 'failed'

/** A server that refuses tools as data may accept them as text, so the turn has not failed yet. */
const endOf = (turn: Turn, { end, failure }: BrokenReply): TurnEnd =>
  failure && isRefused(turn, failure) ? 'tools_refused' : end
const isRefused = ({ strategy }: Turn, { code }: EngineFailure): boolean =>
  code === 'tools_unsupported' && strategy.name === 'structured'

/** The number of steps in a cycle that was repeated `MAX_SAME` times with equal results; 0 if none. */
function lengthOfCircle(done: readonly string[]): number {
  for (let length = 1; length <= MOST_IN_CIRCLE; length++) {
    const last = done.slice(-length * MAX_SAME)
    const isCircle = last.every((each, at) => each === last[at % length])
    if (isCircle && last.length === length * MAX_SAME) return length
  }
  return 0
}

/** Ask the model once, for a reply of at most `maxTokens`, and run its calls. It does not retry. */
export async function runStep(
  turn: Turn,
  ports: TurnPorts,
  messages: readonly Message[],
  maxTokens: number,
  signal: AbortSignal,
): Promise<Reply> {
  const asked = turn.strategy.render(turn.system, messages)
  const reply = await readReply(turn, ports, asked, { tools: true, maxTokens }, signal)
  if (reply.calls.length > 0) await runCalls(turn, ports, reply.calls, signal)
  return reply
}

/**
 * Send one request with as much history as fits. Less is sent if the context window turns out smaller, or if
 * the reply was cut before it had any content. With `closing` appended, no tools are offered.
 */
async function requestReply(
  turn: Turn,
  ports: TurnPorts,
  omitted: OmittedHistory,
  signal: AbortSignal,
  {
    closing,
    expected,
    begun,
    wording,
    told,
    tighter = false,
  }: {
    closing?: string
    expected?: ExpectedAnswer
    begun?: BegunReply | undefined
    /** How to word the result of a begun call. The model gets no tools; Talaria words it if that fails. */
    wording?: Wording | undefined
    /** Which warnings this turn has shown already, so that each appears once. */
    told: Set<string>
    /** Send less from the first attempt on, because the previous reply was cut. */
    tighter?: boolean
  },
): Promise<Reply> {
  const tools = closing === undefined && !wording && !turn.isDecided
  let tokens: EngineFailure['tokens']
  for (let attempt = tighter ? 2 : 1; ; attempt++) {
    const before = { ...omitted }
    const stored = await ports.history(omitted.firstId, mostMessages(turn))
    const all = begun ? [...stored, asMessage(turn, begun)] : stored
    const history = fitHistory(await countAhead(turn, all), all, omitted, attempt)
    reportLeftOut(turn, ports.emit, history, { before, tokens, told })
    const sent = begun ? history.messages.slice(0, -1) : history.messages
    const messages = turn.strategy.render(turn.system, sent)
    const asked =
      closing === undefined ? messages : alternateRoles([...messages, { role: 'user', text: closing }])
    await letOthersRun()
    const mayJudge = mayBeSame(turn) && closing === undefined && !begun
    const whyNoAnswer = mayJudge ? (text: string) => judgeAnswer(turn, text, all) : undefined
    const guided = { history: sent, messages, mayCall: tools }
    const reply =
      turn.guide && !expected
        ? await readGuidedReply(turn, ports, turn.guide, guided, signal)
        : wording
          ? await readWording(turn, ports, { wording, messages, history: all }, signal)
          : await readReply(turn, ports, asked, { tools, expected, begun, whyNoAnswer }, signal)
    const { failure } = reply
    // A long call was cut and nothing is left of it. Ask for it again, with more room.
    if (attempt === 1 && isLost(reply) && !reply.isLimited && !reply.void && history.canShrink) continue
    if (!failure) return reply
    // Text that was already shown is stored in the chat, so the request is not repeated.
    const isFull = failure.code === 'context_full' && !hasWritten(reply, begun)
    if (isFull && attempt < MAX_ATTEMPTS && history.canShrink) {
      tokens = failure.tokens
      continue
    }
    if (!isRefused(turn, failure)) {
      const { text, fix } = isFull ? reportFull(turn, ports.emit, history, failure) : failure
      ports.emit({ type: 'error', text, fix })
    }
    return reply
  }
}

/**
 * Whether a model may repeat an earlier answer. A guide has fixed sentences, and reviews and forms are not
 * answers to the user, so those are not checked.
 */
const mayBeSame = ({ guide, purpose, expected, wantsRepetition }: Turn): boolean =>
  !guide && purpose === undefined && !expected && !wantsRepetition

/** Why a text is not an answer to the newest question of `history`; undefined if it is. */
const judgeAnswer = ({ system }: Turn, text: string, history: readonly Message[]): VoidReason | undefined =>
  isSameAnswer(text, history) ? 'same' : isEchoOf(ownSentences(system), text, history) ? 'echo' : undefined

/** A reply that was cut off, as the last message of the history to fit. */
const asMessage = ({ sessionId }: Turn, begun: BegunReply): Message => ({
  id: Number.MAX_SAFE_INTEGER,
  role: 'assistant',
  sessionId,
  at: 0,
  calls: [],
  interrupted: true,
  model: '',
  ...begun,
})

const SEND_IN_PARTS =
  'Send it in parts, or keep it in a file and ask about parts of it. A model with a larger context helps too.'
const GO_ON = 'What was done so far is kept. Write “go on” in this chat, and it goes on from there.'
const LARGER =
  'What was done so far is kept. Choose a model with a larger context for this chat, and write “go on”.'
/** Maximum share of the context window for the instructions, if the next turn is to have room. */
const MOST_FIXED = 0.85

const LEFT_OUT = {
  turns:
    'The beginning of this chat no longer fits the model’s memory for one answer. It stays in the chat, but the model does not see it now.',
  results:
    'This turn has outgrown the model’s memory for one answer, so it now sees only the beginning of older tool results and of what older calls carried.',
  steps:
    'This turn has outgrown the model’s memory for one answer, so of its older steps it now sees only a list of what was done.',
}

/**
 * Report that a history was cut to fit: an event each time. A warning follows the first time in a chat, or if
 * a turn outgrows the context window. `before` is the earlier state; `tokens` is the engine's own count.
 */
function reportLeftOut(
  { contextTokens }: Turn,
  emit: TurnPorts['emit'],
  { left, needed, messages }: FittedHistory,
  { before, tokens, told }: { before: OmittedHistory; tokens: EngineFailure['tokens']; told: Set<string> },
): void {
  if (left === undefined) return
  const figures = tokens ?? { needed: needed ?? 0, holds: contextTokens }
  emit({ type: 'context_full', neededTokens: figures.needed, contextTokens: figures.holds, leftOut: left })
  const question = messages[newestTurn(messages)]?.id ?? 0
  const isFirst =
    left === 'turns'
      ? before.firstId === 0
      : (left === 'results' ? before.briefId : before.stepsId) <= question
  if (!isFirst || told.has(left)) return
  told.add(left)
  emit({ type: 'warning', text: LEFT_OUT[left] })
}

/**
 * Report that nothing more can be left out, and return the failure with a text that states how long the rest
 * is. If our numbers do not explain the failure, the engine's own text stays.
 */
function reportFull(
  turn: Turn,
  emit: TurnPorts['emit'],
  { messages }: FittedHistory,
  failure: EngineFailure,
): EngineFailure {
  const fixed = fixedCost(turn)
  const { needed, holds } = failure.tokens ?? {
    needed: fixed + tokensOf(turn, messages),
    holds: turn.contextTokens,
  }
  emit({ type: 'context_full', neededTokens: needed, contextTokens: holds, leftOut: 'nothing' })
  if (needed <= holds || messages.filter(message => beginsTurn(message) && !isSummary(message)).length !== 1)
    return failure
  const alone = !messages.some(message => message.role === 'assistant')
  const what = alone ? 'This message is' : 'This turn has become'
  const long = about(Math.max(needed - fixed, 0))
  const text = `${what} about ${long} tokens long, and the instructions take ${about(fixed)}; the model holds ${holds.toLocaleString('en-US')}.`
  return { ...failure, text, fix: alone ? SEND_IN_PARTS : fixed < holds * MOST_FIXED ? GO_ON : LARGER }
}

/** An estimated token count, rounded to two significant digits. */
const about = (tokens: number): string => Number(tokens.toPrecision(2)).toLocaleString('en-US')
