import type { Usage } from '../../../shared/contract/chats/messages.ts'
import type { CompletionEvent, LlmEngine, Prompt } from './engine.ts'
import { pictureTokens } from './token-counts.ts'

/** Counts the tokens of an answer while it arrives. */
export type UsageCount = {
  push(event: CompletionEvent): void
  /** The usage so far: reported or estimated. Undefined until the model has written something. */
  usage(): Usage | undefined
}

/** How many tokens a chat template adds around a message. */
const TEMPLATE_TOKENS = 8

/**
 * Create a count for one answer. Engines report usage only at the end, so an answer that is cut off has none.
 * Its prompt figures then come from the `read` event, and the rest from the model's own text count.
 */
export function createUsageCount(
  engine: Pick<LlmEngine, 'count'>,
  { messages, tools }: Pick<Prompt, 'messages' | 'tools'>,
): UsageCount {
  const startedAt = performance.now()
  let firstAt: number | undefined
  let written = ''
  let read: Extract<CompletionEvent, { type: 'read' }> | undefined
  let reported: Usage | undefined

  const promptTokens = () =>
    messages.reduce(
      (sum, { text, calls, pictures = [] }) =>
        sum +
        engine.count(calls ? text + JSON.stringify(calls) : text) +
        pictures.reduce((all, picture) => all + pictureTokens(picture), 0) +
        TEMPLATE_TOKENS,
      tools.length > 0 ? engine.count(JSON.stringify(tools)) : 0,
    )

  return {
    push(event) {
      if (event.type === 'done') reported = event.usage
      if (event.type === 'read') read = event
      const text =
        event.type === 'text' || event.type === 'reasoning'
          ? event.text
          : event.type === 'call'
            ? event.name + event.argumentsText
            : ''
      if (text === '') return
      firstAt ??= performance.now()
      written += text
    },
    usage() {
      if (reported || firstAt === undefined) return reported
      const { reusedTokens, contextTokens } = read ?? { reusedTokens: 0, contextTokens: 0 }
      const prompt = read?.promptTokens ?? promptTokens()
      // An estimate by letters is wrong for marks that are one token each. Cap it at the free context.
      const room = contextTokens > prompt ? contextTokens - prompt : Infinity
      const outputTokens = Math.min(engine.count(written), room)
      const [readMs, writeMs] = [firstAt - startedAt, performance.now() - firstAt]
      return {
        promptTokens: prompt,
        reusedTokens,
        evaluatedTokens: prompt - reusedTokens,
        outputTokens,
        contextTokens,
        firstTokenMs: Math.round(readMs),
        prefillPerSecond: perSecond(prompt - reusedTokens, readMs),
        tokensPerSecond: perSecond(outputTokens, writeMs),
        estimated: true,
      }
    },
  }
}

const perSecond = (tokens: number, ms: number): number =>
  ms > 0 ? Math.round((tokens * 10_000) / ms) / 10 : 0
