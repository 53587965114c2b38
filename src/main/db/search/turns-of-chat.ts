import type { ChatTurn, Recap } from '../../../shared/contract/chats/finding.ts'
import { parseJson } from '../../lib/expected-errors.ts'
import type { Connection } from '../connection.ts'
import { previewOf } from '../chats/message-tables.ts'

/** A message as read by a search within its chat. */
type SearchedMessage = { id: number; role: string; text: string }

/** Data for navigating a long chat along its path: its turns, its texts, and news since the last visit. */
export type ChatTurns = {
  /** Return the newest `most` questions of the user in order, with their first words, read in steps. */
  turnSteps(sessionId: string, most: number): Generator<void, ChatTurn[], void>
  /** Return messages after `after` in order, to search in. Tool results only with `tools`. */
  texts(sessionId: string, options: { after: number; limit: number; tools: boolean }): SearchedMessage[]
  /** Record that the user has seen the chat up to a message. */
  see(sessionId: string, messageId: number, now: number): void
  /** Return where the user left the chat; undefined if it is gone. */
  recap(sessionId: string): Recap | undefined
}

/** How many characters to read of a text whose start is shown. */
const READ = 400
const MOST_FILES = 20
/** How many questions to read in one step. */
const STEP = 200

/** Read a chat for navigation. */
export function createChatTurns({ db, durably }: Connection): ChatTurns {
  const turns = db.prepare<[string, number, number], ChatTurn>(`
    select id as messageId, created_at as at, substr(content, 1, ${READ}) as text from messages
    where session_id = ? and id < ? and active = 1 and role = 'user' and coalesce(attached ->> 'steered', 0) = 0
    order by id desc limit ?`)
  const texts = db.prepare<[string, number, number, number], SearchedMessage>(`
    select id, role, content as text from messages
    where session_id = ? and active = 1 and id > ? and (role <> 'tool' or ?) order by id limit ?`)
  const see = db.prepare<[number, number, string]>(
    'update sessions set seen_at = ?, seen_id = max(coalesce(seen_id, 0), ?) where id = ? and deleted_at is null',
  )
  const seen = db.prepare<[string], { seenAt: number | null; seenId: number | null }>(
    'select seen_at as seenAt, seen_id as seenId from sessions where id = ? and deleted_at is null',
  )
  const answer = db.prepare<[string, number], { messageId: number; text: string }>(`
    select id as messageId, substr(content, 1, ${READ}) as text from messages
    where session_id = ? and active = 1 and role = 'assistant' and content <> '' and id > ? order by id desc limit 1`)
  const unread = db.prepare<[string, number], { id: number | null }>(`
    select min(id) as id from messages
    where session_id = ? and active = 1 and role = 'assistant' and content <> '' and id > ?`)
  // Without its second bound, the results of the whole chat would be read.
  const changes = db.prepare<[string, number, number], { call: string }>(`
    select c.value as call from messages m join messages r on r.session_id = m.session_id and r.active = 1
        and r.role = 'tool' and r.ok = 1 and r.tool_name in ('write_file', 'patch_file') and r.id > m.id,
      json_each(m.tool_calls) c
    where m.session_id = ? and m.active = 1 and m.role = 'assistant' and m.id >= ? and r.id > ?
      and c.value ->> 'id' = r.tool_call_id order by r.id`)

  return {
    *turnSteps(sessionId, most) {
      const newest: ChatTurn[] = []
      while (newest.length < most) {
        const before = newest.at(-1)?.messageId ?? Number.MAX_SAFE_INTEGER
        const step = turns.all(sessionId, before, Math.min(STEP, most - newest.length))
        newest.push(...step.map(turn => ({ ...turn, text: previewOf(turn.text) })))
        if (step.length < STEP) break
        yield
      }
      return newest.toReversed()
    },
    texts: (sessionId, { after, limit, tools }) => texts.all(sessionId, after, Number(tools), limit),
    see(sessionId, messageId, now) {
      durably(() => see.run(now, messageId, sessionId))
    },
    recap(sessionId) {
      const row = seen.get(sessionId)
      if (!row) return undefined
      const asked = turns.get(sessionId, Number.MAX_SAFE_INTEGER, 1)
      const from = asked?.messageId ?? 0
      const last = answer.get(sessionId, from)
      const files = changes.all(sessionId, from, from).flatMap(({ call }) => {
        const { arguments: given } = (parseJson(call) ?? {}) as { arguments?: { path?: unknown } }
        return typeof given?.path === 'string' ? [given.path] : []
      })
      return {
        seenAt: row.seenAt,
        question: asked ? { ...asked, text: previewOf(asked.text) } : null,
        answer: last ? { ...last, text: previewOf(last.text) } : null,
        files: [...new Set(files)].slice(0, MOST_FILES),
        unreadId: row.seenId === null ? null : (unread.get(sessionId, row.seenId)?.id ?? null),
      }
    },
  }
}
