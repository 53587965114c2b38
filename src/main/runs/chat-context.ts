import type { PromptSection } from '../../shared/contract/session.ts'
import type { Session } from '../../shared/contract/session.ts'
import { isFailure, type EngineFailure } from '../llm/engine.ts'
import type { Store } from '../store/types.ts'
import { frozenPrompt } from './frozen-prompt.ts'
import { historyOf } from './make-room.ts'
import { settle, type TurnSources } from './settle.ts'

/** What the model of a chat sees now, part by part; tokens are estimated. */
export type ChatContext = { sections: PromptSection[]; tokens: number; contextTokens: number }

type Sources = Omit<TurnSources, 'sessions' | 'textOnly'> & { store: Store }

/** Make the function that looks at what would be sent with the next message of a session, without sending or keeping anything. */
export const createContextReader =
  (sources: Sources) =>
  (session: Session): Promise<ChatContext | EngineFailure> =>
    contextOf({ ...sources, sessions: sources.store.sessions, textOnly: new Set() }, session)

async function contextOf(
  sources: TurnSources & { store: Store },
  session: Session,
): Promise<ChatContext | EngineFailure> {
  const settled = await settle(sources, session)
  if (isFailure(settled)) return settled
  const { engine, profile, way } = settled
  const { sections: parts, stale } = await frozenPrompt(sources, session, settled, 'look')
  const sections: PromptSection[] = []
  for (const { name, title, text } of parts)
    sections.push({ name, title, text, tokens: engine.count(text), stale: stale.includes(name) })
  for (const name of stale) {
    // What was remembered since has no part in the frozen prompt yet.
    if (!parts.some(part => part.name === name))
      sections.push({ name, title: TITLES[name] ?? name, text: '', tokens: 0, stale: true })
  }
  const attached = way.strategy.attach(settled.tools)
  if (attached.length > 0) {
    const text = JSON.stringify(attached, undefined, 1)
    sections.push({
      name: 'tools',
      title: 'Tools, sent beside the text',
      text,
      tokens: engine.count(text),
      stale: false,
    })
  }
  const messages = historyOf(sources.store, session.id, 0, -1)
  const sent = way.strategy.render('', messages).filter(message => message.role !== 'system')
  const text = sent.map(message => `${message.role}: ${message.text}`).join('\n\n')
  if (text !== '')
    sections.push({ name: 'history', title: 'This chat', text, tokens: engine.count(text), stale: false })
  const tokens = sections.reduce((sum, section) => sum + section.tokens, 0)
  return { sections, tokens, contextTokens: profile.contextTokens }
}

const TITLES: Partial<Record<PromptSection['name'], string>> = {
  user: 'About you',
  memory: 'Its notes',
  skills: 'Skills',
}
