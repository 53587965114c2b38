import type { BatchOptions, BatchPlan, BatchState } from '../../shared/contract/runs/batch.ts'
import { AttemptState } from '../../shared/contract/runs/batch.ts'
import { Fault } from '../../shared/rpc.ts'
import { newId } from '../lib/ids.ts'
import { createBroadcast, type Broadcast } from '../lib/topic.ts'
import { debounce } from '../lib/timing.ts'
import type { EngineFailure } from '../models/interface/engine.ts'
import { openBatchFolder, type BatchFolder } from './batch-folder.ts'
import { planBatch, type PlannedBatch, type PlanSources } from './plan-batch.ts'
import { openRows } from './read-rows.ts'
import type { ResultLine } from './result-line.ts'
import { runAttempt, type AttemptBench } from './run-attempt.ts'
import { runBatch, type BatchWork } from './run-batch.ts'
import type { Checked } from './run-check.ts'
import { createServerGate, type ServerGate } from './server-gate.ts'
import { writeOutputs } from './write-outputs.ts'

export type BatchParts = PlanSources & {
  /** Open the agent for the attempts of one batch, with its models behind a gate. */
  openBench(this: void, gate: ServerGate): AttemptBench & { close(): Promise<void> }
  check(
    this: void,
    given: { command: string; folder: string; sessionId: string },
    signal: AbortSignal,
  ): Promise<Checked>
  holdPicture: BatchWork['holdPicture']
  now(): number
  report(error: unknown): void
}

/** Maximum number of running batches, and of stopped batches to remember. */
const MOST_RUNNING = 16
const MOST_KEPT = 20
/** Minimum time between two state updates, in ms. */
const TELL_MS = 150

/** Maximum number of ended attempts in a state, and of characters in the note on each. */
const MOST_RECENT = 8
const MOST_NOTE = 300

type Started = BatchOptions & { agree?: string | undefined }

type Live = {
  state: BatchState
  /** The plan and options it was started with, for continuing it. */
  started: Started
  changes: Broadcast<BatchState>
  stop: AbortController
  over: Promise<void>
  isResuming?: boolean
}

/** Open the service that runs batches. Nothing is read or written before the first batch. */
export function openBatches(parts: BatchParts) {
  const { now, report } = parts
  const live = new Map<string, Live>()
  const listChanges = createBroadcast<null>()
  const tellList = debounce(() => listChanges.publish(null), { idleMs: TELL_MS / 3, maxMs: TELL_MS })
  let isClosed = false

  const isOver = ({ state: { state } }: Live) => state === 'paused' || state === 'ended'

  async function start(started: Started, instead?: Live): Promise<{ id: string }> {
    const { agree, ...options } = started
    if (isClosed) throw new Fault('not_ready', 'Talaria is closing.')
    if ([...live.values()].filter(each => !isOver(each)).length >= MOST_RUNNING)
      throw new Fault('busy', `${MOST_RUNNING} batches are running already. Wait for one of them.`)
    const planned = await planBatch(options, parts)
    refuseUnagreed(planned.plan, agree)
    const folder = await openBatchFolder(options.out, planned.settings, options.batchSize)
    const id = newId('batch')
    const one: Live = {
      state: stateAtStart(id, options, planned, folder, now()),
      started,
      changes: createBroadcast(),
      stop: new AbortController(),
      over: Promise.resolve(),
    }
    if (instead) live.delete(instead.state.id)
    live.set(id, one)
    forgetOld()
    tellList.request()
    one.over = carry(one, options, planned, folder)
    return { id }
  }

  /** Run a batch to its end and write its outputs. Never rejects. */
  async function carry(
    one: Live,
    options: BatchOptions,
    planned: PlannedBatch,
    folder: BatchFolder,
  ): Promise<void> {
    const tell = teller(one, tellList.request)
    let failure: EngineFailure | undefined
    const gate: ServerGate = createServerGate({
      now,
      onChange() {
        const { closed } = gate
        tell(
          closed
            ? { state: 'waiting', text: closed.text, until: closed.until }
            : { state: 'running', text: '', until: null },
        )
      },
      stop(why) {
        failure ??= why
        one.stop.abort()
      },
    })
    let text: string
    let file: Awaited<ReturnType<typeof openRows>> | undefined
    let bench: ReturnType<BatchParts['openBench']> | undefined
    try {
      file = await openRows(options.file)
      const opened = (bench = parts.openBench(gate))
      const stopped = await runBatch(
        {
          options,
          modelId: planned.modelId,
          rows: planned.rows,
          file,
          folder,
          distribution: planned.distribution,
          attempt: (task, signal) => runAttempt(opened, task, signal),
          check: (command, place, signal) =>
            parts.check({ command, folder: place, sessionId: one.state.id }, signal),
          holdPicture: parts.holdPicture,
          onChange: change => tell('line' in change ? counted(one.state, change.line, now()) : change),
          now,
          report,
        },
        one.stop.signal,
      )
      text = failure
        ? `${failure.text} ${failure.fix}`.trim()
        : (stopped ?? (one.stop.signal.aborted ? 'It was paused.' : ''))
    } catch (error) {
      if (!(error instanceof Fault)) report(error)
      text = error instanceof Fault ? error.message : 'Something went wrong inside Talaria. Nothing was lost.'
    }
    try {
      const lines = new Map(planned.rows.map(({ key, line }) => [key, line]))
      await writeOutputs(options.out, folder, planned.settings, lines)
    } catch (error) {
      report(error)
      const why =
        'Its trajectories and statistics could not be written. Resume the batch to write them again.'
      text = text === '' ? why : `${text} ${why}`
    }
    for (const close of [() => bench?.close(), () => file?.close(), () => folder.close()])
      await Promise.resolve(close()).catch(report)
    tell({ state: text === '' ? 'ended' : 'paused', text, until: null, active: 0 })
    one.changes.close()
  }

  function forgetOld(): void {
    const over = [...live].filter(([, each]) => isOver(each))
    for (const [id] of over.slice(0, Math.max(0, over.length - MOST_KEPT))) live.delete(id)
  }

  function named(id: string): Live {
    const found = live.get(id)
    if (!found)
      throw new Fault('not_found', 'Talaria no longer has this batch open. Start it again with its folder.')
    return found
  }

  async function* watch(id: string, signal: AbortSignal): AsyncGenerator<BatchState, void, void> {
    const one = named(id)
    await using changes = one.changes.listen(signal)
    yield one.state
    if (!isOver(one)) yield* changes
  }

  const list = (): BatchState[] => [...live.values()].map(({ state }) => state).toReversed()

  async function* watchList(signal: AbortSignal): AsyncGenerator<{ batches: BatchState[] }, void, void> {
    await using changes = listChanges.listen(signal)
    yield { batches: list() }
    for await (const _change of changes) yield { batches: list() }
  }

  async function resume(id: string): Promise<{ id: string }> {
    const one = named(id)
    if (one.state.state !== 'paused' || one.isResuming)
      throw new Fault('conflict', 'This batch is not paused.')
    one.isResuming = true
    try {
      await one.over
      return await start(one.started, one)
    } finally {
      one.isResuming = false
    }
  }

  return {
    look: async (options: BatchOptions): Promise<BatchPlan> => (await planBatch(options, parts)).plan,
    start: (started: Started) => start(started),
    watch,
    watchList,
    resume,
    async pause(id: string): Promise<void> {
      const one = named(id)
      one.stop.abort()
      await one.over
    },
    list,
    async close(): Promise<void> {
      isClosed = true
      for (const each of live.values()) each.stop.abort()
      await Promise.all([...live.values()].map(({ over }) => over))
      tellList.cancel()
      listChanges.close()
    },
  }
}

