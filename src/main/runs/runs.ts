import type { AttachedSkill } from '../../shared/contract/messages.ts'
import type { EndReason, NewRunEvent, RunEvent } from '../../shared/contract/run.ts'
import type { Session } from '../../shared/contract/session.ts'
import { Fault } from '../../shared/rpc.ts'
import type { Answer } from '../agent/turn.ts'
import { createBroadcast, type Broadcast } from '../lib/broadcast.ts'
import { createAnswering, type AnswerSources, type RunPorts } from './answer-message.ts'
import { answerOpenCalls, healLeftOpen } from './heal.ts'
import { createQuestions, type Questions } from './questions.ts'
import { openRunLog } from './run-log.ts'

/** What goes on in the host. A run outlives whoever watches it. */
export type Runs = {
  /** Store the message and start a turn. Throws `busy` while one is under way in this session. */
  send(sessionId: string, text: string, beside?: Beside): { runId: string }
  /** Replace older messages of a chat by a summary; `focus` says what must stay. */
  compact(sessionId: string, focus: string): { runId: string }
  /** Everything after event `after`, then what follows, until the run ends. Throws `not_found` when the log is gone. */
  watch(runId: string, after: number, signal: AbortSignal): AsyncGenerator<RunEvent, void, void>
  /** Stopping what has ended is no error: the two often cross. */
  stop(runId: string): void
  /** Answer a question of a run. Throws `not_found` when it is not open any more. */
  answer(runId: string, approvalId: string, answer: Answer): void
  /** The session as a window sees it, with what is under way. */
  live(session: Session): Session
  /** Whether anything is under way. */
  isBusy(): boolean
  /** Stop everything and wait for its end. */
  close(): Promise<void>
}

/** What goes with a message: a skill, and the draft that the chat has from then on. */
type Beside = { skill?: AttachedSkill | undefined; draft?: string | undefined }

export type RunsOptions = AnswerSources & {
  /** How long a question waits for the person. */
  waitMs(): number
  onSessionChange(sessionId: string): void
  /** Told of every event of every run, in order. */
  onRunEvent(sessionId: string, event: NewRunEvent): void
  evidence: Evidence
}

/** Who keeps how use of skills went: a message may put the last turn right, and every turn ends somehow. */
export type Evidence = {
  asked(sessionId: string, text: string): void
  sent(sessionId: string, messageId: number, skillId: string): void
  ended(sessionId: string, messageId: number, reason: EndReason): void
}

type Active = {
  runId: string
  sessionId: string
  events: Broadcast<RunEvent>
  stop: AbortController
  questions: Questions
  ended: Promise<void>
}

