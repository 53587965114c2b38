import type { LearningEvent } from '../../../shared/contract/learned/learning.ts'
import type { Connection } from '../connection.ts'

/** A session with the agent of another program. */
export type ForeignSession = {
  /** The program with its own session id: `claude-code:0f3c…`. */
  id: string
  agent: string
  /** The folder that it worked in; empty if unknown. */
  folder: string
  firstAt: number
  lastAt: number
  /** Null while it is running, as far as is known. */
  endedAt: number | null
  /** The model that its program named last; empty if none. */
  model: string
  /** The last event that was reviewed. */
  reviewedTo: number
  /** Whether it was read from the program's own files, rather than reported while running. */
  isImported: boolean
}

/** An event as stored, with its number here and the id that its program gave it. */
export type ForeignEvent = { id: number; eventId: string; event: LearningEvent }
/** An event to store. Its text is redacted already. */
export type NewForeignEvent = { eventId: string; event: LearningEvent }

/** Sessions of other programs and their events. */
export type ForeignStore = {
  get(id: string): ForeignSession | undefined
  /** Return sessions, newest first. */
  list(options: { agent?: string; limit: number }): ForeignSession[]
  /**
   * Return sessions with unreviewed events and their newest event, newest first; imported ones of any age.
   */
  unreviewed(options: { since: number; limit: number }): (ForeignSession & { newest: number })[]
  /**
   * Add events to a session, creating or updating it. Returns how many were new. A session with
   * `SESSION_EVENTS` or `SESSION_BYTES` takes no more.
   */
  add(
    session: Pick<ForeignSession, 'id' | 'agent' | 'folder' | 'model' | 'isImported'>,
    events: readonly NewForeignEvent[],
  ): number
  /** Make added events survive a power cut too. */
  keep(): void
  /** Return a session's newest events that fit into so many bytes, in order. */
  events(sessionId: string, mostBytes?: number): ForeignEvent[]
  reviewed(sessionId: string, to: number): void
  /** Return the last event, sessions, events and bytes per program. */
  totals(): { agent: string; lastAt: number; sessions: number; events: number; bytes: number }[]
  remove(sessionId: string): boolean
  /** Remove events that contain one of these texts. */
  forget(texts: readonly string[]): void
  /**
   * Remove one slice of the sessions older than an instant, then of the oldest ones until at most `mostBytes`
   * are left. True once nothing is left to remove.
   */
  prune(options: { mostBytes: number; before: number }): boolean
}

/** Maximum size of one session, so that none crowds out all others. */
const SESSION_EVENTS = 20_000
const SESSION_BYTES = 20_000_000
/** How many events to remove at a time, including overwriting their bytes. */
const PRUNED = 200

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
  const oldest = db.prepare<[], { id: string; lastAt: number }>(
    'select id, last_at as lastAt from foreign_sessions order by last_at, id limit 1',
  )
  const allBytes = db.prepare<[], number>('select coalesce(sum(bytes), 0) from foreign_events').pluck()
  const some = db.prepare(
    `delete from foreign_events where id in (select id from foreign_events where session_id = ? limit ${PRUNED})`,
  )
  const sizeOf = db.prepare<[string], { events: number; bytes: number }>(
    'select count(*) as events, coalesce(sum(bytes), 0) as bytes from foreign_events where session_id = ?',
  )
  const forget = db.prepare('delete from foreign_events where instr(event, @text) or instr(event, @json)')
  // An fsync needs a write; it then covers everything written before.
  const again = db.prepare(
    'update foreign_sessions set last_at = last_at where id = (select id from foreign_sessions limit 1)',
  )
  const ended = db.prepare('update foreign_sessions set ended_at = ? where id = ?')
  /** The session that is being removed in slices. */
  let leaving: string | undefined
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
            const size = sizeOf.get(session.id)!
            let added = 0
            for (const { eventId, event } of given) {
              const { session: _session, ...rest } = event
              const text = JSON.stringify(rest)
              const bytes = Buffer.byteLength(text)
              if (size.events >= SESSION_EVENTS || size.bytes + bytes > SESSION_BYTES) {
                if (event.type === 'session_end') ended.run(event.at, session.id)
                continue
              }
              const row = {
                sessionId: session.id,
                eventId,
                at: event.at,
                bytes,
                event: text,
              }
              if (addEvent.run(row).changes === 0) continue
              added++
              size.events++
              size.bytes += bytes
              // Reopen a session that continues after its end.
              const endedAt = event.type === 'session_end' ? event.at : null
              touch.run({ id: session.id, at: event.at, endedAt })
            }
            return added
          }),
    keep: () => durably(() => void again.run()),
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
    forget: texts =>
      durably(() => {
        for (const text of texts) forget.run({ text, json: JSON.stringify(text).slice(1, -1) })
      }),
    prune: ({ mostBytes, before }) =>
      atomically(() => {
        const first = oldest.get()
        const isDue = first && (first.lastAt < before || allBytes.get()! > mostBytes)
        // Finish removing a session once started.
        leaving ??= isDue ? first.id : undefined
        if (leaving === undefined) return true
        if (some.run(leaving).changes === 0) {
          remove.run(leaving)
          leaving = undefined
        }
        return false
      }),
  }
}
