import { useStore, type StoreApi } from 'zustand'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { Skill, SkillLibrary, SkillRevision } from '../../../shared/contract/learned/skills.ts'
import { goTo, readRoute } from '../../route.ts'
import type { Answer, Given, Method } from '../../rpc/answers.ts'
import { attemptCall, type Outcome } from '../../rpc/attempt.ts'
import { createPageContext, useAnswers, useLink } from '../../rpc/host-context.tsx'
import { useSaveFile } from '../../desktop.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { formatCount, plural } from '../../ui/text/format-values.ts'
import type { SkillsStore } from './skills-store.ts'
import { foldSkills, leaveSkills } from './list/skill-row-focus.ts'
import { nameOfCopy } from './skills-state.ts'
import { byCount } from '../../../shared/text/amounts.ts'

/** Shared by the parts of the page: the store, the host's data, and actions that the window provides. */
type SkillsPageContext = {
  store: StoreApi<SkillsStore>
  /** Null until the host has answered. */
  library: SkillLibrary | null
  /** Start a new chat with a skill; undefined where chats are unavailable. */
  onTry: ((skill: Skill) => void) | undefined
}

const [Context, usePageContext] = createPageContext<SkillsPageContext>(
  'Part of the skills page was rendered outside SkillsPage.',
)
export const SkillsContext = Context

/** The store itself, for code outside rendering. */
export const useSkillsStore = (): StoreApi<SkillsStore> => usePageContext().store

/** Starts a new chat with a skill. */
export const useTry = () => usePageContext().onTry

/** The host's skills; null until it has answered. */
export const useLibrary = (): SkillLibrary | null => usePageContext().library

/** Select a part of what is open and chosen. The component renders again only when that part changes. */
export const useSkills = <T>(select: (skills: SkillsStore) => T): T => useStore(useSkillsStore(), select)

/** A skill by its id; undefined if it is not in the library. */
export const useSkill = (id: string | null): Skill | undefined =>
  useLibrary()?.skills.find(skill => skill.id === id)

const offText = (count: number) => plural(count, 'The skill is off.', 'skills are off.')

const onText = (count: number) => plural(count, 'The skill is on.', 'skills are on.')

/** How long the toast offers to undo a change, in ms. */
const UNDO_MS = 10_000

const shownId = () => readRoute(location.hash).skillId

type Revised = Outcome<{ revisions: readonly SkillRevision[] }>

