import { rowOf } from '../../src/main/db/chats/message-rows.ts'
import type { Place } from './place.ts'
import type { SeededChat, SeededCompaction } from './protocol.ts'

/** Create a chat with its messages; defaults are those of a new chat in the window. */
export function seedChat({ db, workspace }: Place, { messages = [], ...chat }: SeededChat): void {
  const newest = Math.max(0, ...messages.map(message => message.at))
  const at = chat.updatedAt ?? (newest || Date.now())
  const put = db.transaction(() => {
    db.prepare(`
      insert into sessions (id, origin, origin_id, parent_session_id, title, title_given, preview, model, workspace, options, pinned, archived_at, draft,
        message_count, turn_count, created_at, updated_at)
      values (@id, @origin, @originId, @parentId, @title, @titleGiven, @preview, @modelId, @workspace, json_object('approval', @approval), @pinned, @archivedAt, @draft,
        @messageCount, @turnCount, @createdAt, @updatedAt)`).run({
      id: chat.id,
      origin: chat.origin ?? 'window',
      originId: chat.originId ?? '',
      parentId: chat.parentId ?? null,
      title: chat.title ?? '',
      titleGiven: Number(chat.title !== undefined),
      preview: chat.preview ?? '',
      modelId: chat.modelId ?? 'server:served',
      workspace: chat.workspace ?? workspace,
      approval: chat.approval ?? 'ask',
      pinned: Number(chat.pinned ?? false),
      archivedAt: chat.archived ? at : null,
      draft: chat.draft ?? '',
      messageCount: messages.length,
      turnCount: messages.filter(message => message.role === 'user').length,
      createdAt: chat.createdAt ?? at,
      updatedAt: at,
    })
    const insert = db.prepare(`
      insert into messages (id, session_id, role, content, reasoning, tool_calls, tool_name, tool_call_id, ok,
        duration_ms, record, interrupted, model, raw, usage, tokens, attached, created_at)
      values (@id, @session_id, @role, @content, @reasoning, @tool_calls, @tool_name, @tool_call_id, @ok, @duration_ms,
        @record, @interrupted, @model, @raw, @usage, @tokens, @attached, @created_at)`)
    for (const message of messages) {
      insert.run({ ...rowOf({ ...message, sessionId: chat.id }), id: message.id })
    }
  })
  put.immediate()
}

/** Store a compaction of a chat. */
export function seedCompaction({ store }: Place, { chatId, ...compaction }: SeededCompaction): void {
  store.compactions.add({ ...compaction, sessionId: chatId, useless: 0, modelId: '', byHand: false })
}
