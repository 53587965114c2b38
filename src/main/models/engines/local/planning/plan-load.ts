import { byCount } from '../../../../../shared/text/amounts.ts'
import type { Gpu, LoadFix, ModelOptions } from '../../../../../shared/contract/models/model.ts'
import { isFailure, type EngineFailure, type Sampling } from '../../../interface/engine.ts'
import type { GpuChoice } from '../process/backends.ts'
import { isBuiltinModel, isSmallModel, type GgufFacts } from '../gguf/read-gguf.ts'
import { fitOf, gpuBatchTokens } from './memory-fit.ts'
import {
  bitsFor,
  flashAttention,
  estimateMemory,
  planMemory,
  usualBatch,
  type ContextWish,
  type MemoryUse,
} from './memory-plan.ts'
import type { LoadRequest, StateFolder } from '../process/protocol.ts'

/** The engine settings. They may change at any time and apply to the next load. */
export type EngineSettings = {
  context_tokens: number
  threads: 'auto' | number
  hosting: 'process' | 'inline'
  gpu: GpuChoice
  state_cache_gib: number
  idle_unload_minutes: number
}

/** How the user wants to load a model this time. `options` override those set for the model. */
export type LoadWish = { anyway?: boolean; cpu?: boolean; options?: ModelOptions | undefined }

/** The reason a model was not loaded, and fixes to offer as buttons. */
export type LoadFailure = EngineFailure & { fixes: LoadFix[] }

/** A way to load a model. `takes` is the expected use of main memory and of the card's memory. */
export type LoadPlan = MemoryUse & {
  /** Number of layers on the card; undefined lets the library choose. Ignored without a card. */
  gpuLayers: number | undefined
  onCard: boolean
  force: boolean
  takes: { memory: number; card: number }
  notice: string | null
}

type Asked = {
  settings: EngineSettings
  options: ModelOptions
  anyway: boolean
  /** The card that the model may use. */
  card: Gpu | null
  availableBytes: number
}

/** Return the context size: as requested, but at most what the model was trained on. */
export const contextSize = ({ trainedTokens }: Pick<GgufFacts, 'trainedTokens'>, wish: number): number =>
  trainedTokens > 0 ? Math.min(trainedTokens, wish) : wish

/** Whether to put any layers on a card. */
export const wantsCard = ({ cpu }: LoadWish, { gpuLayers }: ModelOptions): boolean => !cpu && gpuLayers !== 0

/** Decide how to load a model, or explain why it cannot be loaded and what would help. */
export function planLoad(facts: GgufFacts, asked: Asked): LoadPlan | LoadFailure {
  const wish = contextWish(facts, asked)
  if (asked.anyway) return forced(facts, wish, asked)
  if (asked.card) {
    const onCard = planOnCard(facts, wish, asked, asked.card)
    if (onCard) return onCard
  }
  const room = asked.availableBytes + shared(asked.card)
  // Parallel conversations are for processors only: a card too small for all layers is too small for them.
  const plan = planMemory(facts, asked.card ? { ...wish, chats: 1 } : wish, room)
  if (isFailure(plan)) return { ...plan, fixes: fixesWithoutRoom(facts, wish, asked) }
  const { estimate, ...use } = plan
  const takes = { memory: Math.min(estimate.total, asked.availableBytes), card: 0 }
  return withUnmet(
    facts,
    asked.options,
    asked.card
      ? { ...use, gpuLayers: asked.options.gpuLayers, onCard: true, force: false, takes }
      : { ...use, gpuLayers: undefined, onCard: false, force: false, takes },
  )
}

const contextWish = (facts: GgufFacts, { options, settings }: Asked): ContextWish => ({
  contextTokens: contextSize(facts, options.contextTokens ?? settings.context_tokens),
  batch: options.batchTokens,
  chats: options.chats,
  contextBits: options.contextBits,
})

/** Add to a plan's notice which of the user's settings it does not meet. */
function withUnmet(facts: GgufFacts, { chats, contextBits }: ModelOptions, plan: LoadPlan): LoadPlan {
  const name = facts.name || facts.path
  const unmet = [
    ...(chats !== undefined && plan.sequences < chats
      ? [
          `${name} holds ${byCount(plan.sequences, 'one chat', `${plan.sequences} chats`)} at once instead of ${chats}, ` +
            'because more do not fit well into the memory that was free.',
        ]
      : []),
    ...(contextBits === 8 && plan.contextBits !== 8
      ? [`${name} holds its chats in 16 bits: eight would make it much slower, or do not work with it.`]
      : []),
  ]
  return unmet.length === 0 ? plan : { ...plan, notice: [plan.notice, ...unmet].filter(Boolean).join(' ') }
}

