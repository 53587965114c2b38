import { isDeepStrictEqual } from 'node:util'
import { DECIDER } from '../../../shared/words/call-words.ts'
import type { CallRecord } from '../../../shared/contract/runs/call-record.ts'
import type { Message, PickedCall, ToolCall, UserMessage } from '../../../shared/contract/chats/messages.ts'
import type { Verdict } from '../../agent/approvals/decide.ts'
import { doubtCall } from '../../agent/steps/command-steps.ts'
import type { CallStep, Turn, TurnPorts } from '../../agent/turn-types.ts'
import { newId } from '../../lib/ids.ts'
import { isFailure } from '../../models/interface/engine.ts'
import { writeArguments } from './begin-call.ts'
import type { Decision } from './decide-message.ts'
import { isGrounded } from './grounded.ts'
import { hasDecider, wordingFor } from './word-result.ts'

/** The parts of one chat that the decider needs. */
export type DeciderOfChat = {
  /** Whether the user has switched the decider on or off in this chat; null if they have not. */
  setting(this: void): 'on' | 'off' | null
  /** Decide which of these tools a message wants. */
  decide(
    this: void,
    message: string,
    tools: readonly string[],
    signal: AbortSignal,
  ): Promise<Decision | undefined>
  /** All messages of the chat. */
  history(this: void): readonly Message[]
  /** Switch the decider off in this chat. */
  switchOff(this: void): void
}

/** How many times the user may refuse a decided call before the decider is switched off in a chat. */
const MOST_REFUSED = 3
/** How long to wait for a decision, in ms. It must not delay an answer; a later one begins nothing. */
const WAIT_MS = 6_000
/** How many messages to search for the paths, names and numbers in a call that the model wrote. */
const MOST_READ = 60

const WHY = 'The decider chose this call by your message, not the model.'
const SWITCHED_OFF = `You said no ${MOST_REFUSED} times to what the decider chose, so it is off in this chat. It can be switched on again in the settings of the chat.`

const ALREADY_REFUSED: Verdict = {
  verdict: 'deny',
  by: 'policy',
  reason: 'The user has just said no to this. Answer without it.',
}

/**
 * Begins the one call that a message wants, for a model that begins none on its own. If the decided call
 * writes or runs something, it asks in every mode. If deciding fails, nothing is begun.
 */
export function deciderStep(chat: DeciderOfChat): CallStep {
  /**
   * The decided call that the user refused in this turn. A weak model imitates such a call, and the user
   * would be asked again and again.
   */
  let refused: ToolCall | undefined
  return {
    name: DECIDER,
    async begin(turn, ports, signal) {
      if (!(await isDeciderOn(turn, chat))) return undefined
      const asked = (await ports.history(turn.askedId, 20)).find(({ id }) => id === turn.askedId)
      if (asked?.role !== 'user' || !isBareMessage(asked)) return undefined
      const names = turn.tools.map(({ name }) => name).filter(name => turn.whyOff?.(name) === undefined)
      const late = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)])
      const decided = await chat.decide(asked.text, names, late)
      return decided && !signal.aborted ? await completeCall(decided, turn, ports, signal) : undefined
    },
    word: async turn => wordingFor(turn),
    check(at, verdict) {
      if (at.begunBy !== DECIDER)
        return verdict.verdict === 'ask' && refused && isSame(at.call, refused) ? ALREADY_REFUSED : verdict
      if (verdict.verdict === 'ask') return { ...verdict, reason: `${verdict.reason} ${WHY}` }
      const onlyReads = at.tool.risk === 'read' && at.intent.command === undefined
      return verdict.verdict === 'deny' || onlyReads ? verdict : doubtCall(at, verdict, WHY)
    },
    after(at, result) {
      const isRefused = at.begunBy === DECIDER && isNo(at.permission?.record)
      if (isRefused) refused = at.call
      // The current refusal is stored only after the steps, so it is added here.
      if (isRefused && (1 + refusedIn(chat.history())) % MOST_REFUSED === 0) {
        chat.switchOff()
        at.ports.emit({ type: 'warning', text: SWITCHED_OFF })
      }
      return result
    },
  }
}

/** Whether the decider is on: as set, else only if the model called nothing on its own when tried. */
export async function isDeciderOn(turn: Turn, { setting }: Pick<DeciderOfChat, 'setting'>): Promise<boolean> {
  if (turn.tools.length === 0 || turn.expected !== undefined) return false
  const profile = await turn.engine.profile()
  return !isFailure(profile) && hasDecider(setting(), profile)
}

/** Whether a message is only typed words, without files or a skill, and not sent by a button. */
export const isBareMessage = ({
  skill,
  picked,
  attachments = [],
  documents,
  reports,
}: UserMessage): boolean =>
  !skill && !picked && attachments.length === 0 && documents === undefined && reports === undefined

/** Complete the call of a decision or a button. If the message states no arguments, the model writes them. */
export async function completeCall(
  { tool, arguments: own }: PickedCall,
  turn: Turn,
  ports: TurnPorts,
  signal: AbortSignal,
): Promise<ToolCall | undefined> {
  const isWhole = own !== undefined && turn.registry.validate(tool, own).ok
  const written = isWhole ? undefined : await writeArguments(turn, ports, tool, signal)
  const given = isWhole ? own : written && (await keepGrounded(written, tool, turn, ports))
  return given && { id: newId('call'), name: tool, arguments: given }
}

/**
 * Remove arguments that name something nobody has named in the chat: a weak model invents paths and numbers.
 * Undefined if the tool needs a removed argument.
 */
async function keepGrounded(
  written: Readonly<Record<string, unknown>>,
  tool: string,
  turn: Turn,
  ports: TurnPorts,
): Promise<Record<string, unknown> | undefined> {
  const said = (await ports.history(0, MOST_READ)).map(({ text }) => text).join('\n')
  const grounded = Object.entries(written).filter(([name, value]) =>
    isGrounded({ [name]: value }, said, { files: [], folders: [] }),
  )
  const checked = turn.registry.validate(tool, Object.fromEntries(grounded))
  return checked.ok ? checked.value : undefined
}

const isSame = (one: ToolCall, other: ToolCall): boolean =>
  one.name === other.name && isDeepStrictEqual(one.arguments, other.arguments)

const isNo = (record: CallRecord | undefined): boolean =>
  record?.decision === 'denied' && record.by === 'user'

const refusedIn = (history: readonly Message[]): number =>
  history.filter(each => each.role === 'tool' && each.record.begunBy === DECIDER && isNo(each.record)).length
