import type { Usage } from '../../../../shared/contract/chats/messages.ts'
import type { CompletionEvent } from '../../interface/engine.ts'
import { estimateTokens } from '../../../../shared/text/estimate-tokens.ts'
import { countOf, fieldsOf, isRecord, listOf, type Fields } from '../../../lib/json-fields.ts'
import { nameWritten, readArguments } from '../shared/read-arguments.ts'
import type { KeptThoughts } from '../shared/kept-thoughts.ts'
import type { Protocol, Reader } from '../shared/remote-engine.ts'
import { collectExtraFields } from './openai-request.ts'
import { assembleCalls } from './assemble-calls.ts'
import { readFragment, saidIn } from './read-delta.ts'
import { END_OF_STREAM } from './openai-stream.ts'

type Asked = Parameters<Protocol['read']>[0]

/**
 * Convert the chunks of one streamed answer into completion events. Missing and additional fields are
 * accepted. `promptTokens` is an estimate, used if the server reports no usage. The extra fields of a
 * complete reply with calls are stored in `thoughts`; with `keepAll`, those of every complete reply.
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
  let isEnded = false
  let hasDelta = false
  let hasToolCalls = false
  let usage: Fields | undefined
  let timings: Fields | undefined

  function* take(chunk: unknown): Generator<CompletionEvent> {
    const fields = fieldsOf(chunk)
    if (isRecord(fields['usage'])) usage = fields['usage']
    if (isRecord(fields['timings'])) timings = fields['timings']
    if (fields['object'] === END_OF_STREAM) isEnded = true
    const choice = fieldsOf(Array.isArray(fields['choices']) ? fields['choices'][0] : undefined)
    const reason = reasonIn(choice)
    const delta = deltaIn(choice)
    const said = saidIn(delta)
    const fragments = fragmentsIn(delta)
    aside.take(delta)
    const isOutput = said.length > 0 || fragments.length > 0
    // Output after a finish reason shows that the answer had not finished.
    if (reason !== undefined || isOutput) finish = reason
    if (!isOutput) return
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
    /**
     * The server's finish reason, or empty if it only marked the end of its stream. Undefined until the model
     * has ended. A stream that ends without any output is not an answer.
     */
    finish: () => finish ?? (isEnded && firstAt !== undefined ? '' : undefined),
    /** Whether any output arrived, including calls. */
    hasSaid: () => firstAt !== undefined,
    length: () => written.length,
    cut() {
      finish = 'length'
    },
    /** Yield the complete calls, then `done`. */
    *end(): Generator<CompletionEvent> {
      const cut = finish === 'length' || finish === 'max_tokens'
      const whole = calls.calls(cut).map(call => ({ ...call, name: nameWritten(call.name, prompt.tools) }))
      keep(whole)
      for (const { extra: _, ...call } of whole) yield { type: 'call', ...call }
      yield { type: 'done', stop: cut ? 'length' : 'end', usage: usageNow() }
    },
  }

  /** Find the delta. Some servers write `message` for `delta`, and some repeat the whole text at the end. */
  function deltaIn(choice: Fields): Fields {
    const delta = fieldsOf(choice['delta'])
    if (Object.values(delta).some(each => each !== null && each !== '' && each !== undefined)) {
      if (saidIn(delta).length > 0 || fragmentsOf(delta).length > 0) hasDelta = true
      return delta
    }
    if (hasDelta) return delta
    if (isRecord(choice['message'])) return unsaid(choice['message'])
    return typeof choice['text'] === 'string' ? { content: choice['text'] } : delta
  }

  /** Return the new part of a message. One that begins with the text so far grows from chunk to chunk. */
  function unsaid(message: Fields): Fields {
    const { content } = message
    if (typeof content !== 'string' || content.length <= text.length || !content.startsWith(text))
      return message
    return { ...message, content: content.slice(text.length) }
  }

  function fragmentsIn(delta: Fields): Fields[] {
    const fragments = fragmentsOf(delta)
    if (fragments.length > 0) hasToolCalls = true
    if (hasToolCalls) return fragments
    // The form that preceded `tool_calls`, with a single call.
    return isRecord(delta['function_call']) ? [{ function: delta['function_call'] }] : []
  }

  function keep(whole: ReturnType<typeof calls.calls>) {
    const gathered = (keepAll || whole.length > 0) && aside.whole(whole.map(call => call.extra))
    const said = whole.map(call => ({ name: call.name, arguments: readArguments(call.argumentsText) }))
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

/** Return the cached tokens: fields of OpenAI and most others, DeepSeek, Moonshot, LiteLLM with Anthropic. */
const cachedIn = (usage: Fields): number =>
  countOf(fieldsOf(usage['prompt_tokens_details'])['cached_tokens']) ||
  countOf(usage['prompt_cache_hit_tokens']) ||
  countOf(usage['cached_tokens']) ||
  countOf(usage['cache_read_input_tokens'])

/** Values that mean no finish reason. */
const NO_REASON = new Set(['', 'null', 'none', 'nil', 'undefined'])

function reasonIn(choice: Fields): string | undefined {
  const reason = choice['finish_reason'] ?? choice['finishReason']
  if (typeof reason !== 'string' || NO_REASON.has(reason.trim().toLowerCase())) return undefined
  return reason
}

function fragmentsOf(delta: Fields): Fields[] {
  const calls = delta['tool_calls']
  return isRecord(calls) ? [calls] : listOf(calls)
}