/** Plan with all layers on the card, or as many as the user set; undefined if they do not fit. */
function planOnCard(
  facts: GgufFacts,
  wish: ContextWish,
  { options }: Asked,
  card: Gpu,
): LoadPlan | undefined {
  const room = { gpu: card, totalBytes: 0, availableBytes: 0, freedBytes: 0 }
  const fit = fitOf(facts, { ...room, ...wish })
  if (fit.label !== 'gpu') return undefined
  const program = estimateMemory({ ...facts, sizeBytes: 0, contextBytesPerToken: 0 }, smallest).process
  return withUnmet(facts, options, {
    contextTokens: wish.contextTokens,
    sequences: fit.chats,
    ...bitsFor(facts, wish.contextBits),
    mapFile: true,
    ...(options.batchTokens !== undefined && { batch: options.batchTokens }),
    gpuLayers: options.gpuLayers ?? allLayers,
    onCard: true,
    force: false,
    // Metal shares main memory.
    takes: {
      memory: card.backend === 'metal' ? fit.neededBytes : program,
      card: fit.neededBytes - fit.processBytes,
    },
    notice: null,
  })
}

/** Plan exactly what the user requested, with minimal overhead, even if it seems too large. */
function forced(
  facts: GgufFacts,
  { contextTokens, contextBits }: ContextWish,
  { options, card }: Asked,
): LoadPlan {
  const use = {
    contextTokens,
    sequences: 1,
    ...bitsFor(facts, contextBits),
    // Mapped weights can be evicted and read again, so even an oversized model runs, slowly.
    mapFile: card !== null || facts.repackedBytes < facts.sizeBytes / 2,
    ...(options.batchTokens !== undefined && { batch: options.batchTokens }),
  }
  const takes = { memory: estimateMemory(facts, use).total, card: 0 }
  return { ...use, gpuLayers: options.gpuLayers, onCard: card !== null, force: true, takes, notice: null }
}

/** More layers than any model has. */
const allLayers = 1_000
const smallest = { contextTokens: 0, sequences: 1, mapFile: false }
const leastContext = 512

/** Return the memory that a card adds. A dedicated one has its own; an integrated one shares main memory. */
const shared = (card: Gpu | null): number => (card?.backend === 'cuda' ? card.freeBytes : 0)

/** Return the fixes if the usual context does not fit: a small one may fit, and the user may try anyway. */
function fixesWithoutRoom(facts: GgufFacts, wish: ContextWish, { card, availableBytes }: Asked): LoadFix[] {
  const room = { gpu: card, totalBytes: availableBytes, availableBytes, freedBytes: 0 }
  const { mostContextTokens: tokens } = fitOf(facts, { ...room, ...wish })
  const fits = tokens >= leastContext && tokens < wish.contextTokens
  return [...(fits ? [{ do: 'context' as const, tokens }] : []), { do: 'smaller' }, { do: 'anyway' }]
}

/** Return the fixes to offer after a plan that looked good has failed. */
export function fixesAfter(
  failure: EngineFailure,
  { contextTokens, onCard, gpuLayers }: LoadPlan,
  facts: GgufFacts,
): LoadFix[] {
  const cpu: LoadFix[] = onCard ? [{ do: 'cpu' }] : []
  if (failure.code !== 'out_of_memory' && failure.code !== 'engine_gone') return [...cpu, { do: 'again' }]
  const tokens = Math.floor(contextTokens / 2 / leastContext) * leastContext
  const context: LoadFix[] = tokens >= leastContext ? [{ do: 'context', tokens }] : []
  const fewer = Math.floor((Math.min(gpuLayers ?? facts.layers, facts.layers) * 3) / 4)
  const layers: LoadFix[] = onCard && fewer > 0 ? [{ do: 'layers', gpuLayers: fewer }] : []
  return [...layers, ...context, ...cpu, { do: 'smaller' }, { do: 'again' }]
}

/**
 * Build the load request for the engine. It omits the user's sampling, which each question carries so that
 * changes apply at once.
 */
export const requestFor = (
  facts: GgufFacts,
  plan: LoadPlan,
  asked: { settings: EngineSettings; options: ModelOptions; gpu: GpuChoice; states: StateFolder | undefined },
): LoadRequest => ({
  path: facts.path,
  contextTokens: plan.contextTokens,
  sequences: plan.sequences,
  mapFile: plan.mapFile,
  threads: asked.options.threads ?? asked.settings.threads,
  gpu: asked.gpu,
  gpuLayers: plan.gpuLayers,
  batch: plan.batch ?? (plan.onCard ? gpuBatchTokens : usualBatch(facts)),
  force: plan.force,
  flashAttention: plan.onCard ? undefined : flashAttention(facts),
  contextBits: plan.contextBits,
  sampling: usualSampling(facts),
  states: asked.states,
})

/** A mild penalty. In 12 answers of a 135M model, it cut loops from 3 to 1, endless answers from 4 to 2. */
const SMALL_PENALTY = 1.1

/**
 * Return the default sampling. The built-in model is only accurate with greedy sampling. Other models use
 * their makers' recommendation, and small ones a penalty in addition, because they repeat themselves.
 */
const usualSampling = (facts: GgufFacts): Sampling =>
  isBuiltinModel(facts)
    ? { temperature: 0 }
    : { ...(isSmallModel(facts) && { repeatPenalty: SMALL_PENALTY }), ...facts.sampling }
