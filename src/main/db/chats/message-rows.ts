import { CallRecord } from '../../../shared/contract/runs/call-record.ts'
import { parseJson } from '../../lib/expected-errors.ts'
import type {
  AssistantMessage,
  UserMessage,
  Message,
  NewMessage,
  ToolCall,
  ToolMessage,
  Usage,
} from '../../../shared/contract/chats/messages.ts'

/** A message as stored in the table; columns that its role does not use are null. */
export type MessageRow = {
  id: number
  session_id: string
  role: Message['role']
  content: string
  reasoning: string | null
  tool_calls: string | null
  tool_name: string | null
  tool_call_id: string | null
  ok: number | null
  duration_ms: number | null
  record: string | null
  interrupted: number | null
  model: string | null
  raw: string | null
  usage: string | null
  tokens: number | null
  attached: string | null
  title: string | null
  created_at: number
}

/** The columns of a `MessageRow`, for a select. */
export const MESSAGE_COLUMNS = `m.id, m.session_id, m.role, m.content, m.reasoning, m.tool_calls, m.tool_name,
  m.tool_call_id, m.ok, m.duration_ms, m.record, m.interrupted, m.model, m.raw, m.usage, m.tokens, m.attached, m.title, m.created_at`

const EMPTY = {
  reasoning: null,
  tool_calls: null,
  tool_name: null,
  tool_call_id: null,
  ok: null,
  duration_ms: null,
  record: null,
  interrupted: null,
  model: null,
  raw: null,
  usage: null,
  tokens: null,
  attached: null,
  title: null,
}

/** Return the fields without a column of their own as JSON; null if there are none. */
function attachedOf(values: Record<string, unknown>): string | null {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== false)
  return given.length === 0 ? null : JSON.stringify(Object.fromEntries(given))
}

export function rowOf(message: NewMessage): Omit<MessageRow, 'id'> {
  const { sessionId, role, text, at, marks } = message
  const common = { ...EMPTY, session_id: sessionId, role, content: text, created_at: at }
  switch (message.role) {
    case 'user': {
      const { skill, attachments, documents, steered, reports, picked } = message
      const attached = attachedOf({ skill, attachments, documents, steered, reports, picked, marks })
      return { ...common, attached }
    }
    case 'assistant': {
      const { cut, edited, compared, void: isVoid, byTalaria, cites, offer, advice } = message
      return {
        ...common,
        attached: attachedOf({
          cut,
          edited,
          compared,
          void: isVoid,
          byTalaria,
          cites,
          offer,
          advice,
          marks,
        }),
        reasoning: message.reasoning,
        tool_calls: JSON.stringify(message.calls),
        interrupted: Number(message.interrupted),
        model: message.model,
        raw: message.raw ?? null,
        usage: message.usage ? JSON.stringify(message.usage) : null,
        tokens: message.usage?.outputTokens ?? null,
      }
    }
    case 'tool':
      return {
        ...common,
        attached: attachedOf({
          obeyed: message.obeyed,
          attachments: message.attachments,
          read: message.read,
          marks,
        }),
        tool_name: message.name,
        tool_call_id: message.callId,
        ok: Number(message.ok),
        duration_ms: message.durationMs,
        record: JSON.stringify(message.record),
        title: message.title ?? null,
      }
  }
}

/** Read the stored outcome of a call; an unreadable one counts as run. */
export const readRecord = (kept: string | null): CallRecord =>
  CallRecord.safeParse(parseJson(kept ?? '')).data ?? { decision: 'ran' }

/** The fields that a row's `attached` may hold. */
type Attached = Partial<
  Pick<UserMessage, 'skill' | 'attachments' | 'documents' | 'steered' | 'reports' | 'picked' | 'marks'> &
    Pick<
      AssistantMessage,
      'cut' | 'edited' | 'compared' | 'void' | 'byTalaria' | 'cites' | 'offer' | 'advice'
    > &
    Pick<ToolMessage, 'obeyed' | 'read' | 'attachments'>
>

export function messageOf(row: MessageRow): Message {
  const { marks, ...attached } = JSON.parse(row.attached ?? '{}') as Attached
  const common = {
    id: row.id,
    sessionId: row.session_id,
    at: row.created_at,
    text: row.content,
    ...(marks && { marks }),
  }
  switch (row.role) {
    case 'user':
      return { ...common, role: 'user', ...attached }
    case 'assistant': {
      const message: AssistantMessage = {
        ...common,
        role: 'assistant',
        reasoning: row.reasoning ?? '',
        calls: JSON.parse(row.tool_calls ?? '[]') as ToolCall[],
        interrupted: row.interrupted === 1,
        ...attached,
        model: row.model ?? '',
      }
      if (row.raw !== null) message.raw = row.raw
      if (row.usage !== null) message.usage = JSON.parse(row.usage) as Usage
      return message
    }
    case 'tool':
      return {
        ...common,
        role: 'tool',
        callId: row.tool_call_id ?? '',
        name: row.tool_name ?? '',
        ok: row.ok === 1,
        durationMs: row.duration_ms ?? 0,
        record: readRecord(row.record),
        ...(row.title !== null && { title: row.title }),
        ...attached,
      }
  }
}
