import { isDeepStrictEqual } from 'node:util'
import type { EngineState, LoadFix } from '../../../shared/contract/model.ts'
import type { EngineFailure } from '../engine.ts'
import type { EngineLink } from './engine-link.ts'
import type { LoadFailure, LoadWish } from './plan-load.ts'
import type { Loaded } from './protocol.ts'
import { createTurns, settledOrAborted } from './turns.ts'

/** A GGUF file under the name that it has in the list of models. */
export type LocalModel = { id: string; name: string; path: string }

/** An engine with a model in it. `notice` says in what way the model has less than was asked for, and why. */
export type ReadyModel = { link: EngineLink; loaded: Loaded; notice: string | null }

/** The right to use the loaded model; `release` must be called once. `isOver` when the engine was ended on purpose. */
export type Lease = ReadyModel & { readonly isOver: boolean; release(): void }

/** Starts an engine and loads a model into it; never rejects. Unless it gives a link, nothing is left running. */
export type StartModel = (
  model: LocalModel,
  wish: LoadWish,
  signal: AbortSignal,
  report: {
    hosting(hosting: EngineState['hosting']): void
    /** How much of the model has been loaded, from 0 to 1. */
    loading(part: number): void
  },
) => Promise<ReadyModel | LoadFailure | 'stopped'>

/** The one place for a model in memory. */
export type ModelSlot = {
  readonly state: EngineState
  /** The engine that has any model loaded, if there is one. */
  readonly present: ReadyModel | undefined
  /** The engine that has this model loaded, if there is one. */
  ready(model: LocalModel): ReadyModel | undefined
  /**
   * Get a model loaded, after everybody who uses another one; undefined when `signal` aborts first. A model that is there
   * will do, unless `again` says that it was loaded in another way than is wanted now.
   */
  acquire(model: LocalModel, signal: AbortSignal, how?: Acquiring): Promise<Lease | EngineFailure | undefined>
  /** Stop loading; nothing happens when nothing is being loaded. */
  cancel: () => Promise<void>
  /** End the engine now, whoever uses it. */
  clear: () => Promise<void>
  /** End the engine and refuse to start another one. */
  close: () => Promise<void>
}

/** In what way a model is to be loaded if it is not there. `key` names everything that this depends on. */
export type Acquiring = {
  wish?: LoadWish
  key?: string
  again?: boolean
  onProgress?: (done: number) => void
}

type User = { hear: (part: number) => void }
type Tenant = {
  model: LocalModel
  key: string | undefined
  users: Set<User>
  starting: AbortController
  outcome: ReturnType<StartModel>
  ready?: ReadyModel
  /** Set while it is being ended on purpose. */
  leaving?: Promise<void>
  /** Whether a person did not want to wait for it any longer. */
  isCancelled?: boolean
  /** Called when the last user is gone. */
  onUnused?: () => void
}

const nobody = {
  modelId: null,
  modelName: '',
  progress: null,
  contextTokens: null,
  error: null,
  fix: null,
  fixes: [],
  notice: null,
}
/** How often it is looked at whether a model has been idle for long enough, because the setting may change. */
const idleLookMs = 30_000

