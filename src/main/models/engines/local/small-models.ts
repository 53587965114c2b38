import { untilAborted, withinTime } from '../../../lib/timing.ts'
import { resourcePath } from '../../../lib/disk/shipped-files.ts'
import type { SpawnEngine } from '../../interface/engine-child.ts'
import type { LlmEngine } from '../../interface/engine.ts'
import { createLocalEngines } from './local-engine.ts'

/** The small models that ship with Talaria and support the main model, in one process of their own. */
export type SmallModels = {
  /**
   * Encode texts as vectors of length 1, in the same order. Texts with a similar meaning have similar
   * vectors. Undefined if the encoder does not run on this machine, `signal` aborted, or the vectors are
   * late.
   */
  of(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[] | undefined>
  /** The built-in model. It runs beside the user's model and does not evict it. */
  engine: Pick<LlmEngine, 'complete'>
  /** Drop everything that the built-in model was asked. */
  forget(): Promise<void>
  close(): Promise<void>
}

type Parts = {
  spawn: SpawnEngine
  report(error: unknown): void
  /** The encoder's file; by default the one that ships with Talaria. */
  path?: string
  /** How long a search waits for vectors, in ms. Vectors that are late serve the next search. */
  waitMs?: number
  /** How long the models stay in memory after the last question, in ms; 0 keeps them until the host ends. */
  idleMs?: number
}

const WAIT_MS = 10_000
const IDLE_MS = 120_000
/** Maximum time for one list of texts, in ms. An engine that takes longer is stuck. */
const GIVE_UP_MS = 300_000
/** Maximum number of crashes in a row. Up to then, the next text restarts the engine. */
const MOST_DEATHS = 3
/** Memory to assume: three times what both need. The system's figure is too low as often as too high. */
const ENOUGH_BYTES = 600_000_000
/** Maximum number of cached vectors, 1.5 kB each. Longer lists of texts are not encoded at all. */
const MOST_KNOWN = 4_000

/** Open the small models. Their process starts at the first question, and ends after an idle time. */
export function openSmallModels({
  path,
  spawn,
  report,
  waitMs = WAIT_MS,
  idleMs = IDLE_MS,
}: Parts): SmallModels {
  const mini = { id: 'small', name: 'the built-in model', path: resourcePath('models/talaria-mini.gguf') }
  const encoder = path ?? resourcePath('models/tool-meanings.gguf')
  const engines = createLocalEngines({
    spawn,
    settings: () => ({ ...SETTINGS, idle_unload_minutes: idleMs / 60_000 }),
    onState: () => undefined,
    report,
    availableMemory: () => ENOUGH_BYTES,
  })
  const known = new Map<string, Float32Array>()
  /** All requests so far. Lists are encoded one after the other, so that no text is encoded twice. */
  let work = Promise.resolve()
  /** The models were closed, or failed in a way that would repeat. */
  let isOver = false
  /** How many times the engine has died since its last answer. */
  let deaths = 0

  /** Encode and cache texts. Continues if the caller gives up: the next search is for the same tools. */
  async function learn(texts: readonly string[]): Promise<void> {
    const unknown = texts.filter(text => !known.has(text))
    if (unknown.length === 0 || isOver) return
    const question = { t: 'embed', path: encoder, texts: unknown } as const
    const result = await engines.ask(mini, question, AbortSignal.timeout(GIVE_UP_MS))
    if (result.kind === 'embedded') {
      deaths = 0
      for (const [at, text] of unknown.entries()) known.set(text, result.vectors[at]!)
      return
    }
    if (!isOver) report(new Error(`Texts could not be encoded: ${JSON.stringify(result)}`))
    const isGone =
      result.kind === 'lost' || (result.kind === 'failed' && result.failure.code === 'engine_gone')
    deaths += 1
    if (!isGone || deaths >= MOST_DEATHS) isOver = true
  }

  function queue(texts: readonly string[]): Promise<void> {
    work = work.then(() => learn(texts)).catch(report)
    return work
  }

  /** Return cached vectors, which makes them the last to be evicted. */
  function take(texts: readonly string[]): readonly Float32Array[] | undefined {
    const vectors = texts.map(text => known.get(text))
    if (!vectors.every(each => each !== undefined)) return undefined
    for (const [at, text] of texts.entries()) {
      known.delete(text)
      known.set(text, vectors[at]!)
    }
    for (const oldest of known.keys()) {
      if (known.size <= MOST_KNOWN) break
      known.delete(oldest)
    }
    return vectors
  }

  return {
    async of(texts, signal) {
      if (texts.length > MOST_KNOWN) return undefined
      const isKnown = texts.every(text => known.has(text))
      if (!isKnown && !isOver && !signal.aborted)
        await withinTime(waitMs, untilAborted(queue([...new Set(texts)]), signal))
      return signal.aborted ? undefined : take(texts)
    },
    engine: engines.engine(mini),
    forget: () => engines.forget(),
    close() {
      isOver = true
      return engines.close()
    },
  }
}

const SETTINGS = {
  context_tokens: 2_048,
  threads: 1,
  hosting: 'process',
  gpu: 'off',
  state_cache_gib: 0,
} as const
