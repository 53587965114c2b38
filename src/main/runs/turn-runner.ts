import type { EndReason } from '../../shared/contract/run.ts'
import type { Session } from '../../shared/contract/session.ts'
import { openWindow, type Window } from '../agent/fit.ts'
import { runTurn } from '../agent/loop.ts'
import type { Turn, TurnPorts } from '../agent/turn.ts'
import { untilAborted } from '../lib/until-aborted.ts'
import { isFailure } from '../llm/engine.ts'
import { claimIn } from '../memory/claims.ts'
import type { Store } from '../store/types.ts'
import { createRoomMaking, historyOf, type RoomSources } from './make-room.ts'
import { prepareTurn } from './prepare-turn.ts'
import { type TurnSources } from './settle.ts'

/** What turns are built from, besides what belongs to a single run. */
export type AnswerSources = Omit<TurnSources, 'textOnly' | 'sessions'> & {
  store: Store
  cap: TurnPorts['cap']
  report(error: unknown): void
} & Pick<RoomSources, 'compactAt' | 'flush'>

/** What belongs to a single run. */
export type RunPorts = Pick<TurnPorts, 'emit' | 'ask'>

/** What outlives a turn but not the host: what was allowed “in this chat”, and what no longer fits its model. */
type Remembered = { grants: Set<string>; window: Window; modelId: string }

/** Make the functions that answer the newest message of a session, from the prompt to the reason of its end, and that make room in it. */
export function createAnswering(sources: AnswerSources) {
  const { store } = sources
  const remembered = new Map<string, Remembered>()
  const textOnly = new Set<string>()
  const room = createRoomMaking({ ...sources, sessions: store.sessions, textOnly })

  /** The beginning that one model has no room for may fit another one. */
  function recall({ id, modelId }: Session): Remembered {
    const known = remembered.get(id)
    const window = known?.modelId === modelId ? known.window : openWindow()
    const memory = { grants: known?.grants ?? new Set<string>(), window, modelId }
    remembered.set(id, memory)
    return memory
  }

  async function answer(
    session: Session,
    { grants, window }: Remembered,
    { emit, ask }: RunPorts,
    signal: AbortSignal,
  ): Promise<EndReason> {
    const askedId = store.messages.history(session.id, { most: 1 })[0]?.id ?? 0
    let refusedTools = false
    let hasSaved = false
    const ports: TurnPorts = {
      history: (since, most) => historyOf(store, session.id, since, most),
      makeRoom: (turn, stop) => makeRoomIn(turn, emit, window, stop),
      append: message => store.messages.append(message),
      emit(event) {
        hasSaved ||= event.type === 'memory'
        emit(event)
      },
      approvalMode: () => store.sessions.get(session.id)?.approval ?? 'none',
      grants,
      grant: rule => void grants.add(rule),
      ask,
      cap: sources.cap,
      refusedTools: () => {
        refusedTools = true
      },
      now: sources.now,
      report: sources.report,
    }
    for (;;) {
      const preparing = prepareTurn({ ...sources, sessions: store.sessions, textOnly }, session)
      const prepared = await untilAborted(preparing, signal)
      if (prepared === undefined || signal.aborted) return 'stopped'
      if (isFailure(prepared)) {
        emit({ type: 'error', text: prepared.text, fix: prepared.fix })
        return 'failed'
      }
      const turn = { ...prepared, askedId }
      refusedTools = false
      const reason = await runTurn(turn, ports, window, signal)
      if (reason === 'done' && !hasSaved) checkClaims(session.id, askedId, emit)
      // Only the structured strategy can be refused, so the second time round is the last.
      if (!refusedTools) return reason
      if (!textOnly.has(session.modelId)) {
        textOnly.add(session.modelId)
        emit({
          type: 'warning',
          text: 'This server takes no tools as data, so Talaria describes them in the text from now on.',
        })
      }
    }
  }

  async function makeRoomIn(turn: Turn, emit: RunPorts['emit'], window: Window, signal: AbortSignal) {
    const { firstId } = window
    const { outcome, ...changed } = await room.compact(
      turn,
      emit,
      { byHand: false, focus: '', firstId },
      signal,
    )
    // What was left out of the window before is in the summary now.
    if (outcome === 'compacted') Object.assign(window, openWindow())
    return changed
  }

  /** Make room in a chat because the person asks for it. */
  async function compact(
    session: Session,
    focus: string,
    { emit }: Pick<RunPorts, 'emit'>,
    signal: AbortSignal,
  ): Promise<EndReason> {
    const prepared = await prepareTurn({ ...sources, sessions: store.sessions, textOnly }, session)
    if (isFailure(prepared)) {
      emit({ type: 'error', text: prepared.text, fix: prepared.fix })
      return 'failed'
    }
    const { window } = recall(session)
    const { outcome } = await room.compact(
      { ...prepared, askedId: 0 },
      emit,
      { byHand: true, focus, firstId: window.firstId },
      signal,
    )
    if (outcome === 'stopped' || signal.aborted) return 'stopped'
    if (outcome === 'compacted') Object.assign(window, openWindow())
    else emit({ type: 'warning', text: 'There is nothing to summarise yet: the chat is short.' })
    return 'done'
  }

  /** What an answer claims to have saved, although nothing was, is told to the person. */
  function checkClaims(sessionId: string, askedId: number, emit: RunPorts['emit']) {
    const [asked, ...replies] = store.messages.history(sessionId, { since: askedId })
    const answer = replies.findLast(message => message.role === 'assistant')
    if (asked?.role !== 'user' || !answer) return
    const claim = claimIn(answer.text, asked.text)
    if (claim) emit({ type: 'unsaved_claim', messageId: answer.id, ...claim })
  }

  const answering = async (session: Session, ports: RunPorts, signal: AbortSignal): Promise<EndReason> => {
    const memory = recall(session)
    try {
      return await answer(session, memory, ports, signal)
    } finally {
      // Most chats have nothing to remember, and a host may see thousands of them.
      if (memory.grants.size === 0 && memory.window.firstId === 0 && memory.window.briefId === 0)
        remembered.delete(session.id)
    }
  }
  return { answer: answering, compact }
}
