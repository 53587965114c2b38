import { freemem, totalmem } from 'node:os'
import { formatBytes } from '../../../../../shared/text/amounts.ts'
import type { EngineFailure } from '../../../interface/engine.ts'
import { batchTokens, type ContextBits } from '../process/protocol.ts'
import type { GgufFacts } from '../gguf/read-gguf.ts'

/** The figures of a model file that determine its memory use. Also known before a file is downloaded. */
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

/** The load settings that determine memory use. */
export type MemoryUse = {
  contextTokens: number
  /** Batch size in tokens, if it differs from the default. */
  batch?: number
  /** Maximum number of conversations whose evaluated tokens are kept at the same time. */
  sequences: number
  /** Bits of each key and value; 16 if absent. */
  contextBits?: ContextBits
  /** Whether the file is mapped instead of read. */
  mapFile: boolean
}

/** Peak memory of an engine in bytes, by purpose. */
export type MemoryEstimate = {
  total: number
  weights: number
  /** Memory of the keys and values of all conversations. */
  context: number
  /** Memory of the compute buffers. */
  buffers: number
  /** Memory of the program and the vocabulary. */
  process: number
}

/** A way to fit a model into the memory of this machine. `notice` says what had to be reduced, and why. */
export type MemoryPlan = MemoryUse & { estimate: MemoryEstimate; notice: string | null }

/** The wanted context of a model: its size, how many chats it keeps if they fit, and its precision. */
export type ContextWish = {
  contextTokens: number
  batch?: number | undefined
  chats?: number | undefined
  contextBits?: ContextBits | undefined
}

/** Default number of chats whose evaluated tokens are kept: one in front, and one for background work. */
export const USUAL_CHATS = 2
/** Maximum number of chats to keep. Each takes memory for its whole context, used or not. */
export const MOST_CHATS = 8

/** Memory of Node, the native library, and our own code. */
const programBytes = 111 << 20
/** Memory per vocabulary token or merge rule: in the library's tables, and in the header that is read. */
const vocabularyEntryBytes = 480
/** How many copies of a token's widest form exist at the same time. */
const widestCopies = 3
const widthCopies = 4
/** The usual fill of a batch: chunks of a prompt rarely fill it. */
const scoreShare = 0.85
/** The share of memory that can be used without squeezing other programs. */
const comfortable = 0.8
/** Size relative to 16 bits a value. In eight bits, each block of 32 values also has a 16-bit factor. */
const eightBitShare = 34 / 64
const contextStep = 1_024
/** Minimum context. A smaller one cannot take the tools and an answer. */
const smallestContext = 2_048

/**
 * Estimate the peak memory of a model with a full context on a processor. Measured models came within 10 %. A
 * sliding window saves nothing, because whole contexts are kept so that their prefixes can be reused.
 */
export function estimateMemory(facts: FitFacts, use: MemoryUse): MemoryEstimate {
  const batch = use.batch ?? usualBatch(facts)
  // Rearranged weights are a copy, and the file stays mapped as well.
  const weights = facts.sizeBytes + (use.mapFile ? facts.repackedBytes : 0)
  const share = use.contextBits === 8 ? eightBitShare : 1
  const context = facts.contextBytesPerToken * share * use.contextTokens * use.sequences
  const scores = flashAttention(facts) === false ? facts.heads : 1
  const buffers =
    batch * 4 * (widestCopies * facts.widest + widthCopies * facts.width) +
    Math.ceil(batch * 4 * scores * scoreShare * use.contextTokens) +
    facts.vocabularySize * 4 * use.sequences
  const process = programBytes + vocabularyEntryBytes * (facts.vocabularySize + facts.mergeCount)
  return { total: weights + context + buffers + process, weights, context, buffers, process }
}

/** Return the default batch size on a processor, in tokens. */
export const usualBatch = ({ frugal }: Pick<FitFacts, 'frugal'>): number =>
  frugal ? batchTokens / 2 : batchTokens

