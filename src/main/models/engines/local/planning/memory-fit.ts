import type { Fit, Gpu } from '../../../../../shared/contract/models/model.ts'
import { bitsFor, estimateMemory, MOST_CHATS, planForContext, USUAL_CHATS } from './memory-plan.ts'
import type { ContextWish, FitFacts, MemoryEstimate, MemoryUse } from './memory-plan.ts'
import { batchTokens } from '../process/protocol.ts'

export type { FitFacts } from './memory-plan.ts'

/** The memory that a model has to fit into, in bytes. */
export type FitRoom = {
  /** The graphics card that the engine uses; null if it uses none. */
  gpu: Gpu | null
  /** Whether `gpu` is the card of an earlier start, because this start has not probed for it yet. */
  isExpected?: boolean
  /** The memory of this computer, and the part that a new process could use. */
  totalBytes: number
  availableBytes: number
  /** Additional memory after the loaded model is evicted. */
  freedBytes: number
  /** Additional memory of the graphics card after the loaded model is evicted. */
  freedGpuBytes?: number
}

/** Batch size on a graphics card, in tokens. */
export const gpuBatchTokens = batchTokens * 2

const contextStep = 256
const smallestContext = 512
const mostTokens = 1 << 20
/** Error margin of the estimate, as a share. It is wider for graphics cards, which were measured less. */
const margin = { memory: 0.1, gpu: 0.2 }

/**
 * Decide whether a model fits this computer with a context of this many tokens, limited to its trained
 * context. The byte counts are those of the graphics card if all of the model fits there, else those of main
 * memory. The required memory is that of a load right now, for up to `chats` chats at the same time. If the
 * model does not fit, it is that of one chat.
 */
export function fitOf(
  facts: FitFacts,
  { contextTokens, batch, chats, contextBits, ...room }: FitRoom & ContextWish,
): Fit {
  const tokens = facts.trainedTokens > 0 ? Math.min(facts.trainedTokens, contextTokens) : contextTokens
  const memory = memoryPool(room)
  const card = room.gpu && gpuPool(room.gpu, room.freedGpuBytes ?? 0)
  const bits = bitsFor(facts, contextBits)
  const side = Math.max(1, Math.min(chats ?? USUAL_CHATS, MOST_CHATS))
  const onCardWith = (count: number, sequences: number, card: Pool) =>
    inGpu(facts, { contextTokens: count, sequences, ...bits }, card)
  /** Estimate the memory of one chat in main memory. */
  const inMemory = (count: number) =>
    estimateMemory(facts, { contextTokens: count, sequences: 1, mapFile: false, ...bits })
  const most = Math.max(
    mostContext(facts, memory.availableBytes, inMemory),
    card ? mostContext(facts, card.availableBytes, count => onCardWith(count, USUAL_CHATS, card)) : 0,
  )
  const fit = { contextTokens: tokens, mostContextTokens: most, chats: 1 }
  if (!isTold(facts))
    return { ...fit, ...parts(nothing), label: 'unknown', ...memory, missingBytes: 0, uncertain }
  // Use more than the usual number only if they fit: they must not push a model off the card.
  const fewest = card ? Math.min(side, USUAL_CHATS) : Infinity
  for (let count = side; count >= fewest; count--) {
    const onCard = card && onCardWith(tokens, count, card)
    if (!card || !onCard || onCard.total > card.availableBytes) continue
    const close = isClose(onCard.total, card.availableBytes, margin.gpu)
    return {
      ...fit,
      chats: count,
      ...parts(onCard),
      label: 'gpu',
      ...card,
      missingBytes: 0,
      uncertain: close,
    }
  }
  const pool = room.gpu?.backend === 'cuda' && card ? both(memory, card) : memory
  // A model that is partly on a card gets one chat.
  const wish = { contextTokens: tokens, batch, chats: room.gpu ? 1 : side, contextBits }
  const arranged = planForContext(facts, wish, pool.availableBytes)
  const forOne = inMemory(tokens)
  const needed = arranged?.estimate ?? forOne
  return {
    ...fit,
    chats: arranged?.sequences ?? 1,
    mostContextTokens: Math.max(most, mostContext(facts, pool.availableBytes, inMemory)),
    ...parts(needed),
    label: arranged ? 'memory' : 'too_big',
    ...pool,
    missingBytes: Math.max(0, needed.total - pool.availableBytes),
    uncertain: isClose(forOne.total, pool.availableBytes, margin.memory),
  }
}

