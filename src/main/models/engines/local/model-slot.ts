import { isDeepStrictEqual } from 'node:util'
import type { EngineState, LoadFix } from '../../../../shared/contract/models/model.ts'
import { tidyUp, tidyUpLater } from '../../../lib/processes/tidy-up.ts'
import type { EngineFailure } from '../../interface/engine.ts'
import type { EngineLink } from './process/start-engine.ts'
import type { LoadFailure, LoadWish } from './planning/plan-load.ts'
import type { Loaded } from './process/protocol.ts'
import { createFairLock, settledOrAborted } from './async-queues.ts'

/** A GGUF file under its name in the model list. */
export type LoadableModel = { id: string; name: string; path: string }

/** An engine with a loaded model. `notice` says what the model got less of than requested, and why. */
export type ReadyModel = { link: EngineLink; loaded: Loaded; notice: string | null }

/** The right to use the loaded model. Call `release` once. `isOver`: the engine was ended on purpose. */
type Lease = ReadyModel & { readonly isOver: boolean; release(): void }

/** Starts an engine and loads a model. Never rejects. Without a link in the result, no engine is running. */
export type StartModel = (
  model: LoadableModel,
  wish: LoadWish,
  signal: AbortSignal,
  report: {
    hosting(hosting: EngineState['hosting']): void
    /** Report the progress of the load, from 0 to 1. */
    loading(part: number): void
  },
) => Promise<ReadyModel | LoadFailure | 'stopped'>

/** Holds the one model that is in memory. */
export type ModelSlot = {
  readonly state: EngineState
  /** The engine with the loaded model, whichever it is; undefined if none is loaded. */
  readonly present: ReadyModel | undefined
  /** The engine if this model is loaded; undefined otherwise. */
  ready(model: LoadableModel): ReadyModel | undefined
  /**
   * Get a model loaded, after all users of another model are done; undefined if `signal` aborts first. A
   * model that is already loaded is reused, unless `again` is set and it was loaded with another `key`.
   */
  acquire(
    model: LoadableModel,
    signal: AbortSignal,
    how?: Acquiring,
  ): Promise<Lease | EngineFailure | undefined>
  /** Stop loading; does nothing if nothing is loading. */
  cancel: () => Promise<void>
  /** End the engine now, even if it is in use, after it has saved the evaluated tokens. */
  clear: () => Promise<void>
  /** End the engine and refuse to start another one. */
  close: () => Promise<void>
  /** Wait until an engine that is being ended is gone. */
  left: () => Promise<void>
}

/** How to load a model that is not loaded yet. `key` identifies everything that the load depends on. */
export type Acquiring = {
  wish?: LoadWish
  key?: string
  again?: boolean
  /** Whether to give up instead of evicting a model. If set, models in use are never evicted either. */
  spares?: (modelId: string) => boolean
  onProgress?: (done: number) => void
}

type User = { onProgress: (part: number) => void }
type Resident = {
  model: LoadableModel
  key: string | undefined
  users: Set<User>
  starting: AbortController
  outcome: ReturnType<StartModel>
  ready?: ReadyModel
  /** Aborts when the engine's time to save the evaluated tokens is over. */
  hurry: AbortController
  /** Set while the engine is being ended on purpose. */
  leaving?: Promise<void>
  /** Whether the user cancelled the load. */
  isCancelled?: boolean
  /** Called when the last user is gone. */
  onUnused?: () => void
}

const noModel = {
  modelId: null,
  modelName: '',
  progress: null,
  contextTokens: null,
  error: null,
  fix: null,
  fixes: [],
  notice: null,
}
/** How long an engine may take to save its tokens, in ms: while a user waits, at exit, and while idle. */
const keepMs = { waited: 3_000, closing: 2_500, idle: 30_000 }
/** How often to check for idleness, in ms. The time limit may change meanwhile. */
const idleLookMs = 30_000

/**
 * Create an empty slot. It starts engines as models are needed, and unloads a model that has been idle for
 * `idleMs`. 0 keeps it loaded.
 */