/** Plan a load with a context of exactly this many tokens; undefined if not even one chat fits. */
export function planForContext(
  facts: FitFacts,
  { contextTokens, batch, chats = USUAL_CHATS, contextBits }: ContextWish,
  availableBytes: number,
): (MemoryUse & { estimate: MemoryEstimate }) | undefined {
  const set = { ...(batch !== undefined && { batch }), ...bitsFor(facts, contextBits) }
  const use = (sequences: number, mapFile = false) => ({ contextTokens, sequences, mapFile, ...set })
  const estimate = (sequences: number) => estimateMemory(facts, use(sequences))
  if (!(estimate(1).total <= availableBytes)) return undefined
  let sequences = Math.max(1, Math.min(chats, MOST_CHATS))
  // With fewer sequences the chats take turns, which costs only time.
  while (sequences > 1 && estimate(sequences).total > availableBytes * comfortable) sequences--
  // Reading the weights loads faster. The system can evict mapped weights if memory gets short. That does not
  // help if most of them are rearranged into a copy anyway.
  const isTight = estimate(sequences).total > availableBytes * comfortable
  const chosen = use(sequences, isTight && facts.repackedBytes < facts.sizeBytes / 2)
  return { ...chosen, estimate: estimateMemory(facts, chosen) }
}

/**
 * Fit a model into the available memory, with the requested context or the largest that fits, and as many
 * parallel conversations as are cheap. Fails if not even a small context fits.
 */
export function planMemory(
  facts: Planned,
  wish: ContextWish,
  availableBytes: number,
): MemoryPlan | EngineFailure {
  const wishedTokens = wish.contextTokens
  for (const contextTokens of contextSizes(wishedTokens)) {
    const arranged = planForContext(facts, { ...wish, contextTokens }, availableBytes)
    if (!arranged) continue
    const isSmaller = contextTokens < wishedTokens
    const notice = isSmaller ? madeSmaller(facts, contextTokens, wishedTokens, availableBytes) : null
    return { ...arranged, notice }
  }
  const contextTokens = Math.min(wishedTokens, smallestContext)
  const smallest = planForContext(facts, { ...wish, contextTokens, chats: 1 }, Infinity)
  const needed = smallest?.estimate.total ?? Infinity
  return {
    code: 'out_of_memory',
    text: `${facts.path} needs about ${formatBytes(needed)} of memory, but only ${formatBytes(availableBytes)} are free.`,
    fix: 'Close other programs, or choose a smaller model.',
  }
}

/** Failure messages name the model and its path. */
type Planned = FitFacts & Pick<GgufFacts, 'name' | 'path'>

/** Return the requested context, then the smaller fallbacks, largest first. */
function contextSizes(wish: number): number[] {
  const sizes = [wish]
  const below = Math.ceil(wish / contextStep - 1) * contextStep
  for (let size = below; size >= smallestContext; size -= contextStep) sizes.push(size)
  return sizes
}

const madeSmaller = (
  { name, path }: Planned,
  tokens: number,
  wished: number,
  availableBytes: number,
): string =>
  `${name || path} holds ${count(tokens)} tokens of a chat instead of ${count(wished)}, because more does not fit ` +
  `into the memory that was free (${formatBytes(availableBytes)}). Close other programs and load it again for more.`

/** Return the memory that a new process could use, in bytes. Containers may have less than the machine. */
export function availableMemory(): number {
  if (process.platform === 'linux') return process.availableMemory()
  // macOS counts its caches as used, so the free memory says little.
  return process.platform === 'darwin' ? totalmem() * 0.75 : freemem()
}

const count = (number: number) => number.toLocaleString('en-US')

/**
 * Whether a processor uses flash attention; undefined lets the library choose. With small heads its tiles are
 * half empty, and decoding takes two to three times as long.
 */
export const flashAttention = ({ headSize }: Pick<GgufFacts, 'headSize'>): false | undefined =>
  headSize < 64 ? false : undefined

/** Whether eight-bit keys and values work: they need flash attention and heads of whole 32-value blocks. */
const takesEightBits = ({ headSize }: Pick<GgufFacts, 'headSize'>): boolean =>
  headSize >= 64 && headSize % 32 === 0

/** Return the precision of keys and values: the wanted one if the model supports it. */
export const bitsFor = (
  facts: Pick<GgufFacts, 'headSize'>,
  wish: ContextBits | undefined,
): { contextBits?: 8 } => (wish === 8 && takesEightBits(facts) ? { contextBits: 8 } : {})
