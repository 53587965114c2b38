import type { Connection } from '../connection.ts'

/** A received message as stored; `body` is JSON, and empty once the message is done. */
export type StoredInbox = {
  id: number
  platform: string
  placeKey: string
  at: number
  receivedAt: number
  /** `waiting`: too old to run without asking. `taken`: its turn has started. */
  state: 'new' | 'waiting' | 'taken' | 'done' | 'dropped'
  sessionId: string | null
  messageId: number | null
  body: string
}
type NewInbox = Pick<StoredInbox, 'placeKey' | 'at' | 'receivedAt' | 'body'> & { key: string }

/** An outgoing message; `body` is JSON. If `waiting` with a `sentId`, it is an edit of that message. */
export type StoredOutbox = {
  id: number
  platform: string
  placeKey: string
  sessionId: string | null
  runId: string | null
  messageId: number | null
  part: number
  madeAt: number
  nextAt: number
  /** `live`: still growing while its answer is written. `sending`: may have left. */
  state: 'live' | 'waiting' | 'sending' | 'sent' | 'unsure' | 'failed' | 'dropped'
  tries: number
  sentId: string | null
  problem: string
  body: string
}
type NewOutbox = Omit<StoredOutbox, 'id' | 'tries' | 'sentId' | 'problem'>

/** A messenger place with the chat that answers there. `value` is JSON. */
export type StoredPlace = {
  platform: string
  placeKey: string
  contactId: string | null
  sessionId: string | null
  value: string
  lastAt: number
}

/** Received and outgoing messages, each stored before it is confirmed or sent. Every write is durable. */
export type GatewayStore = {
  platform(name: string): { offset: string; value: string }
  setPlatform(name: string, value: string): void
  /** Store new messages with the offset after them, atomically; skip known ones. Returns the new rows. */
  take(platform: string, arrived: readonly NewInbox[], offset: string): StoredInbox[]
  inbox(id: number): StoredInbox | undefined
  /** Return the messages that are not done, oldest first. */
  openInbox(): StoredInbox[]
  changeInbox(ids: readonly number[], change: Partial<Omit<StoredInbox, 'id' | 'platform'>>): void
  lastReceivedAt(platform: string): number | null
  putOutbox(rows: readonly NewOutbox[]): StoredOutbox[]
  outbox(id: number): StoredOutbox | undefined
  /** Return the messages that are unsent or unsure, oldest first. */
  openOutbox(): StoredOutbox[]
  ofRun(runId: string): StoredOutbox[]
  /** Whether a message of a chat was put into the outbox. */
  isPut(sessionId: string, messageId: number): boolean
  changeOutbox(id: number, change: Partial<Omit<StoredOutbox, 'id' | 'platform'>>): void
  /** Return the failed messages, newest first. */
  failedOutbox(limit: number): StoredOutbox[]
  places(): StoredPlace[]
  place(platform: string, placeKey: string): StoredPlace | undefined
  placeOf(sessionId: string): StoredPlace | undefined
  putPlace(place: StoredPlace): void
  /** Change the key of a place. */
  movePlace(platform: string, from: string, to: string): void
  /** Delete messages that were done before an instant. */
  prune(before: number): void
  /** Forget everything about a messenger, including its contacts, except its chats. */
  forget(platform: string): void
  /** Do several of these writes atomically. */
  together<T>(this: void, work: () => T): T
}

const INBOX = `id, platform, place_key as placeKey, at, received_at as receivedAt, state, session_id as sessionId,
  message_id as messageId, body`
const OUTBOX = `id, platform, place_key as placeKey, session_id as sessionId, run_id as runId, message_id as messageId, part,
  made_at as madeAt, next_at as nextAt, state, tries, sent_id as sentId, problem, body`
const PLACE = `platform, place_key as placeKey, contact_id as contactId, session_id as sessionId, value, last_at as lastAt`

