import { listOf, textOf, type Fields } from '../shared/json-fields.ts'

/**
 * Fields beyond text and calls that a reply came with and that are sent back unchanged, under the server's own names.
 * `fields` belong to the message: `reasoning_content` (DeepSeek, Kimi, llama-server), `reasoning` (vLLM, Ollama),
 * `reasoning_details` (OpenRouter). `extras` belong to each call: `extra_content` with the signature of a thought
 * (Gemini).
 */
export type ExtraFields = { fields: Fields; extras: readonly Fields[] }

/** Collect the extra fields from the deltas of one reply. */
export function collectExtraFields() {
  const texts: Record<string, string> = {}
  const details: Fields[] = []

  return {
    take(delta: Fields): void {
      for (const name of ['reasoning_content', 'reasoning']) {
        const text = textOf(delta[name])
        if (text !== '') texts[name] = (texts[name] ?? '') + text
      }
      for (const piece of listOf(delta['reasoning_details'])) addDetail(details, piece)
    },
    /** Everything collected, with the extras of each call; undefined when there is nothing. */
    whole(extras: readonly Fields[]): ExtraFields | undefined {
      // The details contain the same text plus its signature.
      const fields = details.length > 0 ? { reasoning_details: details } : texts
      const isNothing = [fields, ...extras].every(each => Object.keys(each).length === 0)
      return isNothing ? undefined : { fields, extras }
    },
  }
}

/** The text of one thought arrives in pieces that share an index. Its other fields arrive once. */
function addDetail(details: Fields[], piece: Fields): void {
  const { index, type } = piece
  const known = details.find(each => index !== undefined && each['index'] === index && each['type'] === type)
  if (!known) {
    details.push({ ...piece })
    return
  }
  for (const [name, value] of Object.entries(piece)) {
    const joins = ['text', 'summary', 'data'].includes(name) && typeof value === 'string'
    if (joins) known[name] = textOf(known[name]) + value
    else if (value !== null && value !== undefined) known[name] = value
  }
}