export function createModelSlot(
  start: StartModel,
  {
    idleMs,
    hosting,
    onState,
    keep = async () => undefined,
  }: Pick<EngineState, 'hosting'> & {
    idleMs: () => number
    onState: (state: EngineState) => void
    /** Let an engine save the evaluated tokens before it ends. Never rejects. */
    keep?: (link: EngineLink) => Promise<void>
  },
): ModelSlot {
  const turns = createFairLock()
  let state: EngineState = { phase: 'stopped', hosting, ...noModel }
  let tenant: Resident | undefined
  let crashes = 0
  let isClosed = false
  let idle: NodeJS.Timeout | undefined

  const show = (change: Partial<EngineState>) => {
    const next = { ...state, ...change }
    if (isDeepStrictEqual(next, state)) return
    state = next
    tidyUp('tell the state of an engine', () => onState(next))
  }

  const startResident = (model: LoadableModel, { wish = {}, key }: Acquiring): Resident => {
    const starting = new AbortController()
    const named = { ...noModel, modelId: model.id, modelName: model.name }
    const users = new Set<User>()
    const begin = () =>
      start(model, wish, starting.signal, {
        hosting: hosting => show({ hosting }),
        loading(part) {
          show({ phase: 'loading', progress: part })
          for (const user of users) user.onProgress(part)
        },
      })
    const outcome = pauseBeforeRestart(restartPause(crashes), starting.signal)
      .then(() => tidyUpLater('start a model', begin))
      .then(result => result ?? notStarted)
    const here: Resident = { model, key, users, starting, outcome, hurry: new AbortController() }
    show({ ...named, phase: 'starting' })
    void outcome.then(result => settle(here, result))
    return here
  }

  const settle = (here: Resident, result: Awaited<Resident['outcome']>) => {
    if (here.leaving || result === 'stopped') return
    if (!('link' in result)) return fail(here, result, result.fixes)
    here.ready = result
    showUse(here)
    void result.link.ended.then(how => here.leaving ?? fail(here, endedBy(how), [{ do: 'again' }]))
  }

  const fail = (here: Resident, { code, text, fix }: EngineFailure, fixes: LoadFix[]) => {
    if (code === 'engine_gone') crashes++
    clearTimeout(idle)
    if (tenant === here) tenant = undefined
    here.onUnused?.()
    show({ phase: 'failed', progress: null, contextTokens: null, error: text, fix, fixes, notice: null })
  }

  const showUse = (here: Resident) => {
    clearTimeout(idle)
    const isBusy = here.users.size > 0
    const contextTokens = here.ready?.loaded.contextTokens ?? null
    const notice = here.ready?.notice ?? null
    const phase = isBusy ? 'busy' : 'ready'
    show({ phase, progress: null, contextTokens, error: null, fix: null, fixes: [], notice })
    if (!isBusy) waitIdle(here, 0)
  }

  /** Poll for idleness, because the time limit may change while a model is idle. */
  const waitIdle = (here: Resident, waitedMs: number) => {
    const limit = idleMs()
    const isOver = limit > 0 && waitedMs >= limit
    if (isOver) return void unload(here, keepMs.idle)
    const next = limit > 0 ? Math.min(limit - waitedMs, idleLookMs) : idleLookMs
    idle = setTimeout(() => waitIdle(here, waitedMs + next), next)
    idle.unref()
  }

  /** Unload a model. A later caller may shorten the time that the first one granted. */
  const unload = async (here: Resident, patienceMs: number): Promise<void> => {
    here.leaving ??= (async () => {
      clearTimeout(idle)
      here.starting.abort()
      const result = await here.outcome
      if (result !== 'stopped' && 'link' in result) {
        await settledOrAborted(keep(result.link), here.hurry.signal)
        await result.link.end()
      }
      if (tenant === here) tenant = undefined
      show({ phase: 'stopped', ...noModel })
    })()
    const late = setTimeout(() => here.hurry.abort(), patienceMs)
    await here.leaving
    clearTimeout(late)
  }

  /** Unload the present model to make room for another one, as soon as it is unused. */
  const evictModel = async (signal: AbortSignal): Promise<void> => {
    const here = tenant
    if (!here) return
    if (here.users.size > 0 && !here.leaving) {
      const unused = Promise.withResolvers<void>()
      here.onUnused = unused.resolve
      await settledOrAborted(unused.promise, signal)
      delete here.onUnused
    }
    if (!signal.aborted && tenant === here) await unload(here, keepMs.waited)
  }

  const leave = (here: Resident, user: User) => {
    here.users.delete(user)
    if (tenant !== here || here.leaving) return
    if (here.ready) {
      crashes = 0
      showUse(here)
    }
    if (here.users.size > 0) return
    here.onUnused?.()
    // Free a model whose load was abandoned.
    if (!here.ready) void unload(here, keepMs.waited)
  }

  const isSpared = (how: Acquiring) =>
    how.spares !== undefined && tenant !== undefined && (tenant.users.size > 0 || how.spares(tenant.model.id))

  const join = async (
    model: LoadableModel,
    user: User,
    signal: AbortSignal,
    how: Acquiring,
  ): Promise<Resident | 'taken' | undefined> => {
    const endTurn = await turns.enter(signal)
    if (!endTurn) return undefined
    try {
      const isWanted = isSame(tenant, model) && !(how.again && tenant?.key !== how.key)
      if (!isWanted && isSpared(how)) return 'taken'
      if (!isWanted) await evictModel(signal)
      if (signal.aborted || isClosed) return undefined
      tenant ??= startResident(model, how)
      tenant.users.add(user)
      if (tenant.ready) showUse(tenant)
      return tenant
    } finally {
      endTurn()
    }
  }

  const clear = async (patienceMs: number) => {
    if (tenant) await unload(tenant, patienceMs)
    else if (state.phase !== 'stopped') show({ phase: 'stopped', ...noModel })
  }

  return {
    get state() {
      return state
    },
    get present() {
      return tenant?.leaving ? undefined : tenant?.ready
    },
    ready: model => (isSame(tenant, model) ? tenant?.ready : undefined),
    async acquire(model, signal, how = {}) {
      const user: User = { onProgress: how.onProgress ?? (() => undefined) }
      const here = await join(model, user, signal, how)
      if (here === 'taken') return taken
      if (!here) return signal.aborted ? undefined : unloaded
      const release = () => leave(here, user)
      await settledOrAborted(here.outcome, signal)
      if (signal.aborted) {
        release()
        return undefined
      }
      const result = await here.outcome
      if (result !== 'stopped' && 'link' in result && !here.leaving) {
        return {
          ...result,
          release,
          get isOver() {
            return here.leaving !== undefined
          },
        }
      }
      release()
      if (result !== 'stopped' && !('link' in result)) return withoutFixes(result)
      return here.isCancelled ? cancelled : unloaded
    },
    async cancel() {
      if (!tenant || tenant.ready || tenant.leaving) return
      tenant.isCancelled = true
      await unload(tenant, keepMs.waited)
    },
    clear: () => clear(keepMs.waited),
    async left() {
      await tenant?.leaving
    },
    async close() {
      isClosed = true
      await clear(keepMs.closing)
    },
  }
}

