import type { Message, StrangersMark, UserMessage } from '../../shared/contract/chats/messages.ts'
import type { EndReason, NewRunEvent, RunEvent } from '../../shared/contract/runs/run.ts'
import type { ApprovalMode, Session } from '../../shared/contract/chats/session.ts'
import { Fault } from '../../shared/rpc.ts'
import { rulesOf } from '../../shared/origin-rules.ts'
import { boundMarks, mergeMarks } from '../untrusted/strangers-marks.ts'
import { createBroadcast, type Broadcast } from '../lib/topic.ts'
import { createLentModes, type Loan } from './lent-modes.ts'
import { createTurnRunner, type TurnRunnerSources, type RunPorts } from './turn-runner.ts'
import { closeOpenCalls, endInterruptedRuns } from './repair-interrupted.ts'
import { createOpenApprovals, type OpenApprovals } from './open-approvals.ts'
import type { AnswerOptions, Beside, ComparedBeside, Runs } from './run-types.ts'
import { askIn, modeIn, termsOf, type RunTerms } from './origin.ts'
import { createSteering, type Steering } from './steering.ts'
import { leaveOutDocuments, openRunLog } from './run-log.ts'

export type { RunInside, Runs } from './run-types.ts'

export type RunsOptions = Omit<TurnRunnerSources, 'inLentMode'> & {
  /** How long an approval request waits for the user, in ms. */
  waitMs(): number
  /** The background sub-agents' reports that the model of a chat has not received yet. */
  reports?(
    this: void,
    sessionId: string,
  ): { text: string; marks: readonly StrangersMark[]; told(): void } | undefined
  /** Throws a Fault for a folder that no chat may work in. An older version may have stored such a folder. */
  refuseFolder(this: void, folder: string): void
  onSessionChange(sessionId: string): void
  /** Kept up to date with the ids of active runs, for work that yields to answers. */
  running?: Set<string>
  /** Called with every event of every run, in order. */
  onRunEvent(sessionId: string, event: NewRunEvent): void
  evidence: Evidence
}

/** Records how well skills worked: a message may correct the last turn, and every turn has an outcome. */
type Evidence = {
  asked(sessionId: string, text: string): void
  sent(sessionId: string, messageId: number, skillId: string): void
  ended(sessionId: string, messageId: number, reason: EndReason): void
}

type Active = {
  session: Session
  terms: RunTerms
  emit: RunPorts['emit']
  runId: string
  sessionId: string
  events: Broadcast<RunEvent>
  stop: AbortController
  approvals: OpenApprovals
  steering: Steering
  /** Whether anybody has followed the run: the caller that starts a run follows it next. */
  wasFollowed: boolean
  /** Aborted when the user skips the current work. */
  skip: AbortController
  /** Stop single answers of a comparison. */
  lanes: readonly AbortController[]
  /** The lent mode that the run was started with; its lender answers its questions. */
  loan: Loan | undefined
  ended: Promise<void>
}

