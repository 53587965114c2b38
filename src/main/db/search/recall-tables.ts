import type { Origin } from '../../../shared/contract/chats/session.ts'
import { withoutCodes } from '../../lib/words/index-words.ts'
import type { Connection } from '../connection.ts'
import { compactionHolds } from '../chats/message-tables.ts'
import { createPassageIndex } from './passage-index.ts'

/** A filter of messages. `from` is inclusive, `to` exclusive. */
export type RecallFilter = {
  from?: number | undefined
  to?: number | undefined
  role?: string | undefined
  origin?: string | undefined
  /** Origins whose chats are not searched. */
  without?: readonly Origin[] | undefined
  /** A chat in which only messages match that its model no longer reads. */
  except?: string | undefined
}

/** `compacted`: its chat's model no longer reads it. `elsewhere`: it is on a branch that was left. */
export type RecalledMessage = {
  id: number
  sessionId: string
  role: string
  text: string
  at: number
  compacted: boolean
  elsewhere: boolean
}

/** A part of a chat that is one document of the index. */
export type RecalledPassage = { sessionId: string; firstId: number; lastId: number; score: number }

/** Ids from the first to the last, both inclusive. */
export type IdRange = { first: number; last: number }

/** The word indexes of the chat search. Queries are FTS5 expressions; an invalid one throws. */
export type RecallStore = {
  /**
   * Index up to `most` changed passages, newest first, fewer if they are long. Returns their number; 0 means
   * that all are indexed.
   */
  refresh(most: number): number
  /** Return the id range of messages or passages; undefined if there are none. */
  range(of: 'messages' | 'passages'): IdRange | undefined
  /** Return the id range of the messages of chats with a message in the time range of `filter`. */
  rangeOf(filter: RecallFilter): IdRange | undefined
  /** Return the number of messages or passages that match an expression. */
  frequency(match: string, of: 'messages' | 'passages'): number
  /** Return the ids of the best matching messages of chats that are not deleted. */
  messages(
    match: string,
    options: { within: IdRange; limit: number; filter?: RecallFilter | undefined },
  ): number[]
  /** Return the best matching passages of chats that are not deleted, with a score; higher is better. */
  passages(
    match: string,
    options: { within: IdRange; limit: number; without?: readonly Origin[] | undefined },
  ): RecalledPassage[]
  /** Return the ids of the messages in matching passages, unordered. */
  inPassages(passages: readonly RecalledPassage[], match: string, filter?: RecallFilter): number[]
  /** Return the ids of messages in these passages that contain one of the texts, which no index can find. */
  holding(passages: readonly RecalledPassage[], texts: readonly string[], filter?: RecallFilter): number[]
  /** Return the ids of the newest messages that contain a text literally; reads only recent messages. */
  literal(text: string, limit: number, filter?: RecallFilter): number[]
  /**
   * Return the ids of the newest messages that contain one of the texts, even inside a word. The texts must
   * be letters only; case is ignored for English letters. Reads tool results only if the filter asks for
   * them.
   */
  inside(texts: readonly string[], filter?: RecallFilter): number[]
  /** Return messages with up to `reach` before and after each, by chat and in order; long texts are cut. */
  windows(ids: readonly number[], reach: number): RecalledMessage[]
  /** Return a message with up to `reach` before and after it in its chat, in order; empty if it is gone. */
  around(id: number, reach: number): RecalledMessage[]
  /** Return the first and the last `count` messages of a chat; they overlap in short chats. */
  ends(sessionId: string, count: number): RecalledMessage[]
  /** Return messages of a chat in order, after `offset`, with the total. `compacted`: only those. */
  page(
    sessionId: string,
    options: { offset: number; limit: number; compacted?: boolean },
  ): { messages: RecalledMessage[]; total: number }
  /** Return the chats with exactly this title, ignoring case, newest first. */
  titled(title: string, without?: readonly Origin[]): string[]
  /** Return those chats that have one of the origins and in which no user has written since. */
  unattended(sessionIds: readonly string[], origins: readonly Origin[]): Set<string>
  /** Return the root of each chat, following parents. An origin in `apart` makes a chat its own root. */
  roots(sessionIds: readonly string[], apart?: readonly Origin[]): Map<string, string>
}

