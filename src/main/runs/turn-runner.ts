import { existsSync } from 'node:fs'
import type { Message } from '../../shared/contract/chats/messages.ts'
import type { EndReason } from '../../shared/contract/runs/run.ts'
import type { Session } from '../../shared/contract/chats/session.ts'
import { isNothingOmitted, nothingOmitted, type OmittedHistory } from '../agent/fit-turn.ts'
import { runTurn } from '../agent/loop.ts'
import type { CallStep, Permits, Turn, TurnPorts } from '../agent/turn-types.ts'
import { watchStep } from '../agent/steps/command-steps.ts'
import { asAgreedStep, fileWritersStep } from '../agent/steps/file-steps.ts'
import { marksStep } from '../agent/steps/result-steps.ts'
import { goneFolderReason } from '../files/paths/resolve-path.ts'
import { createFileWriters } from '../files/file-writers.ts'
import { letOthersRun, runInSlices, untilAborted } from '../lib/timing.ts'
import { isFailure } from '../models/interface/engine.ts'
import { asksRepetition } from '../agent/repetition/detect-repetition.ts'
import { claimIn, claimSteps } from '../memory/claims.ts'
import type { Store } from '../db/store.ts'
import { adviseTurn, withAdvice, type TurnAdvice } from './advise-turn.ts'
import { compareAnswers, type Comparison } from './compare-answers.ts'
import { createChatCompactor, historyOf, type CompactionSources } from './compact-chat.ts'
import { askIn, modeIn, rulesIn, type RunTerms } from './origin.ts'
import { findMarkedTexts } from './marks/marked-texts.ts'
import { offerWeb } from './web/offer-web.ts'
import { prepareTurn } from './prepare-turn.ts'
import { draftWithout } from './steering.ts'
import { attachCites } from './web/attach-cites.ts'
import { attachOffers } from './attach-offers.ts'
import { followMarks } from './marks/turn-marks.ts'
import { followWeb, type WebTurns } from './web/chat-web.ts'
import { type TurnSources } from './turn-setup.ts'

/** The sources of all turns, apart from a single run's ports. */
export type TurnRunnerSources = TurnSources & {
  store: Store
  /** The steps that features add to the calls of chats; see `agent/steps/step-order.ts`. */
  steps: readonly StepSource[]
  /** The user's standing rules. */
  rules?: Permits['rules']
  /** The chat in its current mode, which a terminal may have lent to it. */
  inLentMode(this: void, session: Session): Session
  report(error: unknown): void
} & Pick<CompactionSources, 'compaction' | 'flushes'>

/** The facts about a run that its steps may use. */
type StepRun = { session: Session }

/** Makes a step for each run, bound to the data of its feature; undefined if the step has nothing to do. */
export type StepSource = (run: StepRun) => CallStep | undefined

/** The ports of a single run, and the terms that it was started on. */
export type RunPorts = Pick<TurnPorts, 'emit' | 'ask'> & {
  terms: RunTerms
  /** Pass on what the user has offered to this run. */
  takeOffers(give: (text: string) => void): void
  /** Whether a window or a terminal follows the run. */
  isFollowed(): boolean
  /** A signal that aborts when the user skips the current work. */
  untilSkipped(): AbortSignal
}

/** State that outlives a turn but not the host: grants “in this chat”, and what prompts left out. */
type Remembered = { grants: Set<string>; omitted: OmittedHistory; modelId: string }

/**
 * Create the functions that answer the newest message of a session, from building the prompt to the end
 * reason, and that compact its history.
 */
