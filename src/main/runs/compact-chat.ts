import { setImmediate as others } from 'node:timers/promises'
import { withCompaction } from '../agent/compaction/apply-compaction.ts'
import {
  compactHistory,
  type CompactionConfig,
  type CompactPorts,
  type Flush,
  type FlushEnd,
} from '../agent/compaction/compact-history.ts'
import { mostMessages } from '../agent/fit-history.ts'
import { PLAN_HEADING } from '../agent/compaction/summary.ts'
import { boundMarks } from '../untrusted/strangers-marks.ts'
import { joinSections } from '../agent/prompt.ts'
import type { PreparedTurn, TurnPorts } from '../agent/turn-types.ts'
import { isFailure } from '../models/interface/engine.ts'
import type { Message } from '../../shared/contract/chats/messages.ts'
import type { Compaction } from '../../shared/contract/chats/session.ts'
import { readPlan } from '../../shared/plan-steps.ts'
import { TODO } from '../tools/todo.ts'
import { rulesOf } from '../../shared/origin-rules.ts'
import type { Store } from '../db/store.ts'
import { frozenPrompt } from './prepare-turn.ts'
import { resolveTurnSetup, type TurnSources } from './turn-setup.ts'

export type CompactionSources = TurnSources & {
  store: Store
  /** The settings of compaction. */
  compaction(this: void): CompactionConfig
  /** Reviews messages before a summary replaces them. */
  flushes: Flushes | undefined
}

type Flushes = {
  /** Queue a review of these messages, except those already reviewed. */
  queue(sessionId: string, fromId: number, upToId: number): void
  /** Review them now; undefined if the review is left to the queue. `skip` aborts when the user skips it. */
  now(flush: AwaitedFlush, signal: AbortSignal): Promise<FlushEnd | undefined>
}

type AwaitedFlush = Flush & {
  turn: PreparedTurn
  isShort: boolean
  begun(): void
  emit: TurnPorts['emit']
  skip: AbortSignal
}

/** The parts of a run that a compaction needs. */
type CompactionRun = {
  emit: TurnPorts['emit']
  /** Whether somebody follows the run and could skip work before a summary. */
  isFollowed(): boolean
  /** Start work that the user may skip; the returned signal aborts when they do. */
  untilSkipped(): AbortSignal
}

const NEAR =
  'This chat fills much of what the model can hold at once. Soon its older part is replaced by a summary, for the model; here everything stays.'
const GIVEN_UP =
  'Summarising this chat makes no more room in it, so that has stopped. A new chat, or a model with a larger context, is the way on.'

const PAUSED =
  'This chat was summarised three times within a few minutes, so the next summary waits for six minutes. Until then the model may lose sight of older messages; /compact summarises at once.'

const AWAY =
  'The model could not be asked for a summary of the older messages, so they stay as they are. It is asked again with the next message.'
const WARNINGS = { near: NEAR, given_up: GIVEN_UP, paused: PAUSED, away: AWAY }

/** How many messages to read at a time. */
const READ = 500

/**
 * The newest `most` messages of a chat that no summary replaces, none before `since`. They are read in parts,
 * newest first, yielding to other work in between.
 */
async function readInParts(store: Store, sessionId: string, since: number, most: number): Promise<Message[]> {
  const parts: Message[][] = []
  let before = Number.MAX_SAFE_INTEGER
  for (let left = most; left > 0; left -= READ) {
    if (parts.length > 0) await others()
    const wanted = Math.min(READ, left)
    const part = store.messages.history(sessionId, { since, before, most: wanted })
    parts.push(part)
    if (part.length < wanted) break
    before = part[0]!.id
  }
  return parts.toReversed().flat()
}

/** How many messages of the beginning a compaction sees: more than its first exchange may have. */
const BEGINNING = 50

/**
 * The messages that no summary covers yet, as a compaction sees them: the beginning, and as many of the
 * newest as could fit the model's context window, however short they are. In a chat that was imported with a
 * hundred thousand messages, the rest is left to search, because it would not fit a summary either. So the
 * model's window limits the work, not the length of the chat.
 * @internal Tests read less.
 */
export async function readForSummary(store: Store, sessionId: string, most: number): Promise<Message[]> {
  const newest = await readInParts(store, sessionId, 0, most)
  const [oldest] = newest
  if (!oldest || newest.length < most) return newest
  const beginning = store.messages.beginning(sessionId, BEGINNING)
  return [...beginning.filter(({ id }) => id < oldest.id), ...newest]
}

/**
 * The messages that a model reads: the newest `most`, none before `since`, with compaction applied. Void
 * answers are left out: a model that reads its own loops repeats them, and they would fill its context.
 */
export async function historyOf(
  store: Store,
  sessionId: string,
  since: number,
  most: number,
): Promise<Message[]> {
  const compaction = store.compactions.newest(sessionId)
  const messages = await readInParts(store, sessionId, since, most)
  return withCompaction(
    messages.filter(message => message.role !== 'assistant' || !message.void),
    compaction,
  )
}

