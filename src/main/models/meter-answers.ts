import { createUsageCount, type UsageCount } from './interface/count-usage.ts'
import type { CompletionEvent, LlmEngine, Prompt } from './interface/engine.ts'
import type { Usage } from '../../shared/contract/chats/messages.ts'

/** The usage of one answer, and its duration in ms. */
export type AnsweredPrompt = { engine: LlmEngine; prompt: Prompt; usage: Usage; ms: number }

/**
 * Wrap an engine so that `onAnswer` gets a report on every answer with any output, including an answer that
 * was cut off: endless loops cost the most. The report follows the delivery of the answer. An error in it
 * goes to `report` and never affects the answer.
 */
export function meterAnswers<E extends LlmEngine>(
  engine: E,
  onAnswer: (reading: AnsweredPrompt) => void,
  report: (error: unknown) => void,
): E {
  async function* complete(prompt: Prompt, signal: AbortSignal): AsyncGenerator<CompletionEvent, void, void> {
    const startedAt = performance.now()
    const count = createUsageCount(engine, prompt)
    try {
      for await (const event of engine.complete(prompt, signal)) {
        count.push(event)
        yield event
      }
    } finally {
      // A caller that has what it needs stops at the last event. Only a `finally` block still runs then.
      bookAnswer(prompt, count, performance.now() - startedAt)
    }
  }
  function bookAnswer(prompt: Prompt, count: UsageCount, ms: number): void {
    try {
      const usage = count.usage()
      if (usage) onAnswer({ engine, prompt, usage, ms })
    } catch (error) {
      report(error)
    }
  }
  return { ...engine, complete }
}

/** Dollars per million tokens, where configured. */
export type Prices = {
  price_input?: number | undefined
  price_cached?: number | undefined
  price_output?: number | undefined
}

const MILLION = 1_000_000

/**
 * The cost of an answer in dollars: as the server reported it, else computed from the prices, else null.
 * Cached tokens without their own price cost as much as other input.
 */
export function costOfAnswer(usage: Usage, prices: Prices | undefined): number | null {
  if (usage.costUsd !== undefined) return usage.costUsd
  const { price_input: input, price_output: output, price_cached: cached = input } = prices ?? {}
  if (input === undefined || output === undefined) return null
  const fresh = Math.max(0, usage.promptTokens - usage.reusedTokens)
  return (fresh * input + usage.reusedTokens * (cached ?? input) + usage.outputTokens * output) / MILLION
}
