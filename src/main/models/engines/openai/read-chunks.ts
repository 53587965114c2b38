import type { Usage } from '../../../../shared/contract/messages.ts'
import type { CompletionEvent } from '../../engine.ts'
import { estimateTokens } from '../../estimate-tokens.ts'
import { countOf, fieldsOf, isRecord, listOf, type Fields, parseArguments } from '../shared/json-fields.ts'
import type { KeptThoughts } from '../shared/kept-thoughts.ts'
import type { Protocol, Reader } from '../shared/remote-engine.ts'
import { collectExtraFields } from './request-body.ts'
import { assembleCalls } from './assemble-calls.ts'

type Asked = Parameters<Protocol['read']>[0]

/**
 * Convert the chunks of one streamed answer into completion events. Missing and additional fields are accepted.
 * `promptTokens` is an estimate, used when the server reports no usage. The extra fields of a complete reply with
 * calls are stored in `thoughts`; with `keepAll` those of every complete reply.
 */
export function readChunks(
  { prompt, promptTokens, contextTokens }: Asked,
  thoughts: KeptThoughts,
  keepAll: boolean,
): Reader {
  const startedAt = performance.now()
  const calls = assembleCalls()
  const aside = collectExtraFields()
  let text = ''
  let firstAt: number | undefined
  let lastAt = startedAt
  let written = ''
  let finish: string | undefined
  let usage: Fields | undefined
  let timings: Fields | undefined

  function* take(chunk: unknown): Generator<CompletionEvent> {
    const fields = fieldsOf(chunk)
    if (isRecord(fields['usage'])) usage = fields['usage']
    if (isRecord(fields['timings'])) timings = fields['timings']
    const choice = fieldsOf(Array.isArray(fields['choices']) ? fields['choices'][0] : undefined)
    if (typeof choice['finish_reason'] === 'string' && choice['finish_reason'] !== '')
      finish = choice['finish_reason']
    const delta = fieldsOf(choice['delta'])
    const said = saidIn(delta)
    const fragments = listOf(delta['tool_calls'])
    aside.take(delta)
    if (said.length === 0 && fragments.length === 0) return
    lastAt = performance.now()
    firstAt ??= lastAt
    for (const event of said) {
      written += event.text
      if (event.type === 'text') text += event.text
      yield event
    }
    for (const fragment of fragments) {
      const read = readFragment(fragment)
      written += read.argumentsText ?? ''
      calls.add(read)
    }
  }

  return {
    take,
    /** The server's finish reason; undefined until the model has ended. */
    finish: () => finish,
    /** Whether any output arrived, including calls. */
    hasSaid: () => firstAt !== undefined,
    length: () => written.length,
    cut() {
      finish = 'length'
    },
    /** The complete calls, then `done`. */
    *end(): Generator<CompletionEvent> {
      const cut = finish === 'length' || finish === 'max_tokens'
      const whole = calls.calls(cut)
      keep(whole)
      for (const { extra: _, ...call } of whole) yield { type: 'call', ...call }
      yield { type: 'done', stop: cut ? 'length' : 'end', usage: usageNow() }
    },
  }

  function keep(whole: ReturnType<typeof calls.calls>) {
    const gathered = (keepAll || whole.length > 0) && aside.whole(whole.map(call => call.extra))
    const said = whole.map(call => ({ name: call.name, arguments: parseArguments(call.argumentsText) }))
    if (gathered) thoughts.keep(prompt.sessionId, { text, calls: said }, gathered)
  }

  function usageNow(): Usage {
    const cost = usage?.['cost']
    const prompt = usage && countOf(usage['prompt_tokens'])
    const output = (usage && countOf(usage['completion_tokens'])) || estimateTokens(written)
    const reused = Math.min(cachedIn(usage ?? {}) || countOf(timings?.['cache_n']), prompt ?? 0)
    const seconds = (lastAt - (firstAt ?? lastAt)) / 1000
    return {
      promptTokens: prompt || promptTokens,
      reusedTokens: reused,
      // Zero reused and zero evaluated tokens mean that the server did not count.
      evaluatedTokens: prompt ? prompt - reused : 0,
      outputTokens: output,
      contextTokens,
      firstTokenMs: (firstAt ?? lastAt) - startedAt,
      prefillPerSecond: speedOf(timings?.['prompt_per_second']),
      tokensPerSecond:
        speedOf(timings?.['predicted_per_second']) ||
        (seconds > 0 && output > 1 ? (output - 1) / seconds : 0),
      ...(typeof cost === 'number' && cost >= 0 && { costUsd: cost }),
    }
  }
}

const speedOf = (value: unknown) =>
  typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : 0

/** Cached tokens: the fields of OpenAI and most others, DeepSeek, Moonshot, and LiteLLM in front of Anthropic. */
const cachedIn = (usage: Fields): number =>
  countOf(fieldsOf(usage['prompt_tokens_details'])['cached_tokens']) ||
  countOf(usage['prompt_cache_hit_tokens']) ||
  countOf(usage['cached_tokens']) ||
  countOf(usage['cache_read_input_tokens'])

type Said = Extract<CompletionEvent, { type: 'text' | 'reasoning' }>

/**
 * The output in a delta, thoughts first. Thoughts are in `reasoning_content` or `reasoning`, in details (OpenRouter)
 * or in parts (Mistral).
 */
function saidIn(delta: Fields): Said[] {
  const said: Said[] = []
  const add = (type: Said['type'], text: unknown) => {
    if (typeof text === 'string' && text !== '') said.push({ type, text })
  }
  const thought = delta['reasoning_content'] || delta['reasoning']
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

function readFragment(fragment: Fields) {
  const { name, arguments: given } = fieldsOf(fragment['function'])
  // The protocol sends arguments as text, but some servers send them parsed.
  const argumentsText = isRecord(given) ? JSON.stringify(given) : given
  return {
    ...(typeof fragment['index'] === 'number' && { index: fragment['index'] }),
    ...(typeof fragment['id'] === 'string' && { id: fragment['id'] }),
    ...(typeof name === 'string' && { name }),
    ...(typeof argumentsText === 'string' && { argumentsText }),
    ...(isRecord(fragment['extra_content']) && { extra: { extra_content: fragment['extra_content'] } }),
  }
}
