import type { Model } from '../../src/shared/contract/models/model.ts'
import { startApi, type ApiParts } from '../../src/main/api/start-api.ts'
import type { CompletionEvent, LlmEngine, Prompt } from '../../src/main/models/interface/engine.ts'

export const API_KEY = 'the-key'

const MODEL = { id: 'server:a', name: 'A', kind: 'server', problem: null, contextTokens: 4_096 } as Model

export const someUsage = {
  promptTokens: 12,
  reusedTokens: 4,
  evaluatedTokens: 8,
  outputTokens: 3,
  contextTokens: 15,
  firstTokenMs: 1,
  prefillPerSecond: 1,
  tokensPerSecond: 1,
}

/**
 * The server for other programs without a host: one model “A” whose answers come from `write`. `now` counts
 * its requests, its answers in progress, and stopped answers; `prompts` are the prompts that it got.
 */
export async function apiAlone({
  write,
  ...more
}: Partial<ApiParts> & {
  write(this: void, prompt: Prompt): AsyncIterable<CompletionEvent> | Iterable<CompletionEvent>
}) {
  const now = { asked: 0, writing: 0, stopped: 0 }
  const errors: unknown[] = []
  const prompts: Prompt[] = []
  const engine: LlmEngine = {
    modelId: MODEL.id,
    name: MODEL.name,
    profile: () => Promise.resolve({ strategy: 'structured', contextTokens: 4_096 }),
    count: text => text.length,
    async *complete(prompt, signal) {
      prompts.push(prompt)
      now.asked += 1
      now.writing += 1
      try {
        for await (const event of write(prompt)) {
          if (signal.aborted) return
          yield event
          await new Promise(setImmediate)
        }
      } finally {
        now.writing -= 1
        if (signal.aborted) now.stopped += 1
      }
    },
  }
  const { port, close } = await startApi({
    port: 0,
    key: () => API_KEY,
    origins: () => [],
    models: {
      list: async () => [MODEL],
      defaultId: () => MODEL.id,
      engineFor: async () => engine,
    },
    async *askAgent() {},
    encode: async texts => texts.map(text => new Float32Array([text.length, 0.5, -1])),
    now: Date.now,
    asked: () => {},
    report: error => void errors.push(error),
    ...more,
  })
  return { port, now, errors, prompts, close, [Symbol.asyncDispose]: close }
}
