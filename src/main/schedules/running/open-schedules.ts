import type { ScheduleReason, ScheduleRun } from '../../../shared/contract/runs/schedules.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { RunChange, RunRow, ScheduleRow, ScheduleStore } from '../../db/schedule-tables.ts'
import type { Clock } from '../../lib/timing.ts'
import { claimDue, settleLeftOpen, reasonTexts } from './claim-due.ts'

/** The outcome of a run. */
export type RunEnd = Required<Pick<RunChange, 'state' | 'reason' | 'text'>> &
  Pick<RunChange, 'silent' | 'tokens' | 'costUsd' | 'denied'>

/** The reason why a run cannot start. */
export type Obstacle = { reason: ScheduleReason; text: string }

export type SchedulerParts = {
  store: ScheduleStore
  now: Clock
  /** The IANA zone of this computer. */
  zone(this: void): string
  /** The reason why a schedule cannot run at the moment; undefined if it can. */
  obstacle(this: void, schedule: ScheduleRow): Promise<Obstacle | undefined>
  /** Perform one run. `began` reports its chat. A failure that the user can understand is an outcome too. */
  perform(
    this: void,
    work: { schedule: ScheduleRow; run: RunRow; began(sessionId: string): void },
    signal: AbortSignal,
  ): Promise<RunEnd>
  /** Keep the computer awake until the returned function is called. */
  keepAwake(this: void): () => void
  /** Forget the chats of deleted runs. */
  dropChats(this: void, sessionIds: readonly string[]): void
  /** A schedule or a run changed. */
  changed(this: void): void
  /** A run ended without being stopped, well or not, or could not start. */
  ended(this: void, schedule: ScheduleRow, run: RunRow): void
  /** Tell the user something about schedules in general. */
  tell(this: void, text: string, fix: string): void
  report(this: void, error: unknown): void
}

/** Runs due schedules, one after the other. */
export type Scheduler = {
  /** Check the clock: claim due runs and start them. Call it often, and on wake-up. Never throws. */
  tick(): void
  /** Run a schedule now. Throws `busy` while it runs. */
  run(id: string, kind: 'now' | 'trial'): RunRow
  /** Stop the run of a schedule, or drop its claim. */
  stop(id: string, reason: 'stopped' | 'removed'): void
  /** The queued or active run of a schedule. */
  openRun(id: string): RunRow | undefined
  /** Resolves once no run is claimed or active. */
  idle(): Promise<void>
  close(): Promise<void>
}

/** Maximum number of runs to keep per schedule, with their chats. */
const RUNS_KEPT = 100
/** Number of failures in a row after which a schedule is paused. */
const MOST_FAILURES = 3
const DAY_MS = 86_400_000

