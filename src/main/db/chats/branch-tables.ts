import type { CallRecord } from '../../../shared/contract/runs/call-record.ts'
import type { Branch } from '../../../shared/contract/chats/branches.ts'
import type { AssistantMessage, Message, NewMessage } from '../../../shared/contract/chats/messages.ts'
import type { Origin } from '../../../shared/contract/chats/session.ts'
import { TEMPORARY_PREFIX } from '../../../shared/text/temporary-chats.ts'
import { ORIGIN_RULES } from '../../../shared/origin-rules.ts'
import { letOthersRun, type Clock } from '../../lib/timing.ts'
import { newId } from '../../lib/ids.ts'
import type { Connection } from '../connection.ts'
import { UNFINISHED } from './import-tables.ts'
import { MESSAGE_COLUMNS, messageOf, readRecord, type MessageRow } from './message-rows.ts'
import { previewOf, type MessageStore } from './message-tables.ts'

/** A message with its parent, and whether it is on the path of its chat. */
export type PlacedMessage = { message: Message; parentId: number | null; isOnPath: boolean }

/** A message that a move would take off the path. */
export type LeftMessage = Pick<Message, 'id' | 'role' | 'at'> & {
  /** For a tool result: the tool's name, and the outcome of the call. */
  name: string | null
  record: CallRecord | null
  steered: boolean
}

/**
 * The tree of messages of a chat. One path through it is the chat, for models and everything else. New
 * messages are appended to the end of the path, so moving that end starts a branch. Nothing is ever deleted
 * here.
 */
export type BranchStore = {
  /** Return a message of a chat; undefined if the chat has no message with this id. */
  get(sessionId: string, messageId: number): PlacedMessage | undefined
  /** Return the question of a message's turn: the nearest user message before it, or itself. */
  questionOf(sessionId: string, messageId: number): PlacedMessage | undefined
  /** End the path at a message; null: before the first one. Returns whether that moved the end. */
  endAt(sessionId: string, messageId: number | null): boolean
  /** Lead the path through a message, to where that branch was last left, else to its newest end. */
  goTo(sessionId: string, messageId: number): boolean
  /** Return where the path would end if it led through a message. */
  endThrough(sessionId: string, messageId: number): number
  /** Return the messages that leave the path if it ends at a message, and the ids that return to it. */
  wouldMove(sessionId: string, messageId: number | null): { left: LeftMessage[]; entered: number[] }
  /** Return the compared answers to the newest message that await the user's choice, oldest first. */
  compared(sessionId: string): AssistantMessage[]
  /** Add a message as a branch beside another one, with the same parent. Atomic. */
  putBeside(messageId: number, message: NewMessage, draft?: string): Message
  /** Return the messages where the chat branches, oldest first: the newest `most` and those on the path. */
  list(sessionId: string, most: number): Branch[]
  /**
   * Copy a chat up to a message into a new chat, with its log of changed files. A long chat is copied in
   * parts, so that other work can run in between. Until the last part the copy counts as deleted; the next
   * start removes a copy that a crash cut off. Returns the id of the new chat.
   */
  copyUpTo(sessionId: string, messageId: number, between?: () => Promise<unknown>): Promise<string>
}

/** How many messages to copy at a time. */
const COPIED = 50
const TEXT_LETTERS = 200

/** Maximum number of a call's arguments to read; the first descriptive one is shown. */
const MOST_ARGUMENTS = 20
// The first call of an answer without text. Arguments may be whole files, so only their start is read.
const CALLED = `case when trim(m.content) = '' and json_array_length(m.tool_calls) > 0 then json_object(
    'name', m.tool_calls ->> '$[0].name', 'count', json_array_length(m.tool_calls), 'arguments',
    json((select json_group_object(key, substr(value, 1, ${TEXT_LETTERS})) from (select key, value
      from json_each(m.tool_calls, '$[0].arguments') where type = 'text' limit ${MOST_ARGUMENTS})))) end as called`

