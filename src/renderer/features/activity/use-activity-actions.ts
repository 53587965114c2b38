import type { LearningSettings, Proposal } from '../../../shared/contract/learning.ts'
import type { Outcome } from '../../rpc/attempt.ts'
import { showToast } from '../../ui/toasts.ts'
import type { UndoMany } from './activity-state.ts'
import { useActivityStore } from './activity-context.ts'
import { focusCard, keepFocus, leaveCards } from './rows.ts'
import { activityText } from './strings.ts'

/** How long something kept can be undone from the corner; its card can do it ever after. */
const UNDO_MS = 10_000

const { done } = activityText

/** What can be done with cards and reviews; the corner says what came of it. */
export function useActions() {
  const store = useActivityStore()
  const ask = store.getState()

  /** True when it worked. */
  function tell(answer: Outcome<unknown>, said?: string): boolean {
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
    else if (said !== undefined) showToast(said)
    return answer.ok
  }

  /** Whoever has answered a card goes on with the next one; a card that stayed keeps the focus. */
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
    if (count > 0) showToast(done.undone(count))
    else if (left.length === 0) showToast(done.nothing)
  }

  const tellKept = (ids: readonly string[], said: string) =>
    showToast(said, { ms: UNDO_MS, action: { label: activityText.undo, run: () => void undo(ids) } })

  return {
    /** Cards whose target has changed stay, because nobody has seen what keeping them would do now. */
    async keep(cards: readonly Proposal[]) {
      const ids = cards.filter(({ changed }) => changed === null).map(({ id }) => id)
      const skipped = cards.length - ids.length
      if (ids.length > 0) {
        const kept = await leaving(ids, () => ask.keep(ids))
        if (!tell(kept)) return
        const one = cards.find(({ id }) => id === ids[0])?.headline ?? ''
        tellKept(ids, ids.length === 1 ? done.kept(one) : done.keptAll(ids.length))
      }
      if (skipped > 0) showToast(done.skipped(skipped))
    },
    async reject(ids: readonly string[], notAgain = false) {
      tell(await leaving(ids, () => ask.reject(ids, notAgain)), done.rejected(ids.length))
    },
    /** What was made for something that is not so any more is let go; nothing of it was ever saved. */
    async drop(id: string) {
      tell(await leaving([id], () => ask.reject([id])), done.dropped)
    },
    async compareAgain(id: string) {
      tell(await ask.compareAgain(id), done.compared)
      keepFocus(id)
    },
    async saveEdit(id: string) {
      const text = store.getState().edits[id]?.text.trim() ?? ''
      if (text === '' || !(await ask.saveEdit(id))) return
      tellKept([id], done.kept(text))
      requestAnimationFrame(() => focusCard(id))
    },
    undo,
    /** True when it is over, whatever could be taken back. */
    async undoMany(what: UndoMany) {
      const answer = await ask.undo(what)
      if (!tell(answer) || !answer.ok) return false
      const { count, left } = answer.value
      if (count > 0 || left.length === 0) showToast(count > 0 ? done.undone(count) : done.nothing)
      return true
    },
    async review(sessionId?: string) {
      const answer = await ask.review(sessionId)
      if (tell(answer) && answer.ok) showToast(done.queued(answer.value))
    },
    async cancel(reviewId: string) {
      tell(await ask.cancel(reviewId), done.cancelled)
      keepFocus()
    },
    setSettings: async (change: Partial<LearningSettings>) => tell(await ask.setSettings(change)),
    async removeRule(id: string) {
      tell(await ask.removeRule(id), done.ruleRemoved)
      keepFocus()
    },
  }
}