/** Start, follow and stop runs. Runs that a crash left open are healed first. */
export function createRuns(options: RunsOptions): Runs {
  const { store, onSessionChange, report, now } = options
  const answering = createAnswering(options)
  const active = new Map<string, Active>()
  let isClosing = false
  healLeftOpen(store, now)

  const runOf = (sessionId: string) => [...active.values()].find(each => each.sessionId === sessionId)

  /** The session that something is to be done in, if nothing is under way there. */
  function readyFor(sessionId: string): Session {
    if (isClosing) throw new Fault('not_ready', 'Talaria is closing.')
    const session = store.sessions.get(sessionId)
    if (!session) throw new Fault('not_found', 'This chat does not exist any more.')
    if (runOf(sessionId)) throw new Fault('busy', 'The agent is still working on the last message.')
    // A full disk may have kept the last turn from being ended in good order.
    const left = store.runs.active(sessionId)
    if (left) store.runs.end(left.id, 'failed')
    answerOpenCalls(store.messages, sessionId, now)
    return session
  }

  function send(sessionId: string, text: string, { skill, draft }: Beside = {}): { runId: string } {
    const session = readyFor(sessionId)
    options.evidence.asked(sessionId, text)
    const sent = { role: 'user', sessionId, at: now(), text, ...(skill && { skill }) } as const
    const message = store.messages.append(sent, draft)
    if (skill) options.evidence.sent(sessionId, message.id, skill.id)
    return begin(session, {
      begun: emit => emit({ type: 'turn_start', message, model: session.modelId }),
      work: (ports, signal) => answering.answer(session, ports, signal),
      ended: reason => options.evidence.ended(sessionId, message.id, reason),
    })
  }

  type Work = {
    begun?: (emit: RunPorts['emit']) => void
    work(ports: RunPorts, signal: AbortSignal): Promise<EndReason>
    ended?: (reason: EndReason) => void
  }

  /** Start a run. It outlives whoever started it. */
  function begin({ id: sessionId }: Session, { begun, work, ended: onEnd }: Work): { runId: string } {
    const { id: runId } = store.runs.start(sessionId)
    const events = createBroadcast<RunEvent>()
    const log = openRunLog(store.runs, runId, events.publish)
    const emit: RunPorts['emit'] = event => {
      log(event)
      attempt(() => options.onRunEvent(sessionId, event))
    }
    const stop = new AbortController()
    const questions = createQuestions(options.waitMs(), () => onSessionChange(sessionId))
    begun?.(emit)

    const run = async () => {
      let reason: EndReason = 'failed'
      try {
        reason = await work({ emit, ask: questions.ask }, stop.signal)
      } catch (error) {
        breakOff(sessionId, emit, error)
      }
      attempt(() => onEnd?.(reason))
      attempt(() => emit({ type: 'turn_end', reason }))
      attempt(() => store.runs.end(runId, reason))
      active.delete(runId)
      events.close()
      attempt(() => onSessionChange(sessionId))
    }
    // A macrotask later, so that the caller knows the run before anything happens in it.
    const ended = new Promise<void>(resolve => setImmediate(resolve)).then(run)
    active.set(runId, { runId, sessionId, events, stop, questions, ended })
    onSessionChange(sessionId)
    return { runId }
  }

  /** A turn ended as nobody had foreseen: say so, and leave a history behind that goes on. */
  function breakOff(sessionId: string, emit: RunPorts['emit'], error: unknown) {
    const isKnown = error instanceof Fault
    if (!isKnown) report(error)
    const text = isKnown ? error.message : 'Something went wrong inside Talaria. Nothing was lost.'
    const fix = isKnown ? '' : 'Try again. If it happens again, the log file has the details.'
    attempt(() => {
      for (const message of answerOpenCalls(store.messages, sessionId, now))
        emit({ type: 'message', message })
    })
    attempt(() => emit({ type: 'error', text, fix }))
  }

  /** When the disk refuses, the rest of what ends a run must happen all the same. */
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
    // Listening begins before reading, so that nothing falls between the two; what comes twice is skipped by its number.
    await using live = run?.events.listen(signal)
    const past = store.runs.after(runId, after)
    if (!run && past.length === 0 && (after === 0 || !store.runs.get(runId)))
      throw new Fault('not_found', 'This run is not in the log any more.')
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

  return {
    send,
    compact(sessionId, focus) {
      const session = readyFor(sessionId)
      return begin(session, { work: (ports, signal) => answering.compact(session, focus, ports, signal) })
    },
    watch,
    stop: runId => active.get(runId)?.stop.abort(),
    answer(runId, approvalId, answer) {
      const run = active.get(runId)
      if (!run) throw new Fault('not_found', 'This run has already ended.')
      run.questions.answer(approvalId, answer)
    },
    live(session) {
      const run = runOf(session.id)
      return { ...session, activeRunId: run?.runId ?? null, waiting: run?.questions.waiting ?? false }
    },
    isBusy: () => active.size > 0,
    async close() {
      isClosing = true
      for (const run of active.values()) run.stop.abort()
      await Promise.all([...active.values()].map(run => run.ended))
    },
  }
}
