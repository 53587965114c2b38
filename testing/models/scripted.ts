import type { Model } from '../../src/shared/contract/models/model.ts'
import { setImmediate as macrotask, setTimeout as sleep } from 'node:timers/promises'
import type { Usage } from '../../src/shared/contract/chats/messages.ts'
import type {
  CompletionEvent,
  EngineFailure,
  LlmEngine,
  ModelProfile,
  Prompt,
} from '../../src/main/models/interface/engine.ts'
import { estimateTokens } from '../../src/shared/text/estimate-tokens.ts'

/** One step of a scripted reply. A string is text; `hang` stays silent until it is stopped. */
export type Step =
  | string
  | { text: string }
  | { reasoning: string }
  | { call: { name: string; arguments: Record<string, unknown> | string; id?: string } }
  | { progress: { phase: 'loading' | 'reading'; done: number; total: number } }
  | { notice: string }
  | { read: Pick<Usage, 'promptTokens' | 'reusedTokens' | 'contextTokens'> }
  | { waitMs: number }
  | { hang: true }
  | { fail: EngineFailure }
  | { stop: 'length' }
  | { usage: Partial<Usage> }

export type ScriptedReply = string | readonly Step[]

export type Script = {
  /** One reply per request, in order; or a function that receives each prompt. */
  replies: readonly ScriptedReply[] | ((prompt: Prompt) => ScriptedReply)
  name?: string
  modelId?: string
  contextTokens?: number
  /** With `text`, calls are written into the text in the notation that the agent expects. */
  strategy?: ModelProfile['strategy']
  /** Pause before each piece of text, in milliseconds. */
  tokenDelayMs?: number
}

/** A scripted engine that also records its prompts. */
export type ScriptedEngine = LlmEngine & { readonly prompts: readonly Prompt[] }

/**
 * An engine that follows a script: for tests, and to show the product without a model. It streams in small
 * pieces and yields to the event loop between them, so it can be stopped anywhere, like a real one.
 */
export function scriptedEngine(script: Script): ScriptedEngine {
  const { name = 'Scripted model', contextTokens = 8_192, strategy = 'text', tokenDelayMs = 0 } = script
  const prompts: Prompt[] = []
  // As in the host: once a server has refused tools as data, the profile says text.
  let hasRefused = false

  async function* complete(prompt: Prompt, signal: AbortSignal): AsyncGenerator<CompletionEvent, void, void> {
    const reply = replyTo(prompt)
    const startedAt = performance.now()
    let firstAt: number | undefined
    let said = ''
    let stop: 'end' | 'length' = 'end'
    let usage: Partial<Usage> = {}
    for (const step of reply.flatMap(each => inPieces(each, strategy))) {
      if (!(await wait(step, tokenDelayMs, signal))) return
      if ('fail' in step) {
        hasRefused ||= step.fail.code === 'tools_unsupported'
        yield { type: 'failed', ...step.fail }
        return
      }
      if ('stop' in step) stop = step.stop
      else if ('usage' in step) usage = { ...usage, ...step.usage }
      else if (!('waitMs' in step || 'hang' in step)) {
        firstAt ??= performance.now()
        said += 'text' in step ? step.text : ''
        yield eventOf(step)
      }
    }
    const promptTokens = prompt.messages.reduce((sum, message) => sum + estimateTokens(message.text), 0)
    const outputTokens = estimateTokens(said)
    const seconds = (performance.now() - startedAt) / 1000
    const counted = {
      promptTokens,
      reusedTokens: 0,
      evaluatedTokens: promptTokens,
      outputTokens,
      contextTokens,
    }
    const speeds = {
      firstTokenMs: (firstAt ?? startedAt) - startedAt,
      prefillPerSecond: 0,
      tokensPerSecond: seconds > 0 ? outputTokens / seconds : 0,
    }
    yield { type: 'done', stop, usage: { ...counted, ...speeds, ...usage } }
  }

  function replyTo(prompt: Prompt): readonly Step[] {
    const { replies } = script
    const reply = typeof replies === 'function' ? replies(prompt) : replies[prompts.length]
    prompts.push(prompt)
    if (reply === undefined) return [{ fail: exhausted(prompts.length - 1) }]
    return typeof reply === 'string' ? [reply] : reply
  }

  return {
    modelId: script.modelId ?? 'scripted',
    name,
    prompts,
    profile: async () => ({ strategy: hasRefused ? 'text' : strategy, contextTokens }),
    complete,
    count: estimateTokens,
  }
}

const exhausted = (replies: number): EngineFailure => ({
  code: 'internal',
  text: `The script has ${replies} ${replies === 1 ? 'reply' : 'replies'} and was asked for one more.`,
  fix: 'Give the script another reply.',
})

type Piece = Exclude<Step, string>

/** Text and thoughts in pieces as a model would write them, everything else unchanged. */
function inPieces(step: Step, strategy: ModelProfile['strategy']): Piece[] {
  if (typeof step === 'string') return inPieces({ text: step }, strategy)
  if ('text' in step) return piecesOf(step.text).map(text => ({ text }))
  if ('reasoning' in step) return piecesOf(step.reasoning).map(reasoning => ({ reasoning }))
  if ('call' in step && strategy === 'text') return inPieces({ text: callAsText(step.call) }, strategy)
  return [step]
}

/** White space with up to six characters after it; surrogate pairs stay together. */
const piecesOf = (text: string): string[] => text.match(/\s*\S{1,6}|\s+$/gu) ?? []

function callAsText({ name, arguments: given }: Extract<Piece, { call: unknown }>['call']): string {
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  return `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${text}}\n</tool_call>`
}

let nextCall = 0

function eventOf(
  step: Extract<
    Piece,
    | { text: string }
    | { reasoning: string }
    | { call: unknown }
    | { progress: unknown }
    | { notice: string }
    | { read: unknown }
  >,
): CompletionEvent {
  if ('text' in step) return { type: 'text', text: step.text }
  if ('reasoning' in step) return { type: 'reasoning', text: step.reasoning }
  if ('notice' in step) return { type: 'notice', text: step.notice }
  if ('read' in step) return { type: 'read', ...step.read }
  if ('progress' in step) return { type: 'progress', ...step.progress }
  const { name, arguments: given, id = `call_${++nextCall}` } = step.call
  return { type: 'call', id, name, argumentsText: typeof given === 'string' ? given : JSON.stringify(given) }
}

/** Wait as the step says, at least one macrotask. False if `signal` aborted in the meantime. */
async function wait(step: Piece, tokenDelayMs: number, signal: AbortSignal): Promise<boolean> {
  const isText = 'text' in step || 'reasoning' in step
  const ms = 'hang' in step ? 2 ** 30 : 'waitMs' in step ? step.waitMs : isText ? tokenDelayMs : 0
  try {
    await (ms > 0 ? sleep(ms, undefined, { signal }) : macrotask(undefined, { signal }))
    return true
  } catch (error) {
    if (signal.aborted) return false
    throw error
  }
}

/** Describe an engine as an entry in a list of models. */
export const describeEngine = ({ modelId, name }: LlmEngine): Model => ({
  id: modelId,
  name,
  kind: 'server',
  detail: '',
  sizeBytes: null,
  contextTokens: null,
  demo: false,
  problem: null,
  file: null,
  server: null,
  options: {},
  tools: null,
})
