import { showTitle } from '../../../shared/visible-text/show-unseen.ts'
import { useMemo } from 'react'
import { useStore, type StoreApi } from 'zustand'
import type { LearningSettings, Proposal } from '../../../shared/contract/learned/learning.ts'
import type { Outcome } from '../../rpc/attempt.ts'
import { createPageContext, useAnswers, useHost } from '../../rpc/host-context.tsx'
import { countOf, formatCount, oneLine, plural } from '../../ui/text/format-values.ts'
import { showToast } from '../../ui/Toasts.tsx'
import type { UndoSelection, UndoWhat, View } from './activity-state.ts'
import type { ActivityStore } from './activity-store.ts'
import { createSearch, viewReading } from './read-activity.ts'
import { focusCard, keepCardFocus, leaveCards } from './card-focus.ts'
import { byCount } from '../../../shared/text/amounts.ts'

type ActivityOfPage = {
  store: StoreApi<ActivityStore>
  /** Null before the first response. */
  view: View | null
  /** Why the last read failed. */
  problem: string | null
}

export const [ActivityContext, useActivityPage] = createPageContext<ActivityOfPage>(
  'Part of the activity page was rendered outside ActivityPage.',
)

/** Select part of what is open and typed; the component re-renders only when that part changes. */
export const useActivity = <T>(select: (activity: ActivityStore) => T): T =>
  useStore(useActivityPage().store, select)

/** The host's latest answer; null before the first one. */
export const useView = (): View | null => useActivityPage().view

/** Finds cards and lines that may not be shown. */
export function useSearch(): ReturnType<typeof createSearch> {
  const { store } = useActivityPage()
  const answers = useAnswers()
  return useMemo(() => createSearch(answers, store), [answers, store])
}

/** The label of the button that reviews the last open chat, or all waiting chats if none was open. */
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
  const { store } = useActivityPage()
  const answers = useAnswers()
  const { ask } = answers

  /** Request a change, then read again, so the page matches the host even after an error. */
  async function changing<T>(asked: Promise<Outcome<T>>): Promise<Outcome<T>> {
    const answer = await asked
    await answers.renew(['learning'])
    return answer
  }

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

  async function undoWhat(what: UndoWhat) {
    const answer = await changing(ask('learning.undo', { what }))
    if (!answer.ok) return answer
    const { memoryRevisions, skillRevisions, left } = answer.value
    store.getState().note({ left })
    return { ok: true as const, value: { count: memoryRevisions.length + skillRevisions.length, left } }
  }

  async function undo(ids: readonly string[]) {
    const answer = await undoWhat({ by: 'items', ids: [...ids] })
    keepCardFocus(ids[0])
    if (!tell(answer) || !answer.ok) return
    const { count, left } = answer.value
    if (count > 0) showToast(undoneText(count))
    else if (left.length === 0) showToast('There was nothing to undo.')
  }

  const decline = async (ids: readonly string[], notAgain: boolean) => {
    const answer = await leaving(ids, () => changing(ask('learning.reject', { ids: [...ids], notAgain })))
    if (answer.ok && answer.value.rules.length > 0) store.getState().note({ written: answer.value.rules })
    return answer
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
        const kept = await leaving(ids, () =>
          changing(
            ask('learning.keep', { ids, seen: Object.fromEntries(shown.map(({ id, seen }) => [id, seen])) }),
          ),
        )
        if (!tell(kept)) return
        const one = cards.find(({ id }) => id === ids[0])?.headline ?? ''
        tellKept(ids, plural(ids.length, `Kept: ${oneLine(one, 60)}`, 'cards were kept.'))
      }
      if (skipped > 0)
        showToast(
          countOf(
            skipped,
            'card was skipped, because the text it would change has been edited.',
            'cards were skipped, because the texts they would change have been edited.',
          ),
        )
    },
    async reject(ids: readonly string[], notAgain = false) {
      tell(await decline(ids, notAgain), plural(ids.length, 'Rejected.', 'cards were rejected.'))
    },
    /** Dismiss a stale proposal. None of it was saved. */
    async drop(id: string) {
      tell(await decline([id], false), 'Dropped.')
    },
    async compareAgain(id: string) {
      tell(await changing(ask('learning.compareAgain', { id })), 'Compared with the current text.')
      keepCardFocus(id)
    },
    async saveEdit(id: string) {
      const { edits, changeEdit, endEdit } = store.getState()
      const edit = edits[id]
      const text = edit?.text.trim() ?? ''
      if (!edit || edit.saving || text === '') return
      changeEdit(id, { saving: true, problem: null })
      const kept = await ask('learning.keep', { ids: [id], seen: { [id]: edit.seen }, text: edit.text })
      if (kept.ok) endEdit(id)
      else changeEdit(id, { saving: false, problem: kept.fault.message })
      await answers.renew(['learning'])
      if (!kept.ok) return
      tellKept([id], `Kept: ${oneLine(text, 60)}`)
      requestAnimationFrame(() => focusCard(id))
    },
    undo,
    /** True when the request succeeded, even if some changes could not be undone. */
    async undoMany(what: UndoSelection) {
      const answer = await undoWhat(what)
      if (!tell(answer) || !answer.ok) return false
      const { count, left } = answer.value
      if (count > 0 || left.length === 0)
        showToast(count > 0 ? undoneText(count) : 'There was nothing to undo.')
      return true
    },
    async review(sessionId?: string) {
      const answer = await changing(ask('learning.review', { sessionId }))
      if (tell(answer) && answer.ok)
        showToast(
          answer.value.queued === 0
            ? 'There is nothing to review.'
            : byCount(
                answer.value.queued,
                'One review starts as soon as possible.',
                `${formatCount(answer.value.queued)} reviews start as soon as possible.`,
              ),
        )
    },
    async cancel(reviewId: string) {
      tell(await changing(ask('learning.cancel', { reviewId })), 'The review was cancelled.')
      keepCardFocus()
    },
    /** Change learning settings. The change is shown at once; the host's response overrides it. */
    async setSettings(change: Partial<LearningSettings>) {
      const { queryKey } = viewReading(answers, store, store.getState().filter)
      answers.queries.setQueryData<View>(
        queryKey,
        view => view && { ...view, settings: { ...view.settings, ...change } },
      )
      return tell(await changing(ask('learning.settings', change)))
    },
    addRule: (text: string) => changing(ask('learning.addRule', { text })),
    async removeRule(id: string) {
      const answer = await changing(ask('learning.removeRule', { id }))
      const { written, note } = store.getState()
      note({ written: written.filter(rule => rule.id !== id) })
      tell(answer, 'The rule was removed.')
      keepCardFocus()
    },
  }
}
