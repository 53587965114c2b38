import { untilAborted, withinTime } from '../../../lib/timing.ts'
import { resourcePath } from '../../../lib/disk/shipped-files.ts'
import type { SpawnEngine } from '../../interface/engine-child.ts'
import type { LlmEngine } from '../../interface/engine.ts'
import { createLocalEngines } from './local-engine.ts'

/** The small models that ship with Talaria and help the others, in one process of their own. */
export type SmallModels = {
  /**
   * The vectors of texts, each of length 1, in the same order: near each other where the texts mean the same. Undefined when the encoder
   * does not run on this machine, `signal` aborted, or they are not ready in time.
   */
  of(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[] | undefined>
  /** The built-in model beside that of the person, whose place in memory it does not take. */
  engine: Pick<LlmEngine, 'complete'>
  /** Drop what the built-in model was asked. */
  forget(): Promise<void>
  close(): Promise<void>
}

type Parts = {
  spawn: SpawnEngine
  report(error: unknown): void
  /** The file of the encoder; default the one that ships. */
  path?: string
  /** How long a search waits for vectors, in ms; what is ready later serves the next one. */
  waitMs?: number
  /** How long they stay in memory after the last question, in ms; 0 for as long as the host runs. */
  idleMs?: number
}

const WAIT_MS = 10_000
const IDLE_MS = 120_000
/** An engine that works longer than this on one list of texts is stuck, in ms. */
const GIVE_UP_MS = 300_000
/** An engine that died is started again at the next text, but one that has died so often in a row is not. */
const MOST_DEATHS = 3
/** Both together need a third of it. They are not refused where memory is short: the system tells too little as often as too much. */
const ENOUGH_BYTES = 600_000_000
/** Vectors that are remembered, 1.5 kB each; more texts than that are not encoded at all. */
const MOST_KNOWN = 4_000

/** The small models. Their process starts at the first question, and ends when nothing was asked for a while. */
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
  /** All that was asked for so far: one list after the other, so that no text is encoded twice. */
  let work = Promise.resolve()
  /** It was closed, or failed and would fail again. */
  let isOver = false
  /** How often it has died since it last answered. */
  let deaths = 0

  /** Encode texts to know them from then on. It goes on when who asked stops waiting: the next search is for the same tools. */
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

  /** Take the vectors, which makes them the last to be forgotten. */
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
