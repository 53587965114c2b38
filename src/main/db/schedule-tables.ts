import type { PermissionRule } from '../../shared/contract/runs/permissions.ts'
import type {
  ScheduleChats,
  ScheduleChoices,
  ScheduleRule,
  ScheduleRun,
} from '../../shared/contract/runs/schedules.ts'
import type { StrangersMark } from '../../shared/contract/chats/messages.ts'
import type { Connection } from './connection.ts'
import { marksFrom } from './chats/mark-tables.ts'

/** A permission granted in a trial run: the text of a grant of the chat, or a rule. */
export type StoredGrant = { id: string } & (
  | { kind: 'exact'; grant: string }
  | { kind: 'rule'; rule: GrantedRule }
)
/** A rule as an approval card offers it, including how its commands run. */
type GrantedRule = Pick<PermissionRule, 'tool' | 'command' | 'more' | 'folder' | 'network' | 'unconfined'>

/** A schedule as stored. */
export type ScheduleRow = {
  id: string
  words: string
  rule: ScheduleRule
  zone: string
  choices: ScheduleChoices
  grants: readonly StoredGrant[]
  /** The hash of the task, folder and skills that the grants apply to. */
  grantedFor: string
  paused: string | null
  /** Marks of strangers' texts that the task may be based on; each run starts with them. */
  marks: readonly StrangersMark[]
  /** How many runs in a row have failed. */
  failures: number
  /** The schedule is settled up to this instant. */
  settledTo: number
  createdAt: number
  updatedAt: number
}

/** A run as stored; the file changes of its chat are stored with the chat. */
export type RunRow = Omit<ScheduleRun, 'changes'>
type NewRun = Pick<RunRow, 'scheduleId' | 'planned' | 'kind' | 'state'> &
  Partial<Pick<RunRow, 'reason' | 'text' | 'more' | 'endedAt'>>
export type RunChange = Partial<Omit<RunRow, 'id' | 'scheduleId' | 'planned' | 'kind'>>

/** Schedules and their runs. */
export type ScheduleStore = {
  list(): ScheduleRow[]
  get(id: string): ScheduleRow | undefined
  put(row: ScheduleRow): void
  /** Remove a schedule; false if there is none. It can be restored until `dropRemoved`. */
  remove(id: string, at: number): boolean
  restore(id: string): boolean
  /** Delete for good the schedules that were removed before an instant. */
  dropRemoved(before: number): void
  /** Add a run; undefined if the instant already has one. */
  addRun(run: NewRun): RunRow | undefined
  changeRun(id: number, change: RunChange): RunRow
  run(id: number): RunRow | undefined
  runOfSession(sessionId: string): RunRow | undefined
  /** Return the instants in a range that have a run. */
  plannedIn(scheduleId: string, from: number, to: number): number[]
  /** Return claimed and running runs, the earliest planned first. */
  open(): RunRow[]
  /** Undo a claim, so that its instant is found again. */
  unclaim(id: number, settledTo: number): void
  history(scheduleId: string, options: { before?: number | undefined; limit: number }): RunRow[]
  /** Delete the oldest runs of a schedule beyond a number; returns their chats. */
  prune(scheduleId: string, kept: number): string[]
  /** Return the usage of the runs that started in a range, which ends before `to`. */
  used(scheduleId: string, from: number, to: number): { tokens: number; costUsd: number | null }
  /** Return the schedules that have chats in the list, and how many older chats each one hides. */
  chats(): ScheduleChats[]
  fact(name: string): string | undefined
  setFact(name: string, value: string): void
}

type RawSchedule = Record<
  'id' | 'words' | 'rule' | 'zone' | 'choices' | 'grants' | 'grantedFor' | 'marks',
  string
> &
  Pick<ScheduleRow, 'paused' | 'failures' | 'settledTo' | 'createdAt' | 'updatedAt'>
