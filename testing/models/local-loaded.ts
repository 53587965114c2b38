import type { Prompt } from '../engine.ts'
import { complete } from './complete.ts'
import { loadModel } from './load-model.ts'
import type { LoadedModel } from './load-model.ts'
import { batchTokens } from './protocol.ts'

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

/** Ask at temperature 0. With `until`, the reply is stopped once it holds that text. */
export async function ask(loaded: LoadedModel, prompt: Partial<Prompt> = {}, until?: string) {
  const stop = new AbortController()
  let text = ''
  const result = await complete(
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
