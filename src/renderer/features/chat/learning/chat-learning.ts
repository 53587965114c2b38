import { attempt, newestOf, type Outcome } from '../../../rpc/attempt.ts'
import type { Link } from '../../../rpc/link.ts'
import type { Access, ChatState } from '../chat-state.ts'
import { offersOf } from './offers.ts'

/** Actions on the proposals of a chat. */
export type ChatLearning = {
  /** Edited texts by proposal id. They survive while their row is scrolled out. */
  rewordings: Readonly<Record<string, string>>
  /** Reload this chat's proposals. They may have been decided elsewhere. */
  readOffers: () => Promise<void>
  /** Accept a proposal, optionally reworded. */
  keepOffer: (id: string, text?: string) => Promise<Outcome<unknown>>
  rejectOffer: (id: string) => Promise<Outcome<unknown>>
  /** Undo an accepted proposal. Returns a message about what could not be undone, empty on full success. */
  undoOffer: (id: string) => Promise<Outcome<string>>
  /** Reword a proposal; null cancels. */
  reword: (id: string, text: string | null) => void
}

type Fields = ChatState & Pick<ChatLearning, 'rewordings'> & { sessionId: string | null }

/** The learning part of the chat store. */
export function createChatLearning(
  { client }: Pick<Link, 'client'>,
  { get, set }: Access<Fields>,
): ChatLearning {
  const readOffers = newestOf(async isNewest => {
    const { sessionId } = get()
    if (sessionId === null) return
    const read = await attempt(client['learning.ofChat']({ sessionId }))
    // On failure only the chips are missing. The Activity page reports the error.
    if (read.ok && isNewest()) set(state => ({ offers: offersOf(state.offers, read.value) }))
  })

  function reword(id: string, text: string | null) {
    set(({ rewordings }) => {
      const { [id]: _before, ...others } = rewordings
      return { rewordings: text === null ? others : { ...others, [id]: text } }
    })
  }

  /** Send a request, then reload its proposal: after a refusal it may have changed. */
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
      return { ok: true, value: nothing ? 'There was nothing left to undo.' : left.join(' ') }
    },
  }
}