type Pool = Pick<Fit, 'totalBytes' | 'othersBytes' | 'freedBytes' | 'availableBytes'>

function memoryPool({ totalBytes, availableBytes, freedBytes }: FitRoom): Pool {
  const available = Math.min(totalBytes, availableBytes + freedBytes)
  return { totalBytes, othersBytes: totalBytes - available, freedBytes, availableBytes: available }
}

const gpuPool = ({ totalBytes, freeBytes }: Gpu, freedBytes: number): Pool =>
  memoryPool({ gpu: null, totalBytes, availableBytes: freeBytes, freedBytes })

/** Add both memories: a dedicated card takes some layers of a model, and the processor the others. */
const both = (memory: Pool, card: Pool): Pool => ({
  totalBytes: memory.totalBytes + card.totalBytes,
  othersBytes: memory.othersBytes + card.othersBytes,
  freedBytes: memory.freedBytes + card.freedBytes,
  availableBytes: memory.availableBytes + card.availableBytes,
})

/** Estimate the use of a card. It needs no rearranged copies, but space for a batch's scores and a driver. */
function inGpu(
  facts: FitFacts,
  use: Pick<MemoryUse, 'contextTokens' | 'sequences' | 'contextBits'>,
  { totalBytes }: Pool,
): MemoryEstimate {
  const { weights, context, ...estimate } = estimateMemory(facts, {
    ...use,
    mapFile: false,
    batch: gpuBatchTokens,
  })
  const buffers = estimate.buffers + gpuBatchTokens * facts.vocabularySize * 4
  const process = gpuReserve(totalBytes)
  return { total: weights + context + buffers + process, weights, context, buffers, process }
}

/** Return the memory that the library leaves free on a card, in bytes. */
const gpuReserve = (totalBytes: number): number => Math.floor(Math.min(totalBytes * 0.06, 2 ** 30))

/** Compute the largest context that fits. Context memory grows linearly with its tokens. */
function mostContext(
  { trainedTokens }: FitFacts,
  availableBytes: number,
  estimate: (tokens: number) => MemoryEstimate,
): number {
  const fixed = estimate(0).total
  const each = (estimate(mostTokens).total - fixed) / mostTokens
  const limit = trainedTokens > 0 ? trainedTokens : mostTokens
  if (!(each > 0) || !(fixed <= availableBytes)) return 0
  const tokens = Math.floor((availableBytes - fixed) / each)
  if (tokens >= limit) return limit
  const whole = Math.floor(tokens / contextStep) * contextStep
  return whole < smallestContext ? 0 : whole
}

/** Whether all figures are known. Some files lack the widths. */
const isTold = (facts: FitFacts): boolean =>
  [facts.sizeBytes, facts.width, facts.widest, facts.vocabularySize, facts.contextBytesPerToken].every(
    figure => Number.isFinite(figure) && figure > 0,
  )

const nothing: MemoryEstimate = { total: 0, weights: 0, context: 0, buffers: 0, process: 0 }

const parts = ({ total, weights, context, buffers, process }: MemoryEstimate) => ({
  weightsBytes: weights,
  contextBytes: context,
  buffersBytes: Math.ceil(buffers),
  processBytes: process,
  neededBytes: Math.ceil(total),
})

const uncertain = 'The file does not say enough about the model to estimate its memory use.'

const isClose = (needed: number, available: number, share: number): string =>
  Math.abs(needed - available) <= available * share
    ? `It is a close call: the estimate may be off by ${Math.round(share * 100)} %.`
    : ''