/** How many characters of a message to rank. Longer ones are files and logs; their start is enough. */
const WEIGHED = 8_000
/** Factor for ranking more passages if chats that are not searched hold most of the best ones. */
const CROWDED = 20
/** How many of the newest messages to read for text that no index can find. */
const SCANNED = 20_000

/** Limits for searching inside words: messages to read, messages between checks for a stop, matches, time. */
const INSIDE = { messages: 200_000, slice: 5_000, found: 100, ms: 1_500 }

type Filter = { from: number; to: number; role: string; origin: string; without: string; except: string }
type Found = { id: number }
type Row = Omit<RecalledMessage, 'compacted' | 'elsewhere'> & { compacted: number; elsewhere: number }

const LIVE = 'join sessions s on s.id = x.session_id and s.deleted_at is null and s.temporary = 0'
/** SQL: whether a summary replaced a message. The column `compacted` is from older versions, and not read. */
const compacted = (
  message: string,
) => `exists (select 1 from compactions c where c.session_id = ${message}.session_id
  and c.summary <> '' and c.head_id < ${message}.id and c.up_to_id >= ${message}.id and ${compactionHolds('c')}
  and not (c.question_id > 0 and ${message}.role = 'user' and ${message}.id >= c.question_id))`
const WITHOUT = 's.origin not in (select value from json_each(@without))'
const READABLE = `(x.session_id <> @except or x.active = 0 or ${compacted('x')})`
const FITS = `${READABLE} and x.created_at >= @from and x.created_at < @to
  and (@role = '' or x.role = @role) and (@origin = '' or s.origin = @origin) and ${WITHOUT}`
// better-sqlite3 binds numbers as real, and FTS5 silently ignores a row id that is not an integer.
const WITHIN = 'between cast(@first as integer) and cast(@last as integer)'
const PASSAGES = `json_each(@passages) p join messages x on x.session_id = p.value ->> 'sessionId'
  and x.id between p.value ->> 'firstId' and p.value ->> 'lastId' ${LIVE}`
const COLUMNS = `m.id, m.session_id as sessionId, m.role, m.created_at as at, ${compacted('m')} as compacted,
  m.active = 0 as elsewhere`
// SQLite finds one end of an index immediately, but not both in one query.
const rangeIn = (table: string) =>
  `select (select min(id) from ${table}) as first, (select max(id) from ${table}) as last`

