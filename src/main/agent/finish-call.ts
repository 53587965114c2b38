import type { CallRecord } from '../../shared/contract/runs/call-record.ts'
import { accessName } from '../confinement/profile.ts'
import { boundMarks, mergeMarks } from '../untrusted/strangers-marks.ts'
import { UNEXPECTED } from '../tools/registry/call-failures.ts'
import type { ToolResult } from '../tools/registry/tool.ts'
import type { CallAt, EndedCall } from './turn-types.ts'
import { inOrder } from './steps/step-order.ts'

/** The result of a call, and its record: whether it ran, and who decided. */
export type Outcome = { at: EndedCall; result: ToolResult; durationMs: number; record: CallRecord }

/**
 * Pass a result through the steps that change it. If a step fails on it, the result is withheld, but the
 * marks of its text stay known.
 */
export async function finishResult(at: EndedCall, done: ToolResult): Promise<ToolResult> {
  let result = done
  for (const step of inOrder(at.turn.steps, 'after')) {
    try {
      result = await step.after(at, result)
    } catch (error) {
      at.ports.report(error)
      result = withholdResult(at, error, result)
    }
  }
  return result
}

/**
 * The text for the model in place of a result that a step could not process. The effects of the call and the
 * marks of its text stay known.
 */
export function withholdResult({ call }: EndedCall, error: unknown, result?: ToolResult): ToolResult {
  const why = error instanceof Error ? error.message : String(error)
  const { marks, obeyed, exitCode, files, web } = result ?? {}
  return {
    ok: false,
    reason: `${call.name}${UNEXPECTED}${why}`,
    ...(marks && { marks }),
    ...(obeyed && { obeyed }),
    ...(exitCode !== undefined && { exitCode }),
    ...(files && { files }),
    ...(web && { web }),
  }
}

/** The record of a call, after the steps and the user have decided. */
export function recordOf(at: CallAt, done: ToolResult): CallRecord {
  const record = becameOf(at, done)
  return at.begunBy === undefined ? record : { ...record, begunBy: at.begunBy }
}

function becameOf({ intent, permission, hasBegun, signal }: CallAt, done: ToolResult): CallRecord {
  if (!permission) return { decision: 'not_run' }
  if (permission.refusal) return permission.record
  // A step around the tool refused the call, or the user stopped the turn before the tool started.
  if (!hasBegun) return { decision: signal.aborted ? 'stopped' : 'not_run' }
  const { exitCode, files, web } = done
  return {
    ...permission.record,
    ...(intent.command !== undefined && { access: accessName(permission.access) }),
    ...(!done.ok && signal.aborted && { cutShort: true as const }),
    ...(exitCode !== undefined && { exitCode }),
    ...(files && { files: [...files] }),
    ...(web && { web }),
    ...(intent.mcp && { sources: [intent.mcp.source] }),
  }
}

/** Append a note on the arguments to a result. */
export const withNote = (result: ToolResult, note: string): ToolResult =>
  result.ok
    ? { ...result, text: `${result.text}\n(${note})` }
    : { ...result, reason: `${result.reason}\n(${note})` }

/** Store the result of a call, and report to the window what the call changed. */
export function storeResult({ at, result, durationMs, record }: Outcome) {
  const { turn, ports, call, intent, permission } = at
  const marks = mergeMarks(result.marks, turn.permits.strangers?.current())
  const read = permission?.read
  const message = ports.append({
    role: 'tool',
    sessionId: turn.sessionId,
    at: ports.now(),
    callId: call.id,
    name: call.name,
    ok: result.ok,
    text: result.ok ? result.text : `Error: ${result.reason}`,
    durationMs,
    record,
    ...(intent && { title: intent.title }),
    ...(marks.length > 0 && { marks: [...boundMarks(marks)] }),
    ...(result.obeyed?.length && { obeyed: [...result.obeyed] }),
    ...(result.ok && result.attachments?.length && { attachments: [...result.attachments] }),
    ...(read?.length && { read: [...read] }),
  })
  ports.emit({ type: 'message', message })
  if (!result.ok) return
  const { revisions = [], skillRevisions = [], skill } = result
  if (revisions.length > 0) ports.emit({ type: 'memory', revisions: [...revisions] })
  if (skillRevisions.length > 0) ports.emit({ type: 'skills', revisions: [...skillRevisions] })
  if (skill) ports.emit({ type: 'skill_used', ...skill })
}
