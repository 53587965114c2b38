import type { Usage } from '../../../shared/contract/messages.ts'
import type { CompletionEvent } from '../engine.ts'
import { estimateTokens } from '../estimate-tokens.ts'
import { assembleCalls } from './assemble-calls.ts'

type Fields = Record<string, unknown>

/**
 * Turn the chunks of one streamed answer into completion events. Chunks are taken as they come: what a server leaves
 * out or adds is no error. `promptTokens` is the estimate that stands in when the server does not count.
 */
export function readChunks(promptTokens: number, contextTokens: number) {
  const startedAt = performance.now()
  const calls = assembleCalls()
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
    const fragments = Array.isArray(delta['tool_calls']) ? delta['tool_calls'].map(fieldsOf) : []
    if (said.length === 0 && fragments.length === 0) return
    lastAt = performance.now()
    firstAt ??= lastAt
    for (const event of said) {
      written += event.text
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
    /** Why the model ended, in the words of the server; undefined while it has not. */
    finish: () => finish,
    /** Whether anything was said, calls included. */
    hasSaid: () => firstAt !== undefined,
    /** The calls as a whole, then `done`. */
    *end(): Generator<CompletionEvent> {
      const cut = finish === 'length' || finish === 'max_tokens'
      for (const call of calls.calls(cut)) yield { type: 'call', ...call }
      yield { type: 'done', stop: cut ? 'length' : 'end', usage: usageNow() }
    },
  }

  function usageNow(): Usage {
    const details = fieldsOf(usage?.['prompt_tokens_details'])
    const prompt = usage && countOf(usage['prompt_tokens'])
    const output = (usage && countOf(usage['completion_tokens'])) || estimateTokens(written)
    const reused = Math.min(countOf(details['cached_tokens'] ?? timings?.['cache_n']), prompt ?? 0)
    const seconds = (lastAt - (firstAt ?? lastAt)) / 1000
    return {
      promptTokens: prompt || promptTokens,
      reusedTokens: reused,
      // Nothing reused and nothing evaluated says that the server did not count.
      evaluatedTokens: prompt ? prompt - reused : 0,
      outputTokens: output,
      contextTokens,
      firstTokenMs: (firstAt ?? lastAt) - startedAt,
      prefillPerSecond: speedOf(timings?.['prompt_per_second']),
      tokensPerSecond:
        speedOf(timings?.['predicted_per_second']) ||
        (seconds > 0 && output > 1 ? (output - 1) / seconds : 0),
    }
  }
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {})
const countOf = (value: unknown) =>
  typeof value === 'number' && value > 0 && value < 1e9 ? Math.floor(value) : 0
const speedOf = (value: unknown) =>
  typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : 0

type Said = Extract<CompletionEvent, { type: 'text' | 'reasoning' }>

/** What a delta says, thoughts first. Local servers name the thoughts `reasoning_content` or `reasoning`; Mistral's come as parts. */
function saidIn(delta: Fields): Said[] {
  const said: Said[] = []
  const add = (type: Said['type'], text: unknown) => {
    if (typeof text === 'string' && text !== '') said.push({ type, text })
  }
  add('reasoning', delta['reasoning_content'] || delta['reasoning'])
  const content = delta['content']
  for (const part of Array.isArray(content) ? content.map(fieldsOf) : []) {
    if (part['type'] !== 'thinking') add('text', part['text'])
    else
      for (const thought of [part['thinking']].flat())
        add('reasoning', isRecord(thought) ? thought['text'] : thought)
  }
  add('text', content)
  add('text', delta['refusal'])
  return said
}

function readFragment(fragment: Fields) {
  const { name, arguments: given } = fieldsOf(fragment['function'])
  // Arguments are text by the protocol, but some servers send them parsed.
  const argumentsText = isRecord(given) ? JSON.stringify(given) : given
  return {
    ...(typeof fragment['index'] === 'number' && { index: fragment['index'] }),
    ...(typeof fragment['id'] === 'string' && { id: fragment['id'] }),
    ...(typeof name === 'string' && { name }),
    ...(typeof argumentsText === 'string' && { argumentsText }),
  }
}
