import { createProposals, FROM_CHAT } from './proposals.ts'
import { proposalWorkshop } from './propose-skills.ts'
import type { Store } from '../db/store.ts'

type Parts = Omit<Parameters<typeof createProposals>[0], 'store'> & {
  store: Pick<Store, 'learning' | 'messages' | 'skills'>
  /** Called with the number of open proposals after each new one. */
  onChange(open: number): void
}

/** Create the function that gives the editor through which the agent of a chat proposes what it may not write without the user. */
export function proposeFromChat({ store, onChange, ...parts }: Parts) {
  const { editor, library } = parts
  const proposals = createProposals({ ...parts, store: store.learning })
  return ({ sessionId, askedId }: { sessionId: string; askedId: number }) =>
    proposalWorkshop(
      { editor, library, skills: store.skills },
      {
        asks: true,
        propose(candidate) {
          const asked = store.messages.page(sessionId, { before: askedId + 1, limit: 1 }).messages
          const row = proposals.add(candidate, { id: FROM_CHAT, sessionId }, asked)
          onChange(store.learning.openCount())
          return row !== false
        },
        refuses: () => undefined,
        heldBack: () => {},
        changed: () => {},
      },
    )
}
