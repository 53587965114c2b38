import { useStore, type StoreApi } from 'zustand'
import type { Skill, SkillRevision } from '../../../shared/contract/skills.ts'
import { goTo, readRoute } from '../../route.ts'
import type { Outcome } from '../../rpc/attempt.ts'
import { createPageContext } from '../../rpc/host-context.tsx'
import { useSaveFile } from '../../desktop.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { plural } from '../../ui/format.ts'
import type { SkillsStore } from './skills-store.ts'
import { foldSkills, leaveSkills } from './skill-rows.ts'

/** Shared by the parts of the page: the store, and actions the window provides. */
type SkillsPageContext = {
  store: StoreApi<SkillsStore>
  /** Start a new chat with a skill; undefined where chats are unavailable. */
  onTry: ((skill: Skill) => void) | undefined
}

const [Context, usePageContext] = createPageContext<SkillsPageContext>(
  'A part of the skills was drawn outside of SkillsPage.',
)
export const SkillsContext = Context

/** The store itself, for code outside rendering. */
export const useSkillsStore = (): StoreApi<SkillsStore> => usePageContext().store

/** Starts a new chat with a skill. */
export const useTry = () => usePageContext().onTry

/** Select a part of the library. The component renders again only when that part changes. */
export const useSkills = <T>(select: (skills: SkillsStore) => T): T => useStore(useSkillsStore(), select)

/** A skill by its id; undefined when it is not in the library. */
export const useSkill = (id: string | null): Skill | undefined =>
  useSkills(skills => skills.library?.skills.find(skill => skill.id === id))

const offText = (count: number) => plural(count, 'The skill is off.', 'skills are off.')

const onText = (count: number) => plural(count, 'The skill is on.', 'skills are on.')

/** How long the toast offers to undo a change, in ms. */
const UNDO_MS = 10_000

const shownId = () => readRoute(location.hash).skillId