const NODE_COLUMNS = `m.id, m.parent_id as parentId, m.role, substr(m.content, 1, ${TEXT_LETTERS * 2}) as text,
  m.created_at as at, coalesce(m.model, '') as model, m.active as isOnPath, ${CALLED}`

type NodeRow = Omit<Branch, 'isOnPath' | 'below' | 'called'> & { isOnPath: number; called: string | null }

/** Read and move the paths of chats. */
export function createBranches(
  { db, atomically, durably }: Connection,
  messages: Pick<MessageStore, 'append'>,
  clock: Clock,
): BranchStore {
  const find = db.prepare<[string, number], MessageRow & { parentId: number | null; active: number }>(`
    select ${MESSAGE_COLUMNS}, m.parent_id as parentId, m.active from messages m where m.session_id = ? and m.id = ?`)
  const end = db.prepare<[string], { id: number | null }>(
    'select max(id) as id from messages where session_id = +? and active = 1',
  )
  const move = db.prepare<[string], { moves: number }>(
    'update sessions set path_moves = path_moves + 1 where id = ? returning path_moves as moves',
  )
  const leave = db.prepare<[number, number]>('update messages set left_at = ? where id = ?')
  // The way up stops at the first message on the current path, where the branches part.
  const wayUp = db.prepare<[{ sessionId: string; to: number }], { id: number; active: number }>(`
    with recursive way (id, parent_id, active) as (
      select id, parent_id, active from messages where session_id = @sessionId and id = @to
      union all select p.id, p.parent_id, p.active from way join messages p on p.id = way.parent_id
        where way.active = 0
    ) select id, active from way`)
  const question = db.prepare<[{ sessionId: string; from: number }], { id: number }>(`
    with recursive way (id, parent_id, role, attached) as (
      select id, parent_id, role, attached from messages where session_id = @sessionId and id = @from
      union all select p.id, p.parent_id, p.role, p.attached from way join messages p on p.id = way.parent_id
    ) select id from way where role = 'user' and coalesce(attached ->> 'steered', 0) = 0 limit 1`)
  const results = db.prepare<[string, number], { id: number }>(`
    select id from messages where session_id = ? and parent_id = ? and role = 'tool' order by active desc, id desc limit 1`)
  const cut = db.prepare<[string, number]>(
    'update messages set active = 0 where session_id = ? and id > ? and active = 1',
  )
  const show = db.prepare<[string]>(
    'update messages set active = 1 where id in (select value from json_each(?)) and active = 0',
  )
  const lastLeft = db.prepare<[{ sessionId: string; from: number }], { id: number }>(`
    with recursive below (id) as (
      select @from union all
      select c.id from below join messages c on c.session_id = @sessionId and c.parent_id = below.id
    ) select m.id from below join messages m on m.id = below.id order by coalesce(m.left_at, 0) desc, m.id desc limit 1`)
  const compared = db.prepare<[{ sessionId: string; end: number | null }], { id: number }>(`
    select id from messages where session_id = +@sessionId and parent_id = +@end and role = 'assistant'
      and attached ->> 'compared' = 1 order by id`)
  const leaving = db.prepare<
    [string, number],
    Omit<LeftMessage, 'record' | 'steered'> & { record: string | null; steered: number }
  >(`
    select id, role, created_at as at, tool_name as name, record, coalesce(attached ->> 'steered', 0) as steered
    from messages where session_id = ? and id > ? and active = 1 order by id`)
  const preview = db.prepare<[string, string]>('update sessions set preview = ? where id = ?')
  const lastSaid = db.prepare<[string], { content: string }>(
    `select content from messages where session_id = ? and active = 1 and role <> 'tool' order by id desc limit 1`,
  )
  const nodes = db.prepare<[{ sessionId: string; end: number | null; most: number }], NodeRow>(`
    with heads (parent_id) as (
      select parent_id from messages where session_id = @sessionId group by parent_id having count(*) > 1
      union select @end
    ), found as (
      -- In this order the index of parents is used; "is" would read every message for each head.
      select ${NODE_COLUMNS} from heads h cross join messages m on m.session_id = @sessionId and m.parent_id = h.parent_id
      union all
      select ${NODE_COLUMNS} from messages m where m.session_id = @sessionId and m.parent_id is null
        and exists (select 1 from heads where parent_id is null)
    )
    select * from (select * from found order by isOnPath desc, id desc limit @most) order by id`)
  const tree = db.prepare<[string], { id: number; parentId: number | null }>(
    'select id, parent_id as parentId from messages where session_id = ? order by id',
  )
  const open = db.prepare(`
    insert into sessions (id, origin, parent_session_id, title, title_given, model, workspace, options, project_id,
      temporary, created_at, updated_at, deleted_at)
    select @id, '${UNFINISHED}', id, title, title_given, model, workspace, options, project_id,
      temporary, @now, @now, @now from sessions where id = @from`)
  const copy = db.prepare(`
    insert into messages (session_id, role, content, reasoning, tool_calls, tool_name, tool_call_id, ok, duration_ms,
      record, interrupted, model, raw, usage, tokens, attached, title, created_at)
    select @to, role, content, reasoning, tool_calls, tool_name, tool_call_id, ok, duration_ms, record, interrupted,
      model, raw, usage, tokens, attached, title, created_at
    from messages where id in (select value from json_each(@ids)) order by id`)
  const chain = db.prepare<[{ to: string }]>(`
    update messages set parent_id = (select max(p.id) from messages p
      where p.session_id = @to and p.id < messages.id) where session_id = @to and parent_id is null`)
  const copyChanges = db.prepare(`
    with old as (select value as id, key as place from json_each(@ids)),
      new as (select id, row_number() over (order by id) - 1 as place from messages where session_id = @to)
    insert into file_changes (session_id, message_id, call_id, folder, path, before_hash, after_hash, copy, bytes, at)
    select @to, new.id, f.call_id, f.folder, f.path, f.before_hash, f.after_hash, f.copy, f.bytes, f.at
    from file_changes f join old on old.id = f.message_id join new on new.place = old.place
    where f.session_id = @from order by f.id`)
  const finish = db.prepare(`
    update sessions set deleted_at = null, origin = @origin,
      message_count = (select count(*) from messages where session_id = @id),
      turn_count = (select count(*) from messages where session_id = @id and role = 'user'),
      tool_call_count = (select count(*) from messages where session_id = @id and role = 'tool')
    where id = @id`)
  const originOf = db.prepare<[string], { origin: Origin; temporary: number }>(
    'select origin, temporary from sessions where id = ?',
  )
  const copyPrompts = db.prepare(`
    insert into prompts (session_id, key, system, tool_names)
    select @id, key, system, tool_names from prompts where session_id = @from`)

  const copyEnded = db.prepare(
    'insert into ended_marks (session_id, mark, at) select @id, mark, at from ended_marks where session_id = @from',
  )

  /** A copy is the user's own chat, even if nobody was present to answer in the original. */
  function originOfCopy(from: string): Origin {
    const origin = originOf.get(from)?.origin ?? 'window'
    return ORIGIN_RULES[origin].asks === 'person' ? origin : 'window'
  }

  const endOf = (sessionId: string) => end.get(sessionId)?.id ?? null

  function endAt(sessionId: string, to: number | null): boolean {
    return durably(() => {
      const from = endOf(sessionId)
      if (from === to) return false
      const way = to === null ? [] : wayUp.all({ sessionId, to })
      const { moves } = move.get(sessionId)!
      if (from !== null) leave.run(moves, from)
      cut.run(sessionId, way.find(({ active }) => active === 1)?.id ?? 0)
      show.run(JSON.stringify(way.map(({ id }) => id)))
      preview.run(previewOf(lastSaid.get(sessionId)?.content ?? ''), sessionId)
      return true
    })
  }

  const get = (sessionId: string, id: number): PlacedMessage | undefined => {
    const row = find.get(sessionId, id)
    return row && { message: messageOf(row), parentId: row.parentId, isOnPath: row.active === 1 }
  }

  const endThrough = (sessionId: string, id: number) => lastLeft.get({ sessionId, from: id })?.id ?? id

  /** Return the ids from the first message to a given one, in order, with the results of its calls. */
  function wayTo(sessionId: string, to: number): number[] {
    const parents = new Map(tree.all(sessionId).map(({ id, parentId }) => [id, parentId]))
    const ids: number[] = []
    for (let id: number | null | undefined = to; id != null; id = parents.get(id)) ids.push(id)
    ids.reverse()
    // A call without its result would make the history invalid.
    for (let next = results.get(sessionId, to); next; next = results.get(sessionId, next.id))
      ids.push(next.id)
    return ids
  }

  return {
    get,
    endAt,
    questionOf(sessionId, from) {
      const found = question.get({ sessionId, from })
      return found && get(sessionId, found.id)
    },
    goTo(sessionId, id) {
      const placed = get(sessionId, id)
      if (!placed || placed.isOnPath) return false
      return endAt(sessionId, endThrough(sessionId, id))
    },
    endThrough,
    compared(sessionId) {
      const found = compared.all({ sessionId, end: endOf(sessionId) })
      const last = found.map(({ id }) => get(sessionId, endThrough(sessionId, id))?.message)
      return last.flatMap(message => (message?.role === 'assistant' ? [message] : []))
    },
    wouldMove(sessionId, to) {
      const way = to === null ? [] : wayUp.all({ sessionId, to })
      const fork = way.find(({ active }) => active === 1)?.id ?? 0
      return {
        left: leaving.all(sessionId, fork).map(row => ({
          ...row,
          record: row.role === 'tool' ? readRecord(row.record) : null,
          steered: row.steered === 1,
        })),
        entered: way.filter(({ active }) => active === 0).map(({ id }) => id),
      }
    },
    putBeside: (id, message, draft) =>
      durably(() => {
        endAt(message.sessionId, get(message.sessionId, id)?.parentId ?? null)
        return messages.append(message, draft)
      }),
    list(sessionId, most) {
      const found = nodes.all({ sessionId, end: endOf(sessionId), most })
      if (found.length === 0) return []
      const isNode = new Set(found.map(({ id }) => id))
      /** The nearest message with branches on the way to each message, which may be the message itself. */
      const nearest = new Map<number, number>()
      for (const { id, parentId } of tree.all(sessionId)) {
        const near = isNode.has(id) ? id : nearest.get(parentId ?? 0)
        if (near !== undefined) nearest.set(id, near)
      }
      return found.map(({ isOnPath, called, ...row }) => ({
        ...row,
        ...(called !== null && { called: JSON.parse(called) as Branch['called'] }),
        text: previewOf(row.text),
        isOnPath: isOnPath === 1,
        below: nearest.get(row.parentId ?? 0) ?? null,
      }))
    },
    async copyUpTo(from, messageId, between = letOthersRun) {
      const ids = wayTo(from, messageId)
      const id = newId(originOf.get(from)?.temporary === 1 ? TEMPORARY_PREFIX : 'chat', clock)
      atomically(() => open.run({ id, from, now: clock() }))
      for (let at = 0; at < ids.length; at += COPIED) {
        await between()
        atomically(() => {
          copy.run({ to: id, ids: JSON.stringify(ids.slice(at, at + COPIED)) })
          chain.run({ to: id })
        })
      }
      durably(() => {
        copyPrompts.run({ id, from })
        copyEnded.run({ id, from })
        copyChanges.run({ to: id, from, ids: JSON.stringify(ids) })
        finish.run({ id, from, origin: originOfCopy(from) })
        preview.run(previewOf(lastSaid.get(id)?.content ?? ''), id)
      })
      return id
    },
  }
}
