import type { Gpu, ModelOptions } from '../../../../shared/contract/models/model.ts'
import type { SpawnEngine } from '../../interface/engine-child.ts'
import { isFailure } from '../../interface/engine.ts'
import type { EngineFailure } from '../../interface/engine.ts'
import type { GpuChoice } from './process/backends.ts'
import { openLink, startEngineProcess, startInlineEngine, type EngineLink } from './process/start-engine.ts'
import type { GgufFacts } from './gguf/read-gguf.ts'
import type { GpuState } from './gpu-state.ts'
import { availableMemory } from './planning/memory-plan.ts'
import type { LoadableModel, ReadyModel, StartModel } from './model-slot.ts'
import { fixesAfter, planLoad, requestFor, wantsCard } from './planning/plan-load.ts'
import type { EngineSettings, LoadFailure, LoadPlan, LoadWish } from './planning/plan-load.ts'
import type { RuntimeFacts } from './process/protocol.ts'
import { stateFolderFor } from './states/state-folder.ts'
import { settledOrAborted } from './async-queues.ts'

type Parts = {
  spawn: SpawnEngine
  settings: () => EngineSettings
  optionsFor: (modelId: string) => ModelOptions
  graphics: GpuState
  read: (path: string, options?: { checkVocabulary?: boolean }) => Promise<GgufFacts | EngineFailure>
  report: (error: unknown) => void
  /** Log something that is not an error. */
  remark?: ((text: string) => void) | undefined
  cacheFolder?: string
  availableMemory?: () => number
}

/** Starts engines, and predicts how a model will be loaded. */
export type ModelStarter = {
  start: StartModel
  /** The context size of a loaded model, or the size it would get if it were loaded now. */
  contextTokens(model: LoadableModel, facts: GgufFacts, wish: LoadWish): Promise<number | EngineFailure>
  /** Identifies everything that a load depends on: while the key stays the same, a reload changes nothing. */
  keyOf(model: LoadableModel, wish: LoadWish): string
  /** The graphics card. The first call starts an engine to probe for it. */
  card(): Promise<Gpu | null>
  /** The facts that the library reports about itself; undefined if it does not run. */
  runtime(): Promise<RuntimeFacts | undefined>
  /** Available memory, and the memory that the running engine will free, in bytes. */
  memory(): { availableBytes: number; freedBytes: number }
  /** End a probing engine. Engines with a model belong to their callers. */
  close(): Promise<void>
}

/**
 * Create a starter of engines with a model. An engine gets its own process. If no process can start, engines
 * run inside this process from then on. An engine that fails with the graphics card is replaced by one
 * without it.
 */
