import type { SpawnEngine } from '../../../app/host-types.ts'
import { untilAborted, withinTime } from '../../../lib/timing.ts'
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
  /** How long a search waits for vectors, in ms; what is ready later serves the next one. */
  waitMs?: number
  /** How long the encoder stays in memory after its last text, in ms. */
  idleMs?: number
}

const WAIT_MS = 10_000
const IDLE_MS = 120_000
/** An engine that works longer than this on one list of texts is stuck, in ms. */
const GIVE_UP_MS = 300_000
/** An engine that died is started again at the next text, but one that has died so often in a row is not. */
const MOST_DEATHS = 3
/** Vectors that are remembered, 1.5 kB each; more texts than that are not encoded at all. */
const MOST_KNOWN = 4_000

/** Start an engine with the encoder at the first text. It ends when nothing was asked for a while. */
export function openMeanings({ path, spawn, report, waitMs = WAIT_MS, idleMs = IDLE_MS }: Parts): Meanings {
  const known = new Map<string, Float32Array>()
  let running: Promise<EngineLink> | undefined
  let idle: NodeJS.Timeout | undefined
  /** All that was asked for so far: one list after the other, so that no text is encoded twice. */
  let work = Promise.resolve()
  let waiting = 0
  /** It was closed, or failed and would fail again. */
  let isOver = false
  /** How often it has died since it last answered. */
  let deaths = 0

  const start = async (): Promise<EngineLink> => {
    const link = openLink(startEngineProcess(spawn), report)
    if (await link.hello) return link
    await link.end()
    throw new Error('The engine for meanings did not start.')
  }
  /** Nobody misses one that dies while it has nothing to do: the next text starts another. */
  const begin = (): Promise<EngineLink> => {
    const begun = start()
    const forget = () => {
      if (running === begun) running = undefined
    }
    void begun.then(link => link.ended).then(forget, forget)
    return begun
  }
  const end = async () => {
    clearTimeout(idle)
    const ending = running
    running = undefined
    await (await ending?.catch(() => undefined))?.end()
  }

  /** Encode texts to know them from then on. It goes on when who asked stops waiting: the next search is for the same tools. */
  async function learn(texts: readonly string[]): Promise<void> {
    const unknown = texts.filter(text => !known.has(text))
    if (unknown.length === 0 || isOver) return
    try {
      const link = await (running ??= begin())
      const question = { t: 'embed', path, texts: unknown } as const
      const result = await link.ask(question, { signal: AbortSignal.timeout(GIVE_UP_MS) })
      if (result.kind === 'lost' && deaths < MOST_DEATHS - 1) {
        if (!isOver) report(new Error(`The engine for meanings died: ${result.how}`))
        deaths += 1
        return await end()
      }
      if (result.kind !== 'embedded') throw new Error(`Texts could not be encoded: ${JSON.stringify(result)}`)
      deaths = 0
      for (const [at, text] of unknown.entries()) known.set(text, result.vectors[at]!)
    } catch (error) {
      if (!isOver) report(error)
      isOver = true
      await end()
    }
  }

  function queue(texts: readonly string[]): Promise<void> {
    clearTimeout(idle)
    waiting += 1
    work = work
      .then(() => learn(texts))
      .finally(() => {
        waiting -= 1
        if (waiting === 0 && !isOver) idle = setTimeout(() => void end(), idleMs).unref()
      })
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
    close() {
      isOver = true
      return end()
    },
  }
}
