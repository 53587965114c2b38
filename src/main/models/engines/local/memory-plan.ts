import { freemem, totalmem } from 'node:os'
import type { EngineFailure } from '../engine.ts'
import { batchTokens } from './protocol.ts'
import { flashAttention } from './flash-attention.ts'
import type { GgufFacts } from './gguf-file.ts'

/** The few figures of a model file that decide how much memory it takes; also known of files that are not here yet. */
export type FitFacts = Pick<
  GgufFacts,
  | 'sizeBytes'
  | 'trainedTokens'
  | 'vocabularySize'
  | 'mergeCount'
  | 'width'
  | 'widest'
  | 'heads'
  | 'headSize'
  | 'contextBytesPerToken'
  | 'repackedBytes'
  | 'frugal'
>

/** What a model is loaded with, as far as it decides about memory. */
export type MemoryUse = {
  contextTokens: number
  /** Tokens that go through the model at once, where that is not the usual number. */
  batch?: number
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
export function estimateMemory(facts: FitFacts, use: MemoryUse): MemoryEstimate {
  const batch = use.batch ?? usualBatch(facts)
  // Rearranged weights are a copy; the file stays mapped beside it.
  const weights = facts.sizeBytes + (use.mapFile ? facts.repackedBytes : 0)
  const context = facts.contextBytesPerToken * use.contextTokens * use.sequences
  const scores = flashAttention(facts) === false ? facts.heads : 1
  const buffers =
    batch * 4 * (widestCopies * facts.widest + widthCopies * facts.width) +
    Math.ceil(batch * 4 * scores * scoreShare * use.contextTokens) +
    facts.vocabularySize * 4 * use.sequences
  const process = programBytes + vocabularyEntryBytes * (facts.vocabularySize + facts.mergeCount)
  return { total: weights + context + buffers + process, weights, context, buffers, process }
}

/** Tokens that go through a model on a processor at once, where nobody says otherwise. */
export const usualBatch = ({ frugal }: Pick<FitFacts, 'frugal'>): number =>
  frugal ? batchTokens / 2 : batchTokens

/** How a model with a context of exactly so many tokens is loaded, or undefined when not even one chat fits. */
export function arrange(
  facts: FitFacts,
  { contextTokens, batch }: { contextTokens: number; batch?: number | undefined },
  availableBytes: number,
): (MemoryUse & { estimate: MemoryEstimate }) | undefined {
  const withBatch = batch === undefined ? {} : { batch }
  const use = (sequences: number, mapFile = false) => ({ contextTokens, sequences, mapFile, ...withBatch })
  const estimate = (sequences: number) => estimateMemory(facts, use(sequences))
  if (!(estimate(1).total <= availableBytes)) return undefined
  const wanted = sequencesFor(availableBytes, estimate)
  const sequences = facts.frugal ? Math.min(wanted, 2) : wanted
  // A copy of the weights is faster to start. Only a mapped file can be given back when memory gets short, which is of
  // no use where it is rearranged into a copy anyway.
  const isTight = estimate(sequences).total > availableBytes * comfortable
  const chosen = use(sequences, isTight && facts.repackedBytes < facts.sizeBytes / 2)
  return { ...chosen, estimate: estimateMemory(facts, chosen) }
}

/**
 * Fit a model into the memory that is available: with the context that was wished for or the largest that fits, and with
 * as many conversations side by side as cost little. Fails when not even a small context fits.
 */
export function planMemory(
  facts: Planned,
  wishedTokens: number,
  availableBytes: number,
  batch?: number,
): MemoryPlan | EngineFailure {
  for (const contextTokens of contextSizes(wishedTokens)) {
    const arranged = arrange(facts, { contextTokens, batch }, availableBytes)
    if (!arranged) continue
    const isSmaller = contextTokens < wishedTokens
    const notice = isSmaller ? madeSmaller(facts, contextTokens, wishedTokens, availableBytes) : null
    return { ...arranged, notice }
  }
  const contextTokens = Math.min(wishedTokens, smallestContext)
  const needed = estimateMemory(facts, { contextTokens, sequences: 1, mapFile: false }).total
  return {
    code: 'out_of_memory',
    text: `${facts.path} needs about ${inWords(needed)} of memory, and ${inWords(availableBytes)} are free.`,
    fix: 'Close other programs, or choose a smaller model.',
  }
}

/** A model that is planned for is told of by its name and its path. */
type Planned = FitFacts & Pick<GgufFacts, 'name' | 'path'>

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
  { name, path }: Planned,
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

/** A size in the unit in which a person thinks of it. */
export const inWords = (bytes: number) =>
  bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
