import { Fault } from '../../shared/rpc.ts'
import type { EndReason, RunEvent } from '../../shared/contract/run.ts'
import type { Session } from '../../shared/contract/session.ts'
import { runTurn } from '../agent/loop.ts'
import type { Window } from '../agent/fit.ts'
import type { TurnPorts } from '../agent/turn.ts'
import { createBroadcast, type Broadcast } from '../lib/broadcast.ts'
import { isFailure } from '../llm/engine.ts'
import type { RunRow, Store } from '../store/types.ts'
import { healLeftOpen } from './heal.ts'
import { prepareTurn, type TurnSources } from './prepare-turn.ts'
import { createQuestions, type Answer, type Questions } from './questions.ts'
import { openRunLog } from './run-log.ts'

/** What goes on in the host. A run outlives whoever watches it. */
export type Runs = {
  /** Store the message and start a turn. Throws `busy` while one is under way in this session. */
  send(sessionId: string, text: string): { runId: string }
  /** Everything after event `after`, then what follows, until the run ends. */
  watch(runId: string, after: number, signal: AbortSignal): AsyncGenerator<RunEvent, void, void>
  stop(runId: string): void
  answer(runId: string, approvalId: string, answer: Answer): void
  /** The session as a window sees it, with what is under way. */
  live(session: Session): Session
  close(): Promise<void>
}

export type RunsOptions = Omit<TurnSources, 'textOnly' | 'sessions'> & {
  store: Store
  cap: TurnPorts['cap']
  waitMs(): number
  onSessionChange(sessionId: string): void
  report(error: unknown): void
}

type Active = {
  row: RunRow
  events: Broadcast<RunEvent>
  stop: AbortController
  questions: Questions
  done: Promise<void>
}

/** Start, follow and stop runs. Runs that a crash left open are healed first. */
export function createRuns(options: RunsOptions): Runs {
  const { store, onSessionChange, report, now } = options
  const active = new Map<string, Active>()
  // Both live as long as the host: a grant “in this chat” and the dropped beginning of a chat outlive a single run.
  const grants = new Map<string, Set<string>>()
  const windows = new Map<string, Window>()
  const textOnly = new Set<string>()
  healLeftOpen(store, now)

  function send(sessionId: string, text: string): { runId: string } {
    const session = store.sessions.get(sessionId)
    if (!session) throw new Fault('not_found', 'This chat does not exist any more.')
    if (store.runs.active(sessionId))
      throw new Fault('busy', 'The agent is still working on the last message.')
    const message = store.messages.append({ role: 'user', sessionId, at: now(), text })
    const row = store.runs.start(sessionId)
    const events = createBroadcast<RunEvent>()
    const log = openRunLog(store.runs, row.id, events.publish)
    const stop = new AbortController()
    const questions = createQuestions(options.waitMs(), () => onSessionChange(sessionId))
    log.emit({ type: 'turn_start', message, model: session.modelId })

    const work = async () => {
      let reason: EndReason = 'failed'
      try {
        reason = await answerMessage(session, log.emit, questions, stop.signal)
      } catch (error) {
        report(error)
        log.emit({
          type: 'error',
          text: 'Something went wrong inside Talaria. Nothing was lost.',
          fix: 'Try again. If it happens again, the log file has the details.',
        })
      }
      log.emit({ type: 'turn_end', reason })
      store.runs.end(row.id, reason)
      active.delete(row.id)
      events.close()
      onSessionChange(sessionId)
    }
    // A macrotask later, so that the caller knows the run before anything happens in it.
    const done = new Promise<void>(resolve => setImmediate(resolve)).then(work)
    active.set(row.id, { row, events, stop, questions, done })
    onSessionChange(sessionId)
    return { runId: row.id }
  }

  async function answerMessage(
    session: Session,
    emit: TurnPorts['emit'],
    questions: Questions,
    signal: AbortSignal,
  ): Promise<EndReason> {
    const granted = setDefault(grants, session.id, () => new Set<string>())
    const window = setDefault(windows, session.id, () => ({ firstId: 0 }))
    let refusedTools = false
    const ports: TurnPorts = {
      history: () => store.messages.history(session.id),
      append: store.messages.append,
      emit,
      approvalMode: () => store.sessions.get(session.id)?.approval ?? 'none',
      grants: granted,
      grant: rule => void granted.add(rule),
      ask: questions.ask,
      cap: options.cap,
      refusedTools: () => {
        refusedTools = true
      },
      now,
      report,
    }
    for (;;) {
      const turn = await prepareTurn({ ...options, sessions: store.sessions, textOnly }, session)
      if (signal.aborted) return 'stopped'
      if (isFailure(turn)) {
        emit({ type: 'error', text: turn.text, fix: turn.fix })
        return 'failed'
      }
      const reason = await runTurn(turn, ports, window, signal)
      if (!refusedTools || textOnly.has(session.modelId)) return reason
      textOnly.add(session.modelId)
      emit({
        type: 'warning',
        text: 'This server takes no tools as data, so Talaria describes them in the text from now on.',
      })
    }
  }

  async function* watch(
    runId: string,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<RunEvent, void, void> {
    if (!store.runs.get(runId)) throw new Fault('not_found', 'This run is not in the log any more.')
    // Listening begins before reading, so that nothing falls between the two; what comes twice is skipped by its number.
    const live = active.get(runId)?.events.listen(signal)
    let seen = after
    for (const event of store.runs.after(runId, after)) {
      if (signal.aborted) break
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

  function require(runId: string): Active {
    const run = active.get(runId)
    if (!run) throw new Fault('not_found', 'This run has already ended.')
    return run
  }

  return {
    send,
    watch,
    // Stopping what has ended is no error: the two often cross.
    stop: runId => active.get(runId)?.stop.abort(),
    answer: (runId, approvalId, answer) => require(runId).questions.answer(approvalId, answer),
    live(session) {
      const run = [...active.values()].find(each => each.row.sessionId === session.id)
      return { ...session, activeRunId: run?.row.id ?? null, waiting: run?.questions.waiting ?? false }
    },
    async close() {
      for (const run of active.values()) run.stop.abort()
      await Promise.all([...active.values()].map(run => run.done))
    },
  }
}

function setDefault<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}
