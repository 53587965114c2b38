import type { EngineState, Fit, Gpu, Model, ModelFile } from '../../../shared/contract/models/model.ts'
import type { Transfer } from '../../../shared/contract/models/download.ts'

/** The tabs of the Models page. */
export const modelsTabs = ['installed', 'discover', 'downloads', 'engine'] as const
export type ModelsTab = (typeof modelsTabs)[number]

/** The tab named in a URL; undefined if there is none. */
export const modelsTab = (name: string | null | undefined): ModelsTab | undefined =>
  modelsTabs.find(tab => tab === name)

/** One segment of the memory bar. `free` comes last. */
export type Stretch = { part: 'others' | 'weights' | 'context' | 'buffers' | 'free'; bytes: number }

/**
 * Current or predicted memory use. The segments add up to `wholeBytes`, which exceeds the memory if the model
 * is too big. `limitBytes` is the available memory.
 */
export function barOf(fit: Fit): { stretches: Stretch[]; wholeBytes: number; limitBytes: number } {
  const count = (bytes: number) => (Number.isFinite(bytes) ? Math.max(0, bytes) : 0)
  const limitBytes = count(fit.totalBytes)
  const others = count(fit.othersBytes)
  const weights = count(fit.weightsBytes)
  const context = count(fit.contextBytes)
  const buffers = count(fit.buffersBytes) + count(fit.processBytes)
  const taken = others + weights + context + buffers
  const stretches: Stretch[] = [
    { part: 'others', bytes: others },
    { part: 'weights', bytes: weights },
    { part: 'context', bytes: context },
    { part: 'buffers', bytes: buffers },
    { part: 'free', bytes: Math.max(0, limitBytes - taken) },
  ]
  return { stretches, wholeBytes: Math.max(limitBytes, taken), limitBytes }
}

/** The tone of a fit label. Running in main memory is a warning only if a graphics card could do better. */
export function toneOf(fit: Fit, gpu: Gpu | null): 'good' | 'warn' | 'bad' | 'unsure' {
  if (fit.label === 'unknown') return 'unsure'
  if (fit.label === 'too_big') return 'bad'
  return fit.label === 'gpu' || gpu === null ? 'good' : 'warn'
}

const LEAST_CONTEXT = 1_024

/** Selectable context sizes: even steps between powers of two, up to the trained size, plus `extra`. */
export function contextSteps(
  trainedTokens: number,
  ...extra: readonly (number | null | undefined)[]
): number[] {
  const most = trainedTokens >= 512 ? trainedTokens : 131_072
  const steps = new Set<number>()
  for (let size = LEAST_CONTEXT; size < most; size *= 2) {
    steps.add(size)
    if (size >= 4_096 && size * 1.5 < most) steps.add(size * 1.5)
  }
  for (const size of [most, ...extra]) if (size != null && size >= 512 && size <= most) steps.add(size)
  return [...steps].toSorted((a, b) => a - b)
}

/** Active, waiting and failed transfers before finished ones; newest first within each group. */
export const orderTransfers = (transfers: readonly Transfer[]): Transfer[] =>
  transfers.toSorted(
    (a, b) => Number(a.state === 'done') - Number(b.state === 'done') || b.startedAt - a.startedAt,
  )

/** The active transfer of a URL. */
export const comingFrom = (transfers: readonly Transfer[], address: string): Transfer | undefined =>
  transfers.find(({ from, state }) => from === address && state !== 'done')

/** `8.2B` or `270M`, as in model cards. */
export function parametersText(count: number): string {
  const [size, unit] = count >= 1e9 ? [count / 1e9, 'B'] : [count / 1e6, 'M']
  const digits = size < 10 ? 1 : 0
  return `${Number(size.toFixed(digits))}${unit}`
}

/** Whether the model can be loaded here, so that its memory use can be predicted. */
export const isLocal = (model: Model): boolean => model.kind !== 'server' && model.kind !== 'mixture'

/** Whether this model is in memory. */
export const isLoaded = ({ phase, modelId }: EngineState, id: string): boolean =>
  modelId === id && (phase === 'ready' || phase === 'busy')

/** Whether its card says how it fits into memory. The demo model always fits. */
export const showsFit = (model: Model): boolean => isLocal(model) && !model.demo && model.problem === null

/** Short facts about a file for one line. Unknown facts are left out. */
export function fileFacts(file: ModelFile): string[] {
  return [
    ...(file.parameters > 0 ? [parametersText(file.parameters)] : []),
    ...(file.quantisation === '' ? [] : [file.quantisation]),
    ...(file.architecture === '' ? [] : [file.architecture]),
  ]
}

/** Hint for the built-in model. */
export const DEMO_HINT = 'Tiny, for a first look. Real work needs a bigger model.'