export function createStartModel({ spawn, graphics, read, report, ...parts }: Parts): ModelStarter {
  let isInside = parts.settings().hosting === 'inline'
  const freeBytes = parts.availableMemory ?? availableMemory
  /** The plan of the running engine. All of its memory is freed before the next one starts. */
  let given: { path: string; plan: LoadPlan } | undefined
  let looking: Promise<void> | undefined
  const closing = new AbortController()
  const remarked = new Set<string>()

  const openEngine = async (): Promise<EngineLink | undefined> => {
    let child
    try {
      child = isInside ? startInlineEngine() : startEngineProcess(spawn)
    } catch (error) {
      report(error)
      return undefined
    }
    const link = openLink(child, report)
    if (await link.hello) return link
    await link.end()
    return undefined
  }

  /**
   * Return the back end to request. Inside the host, a card only if the user named it: a crash ends the host.
   */
  const choiceNow = (): GpuChoice => {
    const { choice } = graphics
    return isInside && choice === 'auto' ? 'off' : choice
  }
  const optionsOf = (model: LoadableModel, { options }: LoadWish): ModelOptions => ({
    ...parts.optionsFor(model.id),
    ...options,
  })

  /** Ask an engine which back end it uses. False if the engine ended, because of the card or of `signal`. */
  const look = async (link: EngineLink, gpu: GpuChoice, signal: AbortSignal): Promise<boolean> => {
    const asking = link.ask({ t: 'look', gpu })
    await settledOrAborted(asking, signal)
    if (signal.aborted) {
      await link.end()
      return false
    }
    const result = await asking
    if (result.kind === 'looked') {
      graphics.recordProbe({ runtime: result.runtime })
      return true
    }
    await link.end()
    if (gpu === 'off')
      report(new Error(`The engine could not tell what it runs on: ${JSON.stringify(result)}`))
    else if (result.kind === 'lost')
      graphics.recordProbe({ refused: `The engine stopped when it looked for one (${result.how}).` })
    else graphics.recordProbe({ refused: result.kind === 'failed' ? result.failure.text : result.kind })
    return false
  }

  /** Probe with a temporary engine, once per setting. */
  const lookAround = async (): Promise<void> => {
    const gpu = choiceNow()
    const link = await openEngine()
    if (!link) return graphics.recordProbe({ refused: 'The engine for local models does not start.' })
    if (await look(link, gpu, closing.signal)) await link.end()
  }
  const card = async (): Promise<Gpu | null> => {
    if (choiceNow() === 'off') return null
    if (graphics.card === undefined) {
      looking ??= lookAround().finally(() => (looking = undefined))
      await looking
    }
    return graphics.card ?? null
  }

  const attempt: StartModel = async (model, wish, signal, show) => {
    const wasInside = isInside
    // Inside the host, check the vocabulary too: a native abort would end this process.
    const facts = await read(model.path, { checkVocabulary: isInside })
    if (isFailure(facts)) return { ...facts, fixes: [{ do: 'again' }] }
    const settings = parts.settings()
    const options = optionsOf(model, wish)
    const gpu = wantsCard(wish, options) ? choiceNow() : 'off'
    const planFor = (card: Gpu | null) =>
      planLoad(facts, { settings, options, anyway: wish.anyway === true, card, availableBytes: freeBytes() })
    let plan = gpu === 'off' ? planFor(null) : undefined
    if (plan && isFailure(plan)) return plan
    const states = await stateFolderFor(parts.cacheFolder, settings.state_cache_gib, facts)
    if (signal.aborted) return 'stopped'

    show.hosting(isInside ? 'inline' : 'process')
    const link = await openEngine()
    if (!link && isInside) return cannotStart
    if (!link) {
      isInside = true
      report(new Error('The engine process did not start; the engine runs inside the host from now on.'))
      return attempt(model, wish, signal, show)
    }
    if (!plan) {
      // The engine that probes also loads, so the free memory it reports is what it will have.
      const isThere = await look(link, gpu, signal)
      if (!isThere) return signal.aborted ? 'stopped' : attempt(model, wish, signal, show)
      plan = planFor(graphics.card ?? null)
      if (isFailure(plan)) {
        await link.end()
        return plan
      }
    }
    const request = requestFor(facts, plan, { settings, options, gpu, states })
    show.loading(0)
    const mine = { path: facts.path, plan }
    given = mine
    void link.ended.then(() => {
      if (given === mine) given = undefined
    })
    const asking = link.ask(
      { t: 'load', request },
      { onProgress: event => event.t === 'progress' && show.loading(event.done) },
    )
    // A starting engine has nothing to lose, and killing it is faster than asking it to stop.
    await settledOrAborted(asking, signal)
    if (signal.aborted) {
      await link.end()
      return 'stopped'
    }
    const result = await asking
    if (result.kind === 'loaded') {
      const { loaded } = result
      for (const problem of templateProblems(loaded)) {
        // These are facts of the file that loading again does not change, so log each once.
        const text = `${model.path}: ${problem}`
        if (!remarked.has(text)) parts.remark?.(text)
        remarked.add(text)
      }
      const trouble = wish.cpu || loaded.backend !== 'cpu' ? null : graphics.trouble
      const notice = [plan.notice, trouble].filter(text => text !== null).join(' ') || null
      return { link: loaded.backend === 'cpu' ? link : watched(link), loaded, notice }
    }
    await link.end()
    if (result.kind === 'stopped') return 'stopped'
    const failure = failureOf(model, result)
    if (plan.onCard && options.gpuLayers === undefined) {
      const instead = await attempt(model, { ...wish, cpu: true }, signal, show)
      if (instead === 'stopped' || isFailure(instead)) return instead
      const why = `the graphics card did not take ${facts.name || model.name}: ${failure.text}`
      // Lack of memory concerns only this model. Any other failure will repeat.
      if (failure.code !== 'out_of_memory') graphics.giveUpCard(why)
      return {
        ...instead,
        notice: [instead.notice, `The processor is used: ${why}`].filter(Boolean).join(' '),
      }
    }
    if (result.kind !== 'failed' || !result.cannotRun || wasInside) {
      return { ...failure, fixes: fixesAfter(failure, plan, facts) }
    }
    isInside = true
    report(new Error(failure.text))
    return attempt(model, wish, signal, show)
  }

  /** Give up the card if an engine dies unexpectedly with it: it will probably happen again. */
  const watched = (link: EngineLink): EngineLink => {
    let isTold = false
    void link.ended.then(
      how => isTold || graphics.giveUpCard(`the engine stopped with the graphics card (${how}).`),
    )
    const end = () => {
      isTold = true
      return link.end()
    }
    return { ...link, end }
  }

  return {
    start: attempt,
    async contextTokens(model, facts, wish) {
      if (given?.path === facts.path) return given.plan.contextTokens
      const options = optionsOf(model, wish)
      const availableBytes = freeBytes() + (given?.plan.takes.memory ?? 0)
      const plan = planLoad(facts, {
        settings: parts.settings(),
        options,
        anyway: wish.anyway === true,
        card: wantsCard(wish, options) ? await card() : null,
        availableBytes,
      })
      return isFailure(plan) ? plan : plan.contextTokens
    },
    keyOf(model, wish) {
      const { context_tokens, threads } = parts.settings()
      const options = { ...optionsOf(model, wish) }
      for (const name of SAMPLED) delete options[name]
      const general = [options.contextTokens ?? context_tokens, options.threads ?? threads, graphics.choice]
      return JSON.stringify([model.path, general, options, wish.anyway === true, wish.cpu === true])
    },
    card,
    async runtime() {
      if (!graphics.runtime) {
        looking ??= lookAround().finally(() => (looking = undefined))
        await looking
      }
      return graphics.runtime
    },
    memory: () => ({ availableBytes: freeBytes(), freedBytes: given?.plan.takes.memory ?? 0 }),
    async close() {
      closing.abort()
      await looking
    },
  }
}