/** Make the empty slot. It starts engines as models are needed, and ends one that nobody has used for `idleMs`; 0 keeps it. */
export function createModelSlot(
  start: StartModel,
  {
    idleMs,
    hosting,
    onState,
  }: Pick<EngineState, 'hosting'> & { idleMs: () => number; onState: (state: EngineState) => void },
): ModelSlot {
  const turns = createTurns()
  let state: EngineState = { phase: 'stopped', hosting, ...nobody }
  let tenant: Tenant | undefined
  let crashes = 0
  let isClosed = false
  let idle: NodeJS.Timeout | undefined

  const show = (change: Partial<EngineState>) => {
    const next = { ...state, ...change }
    if (isDeepStrictEqual(next, state)) return
    state = next
    onState(state)
  }

  const moveIn = (model: LocalModel, { wish = {}, key }: Acquiring): Tenant => {
    const starting = new AbortController()
    const named = { ...nobody, modelId: model.id, modelName: model.name }
    const users = new Set<User>()
    const outcome = rest(restartPause(crashes), starting.signal).then(() =>
      start(model, wish, starting.signal, {
        hosting: hosting => show({ hosting }),
        loading(part) {
          show({ phase: 'loading', progress: part })
          for (const user of users) user.hear(part)
        },
      }),
    )
    const here: Tenant = { model, key, users, starting, outcome }
    show({ ...named, phase: 'starting' })
    void outcome.then(result => settle(here, result))
    return here
  }

  const settle = (here: Tenant, result: Awaited<Tenant['outcome']>) => {
    if (here.leaving || result === 'stopped') return
    if (!('link' in result)) return fail(here, result, result.fixes)
    here.ready = result
    showUse(here)
    void result.link.ended.then(how => here.leaving ?? fail(here, endedBy(how), [{ do: 'again' }]))
  }

  const fail = (here: Tenant, { code, text, fix }: EngineFailure, fixes: LoadFix[]) => {
    if (code === 'engine_gone') crashes++
    clearTimeout(idle)
    if (tenant === here) tenant = undefined
    here.onUnused?.()
    show({ phase: 'failed', progress: null, contextTokens: null, error: text, fix, fixes, notice: null })
  }

  const showUse = (here: Tenant) => {
    clearTimeout(idle)
    const isBusy = here.users.size > 0
    const contextTokens = here.ready?.loaded.contextTokens ?? null
    const notice = here.ready?.notice ?? null
    const phase = isBusy ? 'busy' : 'ready'
    show({ phase, progress: null, contextTokens, error: null, fix: null, fixes: [], notice })
    if (!isBusy) waitIdle(here, 0)
  }

  /** Looked at again and again, because the time may be changed while a model is idle. */
  const waitIdle = (here: Tenant, waitedMs: number) => {
    const limit = idleMs()
    const isOver = limit > 0 && waitedMs >= limit
    if (isOver) return void moveOut(here)
    const next = limit > 0 ? Math.min(limit - waitedMs, idleLookMs) : idleLookMs
    idle = setTimeout(() => waitIdle(here, waitedMs + next), next)
    idle.unref()
  }

  const moveOut = (here: Tenant): Promise<void> => {
    here.leaving ??= (async () => {
      clearTimeout(idle)
      here.starting.abort()
      const result = await here.outcome
      if (result !== 'stopped' && 'link' in result) await result.link.end()
      if (tenant === here) tenant = undefined
      show({ phase: 'stopped', ...nobody })
    })()
    return here.leaving
  }

  /** Empty the slot for another model, as soon as nobody needs the present one. */
  const makeRoom = async (signal: AbortSignal): Promise<void> => {
    const here = tenant
    if (!here) return
    if (here.users.size > 0 && !here.leaving) {
      const unused = Promise.withResolvers<void>()
      here.onUnused = unused.resolve
      await settledOrAborted(unused.promise, signal)
      delete here.onUnused
    }
    if (!signal.aborted && tenant === here) await moveOut(here)
  }

  const leave = (here: Tenant, user: User) => {
    here.users.delete(user)
    if (tenant !== here || here.leaving) return
    if (here.ready) {
      crashes = 0
      showUse(here)
    }
    if (here.users.size > 0) return
    here.onUnused?.()
    // A load that nobody waits for any more is not worth its memory.
    if (!here.ready) void moveOut(here)
  }

  const join = async (
    model: LocalModel,
    user: User,
    signal: AbortSignal,
    how: Acquiring,
  ): Promise<Tenant | undefined> => {
    const endTurn = await turns.enter(signal)
    if (!endTurn) return undefined
    try {
      const isWanted = isSame(tenant, model) && !(how.again && tenant?.key !== how.key)
      if (!isWanted) await makeRoom(signal)
      if (signal.aborted || isClosed) return undefined
      tenant ??= moveIn(model, how)
      tenant.users.add(user)
      if (tenant.ready) showUse(tenant)
      return tenant
    } finally {
      endTurn()
    }
  }

  const clear = async () => {
    if (tenant) await moveOut(tenant)
    else if (state.phase !== 'stopped') show({ phase: 'stopped', ...nobody })
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
      const user: User = { hear: how.onProgress ?? (() => undefined) }
      const here = await join(model, user, signal, how)
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
      if (result !== 'stopped' && !('link' in result)) return plain(result)
      return here.isCancelled ? cancelled : unloaded
    },
    async cancel() {
      if (!tenant || tenant.ready || tenant.leaving) return
      tenant.isCancelled = true
      await moveOut(tenant)
    },
    clear,
    async close() {
      isClosed = true
      await clear()
    },
  }
}

const isSame = (tenant: Tenant | undefined, { id, path }: LocalModel): boolean =>
  tenant !== undefined && !tenant.leaving && tenant.model.id === id && tenant.model.path === path

/** Fixes are for the state of the engine, not for those who wait. */
const plain = ({ fixes: _fixes, ...failure }: LoadFailure): EngineFailure => failure

/** An engine that stops again and again must not keep the machine busy: from the second time on, wait longer each time. */
const restartPause = (crashes: number): number =>
  crashes < 2 ? 0 : Math.min(250 * 2 ** (crashes - 1), 8_000)

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  const rested = Promise.withResolvers<void>()
  const timer = setTimeout(rested.resolve, ms)
  await settledOrAborted(rested.promise, signal)
  clearTimeout(timer)
}

const endedBy = (how: string): EngineFailure => ({
  code: 'engine_gone',
  text: `The engine for local models stopped unexpectedly (${how}).`,
  fix: 'Try again: it starts anew by itself.',
})

const cancelled: EngineFailure = {
  code: 'engine_gone',
  text: 'Loading was stopped.',
  fix: 'Try again when you want the model.',
}

/** What somebody hears whose model was taken away. */
export const unloaded: EngineFailure = {
  code: 'engine_gone',
  text: 'The model was unloaded before it could answer.',
  fix: 'Try again.',
}
