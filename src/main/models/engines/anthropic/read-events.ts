import type { ContentBlockParam } from '@anthropic-ai/sdk/resources/messages'
import type { Usage } from '../../../../shared/contract/chats/messages.ts'
import type { CompletionEvent } from '../../interface/engine.ts'
import { estimateTokens } from '../../../../shared/text/estimate-tokens.ts'
import { countOf, fieldsOf, listOf, textOf, type Fields } from '../../../lib/json-fields.ts'
import type { KeptThoughts } from '../shared/kept-thoughts.ts'
import type { Protocol, Reader } from '../shared/remote-engine.ts'
import { nameWritten, readArguments } from '../shared/read-arguments.ts'

/** A block being received. For a tool call, `json` holds the arguments so far. */
type Block = { fields: Fields; json: string }

/** Stop reasons that mean the answer was cut off. */
const CUT = new Set(['max_tokens', 'model_context_window_exceeded'])

/**
 * Convert the events of one streamed message into completion events. The thinking blocks of a complete reply
 * are stored in `thoughts`.
 */
export function readEvents(
  { prompt, promptTokens, contextTokens }: Parameters<Protocol['read']>[0],
  thoughts: KeptThoughts,
): Reader {
  const startedAt = performance.now()
  /** All blocks in order, and the newest block of each index: some servers reuse one index for all. */
  const all: Block[] = []
  const blocks = new Map<unknown, Block>()
  const usage: Fields = {}
  let firstAt: number | undefined
  let lastAt = startedAt
  let written = ''
  let finish: string | undefined
  let isEnded = false

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

  /** Merge new figures. They replace earlier ones, but a missing figure leaves the earlier one in place. */
  function count(given: unknown) {
    for (const [name, value] of Object.entries(fieldsOf(given)))
      if (typeof value === 'number') usage[name] = value
  }

  function* take(event: unknown): Generator<CompletionEvent> {
    const { type, index, ...rest } = fieldsOf(event)
    const delta = fieldsOf(rest['delta'])
    switch (type) {
      case 'message_start': {
        const message = fieldsOf(rest['message'])
        count(message['usage'])
        for (const block of listOf(message['content'])) yield* start(undefined, block)
        break
      }
      case 'content_block_start':
        yield* start(index, fieldsOf(rest['content_block']))
        break
      case 'content_block_delta': {
        const kind = kindOf(delta)
        if (kind) yield* grow(blockFor(index, kind), { ...delta, type: kind })
        break
      }
      case 'message_delta':
        count(rest['usage'])
        finish = reasonIn(delta) ?? finish
        break
      case 'message_stop':
        count(fieldsOf(rest['message'])['usage'])
        isEnded = true
    }
  }

  function* start(index: unknown, given: Fields): Generator<CompletionEvent> {
    const fields = open(index, given).fields
    if (fields['type'] === 'tool_use') hear(textOf(fields['name']))
    yield* say('text', fields['type'] === 'text' ? textOf(fields['text']) : '')
    yield* say('reasoning', fields['type'] === 'thinking' ? textOf(fields['thinking']) : '')
  }

  function open(index: unknown, given: Fields): Block {
    const block = { fields: { ...given }, json: '' }
    all.push(block)
    blocks.set(index, block)
    return block
  }

  /** Return the block that a delta continues, or open one if its start is missing or has another kind. */
  function blockFor(index: unknown, kind: string): Block {
    const known = blocks.get(index) ?? (index === undefined ? all.at(-1) : undefined)
    const type = GROWS[kind]
    if (known && known.fields['type'] === type) return known
    // The delta may belong to the last block although the index differs.
    const last = all.at(-1)
    if (!known && last && type === 'tool_use' && last.fields['type'] === type && last.json === '') return last
    return open(index, { type })
  }

  function* grow(block: Block, delta: Fields): Generator<CompletionEvent> {
    const { fields } = block
    const append = (name: string) => {
      const text = textOf(delta[name])
      fields[name] = textOf(fields[name]) + text
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
        block.json += textOf(delta['partial_json'])
        hear(textOf(delta['partial_json']))
    }
  }

  /** Return the calls in order. A call that was cut off before its arguments is dropped: it must not run. */
  const callsOf = (cut: boolean) =>
    all.flatMap(({ fields, json }) => {
      if (fields['type'] !== 'tool_use' || (cut && json.trim() === '')) return []
      // Some servers send the whole input at the start of the block.
      const argumentsText = json.trim() === '' ? JSON.stringify(fieldsOf(fields['input'])) : json
      const name = nameWritten(textOf(fields['name']), prompt.tools)
      return [{ id: textOf(fields['id']), name, argumentsText }]
    })

  function* end(): Generator<CompletionEvent> {
    const cut = CUT.has(finish ?? '')
    const calls = callsOf(cut)
    if (!cut) keep(calls)
    for (const call of calls) yield { type: 'call', ...call }
    yield { type: 'done', stop: cut ? 'length' : 'end', usage: usageNow() }
  }

  function keep(calls: ReturnType<typeof callsOf>) {
    const reply = all.flatMap(keptBlock)
    if (!reply.some(block => block.type === 'thinking' || block.type === 'redacted_thinking')) return
    const text = reply.map(block => (block.type === 'text' ? block.text : '')).join('')
    if (text.trim() === '' && calls.length === 0) return
    const made = calls.map(call => ({ name: call.name, arguments: readArguments(call.argumentsText) }))
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

  return {
    take,
    // Some servers only mark the end. A stream that ends without any text is not an answer.
    finish: () => finish ?? (isEnded && firstAt !== undefined ? '' : undefined),
    hasSaid: () => firstAt !== undefined,
    length: () => written.length,
    cut() {
      finish = 'max_tokens'
    },
    end,
  }
}

/** The kinds of deltas, with the kind of block that each continues. */
const GROWS: Record<string, string> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'thinking',
  input_json_delta: 'tool_use',
}

/** Return the kind of a delta; undefined if it is unknown. */
function kindOf(delta: Fields): string | undefined {
  const kind = textOf(delta['type'])
  if (kind !== '') return kind in GROWS ? kind : undefined
  const fields = { text: 'text_delta', thinking: 'thinking_delta', partial_json: 'input_json_delta' }
  return Object.entries(fields).find(([field]) => textOf(delta[field]) !== '')?.[1]
}

function reasonIn(delta: Fields): string | undefined {
  const reason = textOf(delta['stop_reason'])
  return /^(null|none|nil|undefined)?$/i.test(reason.trim()) ? undefined : reason
}

/** Convert a block to the form in which it is sent back. Drops empty blocks and blocks of other kinds. */
function keptBlock({ fields, json }: Block): ContentBlockParam[] {
  const [text, thinking, signature] = ['text', 'thinking', 'signature'].map(name => textOf(fields[name]))
  switch (fields['type']) {
    case 'text':
      return text?.trim() ? [{ type: 'text', text }] : []
    case 'thinking':
      return signature ? [{ type: 'thinking', thinking: thinking ?? '', signature }] : []
    case 'redacted_thinking':
      return [{ type: 'redacted_thinking', data: textOf(fields['data']) }]
    case 'tool_use': {
      const input = json.trim() === '' ? fieldsOf(fields['input']) : readArguments(json)
      return [{ type: 'tool_use', id: textOf(fields['id']), name: textOf(fields['name']), input }]
    }
    default:
      return []
  }
}