function templateProblems({ templateProblem, appendOnly }: ReadyModel['loaded']): string[] {
  const rewrites =
    'The chat template rewrites earlier turns, so the model rereads the whole chat at every turn.'
  return [templateProblem, appendOnly ? undefined : rewrites].filter(problem => problem !== undefined)
}

/** Options that are sent with each question, so that changing them does not need a reload. */
const SAMPLED = ['temperature', 'topK', 'topP', 'minP', 'repeatPenalty', 'thinking'] as const

const cannotStart: LoadFailure = {
  code: 'internal',
  text: 'The engine for local models does not start on this machine.',
  fix: 'Install Talaria again, or use a model on a server.',
  fixes: [{ do: 'again' }],
}

/** How the system ends an engine, often to free memory: `fork` signals and `child-process-gone` reasons. */
const endedFromOutside = new Set(['SIGKILL', 'killed', 'oom', 'memory-eviction'])

/** Explain why an engine did not load a model. */
function failureOf({ path }: LoadableModel, result: Awaited<ReturnType<EngineLink['ask']>>): EngineFailure {
  if (result.kind === 'failed') return result.failure
  const how = result.kind === 'lost' ? result.how : 'an answer to another question'
  if (how === 'launch-failed') return cannotStart
  if (endedFromOutside.has(how)) {
    return {
      code: 'engine_gone',
      text: `The engine was ended from outside while it was loading ${path}, probably because memory ran out.`,
      fix: 'Close other programs or choose a smaller model, and try again.',
    }
  }
  if (/^(exit code |FatalError |abnormal-exit$)/.test(how)) {
    return {
      code: 'engine_gone',
      text: `The engine stopped while it was loading ${path} (${how}). The system did not say why.`,
      fix: 'Try again. If it happens again, memory may be too small for this model, or the file is damaged.',
    }
  }
  return {
    code: 'model_unreadable',
    text: `${path} made the engine stop while it was loading (${how}).`,
    fix: 'The file is probably damaged: download it again, or choose another model.',
  }
}
