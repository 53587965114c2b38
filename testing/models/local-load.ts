import type { Prompt, Sampling, WireMessage } from '../../src/main/models/interface/engine.ts'
import { completePrompt } from '../../src/main/models/engines/local/decoding/complete-prompt.ts'
import { loadModel } from '../../src/main/models/engines/local/process/load-model.ts'
import type { LoadedModel } from '../../src/main/models/engines/local/process/load-model.ts'
import { batchTokens } from '../../src/main/models/engines/local/process/protocol.ts'
import type { EngineResult, LoadRequest } from '../../src/main/models/engines/local/process/protocol.ts'

/** A model in this process, with the questions that a test asks it. */
export async function openModel(path: string, options: Partial<LoadRequest> = {}) {
  const loaded = await loadModel(
    {
      path,
      contextTokens: 4_096,
      sequences: 2,
      threads: 1,
      gpu: 'off',
      gpuLayers: undefined,
      batch: batchTokens,
      force: false,
      flashAttention: false,
      mapFile: false,
      sampling: {},
      states: undefined,
      ...options,
    },
    new AbortController().signal,
    () => {},
  )
  if ('failure' in loaded) throw new Error(loaded.failure.text)
  return { loaded, ask: (messages: readonly WireMessage[], asking?: Asking) => ask(loaded, messages, asking) }
}

export type Asking = {
  session?: string
  maxTokens?: number
  sampling?: Sampling
  priority?: Prompt['priority']
  signal?: AbortSignal
  onReading?: (done: number, total: number) => void
  onText?: (text: string) => void
}

export type Told = { text: string; result: EngineResult }

async function ask(
  loaded: LoadedModel,
  messages: readonly WireMessage[],
  asking: Asking = {},
): Promise<Told> {
  const { session = 'chat', maxTokens = 8, sampling = { temperature: 0 }, priority } = asking
  const signal = asking.signal ?? new AbortController().signal
  let text = ''
  const result = await completePrompt(
    loaded,
    { sessionId: session, messages, tools: [], maxTokens, sampling, ...(priority && { priority }) },
    signal,
    {
      reading: (done, total) => asking.onReading?.(done, total),
      text(more) {
        text += more
        asking.onText?.(more)
      },
    },
  )
  return { text, result }
}

/** The usage of an answer. Throws if there was none. */
export function usageOf({ result }: Told) {
  if (result.kind !== 'done') throw new Error(`No answer: ${JSON.stringify(result)}`)
  return result.usage
}
