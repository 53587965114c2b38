import type { Message, NewMessage } from '../../../shared/contract/chats/messages.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { Connection } from '../connection.ts'
import { marksFrom } from './mark-tables.ts'
import { MESSAGE_COLUMNS, messageOf, rowOf, type MessageRow } from './message-rows.ts'
import { SummaryRefusal, type Compaction } from '../../../shared/contract/chats/session.ts'

/** `useless` counts consecutive passes that freed hardly any tokens. */
/** A compaction with the facts that decide about the next one: see `compactHistory`. */
type StoredCompaction = Compaction & { useless: number; modelId: string; byHand: boolean }
type NewCompaction = Omit<StoredCompaction, 'id'> & { sessionId: string }

/** SQL: whether a compaction applies to the path. An edit before its end takes that end off the path. */
export const compactionHolds = (compaction: string): string => `not exists (select 1 from messages u
  where u.id in (${compaction}.up_to_id, ${compaction}.pruned_to_id) and u.active = 0)`
/** Each summary covers those before it, so the one that reaches furthest along the path is enough. */
const NEWEST = `where c.session_id = +? and ${compactionHolds('c')} order by c.up_to_id desc, c.id desc limit 1`

/** The messages of chats. Unless noted, reads follow the path of the chat (see `branch-tables.ts`). */
export type MessageStore = {
  /** Append a message to the path, or beside the path after the message `behind`. */
  append(message: NewMessage, draft?: string, behind?: number): Message
  /** Return a page in order, ending before `before`; `more`: older messages exist. */
  page(sessionId: string, options: { before?: number; limit: number }): { messages: Message[]; more: boolean }
  /**
   * Return the messages of the model's history, in order: all, the newest `most`, those from `since` on, or
   * those before `before`. Messages that a summary replaces are left out.
   */
  history(sessionId: string, options?: { since?: number; before?: number; most?: number }): Message[]
  /** Return the first `most` messages in order that no summary replaces. */
  beginning(sessionId: string, most: number): Message[]
  /** Return the newest successful result of a tool, even if a summary replaces it. */
  latestResult(this: void, sessionId: string, tool: string): { id: number; text: string } | undefined
}

/** The summaries that replace messages for the model. */
export type CompactionStore = {
  /** Store a compaction. With a summary, the messages from its head to its end leave the history. */
  add(compaction: NewCompaction): StoredCompaction
  newest(sessionId: string): StoredCompaction | undefined
  /** Return when the newest automatic summaries were written, newest first; at most `most`. */
  recent(sessionId: string, most: number): number[]
  list(sessionId: string): Compaction[]
}

