import {
  isFailure,
  type CompletionEvent,
  type EngineFailure,
  type LlmEngine,
  type Prompt,
} from '../../engine.ts'
import { fitsContext, convertPrompt } from './convert-prompt.ts'

/** The models for one question, in the order in which they are asked. */
type Candidates = {
  /** The model that the prompt was written for. */
  chosen: LlmEngine
  /** A faster model that may try first. */
  quick?: LlmEngine | undefined
  /** The fallback models, for when the chosen one fails. */
  others(): Promise<LlmEngine[]>
}

type Failed = Extract<CompletionEvent, { type: 'failed' }>

/**
 * Ask one model after the other until one answers. Moves on only after a failure that another model may not have, and
 * only while no output has been sent. When all fail, reports the failure of the chosen model.
 */
export async function* askWithFallback(
  { chosen, quick, others }: Candidates,
  prompt: Prompt,
  unavailable: UnavailableModels,
  signal: AbortSignal,
): AsyncGenerator<CompletionEvent, void, void> {
  if (quick && !unavailable.reasonFor(quick.modelId)) {
    const failed = yield* askAnother(quick, prompt, signal)
    if (!failed || signal.aborted) return
    unavailable.add(quick.modelId, failed.text)
  }
  let failure: Failed | undefined
  const knownReason = unavailable.reasonFor(chosen.modelId)
  const next = knownReason === undefined ? undefined : await others()
  if (knownReason === undefined || next?.length === 0) {
    failure = yield* ask(chosen, prompt, signal)
    if (!failure) unavailable.remove(chosen.modelId)
    if (!failure || signal.aborted) return
    if (!failure.elsewhere) {
      yield failure
      return
    }
    unavailable.add(chosen.modelId, failure.text)
  }
  const names: string[] = []
  for (const engine of next ?? (await others())) {
    if (signal.aborted) return
    if (unavailable.reasonFor(engine.modelId) !== undefined) continue
    const why = failure?.text ?? knownReason ?? ''
    const tell = () => unavailable.claimNotice(chosen.modelId, prompt.sessionId)
    const failed = yield* askAnother(engine, prompt, signal, () =>
      tell() ? [{ type: 'notice', text: `${why} ${engine.name} answers instead.` }] : [],
    )
    if (!failed || signal.aborted) return
    if (failed.elsewhere) unavailable.add(engine.modelId, failed.text)
    names.push(engine.name)
  }
  // No other model answered, so ask the chosen one although it failed recently.
  failure ??= yield* ask(chosen, prompt, signal)
  if (!failure || signal.aborted) return
  const either = names.length === 0 ? '' : ` ${names.join(' and ')} did not answer either.`
  yield { ...failure, text: failure.text + either }
}

/**
 * Ask a model that the prompt was not written for, if the prompt fits. The events of `before` precede its first
 * output.
 */
async function* askAnother(
  engine: LlmEngine,
  prompt: Prompt,
  signal: AbortSignal,
  before: () => CompletionEvent[] = () => [],
): AsyncGenerator<CompletionEvent, Failed | undefined, void> {
  const profile = await engine.profile()
  if (isFailure(profile)) return { type: 'failed', ...profile }
  if (!fitsContext(engine, profile, prompt)) return { type: 'failed', ...unsuited(engine) }
  for (const asText of [false, true]) {
    let announced = false
    const failed = yield* ask(engine, convertPrompt(prompt, profile, asText), signal, () => {
      if (announced) return []
      announced = true
      return before()
    })
    if (failed?.code !== 'tools_unsupported') return failed
  }
  return { type: 'failed', ...unsuited(engine) }
}

const unsuited = ({ name }: LlmEngine): EngineFailure => ({
  code: 'internal',
  text: `${name} cannot take this chat over.`,
  fix: '',
})

/** Forward the model's output. A failure before any output is returned instead. */
async function* ask(
  engine: LlmEngine,
  prompt: Prompt,
  signal: AbortSignal,
  before: () => CompletionEvent[] = () => [],
): AsyncGenerator<CompletionEvent, Failed | undefined, void> {
  let said = false
  for await (const event of engine.complete(prompt, signal)) {
    if (event.type === 'failed' && !said) return event
    if (event.type !== 'progress' && event.type !== 'failed') {
      said = true
      yield* before()
    }
    yield event
  }
  return undefined
}

/** How long to skip a model that failed, in ms. One turn asks many times, and each request has its own retries. */
const RETRY_AFTER_MS = 60_000

/** Models that failed recently, and the chats that were notified about it. */
type UnavailableModels = {
  add(modelId: string, why: string): void
  remove(modelId: string): void
  /** Why a model is skipped at the moment; undefined when it is not. */
  reasonFor(modelId: string): string | undefined
  /** Whether to notify this chat that another model answers. True once per chat and failure. */
  claimNotice(modelId: string, sessionId: string): boolean
}

/** Track the unavailable models. */
export function trackUnavailableModels(now: () => number): UnavailableModels {
  const entries = new Map<string, { until: number; why: string; notified: Set<string> }>()
  return {
    add(modelId, why) {
      const notified = entries.get(modelId)?.notified ?? new Set()
      entries.set(modelId, { until: now() + RETRY_AFTER_MS, why, notified })
    },
    remove: modelId => void entries.delete(modelId),
    reasonFor(modelId) {
      const entry = entries.get(modelId)
      return entry && entry.until > now() ? entry.why : undefined
    },
    claimNotice(modelId, sessionId) {
      const notified = entries.get(modelId)?.notified
      if (!notified || notified.has(sessionId)) return false
      notified.add(sessionId)
      return true
    },
  }
}
