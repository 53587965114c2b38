import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ConfigProblem, Setting } from '../../../shared/contract/settings.ts'
import { attempt, type Outcome } from '../../rpc/attempt.ts'
import type { Link } from '../../rpc/link.ts'
import type { Hello } from '../../rpc/host-state.ts'

export type SettingsState = {
  /** Null until the host has answered. */
  settings: readonly Setting[] | null
  /** Where they are written down. */
  file: string
  problems: readonly ConfigProblem[]
  /** Why they could not be read. */
  problem: string | null
  /** What counts only after a restart, by its path, as it was when the host began. */
  begun: Readonly<Record<string, unknown>>
  query: string
}

export type SettingsStore = SettingsState & {
  load: () => Promise<void>
  /** The host has begun, perhaps anew: what waited for that counts by now. */
  greeted: (hello: Hello) => Promise<void>
  setQuery: (query: string) => void
  /** Shown at once, and taken back if the host refuses. */
  change: (path: string, value: unknown) => Promise<Outcome<Setting>>
  /** Put settings back to their defaults; what they were comes back, for those who change their mind. */
  reset: (paths: readonly string[]) => Promise<Outcome<ReadonlyMap<string, unknown>>>
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Settings that were changed and count only after the next start. */
export const waitingFor = ({ settings, begun }: Pick<SettingsState, 'settings' | 'begun'>): Setting[] =>
  (settings ?? []).filter(({ path, value, restart }) => restart && !isSame(value, begun[path]))

/** The settings and what may be asked of the host about them; it outlives the page, so that a search stays. */
export function createSettings({ client }: Pick<Link, 'client'>): StoreApi<SettingsStore> {
  return createStore<SettingsStore>((set, get) => {
    let lastLoad = 0
    let host: Hello | null = null

    async function load() {
      const turn = ++lastLoad
      const answer = await attempt(client['settings.list']({}))
      if (turn !== lastLoad) return
      if (!answer.ok) return set({ problem: answer.fault.message })
      const now = answer.value.settings.filter(({ restart }) => restart)
      const first = Object.fromEntries(now.map(({ path, value }) => [path, value]))
      set(({ begun }) => ({ ...answer.value, begun: { ...first, ...begun }, problem: null }))
    }

    const put = (path: string, next: (setting: Setting) => Setting) =>
      set(({ settings }) => ({
        settings: settings?.map(each => (each.path === path ? next(each) : each)) ?? null,
      }))

    return {
      settings: null,
      file: '',
      problems: [],
      problem: null,
      begun: {},
      query: '',
      load,
      async greeted(hello) {
        if (hello === host) return
        host = hello
        set({ begun: {} })
        await load()
      },
      setQuery: query => set({ query }),
      async change(path, value) {
        const before = get().settings?.find(each => each.path === path)
        put(path, each => ({ ...each, value, changed: !isSame(value, each.standard) }))
        const answer = await attempt(client['settings.set']({ path, value }))
        if (answer.ok) put(path, () => answer.value)
        else if (before) put(path, () => before)
        return answer
      },
      async reset(paths) {
        const before = new Map(
          get()
            .settings?.filter(({ path }) => paths.includes(path))
            .map(({ path, value }) => [path, value]),
        )
        for (const path of paths) {
          const answer = await attempt(client['settings.reset']({ path }))
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