/** Read and write messages. Each append also updates the counters, title and preview of its session. */
export function createMessages({ db, durably }: Connection): MessageStore {
  const insert = db.prepare<[Omit<MessageRow, 'id'> & { behind: number | null }], { id: number }>(`
    insert into messages (session_id, parent_id, run_id, role, content, reasoning, tool_calls, tool_name, tool_call_id, ok,
      duration_ms, record, interrupted, model, raw, usage, tokens, attached, title, created_at, active)
    values (@session_id, coalesce(@behind, (select max(id) from messages where session_id = +@session_id and active = 1)), (select id from runs where session_id = +@session_id and ended_at is null), @role, @content,
      @reasoning, @tool_calls, @tool_name, @tool_call_id, @ok, @duration_ms, @record, @interrupted, @model, @raw,
      @usage, @tokens, @attached, @title, @created_at, @behind is null)
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
      archived_at = case when @turns > 0 then null else archived_at end,
      draft = coalesce(@draft, draft)
    where id = @id`)
  const page = db.prepare<[string, number, number], MessageRow>(`
    select ${MESSAGE_COLUMNS} from messages m
    where m.session_id = +? and m.id < +? and m.active = 1 order by m.id desc limit +?`)
  const history = db.prepare<[string, number, number, number], MessageRow>(`
    select ${MESSAGE_COLUMNS} from messages m
    where m.session_id = +? and m.id >= +? and m.id < +? and m.active = 1 order by m.id desc limit +?`)
  const first = db.prepare<[string, number, number], MessageRow>(`
    select ${MESSAGE_COLUMNS} from messages m
    where m.session_id = +? and m.id <= +? and m.active = 1 order by m.id limit +?`)
  const latest = db.prepare<[string, string], { id: number; text: string }>(`
    select id, content as text from messages
    where session_id = ? and active = 1 and role = 'tool' and tool_name = ? and ok = 1 order by id desc limit 1`)
  const kept = db.prepare<[string, number, number, number, number, number], MessageRow>(`
    select ${MESSAGE_COLUMNS} from messages m
    where m.session_id = ? and m.role = 'user' and m.id >= ? and m.id <= ? and m.id >= ? and m.id < ? and m.active = 1
    order by m.id desc limit +?`)
  const summarised = db.prepare<[string], Pick<Compaction, 'headId' | 'upToId' | 'questionId' | 'summary'>>(
    `select head_id as headId, up_to_id as upToId, question_id as questionId, summary from compactions c ${NEWEST}`,
  )

  function append(given: NewMessage, draft?: string, behind?: number) {
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
        preview: message.role === 'tool' || behind !== undefined ? '' : previewOf(message.text),
        draft: draft?.toWellFormed() ?? null,
      })
      if (changes === 0) throw new Fault('not_found', 'This chat no longer exists.')
      return { ...message, id: insert.get({ ...rowOf(message), behind: behind ?? null })!.id }
    })
  }

  return {
    append,
    page(sessionId, { before = Number.MAX_SAFE_INTEGER, limit }) {
      const rows = page.all(sessionId, before, limit + 1)
      return { messages: rows.slice(0, limit).toReversed().map(messageOf), more: rows.length > limit }
    },
    beginning(sessionId, most) {
      const newest = summarised.get(sessionId)
      const end = newest && newest.summary !== '' ? newest.headId : Number.MAX_SAFE_INTEGER
      return first.all(sessionId, end, most).map(messageOf)
    },
    latestResult: (sessionId, tool) => latest.get(sessionId, tool),
    history(sessionId, { since = 0, before = Number.MAX_SAFE_INTEGER, most = -1 } = {}) {
      const newest = summarised.get(sessionId)
      const { headId, upToId, questionId } =
        newest && newest.summary !== '' ? newest : { headId: 0, upToId: 0, questionId: 0 }
      const tail = history.all(sessionId, Math.max(since, upToId + 1), before, most)
      const leftBehind = (...parts: unknown[][]) => (most < 0 ? -1 : most - parts.flat().length)
      const asked =
        questionId > 0 ? kept.all(sessionId, questionId, upToId, since, before, leftBehind(tail)) : []
      const left = leftBehind(tail, asked)
      const head = headId > 0 ? history.all(sessionId, since, Math.min(before, headId + 1), left) : []
      return [...tail, ...asked, ...head].toReversed().map(messageOf)
    },
  }
}

/** Return the message as it will be read back: UTF-8 in SQLite cannot hold half a surrogate pair. */
function wellFormed<M extends NewMessage>(message: M): M {
  const entries = Object.entries(message).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? value.toWellFormed() : value,
  ])
  return Object.fromEntries(entries) as M
}

const COLUMNS = `id, at, head_id as headId, up_to_id as upToId, pruned_to_id as prunedToId, question_id as questionId,
  summary, made_by as "by", refused, focus, tokens_before as tokensBefore, tokens_after as tokensAfter, marks`

/** Convert a compaction row, leaving out an empty list of marks and an empty refusal. */
function compactionOf<R extends { marks: string; refused: string }>({ marks, refused, ...row }: R) {
  const { data: why } = SummaryRefusal.safeParse(refused)
  return { ...row, ...(why && { refused: why }), ...(marks !== '[]' && { marks: [...marksFrom(marks)] }) }
}

