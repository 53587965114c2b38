import type { MessageStore } from './message-tables.ts'
import type { EndReason, NewRunEvent, RunEvent } from '../../../shared/contract/runs/run.ts'
import type { Origin } from '../../../shared/contract/chats/session.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { Clock } from '../../lib/timing.ts'
import { newId } from '../../lib/ids.ts'
import type { Connection } from '../connection.ts'
import { MESSAGE_COLUMNS, messageOf, type MessageRow } from './message-rows.ts'

type RunRow = {
  id: string
  sessionId: string
  /** Empty for runs of older versions. */
  origin: Origin | ''
  startedAt: number
  endedAt: number | null
  reason: EndReason | null
}

/** Runs and their events. */
export type RunStore = {
  /** Start a run. `origin`: where it began, if known. */
  start(sessionId: string, origin?: Origin): RunRow
  get(id: string): RunRow | undefined
  active(sessionId: string): RunRow | undefined
  /** Number and store an event; it is on disk when this returns. */
  append(runId: string, event: NewRunEvent): RunEvent
  after(runId: string, seq: number): RunEvent[]
  end(runId: string, reason: EndReason): void
  /** Return how the runs of a chat ended, by the id of their last message on its path. */
  endings(sessionId: string): ReadonlyMap<number, EndReason>
  /** End runs that a crash left open as stopped, and return them. */
  closeLeftOpen(): RunRow[]
}

/** How many run logs to keep. Older ones are deleted, because the messages hold the content. */
const LOGS_KEPT = 20

const SELECT =
  'select id, session_id as sessionId, origin, started_at as startedAt, ended_at as endedAt, reason from runs'

/** Runs and their numbered events. */
export function createRuns(
  connection: Connection,
  messages: Pick<MessageStore, 'append'>,
  clock: Clock,
): RunStore & { prune: () => void } {
  const { db, atomically, durably } = connection
  const insert = db.prepare<[string, string, Origin, number]>(
    'insert into runs (id, session_id, origin, started_at) values (?, ?, ?, ?)',
  )
  const find = db.prepare<[string], RunRow>(`${SELECT} where id = ?`)
  const findActive = db.prepare<[string], RunRow>(`${SELECT} where session_id = +? and ended_at is null`)
  const findOpen = db.prepare<[], RunRow>(`${SELECT} where ended_at is null order by number`)
  const number = db.prepare<[number, string], { seq: number }>(
    'update runs set last_seq = last_seq + 1, waiting = max(0, waiting + ?) where id = ? returning last_seq as seq',
  )
  const log = db.prepare<[string, number, number, string]>(
    'insert into run_events (run_id, seq, at, body) values (?, ?, ?, ?)',
  )
  const follow = db.prepare<[string, number], { seq: number; at: number; body: string }>(
    'select seq, at, body from run_events where run_id = ? and seq > ? order by seq',
  )
  const close = db.prepare<[number, string, string]>(
    'update runs set ended_at = ?, reason = ?, waiting = 0 where id = ? and ended_at is null',
  )
  const lastMessages = db.prepare<[string], { id: number; reason: EndReason }>(
    `select max(m.id) as id, r.reason from runs r join messages m on m.run_id = r.id and m.active = 1
    where r.session_id = +? and r.reason is not null group by r.id`,
  )
  const findOld = db.prepare<[number], { id: string }>(
    'select id from runs where logged = 1 and ended_at is not null order by number desc limit -1 offset ?',
  )
  const dropLog = db.prepare<[string]>('delete from run_events where run_id = ?')
  const markDropped = db.prepare<[string]>('update runs set logged = 0 where id = ?')

  function append(runId: string, event: NewRunEvent): RunEvent {
    const at = clock()
    return atomically(() => {
      const row = number.get(WAITING[event.type] ?? 0, runId)
      if (!row) throw new Fault('not_found', 'This run no longer exists.')
      log.run(runId, row.seq, at, JSON.stringify(event))
      return { ...event, seq: row.seq, at }
    })
  }
  function after(runId: string, seq: number): RunEvent[] {
    return follow
      .all(runId, seq)
      .map(row => ({ ...(JSON.parse(row.body) as NewRunEvent), seq: row.seq, at: row.at }))
  }
  function prune() {
    atomically(() => {
      for (const { id } of findOld.all(LOGS_KEPT)) {
        dropLog.run(id)
        markDropped.run(id)
      }
    })
  }
  const rescue = createRescue(connection, { append, after }, messages, clock)

  return {
    start(sessionId, origin = 'window') {
      const id = newId('run', clock)
      prune()
      durably(() => {
        if (findActive.get(sessionId)) throw new Fault('busy', 'The agent is still working in this chat.')
        insert.run(id, sessionId, origin, clock())
      })
      return find.get(id)!
    },
    get: id => find.get(id),
    active: sessionId => findActive.get(sessionId),
    append,
    after,
    end(runId, reason) {
      durably(() => close.run(clock(), reason, runId))
    },
    endings: sessionId => new Map(lastMessages.all(sessionId).map(({ id, reason }) => [id, reason])),
    closeLeftOpen: () =>
      durably(() =>
        findOpen.all().map(run => {
          rescue(run)
          close.run(clock(), 'stopped', run.id)
          return find.get(run.id)!
        }),
      ),
    prune,
  }
}

