import type { Token } from 'node-llama-cpp'
import type { LoadedModel } from './load-model.ts'
import { type Progress, batchTokens } from './protocol.ts'
import { backgroundChunk } from './sequence-tokens.ts'
import type { SequenceLease } from './sequence-pool.ts'
import { worthRestoring } from './states/state-store.ts'

type Reading = {
  lease: SequenceLease
  tokens: Token[]
  /** How many of the tokens are instructions that other chats start with as well. */
  frozen: number
  isBackground: boolean
  progress: Progress
}

/**
 * Read the prompt up to its last chunk, which is read together with the first token of the reply. Saves the state at
 * the end of the instructions, unless it is saved already. Undefined when stopped.
 */
export async function readPrompt(
  loaded: LoadedModel,
  run: Reading,
): Promise<{ startedAt: number } | undefined> {
  const startedAt = performance.now()
  const { tokens, lease, progress } = run
  const { sequence } = lease
  const start = sequence.nextTokenIndex
  const total = tokens.length - start
  let saveAt = await whereToSave(loaded, run)
  for (;;) {
    if (!(await lease.pass())) return undefined
    const at = sequence.nextTokenIndex
    if (at === saveAt) {
      await loaded.states?.save(sequence, 'prompt')
      saveAt = undefined
    }
    const left = (saveAt ?? tokens.length) - at
    const piece = run.isBackground
      ? Math.min(left, backgroundChunk, loaded.request.batch)
      : nextChunkSize(left, loaded.readingSpeed, loaded.request.batch)
    if (piece < total) progress.reading(at - start, total)
    if (at + piece === tokens.length) return { startedAt }
    const before = performance.now()
    const step = { position: at, tokens: piece, isTelling: loaded.pool.active === 1 }
    await loaded.threads.run('reading', step, () =>
      sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + piece)),
    )
    loaded.readingSpeed = tokensPerSecond(piece, performance.now() - before)
  }
}

/** The end of the instructions, if they are long enough and most of them are not on disk yet; otherwise undefined. */
async function whereToSave(
  { states }: LoadedModel,
  { lease, tokens, frozen }: Reading,
): Promise<number | undefined> {
  const { sequence } = lease
  if (!states || frozen < worthRestoring || frozen >= tokens.length) return undefined
  if (sequence.nextTokenIndex > frozen) return undefined
  const instructions = tokens.slice(0, frozen)
  const covered = await states.covered(sequence, instructions)
  return frozen - covered >= worthRestoring ? frozen : undefined
}

/** Tokens per second; 0 when there is nothing to measure. */
export const tokensPerSecond = (tokens: number, ms: number): number =>
  tokens > 0 && ms > 0 ? (tokens * 1_000) / ms : 0

/** Target duration of a chunk, and so the longest delay before a stop takes effect. */
const pieceMs = 200
/** Attention is computed in blocks of this many tokens. Smaller chunks make reading a fifth slower. */
const tile = 64
/**
 * A remainder up to this size is read with the chunk before it, because it would cost a full pass through the
 * weights.
 */
const smallest = 16

/**
 * How many of the remaining tokens to read next, at a speed in tokens per second (0 if unknown). Chunks are whole
 * tiles, except for the last one, and never longer than the batch.
 */
export function nextChunkSize(left: number, speed: number, most = batchTokens): number {
  const tiles = Math.floor((speed * pieceMs) / 1_000 / tile)
  const size = Math.min(Math.max(tiles, 1) * tile, most)
  const isLast = left < size + smallest && left <= most
  return isLast ? left : size
}
