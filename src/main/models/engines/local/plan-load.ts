import type { Gpu, LoadFix, ModelOptions } from '../../../shared/contract/model.ts'
import { isFailure } from '../engine.ts'
import type { EngineFailure, Sampling } from '../engine.ts'
import type { GpuChoice } from './backends.ts'
import { isBuiltin } from './builtin-model.ts'
import { fitOf, gpuBatchTokens, gpuSequences } from './fit.ts'
import { flashAttention } from './flash-attention.ts'
import type { GgufFacts } from './gguf-file.ts'
import { estimateMemory, planMemory, usualBatch } from './memory-plan.ts'
import type { MemoryUse } from './memory-plan.ts'
import type { LoadRequest, StateFolder } from './protocol.ts'

/** What the settings say about the engine. They may change at any time, and count at the next load. */
export type EngineSettings = {
  context_tokens: number
  threads: 'auto' | number
  hosting: 'process' | 'inline'
  gpu: GpuChoice
  state_cache_gib: number
  idle_unload_minutes: number
}

/** In what way a person wants a model to be loaded; options lie over those that are set for the model. */
export type LoadWish = { anyway?: boolean; cpu?: boolean; options?: ModelOptions | undefined }

/** Why a model was not loaded, and what could be done about it, as buttons. */
export type LoadFailure = EngineFailure & { fixes: LoadFix[] }

/** What a model is loaded with. `takes` is what it is expected to hold of the computer's memory and of the card's. */
export type LoadPlan = MemoryUse & {
  /** Undefined lets the library choose, and means nothing without a card. */
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
  /** The card that it may be put on. */
  card: Gpu | null
  availableBytes: number
}

/** What the context holds: the size that was asked for, but never more than the model was trained on. */
export const contextSize = ({ trainedTokens }: Pick<GgufFacts, 'trainedTokens'>, wish: number): number =>
  trainedTokens > 0 ? Math.min(trainedTokens, wish) : wish

/** Whether layers are wanted on a card at all. */
export const wantsCard = ({ cpu }: LoadWish, { gpuLayers }: ModelOptions): boolean => !cpu && gpuLayers !== 0

/** Decide how a model is loaded, or say why it cannot be and what would help. */
export function planLoad(facts: GgufFacts, asked: Asked): LoadPlan | LoadFailure {
  const wish = contextSize(facts, asked.options.contextTokens ?? asked.settings.context_tokens)
  if (asked.anyway) return forced(facts, wish, asked)
  if (asked.card) {
    const onCard = planOnCard(facts, wish, asked, asked.card)
    if (onCard) return onCard
  }
  const batch = asked.options.batchTokens
  const room = asked.availableBytes + shared(asked.card)
  const plan = planMemory(facts, wish, room, batch)
  if (isFailure(plan)) return { ...plan, fixes: fixesWithoutRoom(facts, wish, asked) }
  const { estimate, ...use } = plan
  const takes = { memory: Math.min(estimate.total, asked.availableBytes), card: 0 }
  // Conversations side by side are for processors; a card that has no room for all layers has none for them either.
  return asked.card
    ? { ...use, sequences: 1, gpuLayers: asked.options.gpuLayers, onCard: true, force: false, takes }
    : { ...use, gpuLayers: undefined, onCard: false, force: false, takes }
}

/** All layers on the card, or as many as a person wants there; undefined when that does not fit. */
function planOnCard(facts: GgufFacts, wish: number, { options }: Asked, card: Gpu): LoadPlan | undefined {
  const room = { gpu: card, totalBytes: 0, availableBytes: 0, freedBytes: 0 }
  const fit = fitOf(facts, { ...room, contextTokens: wish })
  if (fit.label !== 'gpu') return undefined
  const program = estimateMemory({ ...facts, sizeBytes: 0, contextBytesPerToken: 0 }, smallest).process
  return {
    contextTokens: wish,
    sequences: gpuSequences,
    mapFile: true,
    ...(options.batchTokens !== undefined && { batch: options.batchTokens }),
    gpuLayers: options.gpuLayers ?? allLayers,
    onCard: true,
    force: false,
    // Metal has no memory of its own.
    takes: {
      memory: card.backend === 'metal' ? fit.neededBytes : program,
      card: fit.neededBytes - fit.processBytes,
    },
    notice: null,
  }
}

/** A person knows better: what was asked for, with as little as possible beside it. */
function forced(facts: GgufFacts, contextTokens: number, { options, card }: Asked): LoadPlan {
  const use = {
    contextTokens,
    sequences: 1,
    // What is mapped can be read again when memory gets short, so that even a model that is too big runs, slowly.
    mapFile: card !== null || facts.repackedBytes < facts.sizeBytes / 2,
    ...(options.batchTokens !== undefined && { batch: options.batchTokens }),
  }
  const takes = { memory: estimateMemory(facts, use).total, card: 0 }
  return { ...use, gpuLayers: options.gpuLayers, onCard: card !== null, force: true, takes, notice: null }
}

/** More than any model has. */
const allLayers = 1_000
const smallest = { contextTokens: 0, sequences: 1, mapFile: false }
const leastContext = 512

/** A card with memory of its own takes some of the layers; others share the memory of the computer. */
const shared = (card: Gpu | null): number => (card?.backend === 'cuda' ? card.freeBytes : 0)

/** There is no room for a context of the usual size: a very small one may fit, and a person may try all the same. */
function fixesWithoutRoom(facts: GgufFacts, wish: number, { card, availableBytes }: Asked): LoadFix[] {
  const room = { gpu: card, totalBytes: availableBytes, availableBytes, freedBytes: 0 }
  const { mostContextTokens: tokens } = fitOf(facts, { ...room, contextTokens: wish })
  const fits = tokens >= leastContext && tokens < wish
  return [...(fits ? [{ do: 'context' as const, tokens }] : []), { do: 'smaller' }, { do: 'anyway' }]
}

/** What could help after a plan that looked good has failed. */
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

/** What is asked of the engine. A person's own sampling is not in it: it goes with every question, so that it counts at once. */
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
  sampling: usualSampling(facts),
  states: asked.states,
})

/** The built-in model is exact only when nothing is left to chance; others get what their makers recommend. */
const usualSampling = (facts: GgufFacts): Sampling => (isBuiltin(facts) ? { temperature: 0 } : facts.sampling)
