import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTextStrategy } from '../src/main/agent/strategies/text.ts'
import { fallbackFormat } from '../src/main/models/formats/format-table.ts'
import { runReviewTurn } from '../src/main/learning/reviews/review-turn.ts'
import type { LlmEngine, Prompt } from '../src/main/models/interface/engine.ts'
import { completePrompt } from '../src/main/models/engines/local/decoding/complete-prompt.ts'
import { loadModel, type LoadedModel } from '../src/main/models/engines/local/process/load-model.ts'
import { createRegistry } from '../src/main/tools/registry/registry.ts'
import type { Message, Usage } from '../src/shared/contract/chats/messages.ts'
import { makeRandomGguf } from '../testing/gguf/random.ts'
import { median, percentile, round } from './measure.ts'
import { openReviewTools } from './review-tools.ts'
import type { Measured } from './run-parts.ts'
import { batchTokens } from '../src/main/models/engines/local/process/protocol.ts'

/** The models with random weights that a review can be measured on. */
export const reviewModels = ['half', 'base', 'small'] as const
type ReviewModel = (typeof reviewModels)[number]

const INSTRUCTION_TOKENS = 1_500
const TURNS = 6
/** The most tokens of a reply: random weights would write until the context window is full. */
const MOST_WRITTEN = 24
const SAMPLES = 14

/**
 * What a review costs on the local engine, with a model of random weights (`half` has 508 M, `base` 27 M) and
 * the host's own tools for reviews: how much of the conversation it reads again, and how long a person waits
 * for the engine while a review runs, in the reviewed chat and in another one.
 */
