import type { CompletionEvent } from '../../interface/engine.ts'
import { fieldsOf, isRecord, listOf, type Fields } from '../../../lib/json-fields.ts'

type Said = Extract<CompletionEvent, { type: 'text' | 'reasoning' }>

/**
 * Return the output in a delta, thoughts first. Thoughts are in `reasoning_content`, `reasoning` or
 * `thinking` (Ollama), in details (OpenRouter) or in parts (Mistral).
 */
export function saidIn(delta: Fields): Said[] {
  const said: Said[] = []
  const add = (type: Said['type'], text: unknown) => {
    if (typeof text === 'string' && text !== '') said.push({ type, text })
  }
  const thought = delta['reasoning_content'] || delta['reasoning'] || delta['thinking']
  const details = listOf(delta['reasoning_details']).map(each => each['text'] ?? each['summary'])
  for (const each of thought ? [thought] : details) add('reasoning', each)
  const content = delta['content']
  for (const part of listOf(content)) {
    if (part['type'] !== 'thinking') add('text', part['text'])
    else
      for (const piece of [part['thinking']].flat()) add('reasoning', isRecord(piece) ? piece['text'] : piece)
  }
  add('text', content)
  add('text', delta['refusal'])
  return said
}

/** Read a fragment of a call. Some servers omit `function` and put its fields one level higher. */
export function readFragment(fragment: Fields) {
  const { name, arguments: given } = fieldsOf(fragment['function'] ?? fragment)
  // The protocol sends arguments as text, but some servers send them parsed.
  const argumentsText = isRecord(given) || Array.isArray(given) ? JSON.stringify(given) : given
  return {
    ...(typeof fragment['index'] === 'number' && { index: fragment['index'] }),
    ...(typeof fragment['id'] === 'string' && { id: fragment['id'] }),
    ...(typeof name === 'string' && { name }),
    ...(typeof argumentsText === 'string' && { argumentsText }),
    ...(isRecord(fragment['extra_content']) && { extra: { extra_content: fragment['extra_content'] } }),
  }
}
