import { attempt, type Outcome } from '../../../rpc/attempt.ts'
import type { Link } from '../../../rpc/link.ts'
import { newestOf } from '../../../rpc/newest.ts'
import type { ChatState } from '../chat-state.ts'
import { offersOf } from './offers.ts'
import { proposalText } from './strings.ts'

/** What can be done in a chat with what a review of it found. */
export type ChatLearning = {
  /** What is being put into other words, by the id of its proposal; it stays while its row is scrolled away. */
  rewordings: Readonly<Record<string, string>>
  /** Read anew what was found in this chat; it may have been decided elsewhere. */
  readOffers: () => Promise<void>
  /** Keep what was found, in other words if there are any. */
  keepOffer: (id: string, text?: string) => Promise<Outcome<unknown>>
  rejectOffer: (id: string) => Promise<Outcome<unknown>>
  /** Take back what was kept. The answer says in words what could not be taken back; it is empty when all could. */
  undoOffer: (id: string) => Promise<Outcome<string>>
  /** Put a proposal into other words; null leaves it as it was. */
  reword: (id: string, text: string | null) => void
}

type Own = Pick<ChatLearning, 'rewordings'>
type Chat = {
  get: () => ChatState & Own & { sessionId: string | null }
  set: (change: (state: ChatState & Own) => Partial<ChatState & Own>) => void
}

/** The part of a chat that has to do with what a review of it found. */
export function createChatLearning({ client }: Pick<Link, 'client'>, { get, set }: Chat): ChatLearning {
  const readOffers = newestOf(async isNewest => {
    const { sessionId } = get()
    if (sessionId === null) return
    const read = await attempt(client['learning.ofChat']({ sessionId }))
    // Without an answer the chips are missing, and nothing else; the Activity page says what is wrong.
    if (read.ok && isNewest()) set(state => ({ offers: offersOf(state.offers, read.value) }))
  })

  function reword(id: string, text: string | null) {
    set(({ rewordings }) => {
      const { [id]: _before, ...others } = rewordings
      return { rewordings: text === null ? others : { ...others, [id]: text } }
    })
  }

  /** Ask for something, and see what has become of it: after a refusal it may well be another thing by now. */
  async function thenRead<T>(asking: Promise<T>): Promise<Outcome<T>> {
    const answer = await attempt(asking)
    await readOffers()
    return answer
  }

  return {
    rewordings: {},
    readOffers,
    reword,

    async keepOffer(id, text) {
      const kept = await thenRead(
        client['learning.keep']({ ids: [id], ...(text === undefined ? {} : { text }) }),
      )
      if (kept.ok) reword(id, null)
      return kept
    },

    rejectOffer: id => thenRead(client['learning.reject']({ ids: [id] })),

    async undoOffer(id) {
      const undone = await thenRead(client['learning.undo']({ what: { by: 'items', ids: [id] } }))
      if (!undone.ok) return undone
      const { left, memoryRevisions, skillRevisions } = undone.value
      const nothing = left.length + memoryRevisions.length + skillRevisions.length === 0
      return { ok: true, value: nothing ? proposalText.nothingUndone : left.join(' ') }
    },
  }
}