/** Actions on skills. Each change shows its result in a toast with undo. */
export function useSkillActions() {
  const store = useSkillsStore()
  const saveFile = useSaveFile()

  /** Show the result in a toast; true on success. */
  function reportOutcome(answer: Outcome<readonly SkillRevision[]>, said?: string): boolean {
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
    else if (said !== undefined && answer.value.length > 0) {
      const ids = answer.value.map(revision => revision.id)
      const back = async () => reportOutcome(await store.getState().undo(ids))
      showToast(said, { ms: UNDO_MS, action: { label: 'Undo', run: () => void back() } })
    }
    return answer.ok
  }
  const complain = (answer: Outcome<unknown>) => {
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
    return answer.ok
  }

  return {
    /** Blocked skills stay off, because the user must read the findings first. */
    async setEnabled(ids: readonly string[], enabled: boolean) {
      const { library, setEnabled } = store.getState()
      const chosen = new Set(ids)
      const concerned = library?.skills.filter(({ id }) => chosen.has(id)) ?? []
      const blocked = enabled ? concerned.filter(skill => skill.blocked !== null) : []
      const free = concerned.filter(skill => !blocked.includes(skill)).map(({ id }) => id)
      if (blocked.length > 0)
        showToast(
          plural(
            blocked.length,
            'One skill stays blocked until you read what the scan found.',
            'skills stay blocked until you read what the scan found.',
          ),
          { ms: UNDO_MS },
        )
      if (free.length === 0) return
      const answer = await setEnabled(free, enabled)
      reportOutcome(answer, ids.length === 1 ? undefined : (enabled ? onText : offText)(free.length))
    },
    /** Returns the answer to the dialog, which stays open and shows the error on failure. */
    async accept(id: string, seen: string) {
      const answer = await store.getState().setEnabled([id], true, { [id]: seen })
      if (answer.ok) reportOutcome(answer, 'The skill can be used. If it changes, it is scanned again.')
      return answer
    },
    setPinned: async (id: string, pinned: boolean) =>
      reportOutcome(
        await store.getState().setPinned(id, pinned),
        pinned ? 'Pinned. It is not deleted, and no review changes it.' : 'Unpinned.',
      ),
    async remove(ids: readonly string[]) {
      leaveSkills(ids)
      const unfold = await foldSkills(ids)
      const removed = reportOutcome(
        await store.getState().remove(ids),
        plural(ids.length, 'The skill was deleted.', 'skills were deleted.'),
      )
      const shown = shownId()
      if (!removed) unfold()
      else if (shown !== null && ids.includes(shown)) goTo({ page: 'skills' }, 'replace')
    },
    reset: async (id: string) =>
      reportOutcome(await store.getState().reset(id), 'The original is used again.'),
    async undo(revisionId: number) {
      const answer = await store.getState().undo([revisionId])
      if (answer.ok && answer.value.length === 0) showToast('Already undone.')
      else if (reportOutcome(answer)) showToast('Undone.')
    },
    /** Restore what a revision deleted, with all its files. */
    bringBack: async (revision: SkillRevision) =>
      reportOutcome(await store.getState().undo([revision.id]), 'The skill is back.'),
    restore: async (revision: SkillRevision) =>
      reportOutcome(await store.getState().restore(revision.id, 'after'), 'This version is back.'),
    /** The current id of the skill, which changes if it became an edited copy; null on failure. */
    async removeFile(id: string, path: string): Promise<string | null> {
      const answer = await store.getState().removeFile(id, path)
      if (!complain(answer) || !answer.ok) return null
      reportOutcome({ ok: true, value: answer.value.revisions }, `${path} was deleted.`)
      return answer.value.id
    },
    async duplicate(skill: Skill) {
      const answer = await store.getState().duplicate(skill.id)
      if (!complain(answer) || !answer.ok) return
      const { id, name, left } = answer.value
      showToast(
        left.length === 0
          ? `${name} is a copy of it.`
          : `${name} is a copy of it, without ${plural(left.length, 'one file that is not text', 'files that are not text or lie outside the usual folders')}.`,
      )
      goTo({ page: 'skills', skillId: id })
    },
    async export(ids: readonly string[]) {
      const answer = await store.getState().export(ids)
      if (!complain(answer) || !answer.ok) return
      await saveFile(answer.value.name, answer.value.base64, 'application/zip')
    },
    /** Returns the answer to the dialog, which stays open and shows the error on failure. */
    async putBundle(name: string, keys: readonly string[]) {
      const answer = await store.getState().putBundle(name, keys)
      if (answer.ok) showToast(`The bundle ${name} has its switch above the list.`)
      return answer
    },
    async removeBundle(name: string) {
      if (complain(await store.getState().removeBundle(name)))
        showToast('The bundle is gone, its skills stay.')
    },
    async switchBundle(name: string, enabled: boolean) {
      const answer = await store.getState().switchBundle(name, enabled)
      if (!complain(answer) || !answer.ok) return
      const { revisions, left } = answer.value
      reportOutcome({ ok: true, value: revisions }, `The bundle ${name} is ${enabled ? 'on' : 'off'}.`)
      for (const each of left) showToast(`${each.name}: ${each.why}`, { level: 'error' })
    },
    /** Returns the answer to the dialog, which stays open and shows the error on failure. */
    async setKey(id: string, name: string, value: string | null) {
      const answer = await store.getState().setKey(id, name, value)
      if (answer.ok) showToast(value === null ? `${name} was removed.` : `${name} is stored.`)
      else if (value === null) complain(answer)
      return answer
    },
    async trust(folder: string, trusted: boolean) {
      if (complain(await store.getState().trust(folder, trusted)))
        showToast(trusted ? 'The folder is trusted.' : 'The folder is no longer trusted.')
    },
    async allowLink(target: string, allowed: boolean) {
      if (complain(await store.getState().allowLink(target, allowed)))
        showToast(allowed ? 'What the link leads to is used.' : 'What the link leads to is no longer used.')
    },
    setSwitches: async (change: { useInChats?: boolean; learnFromChats?: boolean }) =>
      void complain(await store.getState().setSwitches(change)),
  }
}
