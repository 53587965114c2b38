import { createProposals, FROM_CHAT } from './proposals.ts'
import { proposingEditor } from './propose-skills.ts'
import type { Store } from '../../db/store.ts'
import type { MemoryTarget } from '../../../shared/contract/learned/memory.ts'
import type { Refusal } from '../../lib/expected-errors.ts'
import { sameWording } from '../../memory/alike/same-fact.ts'
import { gistOf, ruleAgainst } from './learning-rules.ts'

type Parts = Omit<Parameters<typeof createProposals>[0], 'store'> & {
  store: Pick<Store, 'learning' | 'messages' | 'skills'>
}

/** Create a function that returns the skill editor for an agent's proposals in a chat. */
export function proposeFromChat({ store, ...parts }: Parts) {
  const { editor, library } = parts
  const proposals = createProposals({ ...parts, store: store.learning })
  return ({ sessionId, askedId }: { sessionId: string; askedId: number }) =>
    proposingEditor(
      { editor, library, skills: store.skills },
      {
        asks: true,
        propose(candidate) {
          const asked = store.messages.page(sessionId, { before: askedId + 1, limit: 1 }).messages
          const row = proposals.add(candidate, { id: FROM_CHAT, sessionId }, asked)
          return row !== false
        },
        refuses: () => undefined,
        heldBack: () => {},
        changed: () => {},
      },
    )
}

type Outside = Pick<Parts, 'memory' | 'library' | 'editor' | 'now'> & {
  store: Pick<Store, 'learning'>
}

/** Create a function that proposes another program's entry, and returns the proposal or a refusal. */
export function proposeFromOutside({ store, ...parts }: Outside) {
  const proposals = createProposals({ ...parts, store: store.learning })
  return (
    target: MemoryTarget,
    text: string,
    { agentId, because }: { agentId: string; because: string },
  ): { id: string } | Refusal => {
    const step = { kind: 'add', target, project: null, text } as const
    const refused = parts.memory.check([step], {
      actor: 'agent',
      sessionId: null,
      messageId: null,
      reviewId: agentId,
    })
    // The further lines list remembered entries, which this program may not read.
    if (refused) return { refused: refused.refused.split('\n')[0]! }
    const place = target === 'user' ? 'About you' : 'Notes'
    const change = { kind: 'memory.add', target, project: null, text } as const
    const candidate = { change, headline: text, place, before: null, after: text, because }
    if (ruleAgainst(store.learning, gistOf({ ...candidate, isMemory: true })))
      return { refused: 'The user does not want this kind of thing to be kept.' }
    // The program must not learn whether the entry is known or already proposed, so both look like a new one.
    const isKnown = parts.memory
      .view()
      .entries.some(
        entry => entry.target === target && entry.project === null && sameWording(entry.text, text),
      )
    const row = !isKnown && proposals.add(candidate, { id: agentId, sessionId: null }, [])
    return { id: row ? row.id : '' }
  }
}
