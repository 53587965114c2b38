import type { ToolCall, Usage } from '../../../shared/contract/chats/messages.ts'
import { newId } from '../../lib/ids.ts'
import type { ApiProblem } from '../api-request.ts'
import { gatherAnswer, openAiProblem, streamEvent, type Dialect } from './dialect.ts'
import { readResponses, type ResponsesAsked } from './read-responses.ts'

const usageOf = ({ promptTokens, outputTokens, reusedTokens }: Usage) => ({
  input_tokens: promptTokens,
  input_tokens_details: { cached_tokens: reusedTokens, cache_write_tokens: 0 },
  output_tokens: outputTokens,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: promptTokens + outputTokens,
})

type Item = { type: string; id: string; [field: string]: unknown }

/** Return the text of all messages of an answer. */
const textOf = (output: readonly Item[]) =>
  output
    .flatMap(({ type, content }) => (type === 'message' ? (content as { text: string }[]) : []))
    .map(({ text }) => text)
    .join('')

const textPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })
const messageItem = (id: string, text: string): Item => ({
  type: 'message',
  id,
  role: 'assistant',
  status: 'completed',
  content: [textPart(text)],
})
const thoughtItem = (id: string, text: string): Item => ({
  type: 'reasoning',
  id,
  summary: [],
  content: [{ type: 'reasoning_text', text }],
})
const callItem = ({ id, name, arguments: given }: ToolCall): Item => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name,
  arguments: JSON.stringify(given),
  status: 'completed',
})

/** `/v1/responses` of OpenAI. Nothing is stored: each request carries the whole conversation. */
export const responsesDialect: Dialect<ResponsesAsked> = {
  read: readResponses,
  problem: openAiProblem,
  writer(request, model, at) {
    const id = newId('resp')
    const { answer, hear } = gatherAnswer()
    const done: Item[] = []
    let open: { kind: 'text' | 'reasoning'; id: string; text: string } | undefined
    let count = 0
    const send = (type: string, data: object) => {
      const written = streamEvent({ type, sequence_number: count, ...data }, type)
      count += 1
      return written
    }
    const response = (status: string, output: readonly Item[], more: object = {}) => ({
      id,
      object: 'response',
      created_at: Math.floor(at / 1000),
      status,
      model,
      output,
      output_text: textOf(output),
      error: null,
      incomplete_details: null,
      instructions: request.system === '' ? null : request.system,
      access_programs: null,
      background: false,
      previous_response_id: null,
      ...request.echo,
      ...more,
    })
    const finished = (output: readonly Item[]) => {
      const { end } = answer
      const isCut = end?.stop === 'length'
      return response(isCut ? 'incomplete' : 'completed', output, {
        ...(isCut && { incomplete_details: { reason: 'max_output_tokens' } }),
        ...(end && { usage: usageOf(end.usage) }),
      })
    }
    const place = () => ({ item_id: open?.id, output_index: done.length, content_index: 0 })

    function close(): string {
      if (!open) return ''
      const { kind, id: itemId, text } = open
      const item = kind === 'text' ? messageItem(itemId, text) : thoughtItem(itemId, text)
      const part = kind === 'text' ? textPart(text) : { type: 'reasoning_text', text }
      const name = kind === 'text' ? 'output_text' : 'reasoning_text'
      const written =
        send(`response.${name}.done`, { ...place(), text, ...(kind === 'text' && { logprobs: [] }) }) +
        send('response.content_part.done', { ...place(), part }) +
        send('response.output_item.done', { output_index: done.length, item })
      done.push(item)
      open = undefined
      return written
    }
    function begin(kind: 'text' | 'reasoning'): string {
      if (open?.kind === kind) return ''
      const closed = close()
      const itemId = newId(kind === 'text' ? 'msg' : 'rs')
      open = { kind, id: itemId, text: '' }
      const item =
        kind === 'text'
          ? { ...messageItem(itemId, ''), status: 'in_progress', content: [] }
          : { ...thoughtItem(itemId, ''), content: [] }
      const part = kind === 'text' ? textPart('') : { type: 'reasoning_text', text: '' }
      return (
        closed +
        send('response.output_item.added', { output_index: done.length, item }) +
        send('response.content_part.added', { ...place(), part })
      )
    }
    function add(kind: 'text' | 'reasoning', text: string): string {
      const begun = begin(kind)
      if (open) open.text += text
      const name = kind === 'text' ? 'output_text' : 'reasoning_text'
      return (
        begun +
        send(`response.${name}.delta`, { ...place(), delta: text, ...(kind === 'text' && { logprobs: [] }) })
      )
    }
    function addCall(call: ToolCall): string {
      const item = callItem(call)
      const where = { item_id: item.id, output_index: done.length }
      done.push(item)
      return (
        send('response.output_item.added', {
          output_index: where.output_index,
          item: { ...item, arguments: '', status: 'in_progress' },
        }) +
        send('response.function_call_arguments.delta', { ...where, delta: item['arguments'] }) +
        send('response.function_call_arguments.done', {
          ...where,
          arguments: item['arguments'],
        }) +
        send('response.output_item.done', { output_index: where.output_index, item })
      )
    }
    const fail = (problem: ApiProblem) =>
      send('response.failed', {
        response: response('failed', done, { error: { code: 'server_error', message: problem.message } }),
      })

    return {
      open: () =>
        send('response.created', { response: response('in_progress', []) }) +
        send('response.in_progress', { response: response('in_progress', []) }),
      write(step) {
        hear(step)
        if (step.type === 'text' || step.type === 'reasoning') return add(step.type, step.text)
        if (step.type === 'call') return close() + addCall(step.call)
        if (step.type === 'failed') return close() + fail(step.problem)
        if (step.type !== 'end') return ''
        const closed = close()
        const whole = finished(done)
        return closed + send(`response.${whole.status}`, { response: whole })
      },
      whole: () =>
        finished([
          ...(answer.reasoning === '' ? [] : [thoughtItem(newId('rs'), answer.reasoning)]),
          ...(answer.text === '' ? [] : [messageItem(newId('msg'), answer.text)]),
          ...answer.calls.map(callItem),
        ]),
    }
  },
}
