import { freemem, totalmem } from 'node:os'
import type { EngineFailure } from '../engine.ts'
import { batchTokens } from './protocol.ts'
import { flashAttention } from './flash-attention.ts'
import type { GgufFacts } from './gguf-file.ts'

/** What a model is loaded with, as far as it decides about memory. */
export type MemoryUse = {
  contextTokens: number
  /** Conversations whose evaluated tokens are held at the same time. */
  sequences: number
  /** Whether the file is mapped instead of read. */
  mapFile: boolean
}

/** The most memory that an engine takes, in bytes, and what it takes it for. */
export type MemoryEstimate = {
  total: number
  weights: number
  /** Keys and values of all conversations. */
  context: number
  /** What is in the works while tokens are evaluated. */
  buffers: number
  /** The program and the vocabulary. */
  process: number
}

/** How a model is fitted into the memory of this machine. `notice` says what had to be made smaller, and why. */
export type MemoryPlan = MemoryUse & { estimate: MemoryEstimate; notice: string | null }

/** Node, the native library, and our own code. */
const programBytes = 111 << 20
/** A token or a rule of the vocabulary, in the library's tables and once more where its header is read. */
const vocabularyEntryBytes = 480
/** Copies of a token's widest form that exist at the same time. */
const widestCopies = 3
const widthCopies = 4
/** Pieces of a prompt are seldom as long as a batch. */
const scoreShare = 0.85
/** The share of the memory up to which nobody else has to make room. */
const comfortable = 0.8
const contextStep = 1_024
/** A context smaller than this has no room for the tools and an answer. */
const smallestContext = 2_048

/**
 * What a model will take at its peak, with a context that is full: measured models came within 10 %. Only for processors;
 * a sliding window saves nothing, because whole contexts are kept so that their beginnings can be used again.
 */
export function estimateMemory(facts: GgufFacts, use: MemoryUse): MemoryEstimate {
  // Rearranged weights are a copy; the file stays mapped beside it.
  const weights = facts.sizeBytes + (use.mapFile ? facts.repackedBytes : 0)
  const context = facts.contextBytesPerToken * use.contextTokens * use.sequences
  const scores = flashAttention(facts) === false ? facts.heads : 1
  const buffers =
    batchTokens * 4 * (widestCopies * facts.widest + widthCopies * facts.width) +
    Math.ceil(batchTokens * 4 * scores * scoreShare * use.contextTokens) +
    facts.vocabularySize * 4 * use.sequences
  const process = programBytes + vocabularyEntryBytes * (facts.vocabularySize + facts.mergeCount)
  return { total: weights + context + buffers + process, weights, context, buffers, process }
}

/**
 * Fit a model into the memory that is available: with the context that was wished for or the largest that fits, and with
 * as many conversations side by side as cost little. Fails when not even a small context fits.
 */
export function planMemory(
  facts: GgufFacts,
  wishedTokens: number,
  availableBytes: number,
): MemoryPlan | EngineFailure {
  const estimate = (contextTokens: number, sequences: number, mapFile = false) =>
    estimateMemory(facts, { contextTokens, sequences, mapFile })
  const contextTokens = contextSizes(wishedTokens).find(tokens => estimate(tokens, 1).total <= availableBytes)
  if (contextTokens === undefined) {
    const needed = estimate(Math.min(wishedTokens, smallestContext), 1).total
    return {
      code: 'out_of_memory',
      text: `${facts.path} needs about ${inWords(needed)} of memory, and ${inWords(availableBytes)} are free.`,
      fix: 'Close other programs, or choose a smaller model.',
    }
  }
  const sequences = sequencesFor(availableBytes, count => estimate(contextTokens, count))
  // A copy of the weights is faster to start. Only a mapped file can be given back when memory gets short, which is of
  // no use where it is rearranged into a copy anyway.
  const isTight = estimate(contextTokens, sequences).total > availableBytes * comfortable
  const mapFile = isTight && facts.repackedBytes < facts.sizeBytes / 2
  return {
    contextTokens,
    sequences,
    mapFile,
    estimate: estimate(contextTokens, sequences, mapFile),
    notice:
      contextTokens < wishedTokens ? madeSmaller(facts, contextTokens, wishedTokens, availableBytes) : null,
  }
}

/** The wish, and the smaller contexts that a model may get instead, the largest first. */
function contextSizes(wish: number): number[] {
  const sizes = [wish]
  const below = Math.ceil(wish / contextStep - 1) * contextStep
  for (let size = below; size >= smallestContext; size -= contextStep) sizes.push(size)
  return sizes
}

/** Chats and background work side by side; with fewer places they take turns, and lose nothing but time. */
function sequencesFor(availableBytes: number, estimate: (sequences: number) => MemoryEstimate): number {
  const four = estimate(4)
  if (four.context <= availableBytes / 8 && four.total <= availableBytes) return 4
  return estimate(2).total <= availableBytes * comfortable ? 2 : 1
}

const madeSmaller = (
  { name, path }: GgufFacts,
  tokens: number,
  wished: number,
  availableBytes: number,
): string =>
  `${name || path} holds ${count(tokens)} tokens of a chat instead of ${count(wished)}, because more does not fit ` +
  `into the memory that was free (${inWords(availableBytes)}). Close other programs and load it again for more.`

/** Memory that a new process could use, in bytes; containers may have less than the machine. */
export function availableMemory(): number {
  if (process.platform === 'linux') return process.availableMemory()
  // macOS counts its caches as used, so what is free says little there.
  return process.platform === 'darwin' ? totalmem() * 0.75 : freemem()
}

const count = (number: number) => number.toLocaleString('en-US')

const inWords = (bytes: number) =>
  bytes < 2 ** 30 ? `${Math.round(bytes / 2 ** 20)} MiB` : `${(bytes / 2 ** 30).toFixed(1)} GiB`