/** Create the service that starts, watches and stops runs. Runs that a crash left open are ended first. */
export function createRuns(options: RunsOptions): Runs {
  const { store, onSessionChange, report, now } = options
  const lent = createLentModes()
  const turnRunner = createTurnRunner({ ...options, inLentMode: lent.apply })
  const active = new Map<string, Active>()
  let isClosing = false
  endInterruptedRuns(store, now)

  const runOf = (sessionId: string) => [...active.values()].find(each => each.sessionId === sessionId)

  /** The session, if it exists and has no active run. */
  function readyFor(sessionId: string): Session {
    if (isClosing) throw new Fault('not_ready', 'Talaria is closing.')
    const session = store.sessions.get(sessionId)
    if (!session) throw new Fault('not_found', 'This chat no longer exists.')
    if (runOf(sessionId)) throw new Fault('busy', 'The agent is still working on the last message.')
    // A full disk may have prevented the last run from being ended.
    const left = store.runs.active(sessionId)
    if (left) store.runs.end(left.id, 'failed')
    closeOpenCalls(store.messages, sessionId, now)
    return lent.apply(session)
  }

  function send(
    sessionId: string,
    text: string,
    { skill, picked, attachments = [], documents, draft, marks: given, ...how }: Beside = {},
  ): { runId: string } {
    const session = readyFor(sessionId)
    refuseUndecided(sessionId)
    options.refuseFolder(session.workspace)
    if (rulesOf(session).learns !== 'nothing') options.evidence.asked(sessionId, text)
    const reports = options.reports?.(sessionId)
    const marks = boundMarks(mergeMarks(given, reports?.marks))
    const sent = {
      role: 'user',
      sessionId,
      at: now(),
      text,
      ...(skill && { skill }),
      ...(picked && { picked }),
      ...(attachments.length > 0 && { attachments }),
      ...(documents !== undefined && { documents }),
      ...(reports && { reports: reports.text }),
      ...(marks.length > 0 && { marks: [...marks] }),
    } as const
    const message = put(sent, draft)
    reports?.told()
    if (skill) options.evidence.sent(sessionId, message.id, skill.id)
    return answerTo(session, message, how)
  }

  /** Store a message of the user. Its attachments then leave the draft; a crash may leave them in both. */
  function put(message: Omit<UserMessage, 'id'>, draft: string | undefined): Message {
    const stored = store.messages.append(message, draft)
    const hashes = message.attachments?.map(({ hash }) => hash) ?? []
    if (hashes.length > 0) store.attachments.takeBack(message.sessionId, hashes)
    return stored
  }

  /** A message after two answers would follow neither of them. */
  function refuseUndecided(sessionId: string) {
    if (store.branches.compared(sessionId).length > 0)
      throw new Fault(
        'bad_input',
        'Answers to your last message are waiting for your choice. Keep one of them first.',
      )
  }

  function compare(
    sessionId: string,
    text: string,
    modelIds: readonly string[],
    { draft, ...sent }: ComparedBeside = {},
  ) {
    const session = readyFor(sessionId)
    refuseUndecided(sessionId)
    if (rulesOf(session).learns !== 'nothing') options.evidence.asked(sessionId, text)
    const question = put({ role: 'user', sessionId, at: now(), text, ...sent }, draft)
    const lanes = modelIds.map(modelId => ({ modelId, stop: new AbortController() }))
    return begin(session, {
      terms: termsOf(session),
      lanes: lanes.map(({ stop }) => stop),
      begun: emit =>
        emit({
          type: 'compare_start',
          message: leaveOutDocuments(question),
          lanes: lanes.map(({ modelId }) => ({ modelId })),
        }),
      work: ({ emit }, signal) =>
        turnRunner.compare({
          session,
          question,
          emit,
          lanes: lanes.map(({ modelId, stop }) => ({
            modelId,
            signal: AbortSignal.any([signal, stop.signal]),
          })),
        }),
    })
  }

  function answerTo(
    session: Session,
    message: Message,
    { modelId, start, ended, begun }: AnswerOptions = {},
  ) {
    const asked = modelId === undefined ? session : { ...session, modelId }
    return begin(asked, {
      terms: termsOf(session, start),
      begun(emit) {
        emit({ type: 'turn_start', message: leaveOutDocuments(message), model: asked.modelId })
        if (begun) emit({ type: 'text_delta', text: begun.text })
      },
      work: (ports, signal) => turnRunner.answer(asked, { askedId: message.id, begun }, ports, signal),
      ended(reason) {
        options.evidence.ended(session.id, message.id, reason)
        ended?.(reason)
      },
    })
  }

  type Work = {
    terms: RunTerms
    lanes?: readonly AbortController[]
    begun?: (emit: RunPorts['emit']) => void
    work(ports: RunPorts, signal: AbortSignal): Promise<EndReason>
    ended?: (reason: EndReason) => void
  }

  /** Start a run. It continues after its caller is gone. */
  function begin(
    session: Session,
    { terms, lanes = [], begun, work, ended: onEnd }: Work,
  ): { runId: string } {
    const { id: sessionId } = session
    const { id: runId } = store.runs.start(sessionId, terms.origin)
    const events = createBroadcast<RunEvent>()
    const log = openRunLog(store.runs, runId, events.publish)
    const emit: RunPorts['emit'] = event => {
      log(event)
      attempt(() => options.onRunEvent(sessionId, event))
      attempt(() => terms.onEvent?.(event))
    }
    const stop = new AbortController()
    const approvals = createOpenApprovals(options.waitMs(), () => onSessionChange(sessionId))
    const steering = createSteering()
    begun?.(emit)

    const toEnd = async () => {
      let reason: EndReason = 'failed'
      try {
        reason = await work(
          {
            emit,
            terms,
            ask: approvals.ask,
            takeOffers: steering.take,
            isFollowed: () => !run.wasFollowed || events.listening > 0,
            untilSkipped: () => (run.skip = new AbortController()).signal,
          },
          stop.signal,
        )
      } catch (error) {
        breakOff(sessionId, emit, error)
      }
      steering.end()
      // Settle open questions first. A caller whose question was answered must not be called back later.
      attempt(() => approvals.abandon('The turn is over.'))
      attempt(() => onEnd?.(reason))
      attempt(() => emit({ type: 'turn_end', reason }))
      attempt(() => store.runs.end(runId, reason))
      active.delete(runId)
      options.running?.delete(runId)
      events.close()
      attempt(() => onSessionChange(sessionId))
    }
    // Start a macrotask later, so that the caller knows the run before its first event.
    const ended = new Promise<void>(resolve => setImmediate(resolve)).then(toEnd)
    const loan = lent.newest(sessionId)
    const run: Active = {
      session,
      terms,
      emit,
      runId,
      sessionId,
      events,
      stop,
      approvals,
      steering,
      wasFollowed: false,
      skip: new AbortController(),
      lanes,
      loan,
      ended,
    }
    active.set(runId, run)
    options.running?.add(runId)
    onSessionChange(sessionId)
    return { runId }
  }

  /** Handle an unexpected error: report it and leave a valid history. */
  function breakOff(sessionId: string, emit: RunPorts['emit'], error: unknown) {
    const isKnown = error instanceof Fault
    if (!isKnown) report(error)
    const text = isKnown ? error.message : 'Something went wrong inside Talaria. Nothing was lost.'
    const fix = isKnown ? '' : 'Try again. If it happens again, the log file has the details.'
    attempt(() => {
      for (const message of closeOpenCalls(store.messages, sessionId, now)) emit({ type: 'message', message })
    })
    attempt(() => emit({ type: 'error', text, fix }))
  }

  /** If the disk refuses a write, the remaining steps that end a run must still happen. */
  function attempt(work: () => void) {
    try {
      work()
    } catch (error) {
      report(error)
    }
  }

  async function* watch(
    runId: string,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<RunEvent, void, void> {
    const run = active.get(runId)
    // Start listening before reading the log, so that no event is missed; duplicates are skipped by number.
    await using live = run?.events.listen(signal)
    if (run) run.wasFollowed = true
    const past = store.runs.after(runId, after)
    if (!run && past.length === 0 && (after === 0 || !store.runs.get(runId)))
      throw new Fault('not_found', 'This run is no longer in the log.')
    let seen = after
    for (const event of past) {
      if (signal.aborted) return
      seen = event.seq
      yield event
    }
    if (!live) return
    for await (const event of live) {
      if (event.seq <= seen) continue
      seen = event.seq
      yield event
    }
  }

  async function* lendMode(sessionId: string, approval: ApprovalMode, signal: AbortSignal) {
    if (!store.sessions.get(sessionId)) throw new Fault('not_found', 'This chat no longer exists.')
    const loan = lent.lend(sessionId, approval)
    onSessionChange(sessionId)
    try {
      yield { approval }
      if (!signal.aborted)
        await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
    } finally {
      lent.takeBack(sessionId, loan)
      const run = runOf(sessionId)
      if (run?.loan === loan) run.approvals.abandon('The terminal that started this is gone.')
      attempt(() => onSessionChange(sessionId))
    }
  }

  return {
    readyFor,
    send,
    answerTo,
    async stopIn(sessionId) {
      const run = runOf(sessionId)
      run?.stop.abort()
      await run?.ended
    },
    compare,
    stopLane: (runId, lane) => active.get(runId)?.lanes[lane]?.abort(),
    pathMoved: turnRunner.pathMoved,
    omittedIn: turnRunner.omittedIn,
    lendMode,
    endLentModes: lent.end,
    compact(sessionId, focus) {
      const session = readyFor(sessionId)
      return begin(session, {
        terms: termsOf(session),
        work: (ports, signal) => turnRunner.compact(session, focus, ports, signal),
      })
    },
    watch,
    async *steer(runId, text, signal) {
      const run = active.get(runId)
      if (!run || run.approvals.waiting) return
      const isTaken = run.steering.offer(text, signal)
      yield { taken: false }
      if (await isTaken) yield { taken: true }
    },
    skip: runId => active.get(runId)?.skip.abort(),
    stop: runId => active.get(runId)?.stop.abort(),
    answer(runId, approvalId, answer) {
      const run = active.get(runId)
      if (!run) throw new Fault('not_found', 'This run has already ended.')
      run.approvals.answer(approvalId, answer)
    },
    live(session) {
      const run = runOf(session.id)
      return {
        ...lent.apply(session),
        activeRunId: run?.runId ?? null,
        waiting: run?.approvals.waiting ?? false,
      }
    },
    within(sessionId) {
      const run = runOf(sessionId)
      if (!run) return undefined
      return {
        runId: run.runId,
        modelId: run.session.modelId,
        emit: run.emit,
        ask: askIn(run.terms, run.approvals.ask),
        mode() {
          const now = store.sessions.get(sessionId)
          return now ? modeIn(run.terms, lent.apply(now).approval) : 'none'
        },
      }
    },
    isBusy: () => active.size > 0,
    isRunning: sessionId => runOf(sessionId) !== undefined,
    async close() {
      isClosing = true
      for (const run of active.values()) run.stop.abort()
      await Promise.all([...active.values()].map(run => run.ended))
    },
  }
}
