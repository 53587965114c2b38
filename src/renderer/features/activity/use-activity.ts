import { showTitle } from '../../../shared/visible-text/show-unseen.ts'
import { useStore, type StoreApi } from 'zustand'
import type { LearningSettings, Proposal } from '../../../shared/contract/learning.ts'
import type { Outcome } from '../../rpc/attempt.ts'
import { createPageContext, useHost } from '../../rpc/host-context.tsx'
import { oneLine, plural, countOf } from '../../ui/format.ts'
import { showToast } from '../../ui/Toasts.tsx'
import type { UndoMany } from './activity-state.ts'
import type { ActivityStore } from './activity-store.ts'
import { focusCard, keepFocus, leaveCards } from './card-focus.ts'

const [Context, useActivityStore] = createPageContext<StoreApi<ActivityStore>>(
  'A part of the activity was drawn outside of ActivityPage.',
)
export const ActivityContext = Context

/** Select part of the activity; the component re-renders only when that part changes. */
export const useActivity = <T>(select: (activity: ActivityStore) => T): T =>
  useStore(useActivityStore(), select)

/** What the button says that reviews the last open chat, or all waiting ones if there is none. */
export function useReviewLabel(chatId: string | null): string {
  const title = useHost(host => host.sessions[chatId ?? '']?.title)
  if (chatId === null) return 'Review now'
  return title ? `Review “${oneLine(showTitle(title), 60)}” now` : 'Review this chat now'
}

const undoneText = (count: number) => plural(count, 'Undone.', 'changes were undone.')

/** How long the toast offers Undo, in ms. The card offers it permanently. */
const UNDO_MS = 10_000

/** Actions on cards and reviews. A toast reports each result. */
export function useActivityActions() {
  const store = useActivityStore()
  const ask = store.getState()

  /** Show the result; true on success. */
  function tell(answer: Outcome<unknown>, said?: string): boolean {
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
    else if (said !== undefined) showToast(said)
    return answer.ok
  }

  /** Focus the next card after a decision, or the same card again if the request fails. */
  async function leaving<T>(ids: readonly string[], asked: () => Promise<Outcome<T>>) {
    const [id] = ids
    leaveCards(ids)
    const answer = await asked()
    if (!answer.ok && id !== undefined) requestAnimationFrame(() => focusCard(id))
    return answer
  }

  async function undo(ids: readonly string[]) {
    const answer = await ask.undo({ by: 'items', ids: [...ids] })
    keepFocus(ids[0])
    if (!tell(answer) || !answer.ok) return
    const { count, left } = answer.value
    if (count > 0) showToast(undoneText(count))
    else if (left.length === 0) showToast('There was nothing to undo.')
  }

  const tellKept = (ids: readonly string[], said: string) =>
    showToast(said, { ms: UNDO_MS, action: { label: 'Undo', run: () => void undo(ids) } })

  return {
    /** Skip cards whose target has changed, because the user has not seen the new effect. */
    async keep(cards: readonly Proposal[]) {
      const shown = cards.filter(({ changed }) => changed === null)
      const ids = shown.map(({ id }) => id)
      const skipped = cards.length - ids.length
      if (ids.length > 0) {
        const kept = await leaving(ids, () => ask.keep(shown))
        if (!tell(kept)) return
        const one = cards.find(({ id }) => id === ids[0])?.headline ?? ''
        tellKept(ids, plural(ids.length, `Kept: ${oneLine(one, 60)}`, 'cards were kept.'))
      }
      if (skipped > 0)
        showToast(
          countOf(
            skipped,
            'card was skipped: what it would change has been edited.',
            'cards were skipped: what they would change has been edited.',
          ),
        )
    },
    async reject(ids: readonly string[], notAgain = false) {
      tell(
        await leaving(ids, () => ask.reject(ids, notAgain)),
        plural(ids.length, 'Rejected.', 'cards were rejected.'),
      )
    },
    /** Dismiss a stale proposal. None of it was saved. */
    async drop(id: string) {
      tell(await leaving([id], () => ask.reject([id])), 'Dropped.')
    },
    async compareAgain(id: string) {
      tell(await ask.compareAgain(id), 'Compared with the current text.')
      keepFocus(id)
    },
    async saveEdit(id: string) {
      const text = store.getState().edits[id]?.text.trim() ?? ''
      if (text === '' || !(await ask.saveEdit(id))) return
      tellKept([id], `Kept: ${oneLine(text, 60)}`)
      requestAnimationFrame(() => focusCard(id))
    },
    undo,
    /** True when the request succeeded, even if some changes could not be undone. */
    async undoMany(what: UndoMany) {
      const answer = await ask.undo(what)
      if (!tell(answer) || !answer.ok) return false
      const { count, left } = answer.value
      if (count > 0 || left.length === 0)
        showToast(count > 0 ? undoneText(count) : 'There was nothing to undo.')
      return true
    },
    async review(sessionId?: string) {
      const answer = await ask.review(sessionId)
      if (tell(answer) && answer.ok)
        showToast(
          answer.value === 0
            ? 'There is nothing to review.'
            : `${plural(answer.value, 'One review starts', 'reviews start')} as soon as possible.`,
        )
    },
    async cancel(reviewId: string) {
      tell(await ask.cancel(reviewId), 'The review was cancelled.')
      keepFocus()
    },
    setSettings: async (change: Partial<LearningSettings>) => tell(await ask.setSettings(change)),
    async removeRule(id: string) {
      tell(await ask.removeRule(id), 'The rule was removed.')
      keepFocus()
    },
  }
}