const isSame = (tenant: Resident | undefined, { id, path }: LoadableModel): boolean =>
  tenant !== undefined && !tenant.leaving && tenant.model.id === id && tenant.model.path === path

/** Remove the fixes, which belong to the engine state and not to the failures that callers receive. */
const withoutFixes = ({ fixes: _fixes, ...failure }: LoadFailure): EngineFailure => failure

/** Return the back-off for a crashing engine, in ms: from the second crash on, each restart waits longer. */
const restartPause = (crashes: number): number =>
  crashes < 2 ? 0 : Math.min(250 * 2 ** (crashes - 1), 8_000)

async function pauseBeforeRestart(ms: number, signal: AbortSignal): Promise<void> {
  const rested = Promise.withResolvers<void>()
  const timer = setTimeout(rested.resolve, ms)
  await settledOrAborted(rested.promise, signal)
  clearTimeout(timer)
}

const endedBy = (how: string): EngineFailure => ({
  code: 'engine_gone',
  text: `The engine for local models stopped unexpectedly (${how}).`,
  fix: 'Try again. It restarts automatically.',
})

const notStarted: LoadFailure = {
  code: 'engine_gone',
  text: 'The engine for local models could not be started.',
  fix: 'Try again. The log says more.',
  fixes: [{ do: 'again' }],
}

const cancelled: EngineFailure = {
  code: 'engine_gone',
  text: 'Loading was stopped.',
  fix: 'Try again when you want the model.',
}

const taken: EngineFailure = {
  code: 'engine_gone',
  text: 'Another model is in memory now and stays there.',
  fix: 'Unload it, or try again when it is not needed.',
}

/** The failure that callers receive when their model was unloaded. */
export const unloaded: EngineFailure = {
  code: 'engine_gone',
  text: 'The model was unloaded before it could answer.',
  fix: 'Try again.',
}