export function createTurnRunner(sources: TurnRunnerSources) {
  const { store } = sources
  const remembered = new Map<string, Remembered>()
  const writers = createFileWriters(id => store.sessions.get(id)?.title ?? '')
  /** Models whose user was told that their server takes no tools as data. */
  const told = new Set<string>()
  /** Chats whose user was told that the folder is gone. */
  const goneFolders = new Set<string>()
  const webTurns: WebTurns = new Map()
  const compactor = createChatCompactor(sources)

  /** A history that did not fit one model may fit another, so a new model starts with all of it. */
  function recall({ id, modelId }: Session): Remembered {
    const known = remembered.get(id)
    const omitted = known?.modelId === modelId ? known.omitted : nothingOmitted()
    const memory = { grants: known?.grants ?? new Set<string>(), omitted, modelId }
    remembered.set(id, memory)
    return memory
  }

  async function answer(
    session: Session,
    { askedId, begun }: Pick<Turn, 'askedId' | 'begun'>,
    { grants, omitted }: Remembered,
    { ask, takeOffers, terms, ...run }: RunPorts,
    signal: AbortSignal,
  ): Promise<EndReason> {
    const { emit } = run
    const approvalMode = () => {
      const now = store.sessions.get(session.id)
      return now ? modeIn(terms, sources.inLentMode(now).approval) : 'none'
    }
    /** The chat with the toolsets that have been switched on since. */
    const current = () => ({
      ...session,
      toolsets: store.sessions.get(session.id)?.toolsets ?? session.toolsets,
    })
    /** In mode `none` there is no user at the terminal. */
    const isFollowed = () => run.isFollowed() && approvalMode() !== 'none'
    for (const rule of terms.grants ?? []) grants.add(rule)
    writers.begin(session.id)
    let hasFallenBack = false
    let hasSaved = false
    const takeSteering = () =>
      takeOffers(text => {
        const said = {
          role: 'user',
          sessionId: session.id,
          at: sources.now(),
          text,
          steered: true,
        } as const
        // Remove the text from the draft in the same write: the window may close before it saves a new draft.
        const draft = draftWithout(store.sessions.get(session.id)?.draft ?? '', text)
        emit({ type: 'message', message: store.messages.append(said, draft) })
      })
    const unmarked: TurnPorts = {
      history: (since, most) => historyOf(store, session.id, since, most),
      append: message => store.messages.append(message),
      emit(event) {
        hasSaved ||= event.type === 'memory'
        emit(event)
      },
      approvalMode,
      ask: askIn(terms, ask),
      async beforeRequest(turn, step, stop) {
        if (step > 0) takeSteering()
        const changed = await webOffer.changed()
        const since = { ...run, terms, isFollowed }
        return { ...changed, ...(await compactInTurn({ ...turn, ...changed }, since, omitted, stop)) }
      },
      now: sources.now,
      report: sources.report,
    }
    // A trial run has exactly the rights that it is meant to collect.
    const runsAlone =
      session.origin === 'schedule' && (terms.origin === 'schedule' || terms.allowed !== undefined)
    const web = followWeb(sources, session, { turns: webTurns, runsAlone })
    const webOffer = offerWeb(sources, {
      current,
      isAttended: () => terms.rules.asks === 'person' && !terms.ask && approvalMode() !== 'none',
    })
    const offered =
      terms.rules.asks === 'parent' || terms.expected
        ? unmarked
        : attachOffers(unmarked, {
            steps: () => steps,
            claims: text => claimOf(askedIn(session.id, askedId), text) !== undefined,
          })
    const { ports, strangers } = followMarks(sources, session, attachCites(offered), begun?.marks)
    let steps: CallStep[] = [
      asAgreedStep(),
      fileWritersStep(writers),
      watchStep(terms.aroundCommand),
      marksStep(),
    ]
    for (const source of sources.steps) {
      const step = source({ session })
      if (step) steps.push(step)
    }
    const permits: Permits = {
      grants,
      grant: rule => void grants.add(rule),
      rules: sources.rules && rulesIn(terms, sources.rules),
      allowed: terms.allowed,
      strangers,
      web,
      textsOf: marks => findMarkedTexts(store, session.id, marks),
    }
    warnOfGoneFolder(session, emit)
    // A sub-agent works for a turn that already had advice, and a continued reply was started with advice.
    const advisers =
      begun || terms.rules.asks === 'parent' ? undefined : sources.advisersOf?.(session.modelId)
    let advice: TurnAdvice | undefined
    for (;;) {
      // Several chats may start at the same time, and preparing each takes some milliseconds.
      await letOthersRun()
      const preparing = prepareTurn(sources, current())
      const prepared = await untilAborted(preparing, signal)
      if (prepared === undefined || signal.aborted) return 'stopped'
      if (isFailure(prepared)) {
        emit({ type: 'error', text: prepared.text, fix: prepared.fix })
        return 'failed'
      }
      web.hasPrompt(prepared.system)
      if (advisers)
        advice ??= await adviseTurn(
          advisers,
          { askedId, contextTokens: prepared.contextTokens },
          ports,
          signal,
        )
      if (signal.aborted) return 'stopped'
      const priority = terms.priority ?? terms.rules.priority
      const turn = {
        ...prepared,
        switchOn: webOffer.askedIn(prepared),
        askedId,
        begun,
        steps,
        permits,
        wantsRepetition: wantsRepetition(session.id, askedId),
        budget: terms.budget,
        expected: terms.expected,
        ...(priority && { priority }),
        ...(terms.origin === 'schedule' && { purpose: 'schedule' as const }),
      }
      const advised = advice ? withAdvice(ports, askedId, advice) : ports
      const reason = await runTurn(turn, advised, omitted, signal)
      if (reason === 'done' && !hasSaved && terms.rules.learns !== 'nothing')
        await checkClaims(session.id, askedId, emit)
      if (reason !== 'tools_refused') return reason
      // From now on the model's profile says that it gets tools as text, which no server refuses.
      if (hasFallenBack) return 'failed'
      hasFallenBack = true
      // The turn has begun already; only its request is repeated.
      steps = steps.map(({ begin: _begun, ...step }) => step)
      // Several chats may use this server at the same time; only one of them tells the user.
      if (told.has(session.modelId)) continue
      told.add(session.modelId)
      emit({
        type: 'warning',
        text: 'This server takes no tools as data, so Talaria describes them in the text from now on.',
      })
    }
  }

  async function compactInTurn(
    turn: Turn,
    run: Omit<RunPorts, 'ask' | 'takeOffers'>,
    omitted: OmittedHistory,
    signal: AbortSignal,
  ) {
    const { firstId } = omitted
    const { outcome, ...changed } = await compactor.compact(
      turn,
      run,
      { byHand: false, focus: '', firstId },
      signal,
    )
    // The summary now covers what was left out before.
    if (outcome === 'compacted') Object.assign(omitted, nothingOmitted())
    return changed
  }

  /** Compact a chat because the user asked for it. */
  async function compact(
    session: Session,
    focus: string,
    run: RunPorts,
    signal: AbortSignal,
  ): Promise<EndReason> {
    const { emit } = run
    const prepared = await prepareTurn(sources, session)
    if (isFailure(prepared)) {
      emit({ type: 'error', text: prepared.text, fix: prepared.fix })
      return 'failed'
    }
    const { omitted } = recall(session)
    const { outcome } = await compactor.compact(
      prepared,
      run,
      { byHand: true, focus, firstId: omitted.firstId },
      signal,
    )
    if (outcome === 'stopped' || signal.aborted) return 'stopped'
    if (outcome === 'compacted') Object.assign(omitted, nothingOmitted())
    else emit({ type: 'warning', text: 'There is nothing to summarise yet: the chat is short.' })
    return 'done'
  }

  /** Warn, once until it is back, that a chat's folder is gone. Much can be asked without a folder. */
  function warnOfGoneFolder({ id, workspace }: Session, emit: RunPorts['emit']) {
    if (existsSync(workspace)) return void goneFolders.delete(id)
    if (goneFolders.has(id)) return
    goneFolders.add(id)
    emit({ type: 'warning', text: goneFolderReason(workspace) })
  }

  function wantsRepetition(sessionId: string, askedId: number): boolean {
    const asked = askedIn(sessionId, askedId)
    return asked?.role === 'user' && asksRepetition(asked.text)
  }

  /** Warn the user when an answer claims to have saved something although nothing was saved. */
  async function checkClaims(sessionId: string, askedId: number, emit: RunPorts['emit']): Promise<void> {
    const [asked, ...replies] = store.messages.history(sessionId, { since: askedId })
    const answer = replies.findLast(message => message.role === 'assistant')
    if (!answer || answer.void || asked?.role !== 'user') return
    const claim = await runInSlices(claimSteps(answer.text, asked.text))
    if (claim) emit({ type: 'unsaved_claim', messageId: answer.id, ...claim })
  }

  /** The claim in an answer to have saved something; undefined if there is none. */
  const claimOf = (asked: Message | undefined, answer: string) =>
    asked?.role === 'user' ? claimIn(answer, asked.text) : undefined
  const askedIn = (sessionId: string, askedId: number): Message | undefined =>
    store.messages.history(sessionId, { since: askedId, before: askedId + 1 })[0]

  const answering = async (
    session: Session,
    asked: Pick<Turn, 'askedId' | 'begun'>,
    ports: RunPorts,
    signal: AbortSignal,
  ): Promise<EndReason> => {
    const memory = recall(session)
    try {
      return await answer(session, asked, memory, ports, signal)
    } finally {
      webTurns.delete(session.id)
      // Most chats have nothing to remember, and a host may see thousands of chats.
      if (memory.grants.size === 0 && isNothingOmitted(memory.omitted)) remembered.delete(session.id)
    }
  }
  /** The parts left out of a chat's newest prompt, and so of its next prompt. */
  const omittedIn = ({ id, modelId }: Session): OmittedHistory => {
    const known = remembered.get(id)
    return known?.modelId === modelId ? { ...known.omitted } : nothingOmitted()
  }
  /** Message ids of one branch say nothing about another, but the user's grants in the chat stay valid. */
  const pathMoved = (sessionId: string) => {
    const known = remembered.get(sessionId)
    if (known) remembered.set(sessionId, { ...known, omitted: nothingOmitted() })
  }
  const compare = (comparison: Comparison) => compareAnswers(sources, comparison)
  return { answer: answering, compact, compare, pathMoved, omittedIn }
}