/** Open the scheduler, and settle runs that an earlier process left open. No run starts before a tick. */
export function openSchedules(parts: SchedulerParts): Scheduler {
  const { store, now, report } = parts
  const startedAt = now()
  store.dropRemoved(startedAt - DAY_MS)
  let active: { run: RunRow; stop: AbortController; why: ScheduleReason } | undefined
  let working: Promise<void> | undefined
  let isClosing = false
  const known: Parameters<typeof claimDue>[0]['known'] = new Map()
  /** Outcomes that could not be stored yet, for example on a full disk. */
  const unwritten = new Map<number, RunEnd>()
  for (const run of settleLeftOpen(store, startedAt)) countFailure(run.scheduleId, run.text)

  function tick() {
    if (isClosing) return
    try {
      for (const [id, end] of unwritten) finish(id, end)
      watchZone()
      if (claimDue({ store, now: now(), startedAt, known })) parts.changed()
    } catch (error) {
      // On a full disk nothing is claimed. The next tick finds the same instants.
      report(error)
      return
    }
    work()
  }

  function work() {
    working ??= workOff()
  }

  async function workOff() {
    // Yield first, so that `working` is assigned before this function can end.
    await Promise.resolve()
    try {
      for (;;) {
        const run = isClosing ? undefined : store.open().find(each => each.state === 'claimed')
        if (!run) return
        await doRun(run)
      }
    } catch (error) {
      report(error)
    } finally {
      working = undefined
    }
  }

  async function doRun(run: RunRow) {
    const schedule = store.get(run.scheduleId)
    if (!schedule) return end(run.id, skipped('removed'))
    const stop = new AbortController()
    const own = (active = { run, stop, why: 'stopped' as ScheduleReason })
    const letSleep = parts.keepAwake()
    let outcome: RunEnd
    try {
      const obstacle = await parts.obstacle(schedule)
      if (obstacle) outcome = { state: 'skipped', ...obstacle }
      else if (stop.signal.aborted) outcome = skipped(own.why)
      else {
        store.changeRun(run.id, { state: 'running', startedAt: now() })
        parts.changed()
        const began = (sessionId: string) => {
          store.changeRun(run.id, { sessionId })
          parts.changed()
        }
        outcome = await parts.perform({ schedule, run, began }, stop.signal)
        if (stop.signal.aborted)
          outcome = { ...outcome, state: 'failed', reason: own.why, text: textOf(own.why) }
      }
    } catch (error) {
      if (!(error instanceof Fault)) report(error)
      const text = error instanceof Fault ? error.message : 'Something went wrong inside Talaria.'
      outcome = { state: 'failed', reason: 'failed', text }
    } finally {
      letSleep()
      active = undefined
    }
    end(run.id, outcome)
  }

  /** Store how a run ended. A full disk delays that. */
  function end(id: number, outcome: RunEnd) {
    try {
      finish(id, outcome)
    } catch (error) {
      report(error)
      unwritten.set(id, outcome)
      throw error
    }
  }

  function finish(id: number, outcome: RunEnd) {
    const run = store.changeRun(id, { ...outcome, endedAt: now() })
    unwritten.delete(id)
    const schedule = store.get(run.scheduleId)
    if (schedule) {
      if (outcome.state === 'done') {
        if (schedule.failures > 0) store.put({ ...schedule, failures: 0 })
      } else if (COUNTED.has(outcome.reason)) countFailure(schedule.id, outcome.text)
      parts.dropChats(store.prune(schedule.id, RUNS_KEPT))
      parts.ended(schedule, run)
    }
    parts.changed()
  }

  function countFailure(id: string, text: string) {
    const schedule = store.get(id)
    if (!schedule) return
    const failures = schedule.failures + 1
    const isOver = failures >= MOST_FAILURES && schedule.paused === null
    const paused = isOver
      ? `It failed three times in a row, the last time with: ${text || 'no message.'}`
      : schedule.paused
    store.put({ ...schedule, failures, paused })
    if (isOver)
      parts.tell(
        `The schedule “${schedule.choices.name}” is paused, because it failed three times in a row.`,
        'Its history under Schedules says why. Resume it there.',
      )
  }

  /** Schedules keep the zone in which they were created, so tell users who travel. */
  function watchZone() {
    const zone = parts.zone()
    const known = store.fact('zone')
    if (known === zone) return
    store.setFact('zone', zone)
    if (known === undefined || !store.list().some(each => each.zone !== zone)) return
    parts.tell(
      `This computer is now in the time zone ${zone}. Your schedules still follow ${known}.`,
      'You can change the time zone of each on the Schedules page.',
    )
  }

  return {
    tick,
    run(id, kind) {
      const schedule = store.get(id)
      if (!schedule) throw new Fault('not_found', 'This schedule no longer exists.')
      if (isClosing) throw new Fault('not_ready', 'Talaria is closing.')
      if (openRun(id)) throw new Fault('busy', 'It is already running.')
      let run: RunRow | undefined
      // Each instant of a schedule has at most one row.
      for (let planned = now(); !run; planned++)
        run = store.addRun({ scheduleId: id, planned, kind, state: 'claimed' })
      parts.changed()
      work()
      return run
    },
    stop(id, reason) {
      if (active?.run.scheduleId === id) {
        active.why = reason
        active.stop.abort()
        return
      }
      const run = openRun(id)
      if (run?.state === 'claimed') end(run.id, skipped(reason))
    },
    openRun,
    async idle() {
      await working
      // Also wait for runs claimed while the first wait ended.
      await working
    },
    async close() {
      isClosing = true
      if (active) {
        active.why = 'quit'
        active.stop.abort()
      }
      await working
    },
  }

  function openRun(id: string): RunRow | undefined {
    return store.open().find(each => each.scheduleId === id)
  }
}

/** Outcomes that count towards the pause. Those caused by the user or the computer do not. */
const COUNTED: ReadonlySet<ScheduleRun['reason']> = new Set([
  'failed',
  'run_limit',
  'model_missing',
  'folder_gone',
  'skill_missing',
])

const textOf = (reason: ScheduleReason): string =>
  reason === '' || reason === 'failed' ? '' : reasonTexts[reason]

const skipped = (reason: ScheduleReason): RunEnd => ({ state: 'skipped', reason, text: textOf(reason) })
