import type { Rereads } from '../../../shared/contract/models/model.ts'
import type { PromptSection } from '../../../shared/contract/chats/session.ts'
import type { Session } from '../../../shared/contract/chats/session.ts'
import { isFailure, type EngineFailure } from '../../models/interface/engine.ts'
import type { Store } from '../../db/store.ts'
import { countAhead, fitHistory, mostMessages } from '../../agent/fit-history.ts'
import type { OmittedHistory } from '../../agent/fit-turn.ts'
import { joinSections } from '../../agent/prompt.ts'
import { frozenPrompt } from '../prepare-turn.ts'
import { historyOf } from '../compact-chat.ts'
import { resolveTurnSetup, type TurnSources } from '../turn-setup.ts'

/** The text that a chat's model reads now, section by section; tokens are estimated. */
export type ChatContext = {
  sections: PromptSection[]
  tokens: number
  contextTokens: number
  rereads: Rereads | null
}

type Sources = TurnSources & {
  store: Store
  /** The parts left out of a chat's newest prompt, and so of its next prompt. */
  omittedIn(this: void, session: Session): OmittedHistory
}

/** Describe what the next message of a session would send, without sending or storing anything. */
export async function readContext(sources: Sources, session: Session): Promise<ChatContext | EngineFailure> {
  const setup = await resolveTurnSetup(sources, session)
  if (isFailure(setup)) return setup
  const { engine, profile, way, fresh } = setup
  const { sections: parts, found } = await frozenPrompt(sources, session, setup, 'look')
  const sections: PromptSection[] = parts.map(part => ({
    stale: false,
    ...found.get(part.name),
    ...part,
    tokens: engine.count(part.text),
  }))
  // For example, memory that was added since the prompt was frozen.
  for (const [name, each] of found)
    if ((each.stale || each.leftOut) && !parts.some(part => part.name === name))
      sections.push({ name, text: '', tokens: 0, ...each })
  const attached = way.strategy.attach(setup.tools)
  if (attached.length > 0) {
    const written = engine.toolsAsSent?.(attached) ?? attached
    const text = JSON.stringify(written, undefined, 1)
    // The model gets it without line breaks, which only make it readable here.
    const tokens = engine.count(JSON.stringify(written))
    const stale = JSON.stringify(fresh.tools) !== JSON.stringify(setup.tools)
    sections.push({ name: 'tools', title: 'Tools, sent beside the text', text, tokens, stale })
  }
  const refused = engine.leavesOut?.(attached) ?? []
  const missing = [...(fresh.leftOut === undefined ? [] : [fresh.leftOut]), ...refused.map(({ why }) => why)]
  if (missing.length > 0) {
    const leftOut = { text: missing.join('\n'), untrusted: false }
    const tools = sections.find(section => section.name === 'tools')
    if (tools) tools.leftOut = leftOut
    else sections.push({ name: 'tools', title: 'Tools', text: '', tokens: 0, stale: false, leftOut })
  }
  const all = await historyOf(sources.store, session.id, 0, mostMessages(profile))
  const { contextTokens } = profile
  const turn = {
    engine,
    strategy: way.strategy,
    system: joinSections(parts),
    tools: setup.tools,
    contextTokens,
  }
  const fitted = fitHistory(await countAhead(turn, all), all, sources.omittedIn(session), 1)
  const sent = way.strategy.render('', fitted.messages).filter(message => message.role !== 'system')
  const text = sent.map(message => `${message.role}: ${message.text}`).join('\n\n')
  const isCut = fitted.messages.length < all.length
  if (text !== '')
    sections.push({
      name: 'history',
      title: 'This chat',
      text,
      tokens: engine.count(text),
      stale: false,
      ...(isCut && { leftOut: { text: OUTGROWN, untrusted: false } }),
    })
  const tokens = sections.reduce((sum, section) => sum + section.tokens, 0)
  return { sections, tokens, contextTokens, rereads: profile.rereads ?? null }
}

const OUTGROWN = 'the beginning of the chat, because it no longer fits what the model can read at once.'
