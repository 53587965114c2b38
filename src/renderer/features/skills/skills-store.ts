import { createStore, type StoreApi } from 'zustand/vanilla'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { SkillDetail, SkillRevision, SkillUse } from '../../../shared/contract/skills.ts'
import { attemptCall, newestOf, type Outcome } from '../../rpc/attempt.ts'
import type { Link } from '../../rpc/link.ts'
import {
  initialSkills,
  withLibrary,
  type Filters,
  type SkillsState,
  type Spot,
  nameOfCopy,
} from './skills-state.ts'

type Changed = Promise<Outcome<readonly SkillRevision[]>>
type Answer<K extends keyof HostClient> = Promise<Outcome<Awaited<ReturnType<HostClient[K]>>>>

export type SkillsStore = SkillsState & {
  load: () => Promise<void>
  /** The page is open and calls `load` with each event of the host, until the returned function is called. */
  follow: () => () => void
  /** Resolves once a saved skill is in the list. */
  listed: (id: string) => Promise<void>
  filter: (change: Partial<Filters>) => void
  select: (ids: readonly string[], selected: boolean) => void
  /** Set the line the Files tab shows next. */
  look: (spot: Spot | null) => void

  /** `seen`: by id, the hashes of skills whose findings the person has read. */
  setEnabled: (ids: readonly string[], enabled: boolean, seen?: Readonly<Record<string, string>>) => Changed
  setPinned: (id: string, pinned: boolean) => Changed
  remove: (ids: readonly string[]) => Changed
  reset: (id: string) => Changed
  undo: (revisionIds: readonly number[]) => Changed
  restore: (revisionId: number, version: 'before' | 'after') => Changed
  /** The answer has the current id of the skill, because editing an original creates a copy. */
  removeFile: (id: string, path: string) => Answer<'skills.removeFile'>
  /** Copy the skill and its text files under a new name. `left` lists the files not copied. */
  duplicate: (id: string) => Promise<Outcome<{ id: string; name: string; left: readonly string[] }>>
  setSwitches: (change: { useInChats?: boolean; learnFromChats?: boolean }) => Promise<Outcome<unknown>>
  trust: (folder: string, trusted: boolean) => Promise<Outcome<unknown>>
  allowLink: (target: string, allowed: boolean) => Promise<Outcome<unknown>>
  putBundle: (name: string, keys: readonly string[]) => Promise<Outcome<unknown>>
  removeBundle: (name: string) => Promise<Outcome<unknown>>
  switchBundle: (name: string, enabled: boolean) => Answer<'skills.switchBundle'>
  /** Store a key that a skill needs, or remove it with null. */
  setKey: (id: string, name: string, value: string | null) => Promise<Outcome<unknown>>
  export: (ids: readonly string[]) => Answer<'skills.export'>

  get: (id: string, signal?: AbortSignal) => Promise<Outcome<SkillDetail>>
  file: (id: string, path: string, signal?: AbortSignal) => Answer<'skills.file'>
  history: (
    of: { key: string; before?: number; limit?: number },
    signal?: AbortSignal,
  ) => Promise<Outcome<{ items: readonly SkillRevision[]; more: boolean }>>
  uses: (key: string, signal?: AbortSignal) => Promise<Outcome<readonly SkillUse[]>>
  secondOpinion: (id: string, signal: AbortSignal) => Answer<'skills.secondOpinion'>
}

/** Maximum number of uses shown, newest first. */
const MOST_USES = 200

const option = (signal: AbortSignal | undefined) => (signal ? { signal } : {})

