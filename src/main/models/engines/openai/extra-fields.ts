import { listOf, wordOf, type Fields } from '../remote/fields.ts'

/**
 * What a reply with calls came with and goes back with, under the names that the server itself used: `fields` of the
 * message (`reasoning_content` of DeepSeek, Kimi and llama-server, `reasoning` of vLLM and Ollama, `reasoning_details` of
 * OpenRouter), and `extras` of each call (`extra_content` with the signature of a thought, of Gemini).
 */
export type Aside = { fields: Fields; extras: readonly Fields[] }

/** Gather what the deltas of one reply say beside text and calls. */
export function gatherAside() {
  const texts: Record<string, string> = {}
  const details: Fields[] = []

  return {
    take(delta: Fields): void {
      for (const name of ['reasoning_content', 'reasoning']) {
        const text = wordOf(delta[name])
        if (text !== '') texts[name] = (texts[name] ?? '') + text
      }
      for (const piece of listOf(delta['reasoning_details'])) addDetail(details, piece)
    },
    /** All of it, with what came at each call; undefined when there is nothing. */
    whole(extras: readonly Fields[]): Aside | undefined {
      // The details hold the same text, with its signature.
      const fields = details.length > 0 ? { reasoning_details: details } : texts
      const isNothing = [fields, ...extras].every(each => Object.keys(each).length === 0)
      return isNothing ? undefined : { fields, extras }
    },
  }
}

/** Text of one thought comes in pieces that share an index; everything else about it comes once. */
function addDetail(details: Fields[], piece: Fields): void {
  const { index, type } = piece
  const known = details.find(each => index !== undefined && each['index'] === index && each['type'] === type)
  if (!known) {
    details.push({ ...piece })
    return
  }
  for (const [name, value] of Object.entries(piece)) {
    const joins = ['text', 'summary', 'data'].includes(name) && typeof value === 'string'
    if (joins) known[name] = wordOf(known[name]) + value
    else if (value !== null && value !== undefined) known[name] = value
  }
}
