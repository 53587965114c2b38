import type { Prompt } from '../../src/main/models/interface/engine.ts'
import { completePrompt } from '../../src/main/models/engines/local/decoding/complete-prompt.ts'
import { loadModel } from '../../src/main/models/engines/local/process/load-model.ts'
import type { LoadedModel } from '../../src/main/models/engines/local/process/load-model.ts'
import { batchTokens } from '../../src/main/models/engines/local/process/protocol.ts'

/** Load a model into this process, without an engine around it. */
export async function open(path: string): Promise<LoadedModel> {
  const loaded = await loadModel(
    {
      path,
      contextTokens: 2_048,
      sequences: 1,
      threads: 1,
      gpu: 'off',
      gpuLayers: undefined,
      batch: batchTokens,
      force: false,
      flashAttention: undefined,
      mapFile: false,
      sampling: {},
      states: undefined,
    },
    new AbortController().signal,
    () => {},
  )
  if ('failure' in loaded) throw new Error(loaded.failure.text)
  return loaded
}

/** Ask at temperature 0. With `until`, the reply is stopped once it contains that text. */
export async function ask(loaded: LoadedModel, prompt: Partial<Prompt> = {}, until?: string) {
  const stop = new AbortController()
  let text = ''
  const result = await completePrompt(
    loaded,
    {
      sessionId: 'chat',
      messages: [{ role: 'user', text: 'Hello' }],
      tools: [],
      sampling: { temperature: 0 },
      ...prompt,
    },
    stop.signal,
    {
      reading: () => {},
      text(more) {
        text += more
        if (until !== undefined && text.includes(until)) stop.abort()
      },
    },
  )
  if (result.kind === 'failed') throw new Error(result.trace)
  return { text, stop: undefined, usage: undefined, ...result }
}