/** Create a function that updates the state of a batch. Updates are throttled unless `state` changes. */
function teller(one: Live, onChange: () => void): (change: Partial<BatchState>) => void {
  const later = debounce(() => one.changes.publish(one.state), { idleMs: TELL_MS / 3, maxMs: TELL_MS })
  return change => {
    const { state: before } = one.state
    one.state = { ...one.state, ...change }
    onChange()
    if (one.state.state === before) return later.request()
    later.cancel()
    one.changes.publish(one.state)
  }
}

/** The counts of a state after one more ended attempt. */
const counted = (
  { ended, states, rewards, tokens, recent }: BatchState,
  { id, key, line, attempt, state, note = '', reward, tokens: used }: ResultLine,
  at: number,
): Partial<BatchState> => ({
  ended: ended + 1,
  tokens: tokens + used,
  states: { ...states, [state]: states[state] + 1 },
  rewards: reward === undefined ? rewards : { count: rewards.count + 1, sum: rewards.sum + reward },
  recent: [
    // The key of a row without an id means nothing to the user.
    {
      id: id === key ? `Line ${line}` : id,
      attempt,
      state,
      note: note.slice(0, MOST_NOTE),
      reward: reward ?? null,
      at,
    },
    ...recent.slice(0, MOST_RECENT - 1),
  ],
})

function stateAtStart(
  id: string,
  { file, out, budget, workers }: BatchOptions,
  { plan, rows }: PlannedBatch,
  { ended, unknown }: BatchFolder,
  startedAt: number,
): BatchState {
  const keys = new Set(rows.map(({ key }) => key))
  const before = [...ended.values()].filter(({ key }) => keys.has(key))
  const rewarded = before.flatMap(({ reward }) => (reward === undefined ? [] : [reward]))
  const states = Object.fromEntries(
    AttemptState.options.map(state => [state, before.filter(each => each.state === state).length]),
  ) as BatchState['states']
  return {
    id,
    runName: plan.runName,
    file,
    out,
    state: 'running',
    text: '',
    until: null,
    rows: plan.rows,
    attempts: plan.attempts,
    ended: plan.ended,
    active: 0,
    states,
    unknown,
    rewards: { count: rewarded.length, sum: rewarded.reduce((sum, each) => sum + each, 0) },
    tokens: [...ended.values()].reduce((sum, each) => sum + each.tokens, 0),
    budget: budget ?? null,
    workers,
    recent: [],
    badLines: plan.badLines.length + plan.moreBadLines,
    startedAt,
  }
}

/** Refuse checks that the user did not accept: they are commands by whoever wrote the rows. */
function refuseUnagreed({ checks }: BatchPlan, agree: string | undefined): void {
  if (!checks || agree === checks.hash) return
  throw new Fault(
    'conflict',
    agree === undefined
      ? 'The rows have checks, which are commands. Look at them first, and agree to them.'
      : 'The checks of the rows are not the ones that you agreed to. Look at them again.',
  )
}
