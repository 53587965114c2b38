import type { Skill, SkillRevision } from '../../../shared/contract/skills.ts'
import { go, readRoute } from '../../route.ts'
import type { Outcome } from '../../rpc/attempt.ts'
import { showToast } from '../../ui/toasts.ts'
import { foldSkills, leaveSkills } from './rows.ts'
import { saveFile } from './save-file.ts'
import { useSkillsStore } from './skills-context.ts'
import { skillsText } from './strings.ts'

/** How long a change can be undone from the corner. */
const UNDO_MS = 10_000

const shownId = () => readRoute(location.hash).skillId

/** What can be done with skills; each change says in the corner what came of it, with a way back. */
export function useActions() {
  const store = useSkillsStore()
  const { done } = skillsText

  /** True when it worked. */
  function tell(answer: Outcome<readonly SkillRevision[]>, said?: string): boolean {
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
    else if (said !== undefined && answer.value.length > 0) {
      const ids = answer.value.map(revision => revision.id)
      const back = async () => tell(await store.getState().undo(ids))
      showToast(said, { ms: UNDO_MS, action: { label: skillsText.undo, run: () => void back() } })
    }
    return answer.ok
  }
  const complain = (answer: Outcome<unknown>) => {
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
    return answer.ok
  }

  return {
    /** A blocked skill stays so: what was found in it has to be read first. */
    async setEnabled(ids: readonly string[], enabled: boolean) {
      const { library, setEnabled } = store.getState()
      const chosen = new Set(ids)
      const concerned = library?.skills.filter(({ id }) => chosen.has(id)) ?? []
      const blocked = enabled ? concerned.filter(skill => skill.blocked !== null) : []
      const free = concerned.filter(skill => !blocked.includes(skill)).map(({ id }) => id)
      if (blocked.length > 0) showToast(done.blocked(blocked.length), { ms: UNDO_MS })
      if (free.length === 0) return
      const answer = await setEnabled(free, enabled)
      tell(answer, ids.length === 1 ? undefined : (enabled ? done.on : done.off)(free.length))
    },
    /** The answer goes to the dialog, which stays open with the sentence when it did not work. */
    async accept(id: string) {
      const answer = await store.getState().setEnabled([id], true, true)
      if (answer.ok) tell(answer, done.accepted)
      return answer
    },
    async remove(ids: readonly string[]) {
      leaveSkills(ids)
      const unfold = await foldSkills(ids)
      const removed = tell(await store.getState().remove(ids), done.removed(ids.length))
      const shown = shownId()
      if (!removed) unfold()
      else if (shown !== null && ids.includes(shown)) go({ page: 'skills' }, 'replace')
    },
    reset: async (id: string) => tell(await store.getState().reset(id), done.reset),
    async undo(revisionId: number) {
      const answer = await store.getState().undo([revisionId])
      if (answer.ok && answer.value.length === 0) showToast(done.nothing)
      else if (tell(answer)) showToast(done.undone)
    },
    /** Bring back what a revision deleted, with all its files. */
    bringBack: async (revision: SkillRevision) =>
      tell(await store.getState().undo([revision.id]), done.restored),
    restore: async (revision: SkillRevision) =>
      tell(await store.getState().restore(revision.id, 'after'), done.version),
    /** The id that the skill has now, which is another one when it became an edited copy; null when it did not work. */
    async removeFile(id: string, path: string): Promise<string | null> {
      const answer = await store.getState().removeFile(id, path)
      if (!complain(answer) || !answer.ok) return null
      tell({ ok: true, value: answer.value.revisions }, done.file(path))
      return answer.value.id
    },
    async duplicate(skill: Skill) {
      const answer = await store.getState().duplicate(skill.id)
      if (!complain(answer) || !answer.ok) return
      const { id, name, left } = answer.value
      showToast(left.length === 0 ? done.copied(name) : done.copiedWithout(name, left.length))
      go({ page: 'skills', skillId: id })
    },
    async export(ids: readonly string[]) {
      const answer = await store.getState().export(ids)
      if (!complain(answer) || !answer.ok) return
      saveFile(answer.value.name, answer.value.base64)
      showToast(done.exported(answer.value.name))
    },
    async trust(folder: string, trusted: boolean) {
      if (complain(await store.getState().trust(folder, trusted)))
        showToast(trusted ? skillsText.folder.trustedNow : skillsText.folder.distrustedNow)
    },
    setSwitches: async (change: { useInChats?: boolean; learnFromChats?: boolean }) =>
      void complain(await store.getState().setSwitches(change)),
  }
}
