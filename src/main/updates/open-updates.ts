import type { UpdateState } from '../../shared/contract/app.ts'
import { refuseUnseen } from '../../shared/contract/seen.ts'
import { Fault } from '../../shared/rpc.ts'
import type { Updater, UpdateTrouble } from './updater.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { createTopic } from '../lib/topic.ts'
import type { Clock } from '../lib/timing.ts'
import type { HostHandlers } from '../../shared/contract/index.ts'

type Parts = {
  /** Absent if this copy cannot update itself. */
  updater: Updater | undefined
  hosting: 'desktop' | 'headless' | 'cli'
  now: Clock
  report(error: unknown): void
}

/** The answer of a copy without an updater. */
const unavailable = {
  desktop: {
    why: 'This build has no source of updates.',
    fix: 'Install a newer version the way you installed this one.',
  },
  other: {
    why: 'Only the installed desktop app can update itself.',
    fix: 'Update Talaria the way you installed it.',
  },
} as const

const again = 'Try again later.'

/** Search for a newer version, download it and install it: one after the other, and only on request. */
export function openUpdates({ updater, hosting, now, report }: Parts) {
  const changes = createTopic<UpdateState>()
  let state: UpdateState = updater
    ? { phase: 'idle' }
    : { phase: 'unavailable', ...unavailable[hosting === 'desktop' ? 'desktop' : 'other'] }
  const become = (next: UpdateState): UpdateState => {
    state = next
    changes.publish(next)
    return next
  }

  /** Run one step of the updater. Its trouble becomes the state; a bug is reported too. */
  async function attempt<T>(step: () => Promise<T | UpdateTrouble>): Promise<T | undefined> {
    try {
      const result = await step()
      if (!isRefusal(result)) return result
      become({ phase: 'failed', text: result.refused, fix: result.fix ?? again })
    } catch (error) {
      report(error)
      become({ phase: 'failed', text: 'The update failed for an unexpected reason.', fix: again })
    }
    return undefined
  }

  async function check(active: Updater): Promise<void> {
    const found = await attempt(async () => {
      const result = await active.check()
      return isRefusal(result) ? result : { newer: result }
    })
    if (found?.newer) become({ phase: 'available', ...found.newer })
    else if (found) become({ phase: 'current', checkedAt: now() })
  }

  async function download(active: Updater, version: string): Promise<void> {
    const isDone = await attempt(async () => {
      const refused = await active.download(share => void become({ phase: 'downloading', version, share }))
      return refused ?? true
    })
    if (isDone === true) become({ phase: 'ready', version })
  }

  const needUpdater = (): Updater => {
    if (!updater) throw new Fault('not_ready', unavailable[hosting === 'desktop' ? 'desktop' : 'other'].why)
    return updater
  }
  return {
    changes,
    source: updater?.source ?? null,
    state: () => state,
    /** Look for a newer version, unless a step is in progress. */
    check(): UpdateState {
      const active = needUpdater()
      if (state.phase === 'checking' || state.phase === 'downloading' || state.phase === 'ready') return state
      become({ phase: 'checking' })
      void check(active)
      return state
    },
    /** Download the version that was found, if it is the one shown to the user. */
    download(shown: string): UpdateState {
      const active = needUpdater()
      if (state.phase !== 'available') return state
      const { version } = state
      refuseUnseen(shown, version, 'The version that was found')
      become({ phase: 'downloading', version, share: 0 })
      void download(active, version)
      return state
    },
    /** Install the downloaded version. The application ends soon after. */
    install(shown: string): void {
      const active = needUpdater()
      if (state.phase !== 'ready') throw new Fault('not_ready', 'No update has been downloaded yet.')
      refuseUnseen(shown, state.version, 'The version that was downloaded')
      active.install()
    },
  }
}
export type Updates = ReturnType<typeof openUpdates>

/** Handlers for the window's questions about updates. */
export function updateHandlers(updates: Updates, version: string) {
  return {
    'updates.read': () => ({ version, source: updates.source, state: updates.state() }),
    'updates.check': () => updates.check(),
    'updates.download': ({ version: shown }) => updates.download(shown),
    'updates.install'({ version: shown }) {
      updates.install(shown)
      return {}
    },
  } satisfies Partial<HostHandlers>
}