export async function benchReview(preset: ReviewModel = 'half'): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-'))
  const path = join(folder, 'random.gguf')
  makeRandomGguf(path, { preset, ...(preset === 'half' && { type: 'Q4_0' }) })
  const loaded = await load(path, join(folder, 'states'))
  const home = join(folder, 'home')
  mkdirSync(home)
  const tools = openReviewTools(home, text => loaded.model.tokenize(text, false).length)
  try {
    const chat = await aChat(loaded, tools)
    const prefix = await benchPrefix(chat)
    const own = await benchWait(chat, 'chat')
    const other = await benchWait(chat, 'other')
    return {
      review_model: `random weights, ${preset}`,
      review_parts: `tools, memory and skills of the host in their full form; the chat has no tools, a reply ends after ${MOST_WRITTEN} tokens`,
      ...prefix,
      review_wait_samples: own.length + other.length,
      review_wait_own_chat_p50_ms: round(median(own)),
      review_wait_own_chat_p95_ms: round(percentile(own, 0.95)),
      review_wait_other_chat_p50_ms: round(median(other)),
      review_wait_other_chat_p95_ms: round(percentile(other, 0.95)),
    }
  } finally {
    await tools.close()
    await loaded.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function load(path: string, folder: string): Promise<LoadedModel> {
  const loaded = await loadModel(
    {
      path,
      contextTokens: 8_192,
      sequences: 2,
      threads: 'auto',
      gpu: 'off',
      gpuLayers: undefined,
      batch: batchTokens,
      force: false,
      flashAttention: undefined,
      mapFile: false,
      sampling: {},
      states: { folder, maxBytes: 4 * 2 ** 30, model: 'half' },
    },
    new AbortController().signal,
    () => {},
  )
  if ('failure' in loaded) throw new Error(loaded.failure.text)
  return loaded
}

type Chat = Awaited<ReturnType<typeof aChat>>

/** A chat of some turns whose tokens are evaluated, and an engine that reports what each request cost. */
async function aChat(loaded: LoadedModel, tools: ReturnType<typeof openReviewTools>) {
  const usages: Usage[] = []
  let onStep = () => {}
  const engine: LlmEngine = {
    modelId: 'half',
    name: 'half',
    profile: async () => ({ strategy: 'text', prompt: 'standard', contextTokens: loaded.contextTokens }),
    count: text => loaded.model.tokenize(text, false).length,
    async *complete(prompt: Prompt, signal: AbortSignal) {
      let text = ''
      const asked = { ...prompt, maxTokens: Math.min(prompt.maxTokens ?? MOST_WRITTEN, MOST_WRITTEN) }
      const result = await completePrompt(loaded, asked, signal, {
        reading: () => onStep(),
        text(more) {
          text += more
          onStep()
        },
      })
      if (result.kind === 'failed') yield { type: 'failed', ...result.failure }
      if (result.kind !== 'done') return
      usages.push(result.usage)
      yield { type: 'text', text }
      yield { type: 'done', stop: result.stop, usage: result.usage }
    },
  }
  const sentence = 'You are an agent with tools and a memory. '
  const each = engine.count(sentence.repeat(100)) / 100
  const strategy = createTextStrategy({
    format: fallbackFormat,
    toolRole: true,
    edition: 'full',
    model: 'half',
  })
  const turn = {
    sessionId: 'chat',
    workspace: '/desk',
    home: '/home',
    engine,
    strategy,
    system: sentence.repeat(Math.round(INSTRUCTION_TOKENS / each)),
    registry: createRegistry([]),
    tools: [],
    contextTokens: loaded.contextTokens,
    maxIterations: 8,
  }
  const messages: Message[] = []
  const say = async (text: string, signal = new AbortController().signal) => {
    const common = { sessionId: 'chat', at: 0 }
    messages.push({ ...common, id: messages.length + 1, role: 'user', text })
    let raw = ''
    const prompt = { sessionId: 'chat', messages: strategy.render(turn.system, messages), tools: [] }
    for await (const event of engine.complete(prompt, signal)) if (event.type === 'text') raw += event.text
    const said = { reasoning: '', calls: [], interrupted: false, model: 'half' }
    messages.push({ ...common, ...said, id: messages.length + 1, role: 'assistant', text: raw, raw })
  }
  for (let n = 0; n < TURNS; n++) await say(`${n}: ${'Tell me about the world and its weather. '.repeat(8)}`)
  return {
    loaded,
    turn,
    messages,
    usages,
    review: (signal: AbortSignal) =>
      runReviewTurn(
        { turn, messages: [...messages] },
        {
          kinds: ['memory', 'skills'],
          rules: [],
          registry: tools.registry(),
          ...tools.options,
          cap: async (_call, result) => result,
          now: Date.now,
          report: error => {
            throw error
          },
        },
        signal,
      ),
    /** Call a function at every step of the engine. */
    onStep: (listener: () => void) => {
      onStep = listener
    },
  }
}

/** Run whole reviews: how many tokens of the conversation each of their requests reads again. */
async function benchPrefix({ usages, review }: Chat) {
  const last = usages.at(-1)!
  const snapshot = last.promptTokens + last.outputTokens
  const before = usages.length
  await review(new AbortController().signal)
  const requests = usages.slice(before)
  if (requests.length === 0) throw new Error('The review asked for nothing.')
  const again = requests.map(({ reusedTokens }) => Math.max(0, snapshot - reusedTokens))
  return {
    review_requests: requests.length,
    review_snapshot_tokens: snapshot,
    review_read_again_tokens: Math.max(...again),
    review_read_again_share: round(Math.max(...again) / snapshot),
  }
}

/** The time from a message of the person until it gets the engine, at all moments of a review. */
async function benchWait(
  { loaded, turn, messages, review, onStep }: Chat,
  session: string,
): Promise<number[]> {
  const waits: number[] = []
  const { lease } = loaded.pool
  let onPass = () => {}
  // Between two steps the review asks whether it may go on. The engine is free then.
  loaded.pool.lease = async (...asking) => {
    const held = await lease(...asking)
    if (!held) return undefined
    const pass = () => {
      onPass()
      return held.pass()
    }
    return { ...held, pass }
  }
  const never = new AbortController().signal
  const own = [...messages, { id: 1_000, sessionId: 'chat', at: 0, role: 'user', text: 'Go on.' } as const]
  for (let n = 0; n < SAMPLES; n++) {
    const over = new AbortController()
    const moment = Promise.withResolvers<void>()
    let steps = 0
    // Early steps are in the middle of reading, late ones in the middle of writing.
    onStep(() => ++steps > n % 10 && moment.resolve())
    const reviewing = review(over.signal)
    await Promise.race([moment.promise, reviewing])
    onStep(() => {})
    const free = Promise.withResolvers<void>()
    onPass = free.resolve
    const startedAt = performance.now()
    const leave = loaded.gate.enter()
    const held = await lease({ sessionId: session, isBackground: false }, never)
    if (!held) throw new Error('There is no place.')
    await Promise.race([free.promise, reviewing])
    waits.push(performance.now() - startedAt)
    held.release()
    leave()
    over.abort()
    await reviewing
    // The chat goes on too, because otherwise the review would take over more and more of its place.
    const prompt = {
      sessionId: 'chat',
      messages: turn.strategy.render(turn.system, own),
      tools: [],
      maxTokens: 1,
    }
    for await (const event of turn.engine.complete(prompt, never)) void event
  }
  loaded.pool.lease = lease
  return waits
}
