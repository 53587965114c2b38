import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ConfigProblem, Key, Setting } from '../../../shared/contract/settings.ts'
import { attemptCall, type Outcome } from '../../rpc/attempt.ts'
import type { Link } from '../../rpc/link.ts'
import type { Hello } from '../../rpc/host-state.ts'
import type { LeftOut } from '../../../shared/contract/data.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import { createJob, type Job } from '../../rpc/job.ts'
import { showToast } from '../../ui/Toasts.tsx'

export type SettingsState = {
  /** Null until the host has answered. */
  settings: readonly Setting[] | null
  /** Names of `.env`; the values of secrets are not here. */
  keys: readonly Key[]
  /** Path of the settings file. */
  file: string
  problems: readonly ConfigProblem[]
  /** Error message of the last load; null when it succeeded. */
  problem: string | null
  /** Values of restart-only settings at host start, by path. */
  atStart: Readonly<Record<string, unknown>>
  query: string
  /** The setting that a search result led to, which stays in view. */
  target: string | null
}

export type SettingsStore = SettingsState & {
  load: () => Promise<void>
  /** Handle the greeting of a host. After a restart, pending settings are in effect. */
  greeted: (hello: Hello) => Promise<void>
  setQuery: (query: string) => void
  setTarget: (path: string | null) => void
  /** Optimistic update, rolled back if the host rejects it. */
  change: (path: string, value: unknown) => Promise<Outcome<Setting>>
  /** Keep a key, or remove it with null. */
  setKey: (name: string, value: string | null) => Promise<Outcome<unknown>>
  /** Reset settings to their defaults. Resolves to the old values, for undo. */
  reset: (paths: readonly string[]) => Promise<Outcome<ReadonlyMap<string, unknown>>>
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Changed settings that need a restart to take effect. */
export const waitingFor = ({ settings, atStart }: Pick<SettingsState, 'settings' | 'atStart'>): Setting[] =>
  (settings ?? []).filter(({ path, value, restart }) => restart && !isSame(value, atStart[path]))

/** The settings and their host calls. The store outlives the page, so a search survives navigation. */
export function createSettings({ client }: Pick<Link, 'client'>): StoreApi<SettingsStore> {
  return createStore<SettingsStore>((set, get) => {
    let lastLoad = 0
    let host: Hello | null = null

    async function load() {
      const turn = ++lastLoad
      const answer = await attemptCall(client['settings.list']({}))
      if (turn !== lastLoad) return
      if (!answer.ok) return set({ problem: answer.fault.message })
      const now = answer.value.settings.filter(({ restart }) => restart)
      const first = Object.fromEntries(now.map(({ path, value }) => [path, value]))
      set(({ atStart }) => ({ ...answer.value, atStart: { ...first, ...atStart }, problem: null }))
    }

    const put = (path: string, next: (setting: Setting) => Setting) =>
      set(({ settings }) => ({
        settings: settings?.map(each => (each.path === path ? next(each) : each)) ?? null,
      }))

    return {
      settings: null,
      keys: [],
      file: '',
      problems: [],
      problem: null,
      atStart: {},
      query: '',
      target: null,
      load,
      async greeted(hello) {
        if (hello === host) return
        host = hello
        set({ atStart: {} })
        await load()
      },
      setQuery: query => set({ query }),
      setTarget: target => set({ target }),
      async setKey(name, value) {
        const answer = await attemptCall(client['settings.setKey']({ name, value }))
        if (answer.ok) await load()
        return answer
      },
      async change(path, value) {
        const before = get().settings?.find(each => each.path === path)
        put(path, each => ({ ...each, value, changed: !isSame(value, each.standard) }))
        const answer = await attemptCall(client['settings.set']({ path, value }))
        if (answer.ok) put(path, () => answer.value)
        // A later choice stays.
        else if (before) put(path, each => (isSame(each.value, value) ? before : each))
        return answer
      },
      async reset(paths) {
        const before = new Map(
          get()
            .settings?.filter(({ path }) => paths.includes(path))
            .map(({ path, value }) => [path, value]),
        )
        for (const path of paths) {
          const answer = await attemptCall(client['settings.reset']({ path }))
          if (answer.ok) continue
          await load()
          return answer
        }
        await load()
        return { ok: true, value: before }
      },
    }
  })
}

type BackedUp = { type: 'done'; path: string; bytes: number; chats: number; leftOut: LeftOut[] }
type Restored = { type: 'done'; folder: string; chats: number; files: number }

/** Backups and restoring them. Both outlive the page that started them. */
export type BackupJobs = {
  backup: StoreApi<Job<Parameters<HostClient['data.backup']>[0], BackedUp>>
  restore: StoreApi<Job<Parameters<HostClient['data.restore']>[0], Restored>>
}

const showEnd = (good: string, bad: string, end: { done: unknown } | { problem: string }) =>
  'done' in end
    ? showToast(good, { about: good })
    : showToast(`${bad}: ${end.problem}`, { level: 'error', about: good })

export const createBackupJobs = ({ client }: Pick<Link, 'client'>): BackupJobs => ({
  backup: createJob(client['data.backup'], end => showEnd('The backup is ready.', 'The backup failed', end)),
  restore: createJob(client['data.restore'], end =>
    showEnd('The backup was restored.', 'The backup was not restored', end),
  ),
})
