import { parseJson } from '../../lib/parse-json.ts'

/** Ask a model one question outside of any chat. With a `schema` the answer is JSON, where the engine can promise that. */
export type Ask = (
  question: { system: string; user: string; schema?: Record<string, unknown>; maxTokens?: number },
  signal: AbortSignal,
) => Promise<{ text: string } | { failed: string }>

/** So much of an answer is looked at, in characters. */
const REACH = 8_000

/** An answer without what a model thinks aloud. */
export const answerOf = (text: string): string =>
  text
    .slice(0, REACH)
    .replace(/^\s*<think(?:ing)?>[^]*?(?:<\/think(?:ing)?>|$)/i, '')
    .trim()

/** A field of the JSON object in an answer; undefined when there is none. What is cut off or wrapped in text is read all the same. */
export function fieldOf(answer: string, field: string): string | null | undefined {
  const [from, to] = [answer.indexOf('{'), answer.lastIndexOf('}')]
  const whole = from >= 0 && to > from ? parseJson(answer.slice(from, to + 1)) : undefined
  if (typeof whole === 'object' && whole !== null && Object.hasOwn(whole, field)) {
    const value = (whole as Record<string, unknown>)[field]
    if (typeof value === 'string' || value === null) return value
  }
  const [, open] = new RegExp(String.raw`"${field}"\s*:\s*"((?:[^"\\]|\\.)*)`).exec(answer) ?? []
  if (open === undefined) return undefined
  const text = parseJson(`"${open.replace(/\\$/, '')}"`)
  return typeof text === 'string' ? text : open
}