/** The tables of messengers. */
export function createGatewayStore({ db, durably }: Connection): GatewayStore {
  const platform = db.prepare<[string], { offset: string; value: string }>(
    'select read_offset as offset, value from gateway_platforms where name = ?',
  )
  const setPlatform = db.prepare(
    'insert into gateway_platforms (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
  )
  const setOffset = db.prepare(
    'insert into gateway_platforms (name, read_offset) values (?, ?) on conflict (name) do update set read_offset = excluded.read_offset',
  )
  const addInbox = db.prepare<[object], StoredInbox>(`
    insert into gateway_inbox (platform, update_key, place_key, at, received_at, body)
    values (@platform, @key, @placeKey, @at, @receivedAt, @body) on conflict do nothing returning ${INBOX}`)
  const inbox = db.prepare<[number], StoredInbox>(`select ${INBOX} from gateway_inbox where id = ?`)
  const openInbox = db.prepare<[], StoredInbox>(
    `select ${INBOX} from gateway_inbox where state in ('new', 'waiting', 'taken') order by id`,
  )
  const changeInbox = db.prepare(`
    update gateway_inbox set place_key = @placeKey, at = @at, received_at = @receivedAt, state = @state, session_id = @sessionId,
      message_id = @messageId, body = @body where id = @id`)
  const lastReceived = db
    .prepare<[string], number | null>('select max(received_at) from gateway_inbox where platform = ?')
    .pluck()
  const addOutbox = db.prepare<[object], StoredOutbox>(`
    insert into gateway_outbox (platform, place_key, session_id, run_id, message_id, part, made_at, next_at, state, body)
    values (@platform, @placeKey, @sessionId, @runId, @messageId, @part, @madeAt, @nextAt, @state, @body) returning ${OUTBOX}`)
  const outbox = db.prepare<[number], StoredOutbox>(`select ${OUTBOX} from gateway_outbox where id = ?`)
  const openOutbox = db.prepare<[], StoredOutbox>(
    `select ${OUTBOX} from gateway_outbox where state in ('live', 'waiting', 'sending', 'unsure') order by id`,
  )
  const ofRun = db.prepare<[string], StoredOutbox>(
    `select ${OUTBOX} from gateway_outbox where run_id = ? order by id`,
  )
  const isPut = db
    .prepare<[string, number], number>(
      'select 1 from gateway_outbox where session_id = ? and message_id = ? limit 1',
    )
    .pluck()
  const changeOutbox = db.prepare(`
    update gateway_outbox set place_key = @placeKey, session_id = @sessionId, run_id = @runId, message_id = @messageId,
      part = @part, made_at = @madeAt, next_at = @nextAt, state = @state, tries = @tries, sent_id = @sentId, problem = @problem,
      body = @body where id = @id`)
  const failed = db.prepare<[number], StoredOutbox>(
    `select ${OUTBOX} from gateway_outbox where state = 'failed' order by id desc limit ?`,
  )
  const places = db.prepare<[], StoredPlace>(`select ${PLACE} from gateway_places order by last_at desc`)
  const place = db.prepare<[string, string], StoredPlace>(
    `select ${PLACE} from gateway_places where platform = ? and place_key = ?`,
  )
  const placeOf = db.prepare<[string], StoredPlace>(
    `select ${PLACE} from gateway_places where session_id = +? order by last_at desc`,
  )
  const putPlace = db.prepare(`
    insert into gateway_places (platform, place_key, contact_id, session_id, value, last_at)
    values (@platform, @placeKey, @contactId, @sessionId, @value, @lastAt)
    on conflict (platform, place_key) do update set contact_id = excluded.contact_id, session_id = excluded.session_id,
      value = excluded.value, last_at = excluded.last_at`)
  const moves = ['gateway_places', 'gateway_inbox', 'gateway_outbox', 'gateway_questions'].map(table =>
    db.prepare(`update or replace ${table} set place_key = ? where platform = ? and place_key = ?`),
  )
  const prunes = [
    db.prepare("delete from gateway_inbox where received_at < ? and state in ('done', 'dropped')"),
    db.prepare("delete from gateway_outbox where made_at < ? and state in ('sent', 'failed', 'dropped')"),
  ]
  const forgets = [
    // Accounts and questions are deleted with their contacts.
    ...['places', 'inbox', 'outbox'].map(name =>
      db.prepare(`delete from gateway_${name} where platform = ?`),
    ),
    db.prepare('delete from gateway_platforms where name = ?'),
  ]

  return {
    platform: name => platform.get(name) ?? { offset: '', value: '{}' },
    setPlatform: (name, value) => durably(() => void setPlatform.run(name, value)),
    take: (name, arrived, offset) =>
      durably(() => {
        const rows = arrived.flatMap(each => addInbox.get({ ...each, platform: name }) ?? [])
        setOffset.run(name, offset)
        return rows
      }),
    inbox: id => inbox.get(id),
    openInbox: () => openInbox.all(),
    changeInbox: (ids, change) =>
      durably(() => {
        for (const id of ids) {
          const row = inbox.get(id)
          if (row) changeInbox.run({ ...row, ...change })
        }
      }),
    lastReceivedAt: name => lastReceived.get(name) ?? null,
    putOutbox: rows => durably(() => rows.map(row => addOutbox.get(row)!)),
    outbox: id => outbox.get(id),
    openOutbox: () => openOutbox.all(),
    ofRun: runId => ofRun.all(runId),
    isPut: (sessionId, messageId) => isPut.get(sessionId, messageId) !== undefined,
    changeOutbox: (id, change) =>
      durably(() => {
        const row = outbox.get(id)
        if (row) changeOutbox.run({ ...row, ...change })
      }),
    failedOutbox: limit => failed.all(limit),
    places: () => places.all(),
    place: (name, key) => place.get(name, key),
    placeOf: sessionId => placeOf.get(sessionId),
    putPlace: row => durably(() => void putPlace.run(row)),
    movePlace: (name, from, to) =>
      durably(() => {
        for (const move of moves) move.run(to, name, from)
      }),
    prune: before =>
      durably(() => {
        for (const each of prunes) each.run(before)
      }),
    forget: name =>
      durably(() => {
        for (const each of forgets) each.run(name)
      }),
    together: durably,
  }
}