/** The two word indexes; `chats/search/recall.ts` builds the queries and weighs the results. */
export function createRecallIndex(connection: Connection): RecallStore {
  const { db } = connection
  const frequency = {
    messages: db.prepare<[string], { n: number }>(
      'select count(*) as n from messages_search where messages_search match ?',
    ),
    passages: db.prepare<[string], { n: number }>(
      'select count(*) as n from passages_search where passages_search match ?',
    ),
  }
  const range = {
    messages: db.prepare<[], Nullable<IdRange>>(rangeIn('messages')),
    passages: db.prepare<[], Nullable<IdRange>>(rangeIn('passages')),
  }
  const rangeOf = db.prepare<[Filter], Nullable<IdRange>>(`
    select min((select min(id) from messages where session_id = s.id)) as first,
      max((select max(id) from messages where session_id = s.id)) as last
    from sessions s where s.created_at < @to and s.updated_at >= @from and s.deleted_at is null
      and (@origin = '' or s.origin = @origin)`)
  type Look = IdRange & { match: string; limit: number }
  // Rank first, then join: joining to every match would cost most.
  const ranked = db.prepare<[Look & Pick<Filter, 'except' | 'without'>], Found>(`
    select f.id from (select rowid as id, rank from messages_search
      where messages_search match @match and rowid ${WITHIN} order by rank limit @limit) f
    join messages x on x.id = f.id ${LIVE} where ${READABLE} and ${WITHOUT} order by f.rank`)
  const filtered = db.prepare<[Look & Filter], Found>(`
    select f.rowid as id from messages_search f join messages x on x.id = f.rowid ${LIVE}
    where messages_search match @match and f.rowid ${WITHIN} and ${FITS} order by f.rank limit @limit`)
  const passages = db.prepare<[Look & Pick<Filter, 'without'>], RecalledPassage>(`
    select x.session_id as sessionId, x.first_id as firstId, x.last_id as lastId, -f.rank as score
    from (select rowid as id, rank from passages_search
      where passages_search match @match and rowid ${WITHIN} order by rank limit @limit) f
    join passages x on x.id = f.id ${LIVE} where ${WITHOUT} order by f.rank`)
  const inPassages = db.prepare<[Filter & { passages: string; match: string }], Found>(`
    select f.rowid as id from json_each(@passages) p
    cross join messages_search f on f.rowid between p.value ->> 'firstId' and p.value ->> 'lastId'
    cross join messages x on x.id = f.rowid and x.session_id = p.value ->> 'sessionId' ${LIVE}
    where messages_search match @match and ${FITS}`)
  const holding = db.prepare<[Filter & { passages: string; texts: string }], Found>(`
    select x.id from ${PASSAGES}
    where ${FITS} and exists (select 1 from json_each(@texts) t where instr(x.content, t.value) > 0)`)
  const literal = db.prepare<[Filter & { text: string; limit: number }], Found>(`
    select x.id from messages x ${LIVE}
    where x.id > (select max(id) from messages) - ${SCANNED} and instr(x.content, @text) > 0 and ${FITS}
    order by x.id desc limit @limit`)
  // One statement per number of texts: LIKE reads a message in place, and ignores case for English letters.
  type Inside = Filter & IdRange & { limit: number }
  const insides = new Map<number, (given: Inside, texts: readonly string[]) => Found[]>()
  function insideOf(count: number) {
    const known = insides.get(count)
    if (known) return known
    const likes = Array.from({ length: count }, (_, at) => `x.content like @text${at}`).join(' or ')
    const statement = db.prepare<[Inside & Record<string, unknown>], Found>(`
      select x.id from messages x ${LIVE}
      where x.id ${WITHIN} and (x.role <> 'tool' or @role = 'tool') and (${likes}) and ${FITS}
      order by x.id desc limit @limit`)
    const ask = (given: Inside, texts: readonly string[]) =>
      statement.all({ ...given, ...Object.fromEntries(texts.map((text, at) => [`text${at}`, `%${text}%`])) })
    insides.set(count, ask)
    return ask
  }
  const windows = db.prepare<{ ids: string; along: string; reach: number }, Row>(`
    with around (session_id, first, last) as (
      select m.session_id,
        coalesce((select id from messages b where b.session_id = m.session_id and b.id < m.id and b.active = 1
          order by id desc limit 1 offset @reach - 1), 0),
        coalesce((select id from messages a where a.session_id = m.session_id and a.id > m.id and a.active = 1
          order by id limit 1 offset @reach - 1), ${Number.MAX_SAFE_INTEGER})
      from json_each(@ids) i join messages m on m.id = i.value and m.active = 1
    ), near (id) as (
      select m.id from around a join messages m
        on m.session_id = a.session_id and m.id between a.first and a.last and m.active = 1
      union select value from json_each(@ids) union select value from json_each(@along)
    )
    select ${COLUMNS}, substr(m.content, 1, ${WEIGHED}) as text from near n join messages m on m.id = n.id
    order by m.session_id, m.id`)
  // On a branch that was left, neighbours are found by parents; of several continuations, the newest.
  const along = db.prepare<{ ids: string; reach: number }, Found>(`
    with recursive up (id, parent_id, session_id, steps) as (
      select m.id, m.parent_id, m.session_id, 0 from json_each(@ids) i join messages m on m.id = i.value
        where m.active = 0
      union all select p.id, p.parent_id, p.session_id, steps + 1
        from up join messages p on p.id = up.parent_id where steps < @reach
    ), down (id, session_id, steps) as (
      select id, session_id, 0 from up where steps = 0
      union all select (select max(c.id) from messages c where c.session_id = down.session_id and c.parent_id = down.id),
        session_id, steps + 1 from down where steps < @reach and id is not null
    ) select id from up union select id from down where id is not null`)
  const alongOf = (ids: readonly number[], reach: number) =>
    JSON.stringify(along.all({ ids: JSON.stringify(ids), reach }).map(idOf))
  const single = db.prepare<{ ids: string }, Row>(`
    select ${COLUMNS}, substr(m.content, 1, ${WEIGHED}) as text from json_each(@ids) i join messages m on m.id = i.value
    order by m.session_id, m.id`)
  const whole = db.prepare<[string], Row>(`
    select ${COLUMNS}, m.content as text from json_each(?) i join messages m on m.id = cast(i.value as integer)
    order by m.id`)
  const before = db.prepare<[string, number, number], Row>(
    `select ${COLUMNS}, m.content as text from messages m where m.session_id = ? and m.id < ? and m.active = 1
    order by m.id desc limit ?`,
  )
  const after = db.prepare<[string, number, number], Row>(
    `select ${COLUMNS}, m.content as text from messages m where m.session_id = ? and m.id > ? and m.active = 1
    order by m.id limit ?`,
  )
  const KEPT = `m.session_id = @sessionId and m.active = 1 and (@compacted = 0 or ${compacted('m')})`
  type Part = { sessionId: string; offset: number; limit: number; compacted: number }
  const page = db.prepare<[Part], Row>(
    `select ${COLUMNS}, m.content as text from messages m where ${KEPT} order by m.id limit @limit offset @offset`,
  )
  const size = db.prepare<[Part], { n: number }>(`select count(*) as n from messages m where ${KEPT}`)
  const titled = db.prepare<[{ title: string; without: string }], { id: string }>(`
    select s.id from sessions s where length(title) = length(@title) and fold(title) = fold(@title) and deleted_at is null
      and s.temporary = 0
      and ${WITHOUT} order by updated_at desc limit 10`)
  const unattended = db.prepare<[{ ids: string; origins: string }], { id: string }>(`
    select s.id from json_each(@ids) i join sessions s on s.id = i.value
    where s.origin in (select value from json_each(@origins)) and not exists (select 1 from runs r
      where r.session_id = s.id and r.origin <> '' and r.origin not in (select value from json_each(@origins)))`)
  // “union” ends a cycle of parents, because existing rows are not added again.
  const parentOf = (session: string) =>
    `iif(${session}.origin in (select value from json_each(@apart)), null, ${session}.parent_session_id)`
  const ancestors = db.prepare<[{ ids: string; apart: string }], { id: string; root: string }>(`
    with recursive up (id, at, parent) as (
      select s.id, s.id, ${parentOf('s')} from sessions s join json_each(@ids) i on s.id = i.value
      union
      select up.id, p.id, ${parentOf('p')} from up
      join sessions p on p.id = up.parent and p.deleted_at is null
    )
    select up.id, up.at as root from up
    where not exists (select 1 from sessions p where p.id = up.parent and p.deleted_at is null)`)

  return {
    ...createPassageIndex(connection),
    range: of => asRange(range[of].get()),
    rangeOf: filter => asRange(rangeOf.get(forSqlite(filter))),
    frequency: (match, of) => frequency[of].get(match)!.n,
    messages(match, { within, limit, filter = {} }) {
      const { except: _, without, ...strict } = filter
      const isStrict = Object.values(strict).some(value => value !== undefined)
      const given = { match, limit, ...within, ...forSqlite(filter) }
      const found = isStrict ? filtered.all(given) : ranked.all(given)
      // If chats that are not searched have most of the best matches, a slower filtered search pays off.
      const isCrowded = !isStrict && without !== undefined && found.length < limit / 2
      return (isCrowded ? filtered.all(given) : found).map(idOf)
    },
    passages(match, { within, limit, without }) {
      const given = { match, ...within, ...forSqlite({ without }) }
      const found = passages.all({ ...given, limit })
      // Passages have no filtered query, so fetch more of them instead.
      return without === undefined || found.length >= limit / 2
        ? found
        : passages.all({ ...given, limit: limit * CROWDED }).slice(0, limit)
    },
    inPassages: (given, match, filter = {}) =>
      inPassages.all({ passages: JSON.stringify(given), match, ...forSqlite(filter) }).map(idOf),
    holding: (given, texts, filter = {}) =>
      holding
        .all({ passages: JSON.stringify(given), texts: JSON.stringify(texts), ...forSqlite(filter) })
        .map(idOf),
    literal: (text, limit, filter = {}) => literal.all({ text, limit, ...forSqlite(filter) }).map(idOf),
    inside(texts, filter = {}) {
      const all = asRange(range.messages.get())
      const found: number[] = []
      const until = performance.now() + INSIDE.ms
      let last = all?.last ?? 0
      const least = Math.max(all?.first ?? 1, last - INSIDE.messages + 1)
      for (
        ;
        last >= least && found.length < INSIDE.found && performance.now() < until;
        last -= INSIDE.slice
      ) {
        const first = Math.max(least, last - INSIDE.slice + 1)
        const given = { ...forSqlite(filter), first, last, limit: INSIDE.found - found.length }
        found.push(...insideOf(texts.length)(given, texts).map(idOf))
      }
      return found
    },
    windows(ids, reach) {
      const rows =
        reach > 0
          ? windows.all({ ids: JSON.stringify(ids), along: alongOf(ids, reach), reach })
          : single.all({ ids: JSON.stringify(ids) })
      return rows.map(messageOf)
    },
    ends(sessionId, count) {
      const first = after.all(sessionId, 0, count)
      const last = before.all(sessionId, Number.MAX_SAFE_INTEGER, count).toReversed()
      return [...first, ...last].map(messageOf)
    },
    page(sessionId, { compacted: only = false, ...part }) {
      const given = { sessionId, ...part, compacted: Number(only) }
      return { messages: page.all(given).map(messageOf), total: size.get(given)!.n }
    },
    titled: (title, without) => titled.all({ title, ...forSqlite({ without }) }).map(idOf),
    unattended(sessionIds, origins) {
      const given = { ids: JSON.stringify(sessionIds), origins: JSON.stringify(origins) }
      return new Set(unattended.all(given).map(idOf))
    },
    around(id, reach) {
      const middle = whole.get(JSON.stringify([id]))
      if (!middle) return []
      if (middle.elsewhere === 1) return whole.all(alongOf([id], reach)).map(messageOf)
      if (reach === 0) return [messageOf(middle)]
      const { sessionId } = middle
      const rows = [
        ...before.all(sessionId, id, reach).toReversed(),
        middle,
        ...after.all(sessionId, id, reach),
      ]
      return rows.map(messageOf)
    },
    roots(sessionIds, apart = []) {
      const given = { ids: JSON.stringify(sessionIds), apart: JSON.stringify(apart) }
      const found = new Map(ancestors.all(given).map(({ id, root }) => [id, root]))
      return new Map(sessionIds.map(id => [id, found.get(id) ?? id]))
    },
  }
}

type Nullable<T> = { [K in keyof T]: T[K] | null }

function asRange(row: Nullable<IdRange> | undefined): IdRange | undefined {
  return row && row.first !== null && row.last !== null ? { first: row.first, last: row.last } : undefined
}

const forSqlite = ({ from, to, role, origin, without, except }: RecallFilter): Filter => ({
  from: from ?? -Number.MAX_SAFE_INTEGER,
  to: to ?? Number.MAX_SAFE_INTEGER,
  role: role ?? '',
  origin: origin ?? '',
  without: JSON.stringify(without ?? []),
  except: except ?? '',
})

const idOf = <Id>({ id }: { id: Id }) => id

const messageOf = ({ compacted, elsewhere, text, ...row }: Row): RecalledMessage => ({
  ...row,
  text: withoutCodes(text),
  compacted: compacted === 1,
  elsewhere: elsewhere === 1,
})
