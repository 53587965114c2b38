import {
  isFailure,
  type CompletionEvent,
  type EngineFailure,
  type LlmEngine,
  type Prompt,
} from '../engine.ts'
import type { Rests } from './rests.ts'
import { holds, suit } from './suit.ts'

/** Models for one question, in the order in which they are asked. */
export type Line = {
  /** The model that the prompt was made for. */
  chosen: LlmEngine
  /** A quicker one that may try first. */
  quick?: LlmEngine | undefined
  /** Those that are asked when the chosen one does not answer. */
  others(): Promise<LlmEngine[]>
}

type Failed = Extract<CompletionEvent, { type: 'failed' }>

/**
 * Put a question to one model after the other until one answers. Only a failure that another model may not have leads
 * on, and only while nothing was said. When all fail, it is told why the chosen one did.
 */
export async function* askInTurn(
  { chosen, quick, others }: Line,
  prompt: Prompt,
  rests: Rests,
  signal: AbortSignal,
): AsyncGenerator<CompletionEvent, void, void> {
  if (quick && !rests.whyNow(quick.modelId)) {
    const failed = yield* askAnother(quick, prompt, signal)
    if (!failed || signal.aborted) return
    rests.begin(quick.modelId, failed.text)
  }
  let failure: Failed | undefined
  const tired = rests.whyNow(chosen.modelId)
  const next = tired === undefined ? undefined : await others()
  if (tired === undefined || next?.length === 0) {
    failure = yield* ask(chosen, prompt, signal)
    if (!failure) rests.end(chosen.modelId)
    if (!failure || signal.aborted) return
    if (!failure.elsewhere) {
      yield failure
      return
    }
    rests.begin(chosen.modelId, failure.text)
  }
  const names: string[] = []
  for (const engine of next ?? (await others())) {
    if (signal.aborted) return
    if (rests.whyNow(engine.modelId) !== undefined) continue
    const why = failure?.text ?? tired ?? ''
    const tell = () => rests.tellsFirst(chosen.modelId, prompt.sessionId)
    const failed = yield* askAnother(engine, prompt, signal, () =>
      tell() ? [{ type: 'notice', text: `${why} ${engine.name} answers instead.` }] : [],
    )
    if (!failed || signal.aborted) return
    if (failed.elsewhere) rests.begin(engine.modelId, failed.text)
    names.push(engine.name)
  }
  // Nobody else answered, so the one that had a rest is asked after all.
  failure ??= yield* ask(chosen, prompt, signal)
  if (!failure || signal.aborted) return
  const either = names.length === 0 ? '' : ` ${names.join(' and ')} did not answer either.`
  yield { ...failure, text: failure.text + either }
}

/** Ask a model that the prompt was not made for, if it can take it; what it says is announced by `before`. */
async function* askAnother(
  engine: LlmEngine,
  prompt: Prompt,
  signal: AbortSignal,
  before: () => CompletionEvent[] = () => [],
): AsyncGenerator<CompletionEvent, Failed | undefined, void> {
  const profile = await engine.profile()
  if (isFailure(profile)) return { type: 'failed', ...profile }
  if (!holds(engine, profile, prompt)) return { type: 'failed', ...unsuited(engine) }
  for (const asText of [false, true]) {
    let announced = false
    const failed = yield* ask(engine, suit(prompt, profile, asText), signal, () => {
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

/** Pass on what a model says, up to a failure before it has said anything; that failure is returned. */
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
