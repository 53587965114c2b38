import type { SpawnEngine } from '../../../app/host-types.ts'
import { withinTime } from '../../../lib/timing.ts'
import { openLink, startEngineProcess, type EngineLink } from './start-engine.ts'

/** Where texts lie among meanings: near each other when they mean the same. */
export type Meanings = {
  /**
   * The vectors of texts, each of length 1, in the same order. Undefined when the encoder does not run on this machine,
   * `signal` aborted, or they are not ready in time.
   */
  of(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[] | undefined>
  close(): Promise<void>
}

type Parts = {
  /** The file of the encoder. */
  path: string
  spawn: SpawnEngine
  report(error: unknown): void
  /** How long the encoder stays in memory after its last text, in ms. */
  idleMs?: number
}

const IDLE_MS = 120_000
/** A search waits no longer than this, in ms; what is ready later serves the next one. */
const WAIT_MS = 10_000
/** An engine that works longer than this on one list of texts is stuck, in ms. */
const GIVE_UP_MS = 300_000
/** Vectors that are remembered, 1.5 kB each. */
const MOST_KNOWN = 4_000

/** Start an engine with the encoder at the first text. It ends when nothing was asked for a while. */
export function openMeanings({ path, spawn, report, idleMs = IDLE_MS }: Parts): Meanings {
  const known = new Map<string, Float32Array>()
  let running: Promise<EngineLink> | undefined
  let timer: NodeJS.Timeout | undefined
  let asked = 0
  /** It was closed, or failed and would fail again. */
  let isOver = false

  const start = async (): Promise<EngineLink> => {
    const link = openLink(startEngineProcess(spawn), report)
    if (await link.hello) return link
    await link.end()
    throw new Error('The engine for meanings did not start.')
  }
  const end = async () => {
    clearTimeout(timer)
    const ending = running
    running = undefined
    await (await ending?.catch(() => undefined))?.end()
  }

  /** Embed texts to know them from then on. */
  async function embed(texts: readonly string[], given: AbortSignal): Promise<void> {
    clearTimeout(timer)
    asked += 1
    const stuck = AbortSignal.timeout(GIVE_UP_MS)
    try {
      const link = await (running ??= start())
      const signal = AbortSignal.any([given, stuck])
      const result = await link.ask({ t: 'embed', path, texts }, { signal })
      if (result.kind === 'embedded') {
        for (const [at, text] of texts.entries()) known.set(text, result.vectors[at]!)
        for (const oldest of known.keys()) if (known.size > MOST_KNOWN) known.delete(oldest)
      } else if (result.kind !== 'stopped' || stuck.aborted)
        throw new Error(`Texts could not be embedded: ${JSON.stringify(result)}`)
    } catch (error) {
      if (!isOver) report(error)
      isOver = true
      await end()
    } finally {
      asked -= 1
      if (asked === 0 && !isOver) timer = setTimeout(() => void end(), idleMs).unref()
    }
  }

  return {
    async of(texts, signal) {
      const unknown = [...new Set(texts)].filter(text => !known.has(text))
      if (unknown.length > 0 && !isOver) await withinTime(WAIT_MS, embed(unknown, signal))
      const vectors = texts.map(text => known.get(text))
      return vectors.every(each => each !== undefined) ? vectors : undefined
    },
    close() {
      isOver = true
      return end()
    },
  }
}
