import { countOf, fieldsOf } from '../shared/json-fields.ts'
import type { ReportedModel } from '../shared/remote-engine.ts'

/** Timeout of the request, in ms. */
const PATIENCE_MS = 2_000

/** The smallest context window among Anthropic's models. */
const LEAST_WINDOW = 200_000

/** Maximum output tokens by model name; the first match counts. */
const LIMITS: [family: RegExp, tokens: number][] = [
  [/^claude-3-(opus|sonnet|haiku)/, 4_096],
  [/^claude-3-5/, 8_192],
  [/^claude/, 32_000],
]

/** What a model's name tells: the longest answer, the context window if it is certain, and how the model thinks. */
export function familyOf(model: string) {
  const name = model.toLowerCase().split('/').at(-1) ?? ''
  return {
    limit: LIMITS.find(([family]) => family.test(name))?.[1] ?? 8_192,
    contextTokens: /^claude-(3|(opus|sonnet|haiku)-4-([0-5]|\d{8}))/.test(name) ? LEAST_WINDOW : undefined,
    /** Later models decide for themselves how much to think. */
    thinksFreely: /^claude-(\w+-4-[6-9](?!\d)|\w+-[5-9]|mythos)/.test(name),
  }
}

/** Fetch the context window in tokens; undefined when no answer arrives in time. */
export async function fetchModelLimits(
  baseUrl: string,
  model: string,
  fetch: typeof globalThis.fetch,
): Promise<ReportedModel | undefined> {
  const guess = /^claude/i.test(model) ? LEAST_WINDOW : undefined
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const response = await fetch(`${baseUrl}/v1/models/${encodeURIComponent(model)}`, { signal })
    const told = response.ok ? fieldsOf(await response.json()) : {}
    return { contextTokens: countOf(told['max_input_tokens']) || guess }
  } catch {
    // Any error will surface, with a message, when the model is used.
    return guess === undefined ? undefined : { contextTokens: guess }
  }
}
