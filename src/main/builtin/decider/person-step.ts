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

/** What is known of one chat to offer calls in it. */
export type OffersOfChat = Pick<DeciderOfChat, 'setting'> & {
  /** What a message may want; `byRules`: by what it says in so many words, without the encoder. */
  judge(this: void, message: string, how: { byRules: boolean }, signal: AbortSignal): Promise<Judgement>
  /** Whether the person is still to be asked in this chat, who has often said that the model should just answer. */
  mayAsk(this: void): boolean
  /** The person was asked; `justAnswer`: the model is to answer without a call. */
  hasAsked(this: void, said: { justAnswer: boolean }): void
}

/** What became of the message that is answered. */
type Needed = {
  judged: Judgement
  /** What it says. */
  asked: string
  /** By the rules alone: the model decides for itself whether it calls a tool. */
  byRules: boolean
  /** What is on in the chat. */
  on: ReadonlySet<string>
  /** The person said that the model should just answer. */
  isSettled: boolean
  history: readonly Message[]
}

/** Longer messages are no plain request that a model which calls tools by itself has missed. */
const LONGEST_BY_RULES = 200
const MOST_MESSAGES = 200

/**
 * The calls that the person chooses: that of a button under an answer, and that of a question where the decider is not sure. It also says
 * what is offered under an answer for which nothing ran, or that leaves a second part undone.
 */
export function personStep(chat: OffersOfChat): CallStep {
  let needed: Needed | undefined
  let rest: Rest | undefined
  /** What is on in the chat. */
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

/** “Append a line to a.txt”: the file was read, and what was asked for is offered. */
function followingOf(
  { judged: { next }, asked, on }: Needed,
  [first, ...more]: readonly Omit<ToolMessage, 'id'>[],
): AnswerOffer | undefined {
  if (!next || !first || more.length > 0 || !isChosen(first.record.begunBy) || !hasRun(first.record))
    return undefined
  const call = next({ name: first.name, arguments: {}, ok: first.ok, text: unframeText(first.text) })
  if (!call || !on.has(call.name)) return undefined
  const picked = { tool: call.name, arguments: call.arguments }
  // A change of several lines says less on a button than what the person wrote.
  const label = isLooking(call.name) ? labelChoice(picked) : asked
  return { why: 'rest', choices: [{ ...picked, label: label.slice(0, 200).toWellFormed() }] }
}

/** What is offered under an answer for which nothing ran, though the message says that it needs a tool. */
function offerInstead(answer: string, needed: Needed): AnswerOffer | undefined {
  const { judged, byRules, on, history } = needed
  const [best] = judged.likely
  if (!best && !byRules && isInvented(answer, needed))
    return { why: 'not_looked', choices: on.has(LIST.tool) ? [offered(LIST)] : [] }
  if (!best || !isSureEnough(best)) return undefined
  // A model that calls tools by itself may ask back, and may know the answer from what it has read before.
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

/** “What does the second file say?” is no request by itself, and yet asks for what is in a file. */
const POINTS_AT_FILE =
  /\b(?:this|that|the|other|another|second|first|last|next|same|my) (?:\w+ )?(?:files?|folder|directory|document)\b(?! (?:formats?|systems?|types?|sizes?|names?)\b)/i

/** Whether a model that calls nothing by itself tells of files at which it did not look. */
const isInvented = (answer: string, { asked, history }: Needed): boolean =>
  namesUnread(
    answer,
    history.map(({ text }) => text),
  ) ||
  (POINTS_AT_FILE.test(asked) && history.some(({ role }) => role === 'tool'))

const offered = (call: LikelyCall) => ({ ...pickedOf(call), label: labelChoice(call) })

/** What helps where a file is meant and not named. */
const LIST: LikelyCall = { tool: 'list_files', arguments: {}, probability: 1 }

const pickedOf = ({ tool, arguments: given }: PickedCall): PickedCall => ({
  tool,
  ...(given && { arguments: given }),
})

const isChosen = (begunBy: string | undefined): boolean => begunBy === PERSON || begunBy === DECIDER

const hasCalled = (ended: readonly Pick<ToolMessage, 'name'>[], { tool }: PickedCall): boolean =>
  ended.some(({ name }, at) => at > 0 && name === tool)

/** Whether the same was called in the chat before, and ran. */
function hasRunBefore(history: readonly Message[], { tool, arguments: given }: PickedCall): boolean {
  const ran = new Set(
    history.flatMap(each => (each.role === 'tool' && hasRun(each.record) ? [each.callId] : [])),
  )
  const isSame = ({ id, name, arguments: own }: ToolCall) =>
    ran.has(id) && name === tool && (given === undefined || isDeepStrictEqual(own, given))
  return history.some(each => each.role === 'assistant' && each.calls.some(isSame))
}
