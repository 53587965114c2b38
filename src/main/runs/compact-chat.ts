import { withCompaction } from '../agent/compaction/apply.ts'
import { makeRoom, type CompactPorts } from '../agent/compaction/compact.ts'
import { joinSections } from '../agent/prompt.ts'
import type { Turn, TurnPorts } from '../agent/turn.ts'
import { isFailure } from '../llm/engine.ts'
import type { Message } from '../../shared/contract/messages.ts'
import type { Store } from '../store/types.ts'
import { frozenPrompt } from './frozen-prompt.ts'
import { settle, type TurnSources } from './settle.ts'

export type RoomSources = TurnSources & {
  store: Store
  /** Share of the window from which on a chat is compacted. */
  compactAt(this: void): number
  /** Messages that a summary will stand for are to be reviewed. */
  flush(this: void, sessionId: string, fromId: number, upToId: number): void
}

const NEAR =
  'This chat fills much of what the model can hold at once. Soon its older part is replaced by a summary, for the model; here everything stays.'
const GIVEN_UP =
  'Summarising this chat makes no more room in it, so that has stopped. A new chat, or a model with a larger context, is the way on.'

/** What a model reads of a chat, newest `most` messages, none before `firstId`. */
export function historyOf(store: Store, sessionId: string, since: number, most: number): Message[] {
  const compaction = store.compactions.newest(sessionId)
  return withCompaction(store.messages.history(sessionId, { since, most }), compaction)
}

/** Make the functions that keep chats within the window of their model. */
export function createRoomMaking(sources: RoomSources) {
  const { store, now } = sources
  /** Chats whose person was told, and of what. */
  const told = new Map<string, 'near' | 'given_up'>()

  async function compact(
    turn: Turn,
    emit: TurnPorts['emit'],
    options: { byHand: boolean; focus: string; firstId: number },
    signal: AbortSignal,
  ): Promise<{ outcome: Awaited<ReturnType<typeof makeRoom>>; system?: string; scale?: number }> {
    const { sessionId } = turn
    let scale: number | undefined
    const ports: CompactPorts = {
      messages: () => store.messages.history(sessionId),
      newest: () => store.compactions.newest(sessionId),
      keep: compaction => store.compactions.add({ ...compaction, sessionId }),
      emit,
      flush: (fromId, upToId) => sources.flush(sessionId, fromId, upToId),
      now,
      scaled: known => {
        scale = known
      },
    }
    const outcome = await makeRoom(turn, ports, { ...options, trigger: sources.compactAt() }, signal)
    if (outcome === 'compacted') {
      told.delete(sessionId)
      const system = await rebuilt(turn)
      return { outcome, ...(system !== undefined && { system }), ...(scale !== undefined && { scale }) }
    }
    // Once is enough: whoever has seen a summary knows what is coming.
    if (outcome === 'near' && store.compactions.newest(sessionId)) return { outcome }
    if ((outcome === 'near' || outcome === 'given_up') && told.get(sessionId) !== outcome) {
      told.set(sessionId, outcome)
      emit({ type: 'warning', text: outcome === 'near' ? NEAR : GIVEN_UP })
    }
    return { outcome }
  }

  /**
   * The evaluated prefix ends behind the first exchange now, so the prompt may as well hold what was learned since. A turn
   * whose chat was given another model or other tools meanwhile keeps its prompt to its end.
   */
  async function rebuilt({
    sessionId,
    engine,
    strategy,
    tools,
    workspace,
  }: Turn): Promise<string | undefined> {
    const session = store.sessions.get(sessionId)
    if (!session) return undefined
    const settled = await settle(sources, session)
    if (isFailure(settled)) return undefined
    store.sessions.forgetPrompt(sessionId)
    const isSame =
      settled.engine.modelId === engine.modelId &&
      settled.way.strategy === strategy &&
      session.workspace === workspace &&
      namesOf(settled.tools) === namesOf(tools)
    if (!isSame) return undefined
    return joinSections((await frozenPrompt(sources, session, settled, 'freeze')).sections)
  }

  return { compact }
}

const namesOf = (tools: Turn['tools']): string => tools.map(tool => tool.name).join()
