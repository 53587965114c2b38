import type { Message } from '../../shared/contract/chats/messages.ts'
import { withBriefCalls } from './compaction/brief-calls.ts'
import { stepLines } from './compaction/steps-done.ts'
import { leaveOutPictures } from './leave-out-pictures.ts'
import type { Turn } from './turn-types.ts'

/**
 * The parts of a session's history that its prompts leave out; the caller keeps this between turns. Messages
 * before `firstId` are not sent. Results and calls before `briefId` are sent shortened. In the turn that
 * contains `stepsId`, the steps before it are sent as a list.
 */
export type OmittedHistory = { firstId: number; briefId: number; stepsId: number }

/** The state of a new session: nothing is left out of its prompts yet. */
export const nothingOmitted = (): OmittedHistory => ({ firstId: 0, briefId: 0, stepsId: 0 })

/** Whether nothing has been left out so far. */
export const isNothingOmitted = ({ firstId, briefId, stepsId }: OmittedHistory): boolean =>
  firstId === 0 && briefId === 0 && stepsId === 0

/** How many characters to keep of a shortened result. */
const BRIEF_CHARS = 300
const CUT = '\n[The rest was left out to make room. Call the tool again if you need it.]'
/** Maximum lines of the list that replaces older steps, and its maximum share of the context window. */
const MAX_STEPS = 40
const STEPS_SHARE = 0.08

const STEPS_OPENING =
  '[What you have done for this message so far; the steps themselves are not shown any more:'
const STEPS_ENDING = 'Go on from here.]'

/** Whether a message is the list that replaces steps, and not written by the user. */
const isStepsList = ({ role, text }: Pick<Message, 'role' | 'text'>): boolean =>
  role === 'user' && text.startsWith(STEPS_OPENING)

/** Whether a message begins a turn. Messages that the user wrote during a turn belong to that turn. */
export const beginsTurn = (message: Message): boolean =>
  message.role === 'user' && !message.steered && !isStepsList(message)

/** Index of the question of the newest turn; if it is missing, index of the first user message, or 0. */
export const newestTurn = (messages: readonly Message[]): number => {
  const asked = messages.findLastIndex(beginsTurn)
  return asked >= 0
    ? asked
    : Math.max(
        0,
        messages.findIndex(message => message.role === 'user'),
      )
}

/** The token limits of one turn: above `full`, something is left out until `target` is reached. */
type Room = { full: number; target: number }

/** Tokens of a message as it is sent. */
type Cost = (message: Message) => number

type Asker = Pick<Turn, 'contextTokens'> & { engine: Pick<Turn['engine'], 'count'> }

/** The messages as they are sent, given what has been left out before. */
export function applyOmitted(
  history: readonly Message[],
  { firstId, briefId, stepsId }: OmittedHistory,
  turn: Asker,
): Message[] {
  const left = history.filter(message => message.id >= firstId)
  return shortenUpTo(withStepsList(turn, left, stepsId), briefId)
}

/** Maximum tokens of the list that replaces steps. */
export const mostStepTokens = ({ contextTokens }: Pick<Turn, 'contextTokens'>): number =>
  Math.floor(contextTokens * STEPS_SHARE)

/** Shorten results and arguments of the newest turn, oldest first, until it fits. Returns a new `briefId`. */
export function shortenTurn(
  messages: readonly Message[],
  { full, target }: Room,
  cost: Cost,
): number | undefined {
  let used = sum(messages, cost)
  if (used <= full) return undefined
  const brief = shortenUpTo(messages, Infinity)
  // Results that the model has not answered yet are shortened only as far as necessary.
  const answered = messages.findLastIndex(message => message.role === 'assistant')
  let briefId: number | undefined
  for (const [index, message] of messages.entries()) {
    if (index === messages.length - 1 || used <= (index < answered ? target : full)) break
    if (brief[index] === message) continue
    used -= cost(message) - cost(brief[index]!)
    briefId = message.id + 1
  }
  return briefId
}

