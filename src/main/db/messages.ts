import type { NewMessage } from '../../shared/contract/messages.ts'
import { Fault } from '../../shared/rpc.ts'
import type { Connection } from './connection.ts'
import { MESSAGE_COLUMNS, messageOf, rowOf, type MessageRow } from './message-rows.ts'
import { previewOf, titleOf } from './shorten.ts'
import type { Store } from './types.ts'

/** Read and write messages; each append also moves the counters, title and preview of its session. */
export function createMessages({ db, durably }: Connection): Store['messages'] {
  const insert = db.prepare<[Omit<MessageRow, 'id'>], { id: number }>(`
    insert into messages (session_id, run_id, role, content, reasoning, tool_calls, tool_name, tool_call_id, ok,
      duration_ms, allowed, interrupted, model, raw, usage, tokens, attached, created_at)
    values (@session_id, (select id from runs where session_id = @session_id and ended_at is null), @role, @content,
      @reasoning, @tool_calls, @tool_name, @tool_call_id, @ok, @duration_ms, @allowed, @interrupted, @model, @raw,
      @usage, @tokens, @attached, @created_at)
    returning id`)
  const count = db.prepare<[Record<string, string | number | null>]>(`
    update sessions set
      message_count = message_count + 1,
      turn_count = turn_count + @turns,
      tool_call_count = tool_call_count + @calls,
      tokens_in = tokens_in + @tokensIn,
      tokens_out = tokens_out + @tokensOut,
      tokens_cached = tokens_cached + @tokensCached,
      title = case when title = '' and title_given = 0 then @title else title end,
      preview = case when @preview = '' then preview else @preview end,
      updated_at = max(updated_at, @at),
      draft = coalesce(@draft, draft)
    where id = @id`)
  const page = db.prepare<[string, number, number], MessageRow>(`
    select ${MESSAGE_COLUMNS} from messages m
    where m.session_id = ? and m.id < ? and m.active = 1 order by m.id desc limit ?`)
  const history = db.prepare<[string, number, number], MessageRow>(`
    select ${MESSAGE_COLUMNS} from messages m
    where m.session_id = ? and m.id >= ? and m.active = 1 and m.compacted = 0 order by m.id desc limit ?`)

  function append(given: NewMessage, draft?: string) {
    const message = wellFormed(given)
    return durably(() => {
      const usage = message.role === 'assistant' ? message.usage : undefined
      const { changes } = count.run({
        id: message.sessionId,
        at: message.at,
        turns: message.role === 'user' ? 1 : 0,
        calls: message.role === 'assistant' ? message.calls.length : 0,
        tokensIn: usage?.promptTokens ?? 0,
        tokensOut: usage?.outputTokens ?? 0,
        tokensCached: usage?.reusedTokens ?? 0,
        title: message.role === 'user' ? titleOf(message.text) : '',
        preview: message.role === 'tool' ? '' : previewOf(message.text),
        draft: draft?.toWellFormed() ?? null,
      })
      if (changes === 0) throw new Fault('not_found', 'This chat does not exist any more.')
      return { ...message, id: insert.get(rowOf(message))!.id }
    })
  }

  return {
    append,
    page(sessionId, { before = Number.MAX_SAFE_INTEGER, limit }) {
      const rows = page.all(sessionId, before, limit + 1)
      return { messages: rows.slice(0, limit).toReversed().map(messageOf), more: rows.length > limit }
    },
    history: (sessionId, { since = 0, most = -1 } = {}) =>
      history.all(sessionId, since, most).toReversed().map(messageOf),
  }
}

/** The message as it will come back: SQLite keeps UTF-8, which has no place for half of a surrogate pair. */
function wellFormed<M extends NewMessage>(message: M): M {
  const entries = Object.entries(message).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? value.toWellFormed() : value,
  ])
  return Object.fromEntries(entries) as M
}
