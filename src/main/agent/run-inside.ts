import { untilAborted } from '../lib/timing.ts'
import { LEFT_BEHIND, STOPPED_BEFORE } from '../tools/registry/call-failures.ts'
import type { ToolResult } from '../tools/registry/tool.ts'
import { withholdResult } from './finish-call.ts'
import { denyUnchecked } from './permit-call.ts'
import { attemptTool, offeredIn } from './prepare-call.ts'
import { inOrder } from './steps/step-order.ts'
import type { CallAt, Given } from './turn-types.ts'

/** How long a stopped tool may clean up before it is abandoned, in ms. */
const GRACE_MS = 2_000
const ABANDONED: ToolResult = { ok: false, reason: LEFT_BEHIND }
const STOPPED: ToolResult = { ok: false, reason: STOPPED_BEFORE }

/**
 * Run the tool inside the steps around it. A throw before the tool has started denies the call. After a stop,
 * wait a short time for the tool; a tool that has not started by then never starts.
 */
export async function runInside(at: CallAt): Promise<ToolResult> {
  const { turn, ports, tool, signal } = at
  const around = inOrder(turn.steps, 'around')
  let ran: ToolResult | undefined
  let isOver = false
  // An abandoned tool may still produce output, but its turn has ended.
  const output = (text: string) => {
    if (!isOver) ports.emit({ type: 'tool_output', callId: at.call.id, text })
  }
  const enter = async (depth: number, given: Given): Promise<ToolResult> => {
    const step = around[depth]
    if (step) return await step.around(at, given, inner => enter(depth + 1, inner))
    if (signal.aborted) return STOPPED
    at.hasBegun = true
    ran = await attemptTool(ports, tool, () => runTool(at, given, output))
    return ran
  }
  const running = enter(0, {})
  // Log errors that occur after the wait has ended.
  running.catch(error => isOver && ports.report(error))
  try {
    const done = await untilAborted(running, signal, GRACE_MS)
    return done ?? (at.hasBegun ? ABANDONED : STOPPED)
  } catch (error) {
    if (!at.hasBegun) {
      const denied = denyUnchecked(at, error)
      at.permission = denied
      return denied.refusal
    }
    ports.report(error)
    return withholdResult(at, error, ran)
  } finally {
    isOver = true
  }
}

function runTool(at: CallAt, given: Given, output: (text: string) => void): Promise<ToolResult> {
  const { turn, tool, input, call, permission, signal } = at
  const { workspace, home, sessionId, askedId, contextTokens } = turn
  if (!permission || permission.refusal) throw new Error('A call without permission.')
  const { access, byUser, answer } = permission
  return tool.run(input, {
    workspace,
    home,
    sessionId,
    askedId,
    callId: call.id,
    strangers: turn.permits.strangers?.current() ?? [],
    contextTokens,
    access,
    ...(turn.whyOff && { offered: offeredIn(turn) }),
    ...(byUser && { byUser }),
    ...(answer !== undefined && { answer }),
    ...given,
    signal,
    output,
  })
}
