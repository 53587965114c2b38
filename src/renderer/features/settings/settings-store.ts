import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Setting } from '../../../shared/contract/settings.ts'
import type { Link } from '../../rpc/link.ts'
import type { Hello } from '../../rpc/host-state.ts'
import type { LeftOut } from '../../../shared/contract/data.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import { createJob, type Job } from '../../rpc/job.ts'
import { showToast } from '../../ui/Toasts.tsx'

export type SettingsStore = {
  /** Values of restart-only settings at host start, by path. */
  atStart: Readonly<Record<string, unknown>>
  query: string
  /** The setting that a search result led to, which stays in view. */
  target: string | null
  /** Take over the host's current settings. After a restart, pending settings are in effect. */
  know: (hello: Hello, settings: readonly Setting[]) => void
  setQuery: (query: string) => void
  setTarget: (path: string | null) => void
}

/** Whether two values of a setting are the same. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Changed settings that need a restart to take effect. */
export const waitingFor = (settings: readonly Setting[], atStart: SettingsStore['atStart']): Setting[] =>
  settings.filter(({ path, value, restart }) => restart && path in atStart && !isSame(value, atStart[path]))

/**
 * The search of the Settings page, and the settings at the start of the host. The store outlives the page.
 */
export function createSettings(): StoreApi<SettingsStore> {
  let host: Hello | null = null
  return createStore<SettingsStore>(set => ({
    atStart: {},
    query: '',
    target: null,
    know(hello, settings) {
      const now = settings.filter(({ restart }) => restart)
      const first = Object.fromEntries(now.map(({ path, value }) => [path, value]))
      const isNew = hello !== host
      host = hello
      set(({ atStart }) => ({ atStart: isNew ? first : { ...first, ...atStart } }))
    },
    setQuery: query => set({ query }),
    setTarget: target => set({ target }),
  }))
}

type BackedUp = { type: 'done'; path: string; bytes: number; chats: number; leftOut: LeftOut[] }
type Restored = { type: 'done'; folder: string; chats: number; files: number }

/** Running backup and restore jobs. They outlive the page that started them. */
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