/**
 * Append the chat's plan to the summary, word for word, if the summary replaces the result that holds the
 * plan: rewording would lose steps. A finished plan is left to the summary.
 */
function withPlan(
  store: Store,
  sessionId: string,
  { summary, headId, upToId }: Pick<Compaction, 'summary' | 'headId' | 'upToId'>,
): string {
  if (summary === '') return summary
  const newest = store.messages.latestResult(sessionId, TODO)
  const isReplaced = newest !== undefined && newest.id > headId && newest.id <= upToId
  const isOpen =
    isReplaced && readPlan(newest.text).some(({ state }) => state === 'open' || state === 'doing')
  return isOpen ? `${summary}\n\n${PLAN_HEADING}\n${newest.text}` : summary
}

/** Create the function that keeps chats within the context window of their model. */
export function createChatCompactor(sources: CompactionSources) {
  const { store, now } = sources
  /** Chats whose user has been warned, and about what. */
  const warned = new Map<string, keyof typeof WARNINGS>()
  const isLearnedFrom = (sessionId: string): boolean => {
    const session = store.sessions.get(sessionId)
    return session !== undefined && rulesOf(session).learns !== 'nothing'
  }

  async function compact(
    turn: PreparedTurn,
    { emit, isFollowed, untilSkipped }: CompactionRun,
    options: { byHand: boolean; focus: string; firstId: number },
    signal: AbortSignal,
  ): Promise<{ outcome: Awaited<ReturnType<typeof compactHistory>>; system?: string; scale?: number }> {
    const { sessionId } = turn
    let scale: number | undefined
    const ports: CompactPorts = {
      messages: () => readForSummary(store, sessionId, mostMessages(turn)),
      newest: () => store.compactions.newest(sessionId),
      recent: most => store.compactions.recent(sessionId, most),
      keep(compaction) {
        const ended = store.marks.ended(sessionId)
        const marks = [...boundMarks((compaction.marks ?? []).filter(({ id }) => !ended.has(id)))]
        const summary = withPlan(store, sessionId, compaction)
        return store.compactions.add({ ...compaction, summary, marks, sessionId })
      },
      emit,
      async flushFirst(flush, stopped) {
        // In a turn this happens only if somebody could skip it.
        const isShort = !options.byHand
        if (!isLearnedFrom(sessionId) || (isShort && !isFollowed())) return
        const begun = () => emit({ type: 'flushing' })
        const awaited = { ...flush, turn, isShort, begun, emit, skip: untilSkipped() }
        const end = await sources.flushes?.now(awaited, stopped)
        if (end) emit({ type: 'flushed', ...end })
      },
      flush(fromId, upToId) {
        if (isLearnedFrom(sessionId)) sources.flushes?.queue(sessionId, fromId, upToId)
      },
      now,
      scaled: known => {
        scale = known
      },
    }
    const outcome = await compactHistory(turn, ports, { ...options, ...sources.compaction() }, signal)
    if (outcome === 'compacted') {
      warned.delete(sessionId)
      const system = await rebuilt(turn)
      return { outcome, ...(system !== undefined && { system }), ...(scale !== undefined && { scale }) }
    }
    // Warn only before the first summary; after that the user knows what will happen.
    if (outcome === 'near' && store.compactions.newest(sessionId)) return { outcome }
    const isWarning =
      outcome === 'near' || outcome === 'given_up' || outcome === 'paused' || outcome === 'away'
    if (isWarning && warned.get(sessionId) !== outcome) {
      warned.set(sessionId, outcome)
      emit({ type: 'warning', text: WARNINGS[outcome] })
    }
    return { outcome }
  }

  /**
   * Compaction leaves only the first exchange of the evaluated prefix valid, so the prompt can be rebuilt
   * with what was learned since. If the chat has switched to another model or other tools in the meantime,
   * the turn keeps its prompt.
   */
  async function rebuilt({
    sessionId,
    engine,
    strategy,
    tools,
    workspace,
  }: PreparedTurn): Promise<string | undefined> {
    const session = store.sessions.get(sessionId)
    if (!session) return undefined
    const setup = await resolveTurnSetup(sources, session)
    if (isFailure(setup)) return undefined
    store.sessions.forgetPrompt(sessionId)
    const isSame =
      setup.engine.modelId === engine.modelId &&
      setup.way.strategy === strategy &&
      session.workspace === workspace &&
      namesOf(setup.tools) === namesOf(tools)
    if (!isSame) return undefined
    return joinSections((await frozenPrompt(sources, session, setup, 'freeze')).sections)
  }

  return { compact }
}

const namesOf = (tools: PreparedTurn['tools']): string => tools.map(tool => tool.name).join()
