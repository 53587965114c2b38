import type { ScheduleReason, ScheduleRun } from '../../../shared/contract/runs/schedules.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { RunChange, RunRow, ScheduleRow, ScheduleStore } from '../../db/schedule-tables.ts'
import type { Clock } from '../../lib/timing.ts'
import { claimDue, settleLeftOpen, reasonTexts } from './claim-due.ts'

/** How a run ended. */
export type RunEnd = Required<Pick<RunChange, 'state' | 'reason' | 'text'>> &
  Pick<RunChange, 'silent' | 'tokens' | 'costUsd' | 'denied'>

/** Why a run cannot start. */
export type Obstacle = { reason: ScheduleReason; text: string }

export type SchedulerParts = {
  store: ScheduleStore
  now: Clock
  /** The IANA zone of this computer. */
  zone(this: void): string
  /** Why a schedule cannot run at the moment; undefined when it can. */
  obstacle(this: void, schedule: ScheduleRow): Promise<Obstacle | undefined>
  /** Do one run to its end. `began` names its chat. Trouble that a person can understand is an end. */
  perform(
    this: void,
    work: { schedule: ScheduleRow; run: RunRow; began(sessionId: string): void },
    signal: AbortSignal,
  ): Promise<RunEnd>
  /** Keep the computer awake until the returned function is called. */
  keepAwake(this: void): () => void
  /** Forget the chats of runs that are not kept any more. */
  dropChats(this: void, sessionIds: readonly string[]): void
  /** A schedule or a run changed. */
  changed(this: void): void
  /** A run has ended by itself, well or not, or could not start. */
  ended(this: void, schedule: ScheduleRow, run: RunRow): void
  /** Something that the person should know of schedules as such. */
  tell(this: void, text: string, fix: string): void
  report(this: void, error: unknown): void
}

/** Runs schedules when they are due, one after another. */
export type Scheduler = {
  /** Look at the clock: claim what is due and start it. Call it often, and when the computer wakes up. Never throws. */
  tick(): void
  /** Run a schedule now. Throws `busy` while it runs. */
  run(id: string, kind: 'now' | 'trial'): RunRow
  /** Stop the run of a schedule, or drop its claim. */
  stop(id: string, reason: 'stopped' | 'removed'): void
  /** The run of a schedule that waits or runs. */
  openRun(id: string): RunRow | undefined
  /** Resolves when nothing is claimed or runs. */
  idle(): Promise<void>
  close(): Promise<void>
}

/** Runs of one schedule that are kept, with their chats. */
const RUNS_KEPT = 100
/** A schedule is paused when so many runs have failed one after another. */
const MOST_FAILURES = 3
const DAY_MS = 86_400_000

/** Open the scheduler. What an earlier process left open is settled first. Nothing starts before the first tick. */
export function openSchedules(parts: SchedulerParts): Scheduler {
  const { store, now, report } = parts
  const startedAt = now()
  store.dropRemoved(startedAt - DAY_MS)
  let active: { run: RunRow; stop: AbortController; why: ScheduleReason } | undefined
  let working: Promise<void> | undefined
  let isClosing = false
  const known: Parameters<typeof claimDue>[0]['known'] = new Map()
  /** Ends that could not be written, on a full disk say. */
  const unwritten = new Map<number, RunEnd>()
  for (const run of settleLeftOpen(store, startedAt)) countFailure(run.scheduleId, run.text)

  function tick() {
    if (isClosing) return
    try {
      for (const [id, end] of unwritten) finish(id, end)
      watchZone()
      if (claimDue({ store, now: now(), startedAt, known })) parts.changed()
    } catch (error) {
      // On a full disk nothing is claimed, and the next tick finds the same instants.
      report(error)
      return
    }
    work()
  }

  function work() {
    working ??= workOff()
  }

  async function workOff() {
    // The promise of this work must be known before it ends.
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

  /** Write how a run ended; a full disk delays that. */
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

  /** Schedules keep the zone in which they were made; a person who travels should know. */
  function watchZone() {
    const zone = parts.zone()
    const known = store.fact('zone')
    if (known === zone) return
    store.setFact('zone', zone)
    if (known === undefined || !store.list().some(each => each.zone !== zone)) return
    parts.tell(
      `This computer is now in the time zone ${zone}. Your schedules still follow ${known}.`,
      'Under Schedules you can give each another zone.',
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
      // An instant has one row at most.
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
      // What was claimed at its end is worked off too.
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

/** Ends that count towards the pause. What the person or the computer did is none. */
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
