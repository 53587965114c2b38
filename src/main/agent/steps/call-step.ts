import type { ToolCall } from '../../../shared/contract/messages.ts'
import type { CommandRights } from '../../confinement/profile.ts'
import type { Intent, Tool, ToolContext, ToolResult } from '../../tools/tool.ts'
import type { Verdict } from '../approvals/decide.ts'
import type { Turn, TurnPorts } from '../turn-types.ts'
import type { Permission } from './ask-user.ts'

/** One call on its way through the steps: found, valid and described. */
export type CallAt = {
  turn: Turn
  ports: TurnPorts
  signal: AbortSignal
  call: ToolCall
  tool: Tool
  input: Record<string, unknown>
  intent: Intent
  /** A remark on the arguments, such as an unknown one, which the model reads below the result. */
  note?: string | undefined
  /** How commands can run here, as the policy found it. */
  rights: CommandRights
  /** The names of the keys that its command would get. */
  keys: readonly string[]
  /** What was decided last; a step around the call may ask again. */
  permission?: Permission
}

/** A call that has a result. One that was refused before the steps, such as one of a tool that is not there, has no more than this. */
export type EndedCall = Pick<CallAt, 'turn' | 'ports' | 'signal' | 'call'> & Partial<CallAt>

/** What steps give a tool beside what every call gets. */
export type Given = Pick<ToolContext, 'keys' | 'keepCopy' | 'confine' | 'guards'>

/**
 * What one concern does with a turn and its calls. All of it is optional; `step-order.ts` says in which order the steps have their
 * turn, and what a throw means.
 */
export type CallStep = {
  name: string
  /** Before the first request of a message. A call that it returns runs like one of the model. */
  begin?(turn: Turn, ports: TurnPorts, signal: AbortSignal): Promise<ToolCall | undefined>
  /** Judges a call, given the verdict of the steps before it. Without any step that judges, nothing runs. */
  check?(call: CallAt, verdict: Verdict): Verdict | Promise<Verdict>
  /** Works around a call. `run` runs what is inside, with what the tool is given; a refusal instead of it is a result too. */
  around?(call: CallAt, given: Given, run: (given: Given) => Promise<ToolResult>): Promise<ToolResult>
  /** Changes what the model and the person get of a call that ran or was refused. */
  after?(call: EndedCall, result: ToolResult): ToolResult | Promise<ToolResult>
}
