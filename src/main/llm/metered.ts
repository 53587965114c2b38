import type { CompletionEvent, LlmEngine, Prompt } from './engine.ts'
import type { Usage } from '../../shared/contract/messages.ts'

/** What one answer took. */
export type Reading = { engine: LlmEngine; prompt: Prompt; usage: Usage; ms: number }

/** The same engine; `onAnswer` hears what each complete answer took. */
export function metered<E extends LlmEngine>(engine: E, onAnswer: (reading: Reading) => void): E {
  async function* complete(prompt: Prompt, signal: AbortSignal): AsyncGenerator<CompletionEvent, void, void> {
    const startedAt = performance.now()
    for await (const event of engine.complete(prompt, signal)) {
      if (event.type === 'done') {
        onAnswer({ engine, prompt, usage: event.usage, ms: performance.now() - startedAt })
      }
      yield event
    }
  }
  return { ...engine, complete }
}
