import type { LearningEvent } from '../../shared/contract/learning.ts'
import type { Connection } from './connection.ts'

/** A session with the agent of another program. */
export type ForeignSession = {
  /** The program and its own id: `claude-code:0f3c…`. */
  id: string
  agent: string
  /** The folder that it worked in; empty when it is not known. */
  folder: string
  firstAt: number
  lastAt: number
  /** Null while it goes on, as far as is known. */
  endedAt: number | null
  /** The model that its program named last; empty without one. */
  model: string
  /** The last event that was looked at for something to learn. */
  reviewedTo: number
  /** It was read from the program's own files, and not told while it went on. */
  isImported: boolean
}

/** An event as it is stored: its number here, and the id that its program gave it. */
export type ForeignEvent = { id: number; eventId: string; event: LearningEvent }
/** An event to store. Its text is redacted already. */
export type NewForeignEvent = { eventId: string; event: LearningEvent }

/** Sessions of other programs and their events. */
export type ForeignStore = {
  get(id: string): ForeignSession | undefined
  /** The newest first. */
  list(options: { agent?: string; limit: number }): ForeignSession[]
  /** Sessions with events after the last review, the newest first, with the number of their newest event; imported ones of any age. */
  unreviewed(options: { since: number; limit: number }): (ForeignSession & { newest: number })[]
  /** Add events of a session, which is made or brought up to date; how many were new. */
  add(
    session: Pick<ForeignSession, 'id' | 'agent' | 'folder' | 'model' | 'isImported'>,
    events: readonly NewForeignEvent[],
  ): number
  /** Its events in order, the newest of them that are at most so many bytes together. */
  events(sessionId: string, mostBytes?: number): ForeignEvent[]
  reviewed(sessionId: string, to: number): void
  /** Per program: the last event, sessions, events and bytes. */
  totals(): { agent: string; lastAt: number; sessions: number; events: number; bytes: number }[]
  remove(sessionId: string): boolean
  /** Remove the oldest sessions until at most so many bytes are left, and those older than an instant; how many went. */
  prune(options: { mostBytes: number; before: number }): number
}

type Raw = Omit<ForeignSession, 'isImported'> & { isImported: number }

const SESSION = `id, agent, folder, first_at as firstAt, last_at as lastAt, ended_at as endedAt, model, reviewed_to as reviewedTo,
  is_imported as isImported`

/** The tables of sessions with other programs. */
export function createForeignStore({ db, durably, atomically }: Connection): ForeignStore {
  const get = db.prepare<[string], Raw>(`select ${SESSION} from foreign_sessions where id = ?`)
  const list = db.prepare<[{ agent: string | null; limit: number }], Raw>(
    `select ${SESSION} from foreign_sessions where @agent is null or agent = @agent order by last_at desc, id limit @limit`,
  )
  const unreviewed = db.prepare<[{ since: number; limit: number }], Raw & { newest: number }>(
    `select ${SESSION}, (select max(id) from foreign_events e where e.session_id = s.id) as newest from foreign_sessions s
     where newest > s.reviewed_to and (s.last_at > @since or s.is_imported = 1) order by last_at desc, id limit @limit`,
  )
  const put = db.prepare(`
    insert into foreign_sessions (id, agent, folder, first_at, last_at, ended_at, model, is_imported)
    values (@id, @agent, @folder, @at, @at, null, @model, @isImported)
    on conflict (id) do update set folder = iif(@folder = '', folder, @folder), model = iif(@model = '', model, @model)`)
  const addEvent = db.prepare(`
    insert or ignore into foreign_events (session_id, event_id, at, bytes, event)
    values (@sessionId, @eventId, @at, @bytes, @event)`)
  const touch = db.prepare(`
    update foreign_sessions set first_at = min(first_at, @at), last_at = max(last_at, @at), ended_at = @endedAt where id = @id`)
  const events = db.prepare<[string, number], { id: number; eventId: string; event: string }>(
    `select id, event_id as eventId, event from (
       select *, sum(bytes) over (order by id desc) as total from foreign_events where session_id = ?
     ) where total <= ? order by id`,
  )
  const reviewed = db.prepare('update foreign_sessions set reviewed_to = max(reviewed_to, ?) where id = ?')
  const totals = db.prepare<[], ReturnType<ForeignStore['totals']>[number]>(`
    select s.agent, max(s.last_at) as lastAt, count(distinct s.id) as sessions, count(e.id) as events,
      coalesce(sum(e.bytes), 0) as bytes
    from foreign_sessions s left join foreign_events e on e.session_id = s.id group by s.agent order by s.agent`)
  const remove = db.prepare('delete from foreign_sessions where id = ?')
  const old = db.prepare('delete from foreign_sessions where last_at < ?')
  const sizes = db.prepare<[], { id: string; bytes: number }>(`
    select s.id, coalesce(sum(e.bytes), 0) as bytes from foreign_sessions s
    left join foreign_events e on e.session_id = s.id group by s.id order by s.last_at desc, s.id`)
  const sessionOf = (raw: Raw): ForeignSession => ({ ...raw, isImported: raw.isImported === 1 })

  return {
    get(id) {
      const raw = get.get(id)
      return raw && sessionOf(raw)
    },
    list: ({ agent, limit }) => list.all({ agent: agent ?? null, limit }).map(sessionOf),
    unreviewed: options =>
      unreviewed.all(options).map(({ newest, ...raw }) => ({ ...sessionOf(raw), newest })),
    add: ({ isImported, ...session }, given) =>
      given.length === 0
        ? 0
        : atomically(() => {
            put.run({ ...session, at: given[0]!.event.at, isImported: isImported ? 1 : 0 })
            let added = 0
            for (const { eventId, event } of given) {
              const { session: _session, ...rest } = event
              const text = JSON.stringify(rest)
              const row = {
                sessionId: session.id,
                eventId,
                at: event.at,
                bytes: Buffer.byteLength(text),
                event: text,
              }
              if (addEvent.run(row).changes === 0) continue
              added++
              // A session that ended and goes on is open again.
              const endedAt = event.type === 'session_end' ? event.at : null
              touch.run({ id: session.id, at: event.at, endedAt })
            }
            return added
          }),
    events: (sessionId, mostBytes = Number.MAX_SAFE_INTEGER) =>
      events.all(sessionId, mostBytes).map(({ event, ...row }) => ({
        ...row,
        event: {
          ...(JSON.parse(event) as Omit<LearningEvent, 'session'>),
          session: sessionId,
        } as LearningEvent,
      })),
    reviewed: (sessionId, to) => void reviewed.run(to, sessionId),
    totals: () => totals.all(),
    remove: sessionId => durably(() => remove.run(sessionId).changes > 0),
    prune: ({ mostBytes, before }) =>
      atomically(() => {
        let gone = old.run(before).changes
        let bytes = 0
        for (const { id, bytes: own } of sizes.all()) {
          bytes += own
          if (bytes > mostBytes) gone += remove.run(id).changes
        }
        return gone
      }),
  }
}
