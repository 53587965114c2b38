import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WireMessage } from '../src/main/models/interface/engine.ts'
import { completePrompt } from '../src/main/models/engines/local/decoding/complete-prompt.ts'
import { loadModel, type LoadedModel } from '../src/main/models/engines/local/process/load-model.ts'
import { keepChats } from '../src/main/models/engines/local/states/keep-chats.ts'
import type { Usage } from '../src/shared/contract/chats/messages.ts'
import { makeRandomGguf } from '../testing/gguf/random.ts'
import { median, round, timed } from './measure.ts'
import { batchTokens } from '../src/main/models/engines/local/process/protocol.ts'

const instructionTokens = 3_000
const rounds = 3

/**
 * How much saved states, several places and the gate for background work help, on a 508 M model with
 * instructions of 3,000 tokens. All ratios are of times in this run. Files are read from the system's cache,
 * as after a restart of the program.
 */
export async function benchStates(): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-'))
  const path = join(folder, 'half.gguf')
  makeRandomGguf(path, { preset: 'half', type: 'Q4_0' })
  const states = join(folder, 'states')
  try {
    const first = await load(path, states)
    const messages: WireMessage[] = [{ role: 'system', text: instructionsFor(first) }]
    const saving = await benchSaving(first, messages, states)
    await first.close()
    const second = await load(path, states)
    const restoring = await benchRestoring(second, messages, saving.states_evaluate_ms)
    const switching = await benchSwitching(second, messages, saving.states_evaluate_ms)
    const pausing = await benchBackground(second, messages)
    const continuing = await benchContinuing(second, () => load(path, states), messages)
    return { ...saving, ...restoring, ...switching, ...pausing, ...continuing }
  } finally {
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

function instructionsFor({ model }: LoadedModel): string {
  const sentence = 'You are an agent with tools and a memory. '
  const each = model.tokenize(sentence.repeat(100), false).length / 100
  return sentence.repeat(Math.round(instructionTokens / each))
}

type Asking = {
  session: string
  maxTokens?: number
  isBackground?: boolean
  signal?: AbortSignal
  onStep?: () => void
}

/** Ask a question; undefined when it was stopped. */
async function ask(
  loaded: LoadedModel,
  messages: readonly WireMessage[],
  { session, maxTokens = 2, isBackground = false, signal, onStep = () => {} }: Asking,
): Promise<{ usage: Usage; text: string } | undefined> {
  let text = ''
  const result = await completePrompt(
    loaded,
    {
      sessionId: session,
      messages,
      tools: [],
      maxTokens,
      sampling: { seed: 7 },
      priority: isBackground ? 'background' : 'foreground',
    },
    signal ?? new AbortController().signal,
    {
      reading: onStep,
      text(more) {
        text += more
        onStep()
      },
    },
  )
  if (result.kind === 'stopped') return undefined
  if (result.kind !== 'done') throw new Error(`The engine did not answer: ${JSON.stringify(result)}`)
  if (result.trouble) throw new Error(result.trouble)
  return { usage: result.usage, text }
}

async function answer(...asking: Parameters<typeof ask>): Promise<{ usage: Usage; text: string }> {
  const answered = await ask(...asking)
  if (!answered) throw new Error('It was stopped.')
  return answered
}

const say = (text: string): WireMessage => ({ role: 'user', text })

/** Evaluate the instructions for the first time. Saving them is part of that, and is measured separately. */
async function benchSaving(loaded: LoadedModel, messages: readonly WireMessage[], folder: string) {
  const { states } = loaded
  let saveMs = 0
  if (states) {
    const save: typeof states.save = async (...saving) => {
      saveMs += await timed(() => states.save(...saving))
    }
    loaded.states = { ...states, save }
  }
  const { usage } = await answer(loaded, [...messages, say('Hello.')], { session: 'first' })
  await states?.close()
  const files = readdirSync(folder).filter(file => file.endsWith('.kv'))
  if (files.length !== 1) throw new Error(`There are ${files.length} states.`)
  return {
    states_prompt_tokens: usage.promptTokens,
    states_evaluate_ms: round(usage.firstTokenMs - saveMs),
    states_save_ms: round(saveMs),
    states_save_mib: round(statSync(join(folder, files[0] ?? '')).size / 2 ** 20),
  }
}

/** The time until the first token of a new chat after a restart. */
async function benchRestoring(loaded: LoadedModel, messages: readonly WireMessage[], evaluateMs: number) {
  const { usage } = await answer(loaded, [...messages, say('Hello again.')], { session: 'a' })
  if (!usage.restoredTokens) throw new Error('Nothing was restored.')
  return {
    states_restored_tokens: usage.restoredTokens,
    states_restored_first_token_ms: usage.firstTokenMs,
    states_restored_ratio: round(usage.firstTokenMs / evaluateMs),
  }
}

/** Three chats, each with its own history of 600 tokens, take turns in two places. */
async function benchSwitching(loaded: LoadedModel, messages: readonly WireMessage[], evaluateMs: number) {
  const chats = ['a', 'b', 'c'].map(session => ({ session, messages: [...messages] }))
  const usages: Usage[] = []
  for (const turn of [1, 2]) {
    for (const { session, messages } of chats) {
      messages.push(say(turn === 1 ? `${session}: ${'Tell me about the world. '.repeat(120)}` : 'Go on.'))
      const { usage, text } = await answer(loaded, messages, { session })
      messages.push({ role: 'assistant', text, generated: true })
      if (turn === 2) usages.push(usage)
    }
  }
  const firstTokenMs = median(usages.map(usage => usage.firstTokenMs))
  return {
    states_switch_prompt_tokens: median(usages.map(usage => usage.promptTokens)),
    states_switch_evaluated_tokens: Math.max(...usages.map(usage => usage.evaluatedTokens)),
    states_switch_first_token_ms: firstTokenMs,
    states_switch_ratio: round(firstTokenMs / evaluateMs),
  }
}

/**
 * The time until the first token of a chat after its model was unloaded: with its saved state, and when
 * everything is read again. The times of loading, and of saving before that, are measured separately.
 */
async function benchContinuing(
  before: LoadedModel,
  reload: () => Promise<LoadedModel>,
  messages: readonly WireMessage[],
) {
  const chat = [...messages, say(`Mine: ${'Tell me about the world. '.repeat(120)}`)]
  const { text } = await answer(before, chat, { session: 'kept' })
  chat.push({ role: 'assistant', text, generated: true }, say('Go on.'))
  const keepMs = await timed(() => keepChats(before, new AbortController().signal))
  await before.close()
  const after = await reload()
  const kept = await answer(after, chat, { session: 'kept' })
  await after.close()
  const none = await reload()
  none.states = undefined
  const again = await answer(none, chat, { session: 'kept' })
  await none.close()
  return {
    states_keep_ms: round(keepMs),
    states_kept_evaluated_tokens: kept.usage.evaluatedTokens,
    states_kept_first_token_ms: kept.usage.firstTokenMs,
    states_lost_first_token_ms: again.usage.firstTokenMs,
    states_kept_ratio: round(kept.usage.firstTokenMs / again.usage.firstTokenMs),
  }
}

/** The chat in the foreground while background work writes or reads. */
async function benchBackground(loaded: LoadedModel, messages: readonly WireMessage[]) {
  const chat = [...messages]
  const turn = async (maxTokens: number) => {
    chat.push(say('Go on.'))
    const { usage, text } = await answer(loaded, chat, { session: 'front', maxTokens })
    chat.push({ role: 'assistant', text, generated: true })
    return usage
  }
  /** Start work in the background. Resolves after its first step. */
  const begin = async (question: WireMessage) => {
    const stop = new AbortController()
    const begun = Promise.withResolvers<void>()
    const ended = ask(loaded, [question], {
      session: 'background',
      maxTokens: 2_000,
      isBackground: true,
      signal: stop.signal,
      onStep: begun.resolve,
    })
    await Promise.race([begun.promise, ended])
    return async () => {
      stop.abort()
      await ended
    }
  }
  await turn(2)
  const alone: Usage[] = []
  const beside: Usage[] = []
  for (let n = 0; n < rounds; n++) {
    alone.push(await turn(40))
    const end = await begin(say(`${n}: Write a review.`))
    beside.push(await turn(40))
    await end()
  }
  const read: Usage[] = []
  for (let n = 0; n < rounds; n++) {
    const end = await begin(say(`${n}: ${'The notes of the day. '.repeat(300)}`))
    read.push(await turn(2))
    await end()
  }
  const speed = (usages: Usage[]) => median(usages.map(usage => usage.tokensPerSecond))
  const wait = (usages: Usage[]) => median(usages.map(usage => usage.firstTokenMs))
  return {
    background_paused_decode_ratio: round(speed(beside) / speed(alone)),
    background_alone_first_token_ms: wait(alone),
    background_writing_first_token_ms: wait(beside),
    background_reading_first_token_ms: wait(read),
  }
}
