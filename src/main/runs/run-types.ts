import type { Attachment } from '../../shared/contract/chats/attachments.ts'
import type { OmittedHistory } from '../agent/fit-turn.ts'
import type {
  AttachedSkill,
  Message,
  PickedCall,
  StrangersMark,
} from '../../shared/contract/chats/messages.ts'
import type { EndReason, RunEvent } from '../../shared/contract/runs/run.ts'
import type { ApprovalMode, Session } from '../../shared/contract/chats/session.ts'
import type { ApprovalAnswer, BegunReply } from '../agent/turn-types.ts'
import type { RunStart } from './origin.ts'
import type { RunPorts } from './turn-runner.ts'

/** The runs of the host. A run does not depend on the client that watches it. */
export type Runs = {
  /** The chat that a message is for. Throws `not_ready` while quitting, `not_found`, and `busy` as `send`. */
  readyFor(sessionId: string): Session
  /** Store the message and start a turn. Throws `busy` while the session has an active run. */
  send(sessionId: string, text: string, beside?: Beside): { runId: string }
  /**
   * Start a turn that answers a message of the user in a chat that is ready, with another model if one is
   * named. The path ends with that message, or with results of the same turn.
   */
  answerTo(session: Session, message: Message, options?: AnswerOptions): { runId: string }
  /** Stop the run in a chat and wait until it has ended. */
  stopIn(sessionId: string): Promise<void>
  /** The path of a chat has moved, so messages that were left out of its prompts may now fit. */
  pathMoved(sessionId: string): void
  /** The parts left out of a chat's newest prompt to fit, and so of its next prompt. */
  omittedIn(this: void, session: Session): OmittedHistory
  /** Store a question and let two models answer it, each as a branch beside the path. */
  compare(
    sessionId: string,
    text: string,
    modelIds: readonly string[],
    beside?: ComparedBeside,
  ): { runId: string }
  /** Stop one answer of a comparison. */
  stopLane(runId: string, lane: number): void
  /** Replace the older messages of a chat with a summary; `focus` says what it must keep. */
  compact(sessionId: string, focus: string): { runId: string }
  /** Events after number `after`, then live ones until the run ends. Throws `not_found` without a log. */
  watch(runId: string, after: number, signal: AbortSignal): AsyncGenerator<RunEvent, void, void>
  /**
   * Offer a message to the model of a run, before its next step. Yields once it is held, and again once it is
   * given. It is not given while the run waits for approval, after its last step, or after an abort.
   */
  steer(runId: string, text: string, signal: AbortSignal): AsyncGenerator<{ taken: boolean }, void, void>
  /** Skip the work before a summary, if the run is doing it now. */
  skip(runId: string): void
  /** Stop a run. Stopping a run that has ended is not an error, because the two often cross. */
  stop(runId: string): void
  /** Answer an approval request. Throws `not_found` if it is no longer open. */
  answer(runId: string, approvalId: string, answer: ApprovalAnswer): void
  /** Give a chat a mode until the signal aborts. A turn in progress then continues with nobody to ask. */
  lendMode(
    sessionId: string,
    approval: ApprovalMode,
    signal: AbortSignal,
  ): AsyncGenerator<{ approval: ApprovalMode }>
  /** The chat's own mode was set, so all lent modes end. */
  endLentModes(sessionId: string): void
  /** The session with the state of its active run, for the window. */
  live(session: Session): Session
  /** The active run of a chat, for code that works for it; undefined if none is active. */
  within(sessionId: string): RunInside | undefined
  /** Whether any run is active. */
  isBusy(): boolean
  /** Whether a run of this chat is active. */
  isRunning(sessionId: string): boolean
  /** Stop all runs and wait for them to end. */
  close(): Promise<void>
}

export type AnswerOptions = {
  modelId?: string | undefined
  /** How the run is started; by default by a user who writes into the chat. */
  start?: RunStart | undefined
  ended?: ((reason: EndReason) => void) | undefined
  /** The reply to continue. Its text is shown immediately. */
  begun?: BegunReply | undefined
}

/** A run, as seen by code that works for it: its model, its questions and its current mode. */
export type RunInside = Pick<RunPorts, 'emit' | 'ask'> & {
  runId: string
  modelId: string
  mode(): ApprovalMode
}

/**
 * Extras of a message: a skill, attachments of the draft, the call of a button, the chat's new draft, the
 * marks of outside texts that the message was made of, and who starts the run.
 */
export type Beside = {
  skill?: AttachedSkill | undefined
  picked?: PickedCall | undefined
  attachments?: Attachment[] | undefined
  /** The attachments' text for the model. */
  documents?: string | undefined
  draft?: string | undefined
  marks?: readonly StrangersMark[] | undefined
} & Pick<AnswerOptions, 'start' | 'ended'>

/** Extras of a question to two models. */
export type ComparedBeside = {
  attachments?: Attachment[]
  documents?: string
  marks?: StrangersMark[]
  draft?: string | undefined
}