/**
 * Leave out the oldest steps of the newest turn until the rest fits. The question, later messages of the user
 * and the last step stay. `list`: tokens of the list that replaces the steps. Returns the new `stepsId`, or
 * undefined if nothing can be left out.
 */
export function dropSteps(
  messages: readonly Message[],
  { full, target, list }: Room & { list: number },
  cost: Cost,
): number | undefined {
  let used = sum(messages, cost)
  if (used <= full) return undefined
  const last = lastStep(messages)
  let stepsId: number | undefined
  used += list
  for (let index = newestTurn(messages) + 1; index < last; index++) {
    const message = messages[index]!
    if (message.role !== 'user' || isStepsList(message)) used -= cost(message)
    // A step ends with its last result.
    if (message.role === 'user' || messages[index + 1]?.role === 'tool') continue
    stepsId = message.id + 1
    if (used <= target) break
  }
  return stepsId
}

/** Whether an older turn can be dropped, or a part of the newest turn shortened or dropped. */
export function canShrink(messages: readonly Message[]): boolean {
  if (messages.some((message, index) => beginsTurn(message) && index > 0)) return true
  const brief = shortenUpTo(messages, Infinity)
  const from = newestTurn(messages)
  const last = lastStep(messages)
  return messages.some(
    (message, index) =>
      (index < messages.length - 1 && brief[index] !== message) ||
      (index > from && index < last && message.role !== 'user'),
  )
}

/** Index where the last step begins: the newest assistant message, or 0 if there is none. */
function lastStep(messages: readonly Message[]): number {
  let at = messages.length - 1
  while (at > 0 && messages[at]!.role !== 'assistant') at--
  return at
}

/** Shorten all messages before `briefId`: their results, and the arguments of calls that succeeded. */
const shortenUpTo = (messages: readonly Message[], briefId: number): Message[] =>
  withBriefCalls(messages, reply => reply.id < briefId).map(message =>
    message.id < briefId ? shortenResult(message) : message,
  )

function shortenResult(message: Message): Message {
  if (message.role !== 'tool') return message
  const isLong = message.text.length > BRIEF_CHARS + CUT.length
  const brief = isLong
    ? { ...message, text: message.text.slice(0, BRIEF_CHARS).toWellFormed() + CUT }
    : message
  return leaveOutPictures(brief)
}

/** Replace the steps before `stepsId` by a list, placed after the question of their turn. */
function withStepsList(turn: Asker, messages: readonly Message[], stepsId: number): Message[] {
  const before = messages.filter(message => message.id < stepsId)
  const from = before.findLastIndex(beginsTurn)
  const steps = before.slice(from + 1).filter(message => message.role !== 'user')
  const last = steps.at(-1)
  if (from < 0 || !last) return [...messages]
  const { id, sessionId, at } = last
  const list: Message = { role: 'user', id, sessionId, at, text: stepsList(turn, steps) }
  const said = before.slice(from + 1).filter(message => message.role === 'user')
  const rest = messages.slice(before.length)
  return [...before.slice(0, from + 1), ...said, list, ...rest]
}

/** The list of steps, cut to its token limit: the newest steps, and the number of earlier ones. */
function stepsList(turn: Asker, steps: readonly Message[]): string {
  const most = mostStepTokens(turn)
  const all = stepLines(steps)
  const lines = all.slice(-MAX_STEPS)
  const written = () => {
    const earlier = all.length - lines.length
    const first = earlier === 0 ? [] : [`- (${earlier.toLocaleString('en-US')} earlier)`]
    return [STEPS_OPENING, ...first, ...lines.map(line => `- ${line}`), STEPS_ENDING].join('\n')
  }
  while (lines.length > 1 && turn.engine.count(written()) > most) lines.shift()
  return written()
}

const sum = (messages: readonly Message[], cost: Cost): number =>
  messages.reduce((all, message) => all + cost(message), 0)
