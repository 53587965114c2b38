import type { ToolCall, ToolMessage } from '../../../shared/contract/messages.ts'
import type { Approval } from '../../../shared/contract/run.ts'
import type { CallInfo, Turn } from './chat-state.ts'

/** The status of a call. Only `failed` is a failure; `denied` and `stopped` are the user's choice. */
export type CallPhase = 'queued' | 'waiting' | 'running' | 'done' | 'failed' | 'denied' | 'stopped'

/** A call with its status and result. */
export type Card = {
  key: string
  /** The id of the reply that made the call. */
  messageId: number
  call: ToolCall
  info: CallInfo | undefined
  approval: Approval | undefined
  result: ToolMessage | undefined
  phase: CallPhase
}

/** Combine a call with its data from the run and from the stored messages. */
export function cardOf(
  messageId: number,
  call: ToolCall,
  turn: Turn | undefined,
  result: ToolMessage | undefined,
): Card {
  const info = turn?.calls[call.id]
  const approval = turn?.waiting.find(each => each.callId === call.id)
  const key = `${messageId}:${call.id}`
  return { key, messageId, call, info, approval, result, phase: phaseOf(turn, info, approval, result) }
}

function phaseOf(
  turn: Turn | undefined,
  info: CallInfo | undefined,
  approval: Approval | undefined,
  result: ToolMessage | undefined,
): CallPhase {
  if (result?.ok) return 'done'
  if (result) {
    // A stop also resolves the open approval, so check it first.
    if (/(^|, then )stopped$/u.test(result.allowed)) return 'stopped'
    return info?.decision === 'deny' || result.allowed.startsWith('denied') ? 'denied' : 'failed'
  }
  if (!turn || turn.ended !== null) return 'stopped'
  if (approval) return 'waiting'
  return info ? 'running' : 'queued'
}
