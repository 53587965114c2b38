import type {
  AssistantMessage,
  UserMessage,
  Message,
  NewMessage,
  ToolCall,
  Usage,
} from '../../shared/contract/messages.ts'

/** A message as it lies in the table; what a role does not have is null. */
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
  allowed: string | null
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
  m.tool_call_id, m.ok, m.duration_ms, m.allowed, m.interrupted, m.model, m.raw, m.usage, m.tokens, m.attached, m.title, m.created_at`

const EMPTY = {
  reasoning: null,
  tool_calls: null,
  tool_name: null,
  tool_call_id: null,
  ok: null,
  duration_ms: null,
  allowed: null,
  interrupted: null,
  model: null,
  raw: null,
  usage: null,
  tokens: null,
  attached: null,
  title: null,
}

export function rowOf(message: NewMessage): Omit<MessageRow, 'id'> {
  const { sessionId, role, text, at } = message
  const common = { ...EMPTY, session_id: sessionId, role, content: text, created_at: at }
  switch (message.role) {
    case 'user': {
      const { skill, steered, reports } = message
      const isPlain = !skill && !steered && reports === undefined
      return { ...common, attached: isPlain ? null : JSON.stringify({ skill, steered, reports }) }
    }
    case 'assistant': {
      const { cut, edited, compared } = message
      return {
        ...common,
        attached: cut || edited || compared ? JSON.stringify({ cut, edited, compared }) : null,
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
        tool_name: message.name,
        tool_call_id: message.callId,
        ok: Number(message.ok),
        duration_ms: message.durationMs,
        allowed: message.allowed,
        title: message.title ?? null,
      }
  }
}

export function messageOf(row: MessageRow): Message {
  const common = { id: row.id, sessionId: row.session_id, at: row.created_at, text: row.content }
  switch (row.role) {
    case 'user': {
      const { skill, steered, reports } = JSON.parse(row.attached ?? '{}') as Pick<
        UserMessage,
        'skill' | 'steered' | 'reports'
      >
      return {
        ...common,
        role: 'user',
        ...(skill && { skill }),
        ...(steered && { steered }),
        ...(reports !== undefined && { reports }),
      }
    }
    case 'assistant': {
      const { cut, edited, compared } = JSON.parse(row.attached ?? '{}') as {
        cut?: true
        edited?: true
        compared?: true
      }
      const message: AssistantMessage = {
        ...common,
        role: 'assistant',
        reasoning: row.reasoning ?? '',
        calls: JSON.parse(row.tool_calls ?? '[]') as ToolCall[],
        interrupted: row.interrupted === 1,
        ...(cut && { cut }),
        ...(edited && { edited }),
        ...(compared && { compared }),
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
        allowed: row.allowed ?? '',
        ...(row.title !== null && { title: row.title }),
      }
  }
}
