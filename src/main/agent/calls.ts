import type { ToolCall } from '../../shared/contract/messages.ts'
import { newId } from '../lib/ids.ts'
import type { Intent, Tool, ToolResult } from '../tools/tool.ts'
import { decide } from './approvals/decide.ts'
import type { ReadCall } from './reply.ts'
import type { Turn, TurnPorts } from './turn.ts'

type Ready = { call: ToolCall; tool: Tool; input: Record<string, unknown>; intent: Intent }
type Refused = { call: ToolCall; reason: string }

const STOPPED: ToolResult = { ok: false, reason: 'Stopped by the user before it ran.' }

/**
 * Run the calls of one reply and store one result for each, in call order. Reads that need no question run side by
 * side; everything else runs alone. `ran` is true when at least one call was sound enough to be decided upon.
 */
export async function runCalls(
  turn: Turn,
  ports: TurnPorts,
  calls: readonly ReadCall[],
  signal: AbortSignal,
): Promise<{ ran: boolean }> {
  let ran = false
  for (let at = 0; at < calls.length;) {
    const batch: Ready[] = []
    let refused: Refused | undefined
    while (at < calls.length && !refused) {
      const next = await prepare(turn, calls[at]!)
      const free = 'tool' in next && isFree(turn, ports, next)
      if (!free && batch.length > 0) break
      at++
      if (!('tool' in next)) refused = next
      else batch.push(next)
      if (!free) break
    }
    if (refused) finish(turn, ports, refused.call, { ok: false, reason: refused.reason }, 0, 'not run')
    ran ||= batch.length > 0
    const done = await Promise.all(batch.map(each => runOne(turn, ports, each, signal)))
    for (const { call, result, durationMs, allowed } of done)
      finish(turn, ports, call, result, durationMs, allowed)
  }
  return { ran }
}

/** Find the tool, check the arguments and learn what the call is about to do. */
async function prepare(turn: Turn, { call, problem }: ReadCall): Promise<Ready | Refused> {
  if (problem !== undefined) return { call, reason: problem }
  const names = turn.tools.map(each => each.name)
  const name = names.includes(call.name) ? call.name : turn.registry.repairName(call.name)
  const tool = name !== undefined && names.includes(name) ? turn.registry.get(name) : undefined
  if (!tool) return { call, reason: `There is no tool "${call.name}". Tools: ${names.join(', ') || 'none'}.` }
  const checked = turn.registry.validate(tool.name, call.arguments)
  if (!checked.ok) return { call, reason: checked.reason }
  const intent = await tool.intent(checked.value, turn)
  if ('refused' in intent) return { call, reason: intent.refused }
  return { call, tool, input: checked.value, intent }
}

const isFree = (_turn: Turn, ports: TurnPorts, { tool, intent }: Ready) =>
  tool.risk === 'read' &&
  decide({ tool: tool.name, intent, mode: ports.approvalMode(), grants: ports.grants }).verdict === 'allow'

async function runOne(turn: Turn, ports: TurnPorts, ready: Ready, signal: AbortSignal) {
  const { call, tool, input, intent } = ready
  ports.emit({ type: 'tool_call', call, title: intent.title })
  const permission = signal.aborted
    ? { result: STOPPED, because: 'stopped' }
    : await permit(ports, ready, signal)
  const startedAt = performance.now()
  const result = permission.result ?? (await runTool(turn, ports, tool, input, call, signal))
  return {
    call,
    result: await ports.cap(call, result, turn.contextTokens),
    durationMs: Math.round(performance.now() - startedAt),
    allowed: permission.because,
  }
}

/** Decide, and ask the person if the policy says so. A `result` means that the call does not run. */
async function permit(
  ports: TurnPorts,
  { call, tool, intent }: Ready,
  signal: AbortSignal,
): Promise<{ result?: ToolResult; because: string }> {
  const decision = decide({ tool: tool.name, intent, mode: ports.approvalMode(), grants: ports.grants })
  if (decision.verdict === 'allow') return { because: decision.because }
  if (decision.verdict === 'deny')
    return {
      result: { ok: false, reason: `Denied: ${decision.reason}` },
      because: `denied: ${decision.reason}`,
    }
  const approval = {
    id: newId('ask'),
    callId: call.id,
    tool: tool.name,
    title: intent.title,
    detail: intent.detail,
    folder: intent.folder,
    reason: decision.reason,
    risk: intent.risk,
    mayAllowInChat: decision.mayAllowInChat,
  }
  ports.emit({ type: 'approval_request', approval })
  const answer = await ports.ask(approval, signal)
  ports.emit({ type: 'approval_resolved', approvalId: approval.id, callId: call.id, ...answer })
  if (signal.aborted) return { result: STOPPED, because: 'stopped' }
  if (answer.decision === 'deny') {
    const reason =
      answer.note === '' ? 'The user denied this call.' : `The user denied this call: ${answer.note}`
    return {
      result: { ok: false, reason: `${reason} Do not try it again in another way; go on without it or ask.` },
      because: 'denied by you',
    }
  }
  if (answer.decision === 'chat' && decision.rule !== undefined) ports.grant(decision.rule)
  return { because: answer.decision === 'chat' ? 'allowed by you for this chat' : 'allowed by you' }
}

/** A tool that throws has a bug; the turn goes on, and the model hears that it failed. */
async function runTool(
  turn: Turn,
  ports: TurnPorts,
  tool: Tool,
  input: Record<string, unknown>,
  call: ToolCall,
  signal: AbortSignal,
): Promise<ToolResult> {
  try {
    return await tool.run(input, {
      workspace: turn.workspace,
      home: turn.home,
      signal,
      output: text => ports.emit({ type: 'tool_output', callId: call.id, text }),
    })
  } catch (error) {
    ports.report(error)
    return {
      ok: false,
      reason: `${tool.name} failed unexpectedly: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

function finish(
  turn: Turn,
  ports: TurnPorts,
  call: ToolCall,
  result: ToolResult,
  durationMs: number,
  allowed: string,
) {
  const message = ports.append({
    role: 'tool',
    sessionId: turn.sessionId,
    at: ports.now(),
    callId: call.id,
    name: call.name,
    ok: result.ok,
    text: result.ok ? result.text : `Error: ${result.reason}`,
    durationMs,
    allowed,
  })
  ports.emit({ type: 'message', message })
}
