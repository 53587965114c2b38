import { freemem, totalmem } from 'node:os'
import { formatBytes } from '../../../../../shared/text/amounts.ts'
import type { EngineFailure } from '../../../interface/engine.ts'
import { batchTokens, type ContextBits } from '../process/protocol.ts'
import type { GgufFacts } from '../gguf/read-gguf.ts'

/**
 * The figures of a model file that determine its memory use. They are also known for files that are not downloaded
 * yet.
 */
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
  /** Batch size in tokens, if it is not the usual one. */
  batch?: number
  /** Conversations whose evaluated tokens are held at the same time. */
  sequences: number
  /** Bits of each key and value; 16 when absent. */
  contextBits?: ContextBits
  /** Whether the file is mapped instead of read. */
  mapFile: boolean
}

/** Peak memory of an engine in bytes, and what it is used for. */
export type MemoryEstimate = {
  total: number
  weights: number
  /** Keys and values of all conversations. */
  context: number
  /** Compute buffers. */
  buffers: number
  /** The program and the vocabulary. */
  process: number
}

/** How to fit a model into the memory of this machine. `notice` says what had to be reduced, and why. */
export type MemoryPlan = MemoryUse & { estimate: MemoryEstimate; notice: string | null }

/** What somebody wants of the context of a model: its size, how many chats it holds if there is room, and how exactly. */
export type ContextWish = {
  contextTokens: number
  batch?: number | undefined
  chats?: number | undefined
  contextBits?: ContextBits | undefined
}

/** Chats whose evaluated tokens are held at the same time: the one in front, and one for work beside it. */
export const USUAL_CHATS = 2
/** The most that are held: each takes memory for all of its context, used or not. */
export const MOST_CHATS = 8

/** Node, the native library, and our own code. */
const programBytes = 111 << 20
/** One vocabulary token or merge rule: in the library's tables, and once more where its header is read. */
const vocabularyEntryBytes = 480
/** Copies of a token's widest form that exist at the same time. */
const widestCopies = 3
const widthCopies = 4
/** Chunks of a prompt rarely fill a batch. */
const scoreShare = 0.85
/** The share of memory that can be used without squeezing other programs. */
const comfortable = 0.8
/** Of 16 bits a value: blocks of 32 values in eight bits have a factor of 16 bits each. */
const eightBitShare = 34 / 64
const contextStep = 1_024
/** A smaller context has no room for the tools and an answer. */
const smallestContext = 2_048

/**
 * Peak memory of a model with a full context; measured models came within 10 %. Only for processors. A sliding window
 * saves nothing, because whole contexts are kept so that their prefixes can be reused.
 */
export function estimateMemory(facts: FitFacts, use: MemoryUse): MemoryEstimate {
  const batch = use.batch ?? usualBatch(facts)
  // Rearranged weights are a copy; the file stays mapped as well.
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

/** Default batch size on a processor, in tokens. */
export const usualBatch = ({ frugal }: Pick<FitFacts, 'frugal'>): number =>
  frugal ? batchTokens / 2 : batchTokens

/** How to load a model with a context of exactly this many tokens; undefined when not even one chat fits. */
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
  // With fewer they take turns, which costs only time.
  while (sequences > 1 && estimate(sequences).total > availableBytes * comfortable) sequences--
  // Weights that are read load faster. Mapped weights can be evicted by the system when memory gets short, which does
  // not help if most of them are rearranged into a copy anyway.
  const isTight = estimate(sequences).total > availableBytes * comfortable
  const chosen = use(sequences, isTight && facts.repackedBytes < facts.sizeBytes / 2)
  return { ...chosen, estimate: estimateMemory(facts, chosen) }
}

/**
 * Fit a model into the available memory: with the requested context or the largest that fits, and with as many
 * parallel conversations as are cheap. Fails when not even a small context fits.
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

/** The requested context, then the smaller fallbacks, largest first. */
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

/** Memory that a new process could use, in bytes. Containers may have less than the machine. */
export function availableMemory(): number {
  if (process.platform === 'linux') return process.availableMemory()
  // macOS counts its caches as used, so the free memory says little.
  return process.platform === 'darwin' ? totalmem() * 0.75 : freemem()
}

const count = (number: number) => number.toLocaleString('en-US')

/**
 * Whether a processor uses flash attention; undefined lets the library choose. With small heads its tiles are half
 * empty, and decoding takes two to three times as long.
 */
export const flashAttention = ({ headSize }: Pick<GgufFacts, 'headSize'>): false | undefined =>
  headSize < 64 ? false : undefined

/** Whether keys and values can be held in eight bits: they need flash attention, and heads of whole blocks of 32 values. */
const takesEightBits = ({ headSize }: Pick<GgufFacts, 'headSize'>): boolean =>
  headSize >= 64 && headSize % 32 === 0

/** How exactly keys and values are held: as wished where the model takes it. */
export const bitsFor = (
  facts: Pick<GgufFacts, 'headSize'>,
  wish: ContextBits | undefined,
): { contextBits?: 8 } => (wish === 8 && takesEightBits(facts) ? { contextBits: 8 } : {})