/** The store of the Skills page. It outlives the page, so that returning restores its state. */
export function createSkills({ client }: Pick<Link, 'client'>): StoreApi<SkillsStore> {
  return createStore<SkillsStore>((set, get, store) => {
    const load = newestOf(async isNewest => {
      const answer = await attemptCall(client['skills.list']({}))
      if (!isNewest()) return
      if (answer.ok) set(state => withLibrary(state, answer.value))
      else set({ problem: answer.fault.message })
    })

    /** Resolves once the state is so, or at the latest when no reload will make it so. */
    function until(isSo: (state: SkillsState) => boolean): Promise<void> {
      const isOver = (state: SkillsState) => isSo(state) || !state.following || state.problem !== null
      if (isOver(get())) return Promise.resolve()
      const { promise, resolve } = Promise.withResolvers<void>()
      const leave = store.subscribe(state => {
        if (!isOver(state)) return
        leave()
        resolve()
      })
      return promise
    }

    /**
     * Send a change to the host, and resolve when the library shows it. The host publishes an event for every
     * change, which reloads the library. Without a change, what is shown may be outdated, so reload it here.
     */
    async function changing<T>(
      asked: Promise<T>,
      hasChanged: (value: T) => boolean = () => true,
    ): Promise<Outcome<T>> {
      const { loads } = get()
      const answer = await attemptCall(asked)
      if (answer.ok && hasChanged(answer.value)) await until(state => state.loads > loads)
      else await load()
      return answer
    }
    const hasRevisions = ({ revisions }: { revisions: readonly SkillRevision[] }) => revisions.length > 0
    async function revising(asked: Promise<{ revisions: SkillRevision[] }>): Changed {
      const answer = await changing(asked, hasRevisions)
      return answer.ok ? { ok: true, value: answer.value.revisions } : answer
    }

    return {
      ...initialSkills,
      load,
      follow() {
        set({ following: true })
        return () => set({ following: false })
      },
      listed: id => until(({ keys }) => keys.has(id)),
      filter: change => set(({ filters }) => ({ filters: { ...filters, ...change }, selected: new Set() })),
      select: (ids, isSelected) =>
        set(({ selected }) => {
          const chosen = new Set(ids)
          const others = [...selected].filter(id => !chosen.has(id))
          return { selected: new Set(isSelected ? [...others, ...ids] : others) }
        }),
      look: spot => set({ spot }),

      setEnabled: (ids, enabled, seen) =>
        revising(
          client['skills.setEnabled']({
            ids: [...ids],
            enabled,
            ...(seen && { accept: true, seen: { ...seen } }),
          }),
        ),
      setPinned: (id, pinned) => revising(client['skills.setPinned']({ ids: [id], pinned })),
      remove: ids => revising(client['skills.remove']({ ids: [...ids] })),
      reset: id => revising(client['skills.reset']({ id })),
      undo: revisionIds => revising(client['skills.undo']({ revisionIds: [...revisionIds] })),
      restore: (revisionId, version) => revising(client['skills.restore']({ revisionId, version })),
      removeFile: (id, path) => changing(client['skills.removeFile']({ id, path }), hasRevisions),
      async duplicate(id) {
        const taken = new Set(get().library?.skills.map(skill => skill.name))
        return changing(copyOf(client, id, taken))
      },
      setSwitches: change => changing(client['skills.setSwitches'](change)),
      putBundle: (name, keys) => changing(client['skills.putBundle']({ name, keys: [...keys] })),
      removeBundle: name => changing(client['skills.removeBundle']({ name })),
      switchBundle: (name, enabled) =>
        changing(client['skills.switchBundle']({ name, enabled }), hasRevisions),
      setKey: (id, name, value) => changing(client['skills.setKey']({ id, name, value })),
      trust: (folder, trusted) => changing(client['skills.trust']({ folder, trusted })),
      allowLink: (target, allowed) => changing(client['skills.allowLink']({ target, allowed })),
      export: ids => attemptCall(client['skills.export']({ ids: [...ids] })),

      get: (id, signal) => attemptCall(client['skills.get']({ id }, option(signal))),
      file: (id, path, signal) => attemptCall(client['skills.file']({ id, path }, option(signal))),
      async history(of, signal) {
        const answer = await attemptCall(client['skills.history'](of, option(signal)))
        if (!answer.ok) return answer
        return { ok: true, value: { items: answer.value.revisions, more: answer.value.more } }
      },
      async uses(key, signal) {
        const answer = await attemptCall(client['skills.uses']({ key, limit: MOST_USES }, option(signal)))
        return answer.ok ? { ok: true, value: answer.value.uses } : answer
      },
      secondOpinion: (id, signal) => attemptCall(client['skills.secondOpinion']({ id }, { signal })),
    }
  })
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
