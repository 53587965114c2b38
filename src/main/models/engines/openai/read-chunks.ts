import { randomUUID } from 'node:crypto'
import type { Usage } from '../../../../shared/contract/messages.ts'
import type { CompletionEvent } from '../../engine.ts'
import { estimateTokens } from '../../estimate-tokens.ts'
import { countOf, fieldsOf, isRecord, listOf, type Fields, parseArguments } from '../shared/json-fields.ts'
import type { KeptThoughts } from '../shared/kept-thoughts.ts'
import type { Protocol, Reader } from '../shared/remote-engine.ts'
import { collectExtraFields } from './request-body.ts'

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

/** A fragment of a tool call as the server sent it; every part may be missing. */
export type CallFragment = {
  index?: number
  id?: string
  name?: string
  argumentsText?: string
  /** Further fields of the call, which are sent back with it. */
  extra?: Fields
}

/** A complete tool call; `argumentsText` is what the model wrote. */
export type AssembledCall = { id: string; name: string; argumentsText: string; extra: Fields }

type Slot = AssembledCall & { index: number | undefined }

/**
 * Join the fragments of the tool calls of one reply. The protocol pairs them by index, but some servers omit the
 * index or send 0 for every call (ollama/ollama issues 7881 and 15457). So ids, names and complete arguments also
 * mark where one call ends and the next starts.
 */
export function assembleCalls() {
  const slots: Slot[] = []

  return {
    add(fragment: CallFragment): void {
      const slot = slotOf(slots, fragment) ?? open(slots, fragment.index)
      if (fragment.id && slot.id === '') slot.id = fragment.id
      if (fragment.name) slot.name = joinName(slot, fragment.name)
      slot.argumentsText += fragment.argumentsText ?? ''
      Object.assign(slot.extra, fragment.extra)
    },
    /**
     * The calls in the order in which they started. A `cut` call without any arguments is dropped: it must not run
     * without them.
     */
    calls(cut: boolean): AssembledCall[] {
      const used = new Set<string>()
      return slots
        .filter(slot => slot.name !== '' || slot.argumentsText !== '')
        .filter(slot => !cut || slot.argumentsText.trim() !== '')
        .map(({ id, name, argumentsText, extra }) => {
          const unique = id === '' || used.has(id) ? newCallId() : id
          used.add(unique)
          const given = argumentsText.trim() === '' ? '{}' : argumentsText
          return { id: unique, name, argumentsText: given, extra }
        })
    },
  }
}

/** Nine letters and digits, the only form that every server accepts when the call is sent back in the history. */
const newCallId = () => randomUUID().replaceAll('-', '').slice(0, 9)

function open(slots: Slot[], index: number | undefined): Slot {
  const slot = { index, id: '', name: '', argumentsText: '', extra: {} }
  slots.push(slot)
  return slot
}

/** The call that a fragment continues; undefined when it starts a new one. */
function slotOf(slots: Slot[], { index, id, name }: CallFragment): Slot | undefined {
  const known = id
    ? slots.findLast(slot => slot.id === id && (index === undefined || slot.index === index))
    : undefined
  if (known) return known
  const last = index === undefined ? slots.at(-1) : slots.findLast(slot => slot.index === index)
  // Without a name it can only be a continuation, even if the server makes up a new id for every fragment.
  if (!last || !name) return last
  if (id && last.id !== '') return undefined
  if (last.name === '') return last
  return isComplete(last.argumentsText) || (index === undefined && last.name !== name) ? undefined : last
}

/** A name may arrive in pieces, be repeated in every fragment, or grow from fragment to fragment. */
function joinName(slot: Slot, name: string): string {
  if (name === slot.name || slot.argumentsText !== '') return slot.name || name
  return name.startsWith(slot.name) ? name : slot.name + name
}

function isComplete(argumentsText: string): boolean {
  try {
    JSON.parse(argumentsText)
    return true
  } catch {
    return false
  }
}
