import { isDeepStrictEqual } from 'node:util'
import { DECIDER, hasRun, PERSON } from '../../../shared/words/call-words.ts'
import type {
  AnswerOffer,
  Message,
  PickedCall,
  ToolCall,
  ToolMessage,
} from '../../../shared/contract/chats/messages.ts'
import { unframeText } from '../../untrusted/strangers-text.ts'
import type { CallStep, Turn, TurnPorts } from '../../agent/turn-types.ts'
import { isLooking, isSureEnough, type Judgement, type LikelyCall, type Rest } from './decide-message.ts'
import { completeCall, isBareMessage, isDeciderOn, type DeciderOfChat } from './decider-step.ts'
import { namesUnread } from './judge-wording.ts'
import { wordingFor } from './word-result.ts'
import { askPerson, labelChoice } from './ask-person.ts'

/** The parts of one chat that are needed to offer calls in it. */
export type OffersOfChat = Pick<DeciderOfChat, 'setting'> & {
  /** Judge what a message may want. With `byRules`, only its explicit wording counts, without the encoder. */
  judge(this: void, message: string, how: { byRules: boolean }, signal: AbortSignal): Promise<Judgement>
  /** Whether the user may still be asked in this chat. They may have said “just answer” too often. */
  mayAsk(this: void): boolean
  /** Record that the user was asked; `justAnswer`: the model should answer without a call. */
  hasAsked(this: void, said: { justAnswer: boolean }): void
}

/** The judgement of the message that is being answered. */
type Needed = {
  judged: Judgement
  /** The text of the message. */
  asked: string
  /** Judged by the rules alone, because the model decides on tools itself. */
  byRules: boolean
  /** The tools that are on in the chat. */
  on: ReadonlySet<string>
  /** The user said that the model should just answer. */
  isSettled: boolean
  history: readonly Message[]
}

/** Maximum length of a message, in characters, that may be a request a tool-calling model has overlooked. */
const LONGEST_BY_RULES = 200
const MOST_MESSAGES = 200

/**
 * Runs the calls that the user chooses, by a button under an answer or in a question of an unsure decider.
 * Also decides what to offer under an answer for which nothing ran, or which leaves a second part undone.
 */
export function personStep(chat: OffersOfChat): CallStep {
  let needed: Needed | undefined
  let rest: Rest | undefined
  /** The tools that are on in the chat. */
  let on: ReadonlySet<string> = new Set()

  async function readNeeded(turn: Turn, ports: TurnPorts, signal: AbortSignal): Promise<Needed | undefined> {
    const history = await ports.history(0, MOST_MESSAGES)
    const asked = history.find(({ id }) => id === turn.askedId)
    if (asked?.role !== 'user' || !isBareMessage(asked)) return undefined
    const byRules = !(await isDeciderOn(turn, chat))
    if (byRules && asked.text.length > LONGEST_BY_RULES) return undefined
    const judged = await chat.judge(asked.text, { byRules }, signal)
    return { judged, asked: asked.text.trim(), byRules, on, isSettled: false, history }
  }

  return {
    name: PERSON,
    async begin(turn, ports, signal) {
      if (turn.guide || turn.expected || turn.tools.length === 0) return undefined
      on = new Set(turn.tools.map(({ name }) => name).filter(name => turn.whyOff?.(name) === undefined))
      const messages = await ports.history(turn.askedId, MOST_MESSAGES)
      const asked = messages.find(({ id }) => id === turn.askedId)
      if (asked?.role === 'user' && asked.picked) {
        rest = (await chat.judge(asked.text, { byRules: true }, signal)).rest
        return completeCall(asked.picked, turn, ports, signal)
      }
      needed = await readNeeded(turn, ports, signal)
      rest = needed?.judged.rest
      const isBegun = messages.some(({ role }) => role === 'tool')
      if (!needed || needed.byRules || isBegun || signal.aborted || !chat.mayAsk()) return undefined
      const doubtful = needed.judged.likely.filter(({ tool }) => on.has(tool))
      if (doubtful.length === 0 || needed.judged.likely.some(isSureEnough)) return undefined
      const said = await askPerson(turn, ports, doubtful, signal)
      if (said === undefined) return undefined
      chat.hasAsked({ justAnswer: said === 'just answer' })
      if (said === 'just answer') needed.isSettled = true
      return typeof said === 'string' ? undefined : completeCall(said, turn, ports, signal)
    },
    word: async turn => wordingFor(turn),
    offer(answer, ended) {
      if (
        rest &&
        on.has(rest.tool) &&
        ended.some(({ record }) => isChosen(record.begunBy) && hasRun(record)) &&
        !hasCalled(ended, rest)
      )
        return { why: 'rest', choices: [{ ...pickedOf(rest), label: rest.text }] }
      const following = needed && followingOf(needed, ended)
      if (following) return following
      return ended.length > 0 || !needed || needed.isSettled ? undefined : offerInstead(answer, needed)
    },
  }
}

