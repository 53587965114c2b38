import { countOf, fieldsOf } from '../remote/fields.ts'
import type { ToldOfModel } from '../remote/remote-engine.ts'

/** How long the question may take, in milliseconds. */
const PATIENCE_MS = 2_000

/** What the smallest of Anthropic’s models read at once. */
const LEAST_WINDOW = 200_000

/** What a model writes at most, by its name; the first that fits counts. */
const LIMITS: [family: RegExp, tokens: number][] = [
  [/^claude-3-(opus|sonnet|haiku)/, 4_096],
  [/^claude-3-5/, 8_192],
  [/^claude/, 32_000],
]

/** What is known of a model by its name: the longest answer, the window where it is no question, and how it thinks. */
export function familyOf(model: string) {
  const name = model.toLowerCase().split('/').at(-1) ?? ''
  return {
    limit: LIMITS.find(([family]) => family.test(name))?.[1] ?? 8_192,
    contextTokens: /^claude-(3|(opus|sonnet|haiku)-4-([0-5]|\d{8}))/.test(name) ? LEAST_WINDOW : undefined,
    /** Later ones decide by themselves how much they think. */
    thinksFreely: /^claude-(\w+-4-[6-9](?!\d)|\w+-[5-9]|mythos)/.test(name),
  }
}

/** Ask how many tokens a model reads at once; undefined when nobody answers in time. */
export async function askModel(
  baseUrl: string,
  model: string,
  fetch: typeof globalThis.fetch,
): Promise<ToldOfModel | undefined> {
  const guess = /^claude/i.test(model) ? LEAST_WINDOW : undefined
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const response = await fetch(`${baseUrl}/v1/models/${encodeURIComponent(model)}`, { signal })
    const told = response.ok ? fieldsOf(await response.json()) : {}
    return { contextTokens: countOf(told['max_input_tokens']) || guess }
  } catch {
    // Whatever is wrong shows again, with a message, when the model is asked.
    return guess === undefined ? undefined : { contextTokens: guess }
  }
}
