import type { ContentBlockParam } from '@anthropic-ai/sdk/resources/messages'
import type { Usage } from '../../../shared/contract/messages.ts'
import type { CompletionEvent } from '../engine.ts'
import { estimateTokens } from '../estimate-tokens.ts'
import { countOf, fieldsOf, wordOf, type Fields } from '../remote/fields.ts'
import type { KeptThoughts } from '../remote/kept-thoughts.ts'
import { parsedArguments } from '../remote/parsed-arguments.ts'
import type { Protocol, Reader } from '../remote/remote-engine.ts'

/** A block while it comes in; of a call, `json` is what was written so far. */
type Block = { fields: Fields; json: string }

/** Reasons to stop that leave an answer cut. */
const CUT = new Set(['max_tokens', 'model_context_window_exceeded'])

/** Turn the events of one streamed message into completion events. What a complete reply thought is kept in `thoughts`. */
export function readEvents(
  { prompt, promptTokens, contextTokens }: Parameters<Protocol['read']>[0],
  thoughts: KeptThoughts,
): Reader {
  const startedAt = performance.now()
  const blocks = new Map<unknown, Block>()
  const usage: Fields = {}
  let firstAt: number | undefined
  let lastAt = startedAt
  let written = ''
  let finish: string | undefined

  function* say(type: 'text' | 'reasoning', text: string): Generator<CompletionEvent> {
    if (text === '') return
    hear(text)
    yield { type, text }
  }

  function hear(text: string) {
    lastAt = performance.now()
    firstAt ??= lastAt
    written += text
  }

  /** Later figures replace earlier ones; what they leave out stays. */
  function count(given: unknown) {
    for (const [name, value] of Object.entries(fieldsOf(given)))
      if (typeof value === 'number') usage[name] = value
  }

  function* take(event: unknown): Generator<CompletionEvent> {
    const { type, index, ...rest } = fieldsOf(event)
    const delta = fieldsOf(rest['delta'])
    switch (type) {
      case 'message_start':
        count(fieldsOf(rest['message'])['usage'])
        break
      case 'content_block_start': {
        const fields = { ...fieldsOf(rest['content_block']) }
        blocks.set(index, { fields, json: '' })
        if (fields['type'] === 'tool_use') hear(wordOf(fields['name']))
        yield* say('text', fields['type'] === 'text' ? wordOf(fields['text']) : '')
        yield* say('reasoning', fields['type'] === 'thinking' ? wordOf(fields['thinking']) : '')
        break
      }
      case 'content_block_delta': {
        const block = blocks.get(index)
        if (block) yield* grow(block, delta)
        break
      }
      case 'message_delta':
        count(rest['usage'])
        if (typeof delta['stop_reason'] === 'string') finish = delta['stop_reason']
    }
  }

  function* grow(block: Block, delta: Fields): Generator<CompletionEvent> {
    const { fields } = block
    const append = (name: string) => {
      const text = wordOf(delta[name])
      fields[name] = wordOf(fields[name]) + text
      return text
    }
    switch (delta['type']) {
      case 'text_delta':
        yield* say('text', append('text'))
        break
      case 'thinking_delta':
        yield* say('reasoning', append('thinking'))
        break
      case 'signature_delta':
        append('signature')
        break
      case 'input_json_delta':
        block.json += wordOf(delta['partial_json'])
        hear(wordOf(delta['partial_json']))
    }
  }

  /** Calls in order. One that was cut before its arguments began is left out: it must not run without them. */
  const callsOf = (all: readonly Block[], cut: boolean) =>
    all.flatMap(({ fields, json }) => {
      if (fields['type'] !== 'tool_use' || (cut && json.trim() === '')) return []
      // Some servers send the whole input at the beginning of the block.
      const argumentsText = json.trim() === '' ? JSON.stringify(fieldsOf(fields['input'])) : json
      return [{ id: wordOf(fields['id']), name: wordOf(fields['name']), argumentsText }]
    })

  function* end(): Generator<CompletionEvent> {
    const cut = CUT.has(finish ?? '')
    const all = [...blocks.values()]
    const calls = callsOf(all, cut)
    if (!cut) keep(all, calls)
    for (const call of calls) yield { type: 'call', ...call }
    yield { type: 'done', stop: cut ? 'length' : 'end', usage: usageNow() }
  }

  function keep(all: readonly Block[], calls: ReturnType<typeof callsOf>) {
    const reply = all.flatMap(keptBlock)
    if (!reply.some(block => block.type === 'thinking' || block.type === 'redacted_thinking')) return
    const text = reply.map(block => (block.type === 'text' ? block.text : '')).join('')
    if (text.trim() === '' && calls.length === 0) return
    const made = calls.map(call => ({ name: call.name, arguments: parsedArguments(call.argumentsText) }))
    thoughts.keep(prompt.sessionId, { text, calls: made }, reply)
  }

  function usageNow(): Usage {
    const reused = countOf(usage['cache_read_input_tokens'])
    const fresh = countOf(usage['input_tokens']) + countOf(usage['cache_creation_input_tokens'])
    const output = countOf(usage['output_tokens']) || estimateTokens(written)
    const seconds = (lastAt - (firstAt ?? lastAt)) / 1000
    return {
      promptTokens: reused + fresh || promptTokens,
      reusedTokens: reused,
      evaluatedTokens: fresh,
      outputTokens: output,
      contextTokens,
      firstTokenMs: (firstAt ?? lastAt) - startedAt,
      prefillPerSecond: 0,
      tokensPerSecond: seconds > 0 && output > 1 ? (output - 1) / seconds : 0,
    }
  }

  return { take, finish: () => finish, hasSaid: () => firstAt !== undefined, end }
}

/** A block in the form in which it goes back; empty ones and those that nobody asked for do not. */
function keptBlock({ fields, json }: Block): ContentBlockParam[] {
  const [text, thinking, signature] = ['text', 'thinking', 'signature'].map(name => wordOf(fields[name]))
  switch (fields['type']) {
    case 'text':
      return text?.trim() ? [{ type: 'text', text }] : []
    case 'thinking':
      return signature ? [{ type: 'thinking', thinking: thinking ?? '', signature }] : []
    case 'redacted_thinking':
      return [{ type: 'redacted_thinking', data: wordOf(fields['data']) }]
    case 'tool_use': {
      const input = json.trim() === '' ? fieldsOf(fields['input']) : parsedArguments(json)
      return [{ type: 'tool_use', id: wordOf(fields['id']), name: wordOf(fields['name']), input }]
    }
    default:
      return []
  }
}