/** Compactions: summaries of older messages. The messages themselves are not changed. */
export function createCompactions({ db, durably }: Connection): CompactionStore {
  const insert = db.prepare<[object], { id: number }>(`
    insert into compactions (session_id, at, head_id, up_to_id, pruned_to_id, question_id, summary, made_by, refused, focus,
      tokens_before, tokens_after, useless, model_id, by_hand, marks)
    values (@sessionId, @at, @headId, @upToId, @prunedToId, @questionId, @summary, @by, @refused, @focus, @tokensBefore,
      @tokensAfter, @useless, @modelId, @byHand, @marks)
    returning id`)
  type Row = Omit<Compaction, 'marks' | 'refused'> & { marks: string; refused: string }
  const newest = db.prepare<[string], Row & { useless: number; modelId: string; byHand: number }>(
    `select ${COLUMNS}, useless, model_id as modelId, by_hand as byHand from compactions c ${NEWEST}`,
  )
  const recent = db.prepare<[string, number], { at: number }>(
    `select at from compactions where session_id = ? and made_by <> 'pruning' and by_hand = 0
    order by id desc limit +?`,
  )
  const list = db.prepare<[string], Row>(
    `select ${COLUMNS} from compactions c where session_id = ? and ${compactionHolds('c')} order by id`,
  )
  return {
    add(compaction) {
      const row = {
        ...compaction,
        byHand: Number(compaction.byHand),
        refused: compaction.refused ?? '',
        marks: JSON.stringify(compaction.marks ?? []),
      }
      const { id } = durably(() => insert.get(row)!)
      const { sessionId: _sessionId, ...kept } = compaction
      return { ...kept, id }
    },
    newest(sessionId) {
      const row = newest.get(sessionId)
      return row && { ...compactionOf(row), byHand: row.byHand === 1 }
    },
    recent: (sessionId, most) => recent.all(sessionId, most).map(({ at }) => at),
    list: sessionId => list.all(sessionId).map(compactionOf),
  }
}

const TITLE_LETTERS = 60
const PREVIEW_LETTERS = 140
/** Maximum number of code units to segment: ample for the letters shown, each of which may have several. */
const MAX_READ = 2_000

/** Make a title from a chat's first message: its first line, up to 60 letters, cut between words. */
function titleOf(text: string): string {
  const line =
    text
      .slice(0, 10 * MAX_READ)
      .split('\n')
      .map(tidy)
      .find(each => /[\p{L}\p{N}\p{S}]/u.test(each)) ?? ''
  return shorten(line.replace(/^[#>*\-\s]+(?=\S)/, ''), TITLE_LETTERS)
}

/** Return the beginning of a message on one line. */
export const previewOf = (text: string): string => shorten(tidy(text), PREVIEW_LETTERS)

/** Cut between words, or inside a word that is longer than half the limit. */
function shorten(text: string, limit: number): string {
  const ends = letterEnds(text, limit + 1)
  if (ends.length <= limit) return text
  const start = text.slice(0, ends[limit - 2])
  const space = text.slice(0, ends[limit - 1]).lastIndexOf(' ')
  const cut = space > start.length / 2 ? start.slice(0, space) : start
  return `${cut.replace(/(?<![\s,;:–-])[\s,;:–-]+$/, '')}…`
}

const LETTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Return where each of the first letters (grapheme clusters) ends. */
function letterEnds(text: string, count: number): number[] {
  // In one line of plain ASCII every character is a letter. Segmenting takes about a hundred times as long.
  const start = text.slice(0, count + 1)
  if (/^[ -~]*$/.test(start)) return Array.from({ length: Math.min(count, text.length) }, (_, at) => at + 1)
  const ends: number[] = []
  for (const { index, segment } of LETTERS.segment(text)) {
    ends.push(index + segment.length)
    if (ends.length === count) break
  }
  return ends
}

const tidy = (text: string) =>
  text
    .slice(0, MAX_READ)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