const WAITING: Partial<Record<NewRunEvent['type'], number>> = { approval_request: 1, approval_resolved: -1 }

type Log = {
  append(runId: string, event: NewRunEvent): RunEvent
  after(runId: string, seq: number): RunEvent[]
}

/**
 * Prepare the recovery of a run that a crash cut off. Text that was shown but not stored becomes a message,
 * marked as interrupted. The log gets its missing events, so that every watcher sees the run end.
 */
function createRescue(
  { db }: Connection,
  log: Log,
  messages: Pick<MessageStore, 'append'>,
  clock: Clock,
): (run: RunRow) => void {
  const since = db.prepare<[string, number], MessageRow>(
    `select ${MESSAGE_COLUMNS} from messages m where m.run_id = ? and m.id > ? order by m.id`,
  )

  return ({ id: runId, sessionId }) => {
    const events = log.after(runId, 0)
    // A message is stored before it is logged, so the log may lack the last ones.
    const unlogged = since.all(runId, lastLogged(events)).map(messageOf)
    for (const message of unlogged) log.append(runId, { type: 'message', message })

    const unsaid = unlogged.some(message => message.role === 'assistant') ? NOTHING : unsaidIn(events)
    if (unsaid.text.trim() !== '') {
      const message = messages.append({
        role: 'assistant',
        sessionId,
        at: clock(),
        ...unsaid,
        calls: [],
        interrupted: true,
      })
      log.append(runId, { type: 'message', message })
    }
    for (const { lane, behind, ...said } of unsaidInLanes(events)) {
      if (unlogged.some(message => message.text.startsWith(said.text))) continue
      const answer = messages.append(
        { role: 'assistant', sessionId, at: clock(), ...said, calls: [], interrupted: true, compared: true },
        undefined,
        behind,
      )
      if (answer.role === 'assistant') log.append(runId, { type: 'compare_answer', lane, answer })
    }
    if (events.at(-1)?.type !== 'turn_end') log.append(runId, { type: 'turn_end', reason: 'stopped' })
  }
}

const NOTHING = { text: '', reasoning: '', model: '' }

const lastLogged = (events: readonly RunEvent[]) =>
  Math.max(
    0,
    ...events.map(event =>
      'message' in event ? event.message.id : event.type === 'compare_answer' ? event.answer.id : 0,
    ),
  )

/** Return what each of two compared models wrote after its last stored answer, with the parent message. */
function unsaidInLanes(events: readonly RunEvent[]) {
  const [begun] = events.flatMap(event => (event.type === 'compare_start' ? [event] : []))
  const lanes = (begun?.lanes ?? []).map(({ modelId: model }, lane) => {
    const said = { lane, behind: begun!.message.id, model, text: '', reasoning: '' }
    for (const event of events) {
      if (event.type === 'compare_answer' && event.lane === lane) said.behind = event.answer.id
      const isVoid =
        event.type === 'compare_answer' || (event.type === 'compare_delta' && event.part === 'again')
      if (isVoid && event.lane === lane) said.text = said.reasoning = ''
      if (event.type !== 'compare_delta' || event.lane !== lane) continue
      if (event.part === 'text') said.text += event.text
      if (event.part === 'thoughts') said.reasoning += event.text
    }
    return said
  })
  return lanes.filter(({ text }) => text.trim() !== '')
}

/** Return the text that a model wrote after the last message or retry. */
function unsaidIn(events: readonly RunEvent[]): typeof NOTHING {
  let { text, reasoning, model } = NOTHING
  for (const event of events) {
    if (event.type === 'turn_start') model = event.model
    if (event.type === 'message' || event.type === 'retry') text = reasoning = ''
    if (event.type === 'was_thought') [text, reasoning] = ['', [reasoning, text].filter(Boolean).join('\n\n')]
    if (event.type === 'text_delta') text += event.text
    if (event.type === 'reasoning_delta') reasoning += event.text
  }
  return { text, reasoning, model }
}