/** Actions on skills. Each change shows its result in a toast with undo. */
export function useSkillActions() {
  const library = useLibrary()
  const { client } = useLink()
  const answers = useAnswers()
  const saveFile = useSaveFile()

  /** Change skills. Resolves after the shown data has been updated. */
  const change = <M extends Method>(method: M, given: Given<M>): Promise<Outcome<Answer<M>>> =>
    answers.change(method, given, ['skills'])
  const undo = (revisionIds: readonly number[]) => change('skills.undo', { revisionIds: [...revisionIds] })

  /** Show the result in a toast; true on success. */
  function reportOutcome(answer: Revised, said?: string): boolean {
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
    else if (said !== undefined && answer.value.revisions.length > 0) {
      const ids = answer.value.revisions.map(revision => revision.id)
      const back = async () => reportOutcome(await undo(ids))
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
      const answer = await change('skills.setEnabled', { ids: free, enabled })
      reportOutcome(answer, ids.length === 1 ? undefined : (enabled ? onText : offText)(free.length))
    },
    /** Returns the answer to the dialog, which stays open and shows the error on failure. */
    async accept(id: string, seen: string) {
      const answer = await change('skills.setEnabled', {
        ids: [id],
        enabled: true,
        accept: true,
        seen: { [id]: seen },
      })
      if (answer.ok) reportOutcome(answer, 'The skill can be used. If it changes, it is scanned again.')
      return answer
    },
    setPinned: async (id: string, pinned: boolean) =>
      reportOutcome(
        await change('skills.setPinned', { ids: [id], pinned }),
        pinned ? 'Pinned. It cannot be deleted, and no review changes it.' : 'Unpinned.',
      ),
    async remove(ids: readonly string[]) {
      leaveSkills(ids)
      const unfold = await foldSkills(ids)
      const removed = reportOutcome(
        await change('skills.remove', { ids: [...ids] }),
        plural(ids.length, 'The skill was deleted.', 'skills were deleted.'),
      )
      const shown = shownId()
      if (!removed) unfold()
      else if (shown !== null && ids.includes(shown)) goTo({ page: 'skills' }, 'replace')
    },
    reset: async (id: string) =>
      reportOutcome(await change('skills.reset', { id }), 'The original is used again.'),
    async undo(revisionId: number) {
      const answer = await undo([revisionId])
      if (answer.ok && answer.value.revisions.length === 0) showToast('Already undone.')
      else if (reportOutcome(answer)) showToast('Undone.')
    },
    /** Restore what a revision deleted, with all its files. */
    bringBack: async (revision: SkillRevision) =>
      reportOutcome(await undo([revision.id]), 'The skill was restored.'),
    restore: async (revision: SkillRevision) =>
      reportOutcome(
        await change('skills.restore', { revisionId: revision.id, version: 'after' }),
        'This version was restored.',
      ),
    /** The current id of the skill, which changes if it became an edited copy; null on failure. */
    async removeFile(id: string, path: string): Promise<string | null> {
      const answer = await change('skills.removeFile', { id, path })
      if (!complain(answer) || !answer.ok) return null
      reportOutcome(answer, `${path} was deleted.`)
      return answer.value.id
    },
    async duplicate(skill: Skill) {
      const taken = new Set(library?.skills.map(({ name }) => name))
      const answer = await attemptCall(copyOf(client, skill.id, taken))
      await answers.renew(['skills'])
      if (!complain(answer) || !answer.ok) return
      const { id, name, left } = answer.value
      showToast(
        left.length === 0
          ? `The copy is called ${name}.`
          : byCount(
              left.length,
              `The copy is called ${name}. It lacks one file that is not text.`,
              `The copy is called ${name}. It lacks ${formatCount(left.length)} files that are not text or lie outside the usual folders.`,
            ),
      )
      goTo({ page: 'skills', skillId: id })
    },
    async export(ids: readonly string[]) {
      const answer = await answers.ask('skills.export', { ids: [...ids] })
      if (!complain(answer) || !answer.ok) return
      await saveFile(answer.value.name, answer.value.base64, 'application/zip')
    },
    /** Returns the answer to the dialog, which stays open and shows the error on failure. */
    async putBundle(name: string, keys: readonly string[]) {
      const answer = await change('skills.putBundle', { name, keys: [...keys] })
      if (answer.ok) showToast(`The bundle ${name} was saved. Its switch is above the list.`)
      return answer
    },
    async removeBundle(name: string) {
      if (complain(await change('skills.removeBundle', { name })))
        showToast('The bundle was removed. Its skills stay.')
    },
    async switchBundle(name: string, enabled: boolean) {
      const answer = await change('skills.switchBundle', { name, enabled })
      if (!complain(answer) || !answer.ok) return
      reportOutcome(answer, enabled ? `The bundle ${name} is on.` : `The bundle ${name} is off.`)
      for (const each of answer.value.left) showToast(`${each.name}: ${each.why}`, { level: 'error' })
    },
    /** Returns the answer to the dialog, which stays open and shows the error on failure. */
    async setKey(id: string, name: string, value: string | null) {
      const answer = await change('skills.setKey', { id, name, value })
      if (answer.ok) showToast(value === null ? `${name} was removed.` : `${name} is stored.`)
      else if (value === null) complain(answer)
      return answer
    },
    async trust(folder: string, trusted: boolean) {
      if (complain(await change('skills.trust', { folder, trusted })))
        showToast(trusted ? 'The folder is trusted.' : 'The folder is no longer trusted.')
    },
    async allowLink(target: string, allowed: boolean) {
      if (complain(await change('skills.allowLink', { target, allowed })))
        showToast(allowed ? 'The linked skills can be used.' : 'The linked skills are no longer used.')
    },
    setSwitches: async (switches: { useInChats?: boolean; learnFromChats?: boolean }) =>
      void complain(await change('skills.setSwitches', switches)),
  }
}

async function copyOf(client: HostClient, id: string, taken: ReadonlySet<string>) {
  const { skill, text, files } = await client['skills.get']({ id })
  const name = nameOfCopy(skill.name, taken)
  const renamed = await client['skills.setFields']({ text, fields: { name } })
  const made = await client['skills.create']({ name, category: skill.category, text: renamed.text })
  const left: string[] = []
  for (const { path, kind } of files) {
    if (kind === 'skill') continue
    const file = kind === 'other' ? null : await client['skills.file']({ id, path })
    if (file?.text == null) left.push(path)
    else await client['skills.save']({ id: made.id, path, text: file.text, expected: null })
  }
  return { id: made.id, name, left }
}