type RawRun = Omit<RunRow, 'silent' | 'more' | 'denied'> & { silent: number; more: number; denied: string }

const SCHEDULE = `id, words, rule, zone, choices, grants, granted_for as grantedFor, marks, paused, failures,
  settled_to as settledTo, created_at as createdAt, updated_at as updatedAt`
const RUN = `id, schedule_id as scheduleId, planned, kind, state, reason, text, started_at as startedAt, ended_at as endedAt,
  session_id as sessionId, silent, tokens, cost_usd as costUsd, more, denied`

const scheduleOf = (raw: RawSchedule): ScheduleRow => ({
  ...raw,
  rule: JSON.parse(raw.rule) as ScheduleRow['rule'],
  choices: JSON.parse(raw.choices) as ScheduleChoices,
  grants: JSON.parse(raw.grants) as StoredGrant[],
  marks: marksFrom(raw.marks),
})
const runOf = (raw: RawRun): RunRow => ({
  ...raw,
  silent: raw.silent === 1,
  more: raw.more === 1,
  denied: JSON.parse(raw.denied) as string[],
})

/** The tables of schedules. */
export function createScheduleStore({ db, durably, atomically }: Connection): ScheduleStore {
  const list = db.prepare<[], RawSchedule>(
    `select ${SCHEDULE} from schedules where deleted_at is null order by created_at, id`,
  )
  const find = db.prepare<[string], RawSchedule>(
    `select ${SCHEDULE} from schedules where id = ? and deleted_at is null`,
  )
  const put = db.prepare(`
    insert into schedules (id, words, rule, zone, choices, grants, granted_for, marks, paused, failures, settled_to, created_at, updated_at)
    values (@id, @words, @rule, @zone, @choices, @grants, @grantedFor, @marks, @paused, @failures, @settledTo, @createdAt, @updatedAt)
    on conflict (id) do update set words = excluded.words, rule = excluded.rule, zone = excluded.zone,
      choices = excluded.choices, grants = excluded.grants, granted_for = excluded.granted_for, marks = excluded.marks, paused = excluded.paused,
      failures = excluded.failures, settled_to = excluded.settled_to, updated_at = excluded.updated_at`)
  const remove = db.prepare('update schedules set deleted_at = ? where id = ? and deleted_at is null')
  const restore = db.prepare('update schedules set deleted_at = null where id = ? and deleted_at is not null')
  const dropRemoved = db.prepare('delete from schedules where deleted_at < ?')
  const addRun = db.prepare<[object], RawRun>(`
    insert into schedule_runs (schedule_id, planned, kind, state, reason, text, more, ended_at)
    values (@scheduleId, @planned, @kind, @state, @reason, @text, @more, @endedAt) on conflict do nothing returning ${RUN}`)
  const changeRun = db.prepare<[object], RawRun>(`
    update schedule_runs set state = @state, reason = @reason, text = @text, started_at = @startedAt, ended_at = @endedAt,
      session_id = @sessionId, silent = @silent, tokens = @tokens, cost_usd = @costUsd, more = @more, denied = @denied
    where id = @id returning ${RUN}`)
  const findRun = db.prepare<[number], RawRun>(`select ${RUN} from schedule_runs where id = ?`)
  const ofSession = db.prepare<[string], RawRun>(`select ${RUN} from schedule_runs where session_id = ?`)
  const planned = db
    .prepare<[string, number, number], number>(
      'select planned from schedule_runs where schedule_id = ? and planned > ? and planned <= ?',
    )
    .pluck()
  const open = db.prepare<[], RawRun>(
    `select ${RUN} from schedule_runs where state in ('claimed', 'running') order by planned, id`,
  )
  const dropRun = db.prepare('delete from schedule_runs where id = ?')
  const settle = db.prepare('update schedules set settled_to = min(settled_to, ?) where id = ?')
  const history = db.prepare<[string, number, number], RawRun>(
    `select ${RUN} from schedule_runs where schedule_id = ? and id < ? order by id desc limit ?`,
  )
  const oldest = db.prepare<[string, number], Pick<RawRun, 'id' | 'sessionId'>>(
    `select id, session_id as sessionId from schedule_runs where schedule_id = ? and state not in ('claimed', 'running')
     order by id desc limit -1 offset ?`,
  )
  const used = db.prepare<[string, number, number], { tokens: number | null; costUsd: number | null }>(`
    select sum(tokens) as tokens, sum(cost_usd) as costUsd from schedule_runs
    where schedule_id = ? and started_at >= ? and started_at < ?`)
  const chats = db.prepare<[], ScheduleChats>(`
    select s.origin_id as id, coalesce((select c.choices ->> 'name' from schedules c where c.id = s.origin_id), '') as name,
      count(*) as chats
    from sessions s
    where s.origin = 'schedule' and s.deleted_at is null and s.archived_at is null and s.pinned = 0 and s.message_count > 0
      and not exists (select 1 from projects p where p.id = s.project_id and p.deleted_at is null)
    group by s.origin_id`)
  const fact = db.prepare<[string], string>('select value from schedule_facts where name = ?').pluck()
  const setFact = db.prepare(
    'insert into schedule_facts (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
  )
  const runById = (id: number) => {
    const raw = findRun.get(id)
    return raw && runOf(raw)
  }

  return {
    list: () => list.all().map(scheduleOf),
    get(id) {
      const raw = find.get(id)
      return raw && scheduleOf(raw)
    },
    put: row =>
      durably(
        () =>
          void put.run({
            ...row,
            rule: JSON.stringify(row.rule),
            choices: JSON.stringify(row.choices),
            grants: JSON.stringify(row.grants),
            marks: JSON.stringify(row.marks),
          }),
      ),
    remove: (id, at) => durably(() => remove.run(at, id).changes > 0),
    restore: id => durably(() => restore.run(id).changes > 0),
    dropRemoved: before => durably(() => void dropRemoved.run(before)),
    addRun(run) {
      const { reason = '', text = '', more = false, endedAt = null, ...rest } = run
      const raw = durably(() => addRun.get({ reason, text, endedAt, more: more ? 1 : 0, ...rest }))
      return raw && runOf(raw)
    },
    changeRun: (id, change) =>
      durably(() => {
        const next = { ...runOf(findRun.get(id)!), ...change }
        const { silent, more, denied } = next
        return runOf(
          changeRun.get({
            ...next,
            silent: silent ? 1 : 0,
            more: more ? 1 : 0,
            denied: JSON.stringify(denied),
          })!,
        )
      }),
    run: runById,
    runOfSession(sessionId) {
      const raw = ofSession.get(sessionId)
      return raw && runOf(raw)
    },
    plannedIn: (scheduleId, from, to) => planned.all(scheduleId, from, to),
    open: () => open.all().map(runOf),
    unclaim: (id, settledTo) =>
      durably(() => {
        const run = runById(id)
        if (!run) return
        dropRun.run(id)
        settle.run(settledTo, run.scheduleId)
      }),
    history: (scheduleId, { before = Number.MAX_SAFE_INTEGER, limit }) =>
      history.all(scheduleId, before, limit).map(runOf),
    prune: (scheduleId, kept) =>
      atomically(() => {
        const gone = oldest.all(scheduleId, kept)
        for (const { id } of gone) dropRun.run(id)
        return gone.flatMap(({ sessionId }) => (sessionId === null ? [] : [sessionId]))
      }),
    used(scheduleId, from, to) {
      const { tokens, costUsd } = used.get(scheduleId, from, to)!
      return { tokens: tokens ?? 0, costUsd }
    },
    chats: () => chats.all(),
    fact: name => fact.get(name),
    setFact: (name, value) => durably(() => void setFact.run(name, value)),
  }
}