/** “Append a line to a.txt”: once the file is read, the requested change is offered. */
function followingOf(
  { judged: { next }, asked, on }: Needed,
  [first, ...more]: readonly Omit<ToolMessage, 'id'>[],
): AnswerOffer | undefined {
  if (!next || !first || more.length > 0 || !isChosen(first.record.begunBy) || !hasRun(first.record))
    return undefined
  const call = next({ name: first.name, arguments: {}, ok: first.ok, text: unframeText(first.text) })
  if (!call || !on.has(call.name)) return undefined
  const picked = { tool: call.name, arguments: call.arguments }
  // For a change of several lines, the user's own words make a better label.
  const label = isLooking(call.name) ? labelChoice(picked) : asked
  return { why: 'rest', choices: [{ ...picked, label: label.slice(0, 200).toWellFormed() }] }
}

/** The offer under an answer for which nothing ran although the message needs a tool. */
function offerInstead(answer: string, needed: Needed): AnswerOffer | undefined {
  const { judged, byRules, on, history } = needed
  const [best] = judged.likely
  if (!best && !byRules && isInvented(answer, needed))
    return { why: 'not_looked', choices: on.has(LIST.tool) ? [offered(LIST)] : [] }
  if (!best || !isSureEnough(best)) return undefined
  // A model that calls tools on its own may ask back, or may know the answer from an earlier result.
  if (byRules && (/\?\s*$/.test(answer) || hasRunBefore(history, best))) return undefined
  if (byRules && best.tool === 'memory' && /\balready\b/i.test(answer)) return undefined
  const whole = judged.likely.filter(each => each.arguments !== undefined && on.has(each.tool))
  const instead =
    whole.length === 0 && isLooking(best.tool) && on.has(best.tool) && on.has(LIST.tool) ? [LIST] : []
  return {
    why: best.tool === 'memory' ? 'not_saved' : isLooking(best.tool) ? 'not_looked' : 'not_done',
    choices: [...whole, ...instead].map(offered),
  }
}

/** “What does the second file say?” is not a complete request, but asks for the content of a file. */
const POINTS_AT_FILE =
  /\b(?:this|that|the|other|another|second|first|last|next|same|my) (?:\w+ )?(?:files?|folder|directory|document)\b(?! (?:formats?|systems?|types?|sizes?|names?)\b)/i

/** Whether a model that calls nothing on its own describes files it has not read. */
const isInvented = (answer: string, { asked, history }: Needed): boolean =>
  namesUnread(
    answer,
    history.map(({ text }) => text),
  ) ||
  (POINTS_AT_FILE.test(asked) && history.some(({ role }) => role === 'tool'))

const offered = (call: LikelyCall) => ({ ...pickedOf(call), label: labelChoice(call) })

/** The call to offer if a file is meant but not named. */
const LIST: LikelyCall = { tool: 'list_files', arguments: {}, probability: 1 }

const pickedOf = ({ tool, arguments: given }: PickedCall): PickedCall => ({
  tool,
  ...(given && { arguments: given }),
})

const isChosen = (begunBy: string | undefined): boolean => begunBy === PERSON || begunBy === DECIDER

const hasCalled = (ended: readonly Pick<ToolMessage, 'name'>[], { tool }: PickedCall): boolean =>
  ended.some(({ name }, at) => at > 0 && name === tool)

/** Whether the same call has run in this chat before. */
function hasRunBefore(history: readonly Message[], { tool, arguments: given }: PickedCall): boolean {
  const ran = new Set(
    history.flatMap(each => (each.role === 'tool' && hasRun(each.record) ? [each.callId] : [])),
  )
  const isSame = ({ id, name, arguments: own }: ToolCall) =>
    ran.has(id) && name === tool && (given === undefined || isDeepStrictEqual(own, given))
  return history.some(each => each.role === 'assistant' && each.calls.some(isSame))
}
