import type { Usage } from '../../../shared/contract/chats/messages.ts'
import { newId } from '../../lib/ids.ts'
import type { ApiProblem } from '../api-request.ts'
import { gatherAnswer, streamEvent, type Dialect } from './dialect.ts'
import { readMessages } from './read-messages.ts'

const REASONS = {
  end: 'end_turn',
  stop_word: 'stop_sequence',
  length: 'max_tokens',
  calls: 'tool_use',
} as const

/** Convert the usage. Anthropic counts cached tokens separately. */
const usageOf = (usage: Usage | undefined) => ({
  input_tokens: usage ? usage.promptTokens - usage.reusedTokens : 0,
  cache_read_input_tokens: usage?.reusedTokens ?? 0,
  cache_creation_input_tokens: 0,
  output_tokens: usage?.outputTokens ?? 0,
  output_tokens_details: null,
  server_tool_use: null,
})
/** Usage fields that only occur in whole messages. */
const NO_USAGE = { cache_creation: null, inference_geo: null, service_tier: null, speed: null }

const kindOf = (status: number) =>
  status === 401
    ? 'authentication_error'
    : status === 403
      ? 'permission_error'
      : status === 404
        ? 'not_found_error'
        : status === 413
          ? 'request_too_large'
          : status === 429
            ? 'rate_limit_error'
            : status < 500
              ? 'invalid_request_error'
              : status === 503
                ? 'overloaded_error'
                : 'api_error'

/** Format a problem as Anthropic does. */
export const anthropicProblem = ({ status, message, field }: ApiProblem, requestId?: string) => ({
  type: 'error',
  request_id: requestId ?? null,
  error: {
    type: kindOf(status),
    message: field === null || message.includes(field) ? message : `${field}: ${message}`,
  },
})

const event = (data: { type: string; [field: string]: unknown }) => streamEvent(data, data.type)

/** Anthropic’s `/v1/messages`. */
export const messagesDialect: Dialect = {
  read: readMessages,
  problem: anthropicProblem,
  writer(_request, model) {
    const id = newId('msg')
    const { answer, hear } = gatherAnswer()
    const message = {
      id,
      type: 'message',
      role: 'assistant',
      model,
      container: null,
      diagnostics: null,
      stop_details: null,
      stop_reason: null,
      stop_sequence: null,
    }
    let index = -1
    let open: 'text' | 'thinking' | undefined

    const close = () => {
      const written = open === undefined ? '' : event({ type: 'content_block_stop', index })
      open = undefined
      return written
    }
    const begin = (kind: 'text' | 'thinking', block: object) => {
      if (open === kind) return ''
      const written = close()
      index += 1
      open = kind
      return written + event({ type: 'content_block_start', index, content_block: block })
    }
    const delta = (given: object) => event({ type: 'content_block_delta', index, delta: given })

    return {
      open: () =>
        event({
          type: 'message_start',
          message: { ...message, content: [], usage: { ...usageOf(undefined), ...NO_USAGE } },
        }),
      write(step) {
        hear(step)
        switch (step.type) {
          case 'text':
            return (
              begin('text', { type: 'text', text: '', citations: null }) +
              delta({ type: 'text_delta', text: step.text })
            )
          case 'reasoning':
            return (
              begin('thinking', { type: 'thinking', thinking: '', signature: '' }) +
              delta({ type: 'thinking_delta', thinking: step.text })
            )
          case 'call': {
            const { id: callId, name, arguments: given } = step.call
            const closed = close()
            index += 1
            const block = { type: 'tool_use', id: callId, name, input: {}, caller: { type: 'direct' } }
            return (
              closed +
              event({ type: 'content_block_start', index, content_block: block }) +
              delta({ type: 'input_json_delta', partial_json: JSON.stringify(given) }) +
              event({ type: 'content_block_stop', index })
            )
          }
          case 'end':
            return (
              close() +
              event({
                type: 'message_delta',
                delta: {
                  container: null,
                  stop_details: null,
                  stop_reason: REASONS[step.stop],
                  stop_sequence: step.stopWord ?? null,
                },
                usage: usageOf(step.usage),
              }) +
              event({ type: 'message_stop' })
            )
          case 'failed':
            return streamEvent(anthropicProblem(step.problem), 'error')
          case 'waiting':
            return event({ type: 'ping' })
          case 'thought':
            return ''
        }
      },
      whole: () => ({
        ...message,
        content: [
          ...(answer.reasoning === ''
            ? []
            : [{ type: 'thinking', thinking: answer.reasoning, signature: '' }]),
          ...(answer.text === '' ? [] : [{ type: 'text', text: answer.text, citations: null }]),
          ...answer.calls.map(({ id: callId, name, arguments: input }) => ({
            type: 'tool_use',
            id: callId,
            name,
            input,
            caller: { type: 'direct' },
          })),
        ],
        stop_reason: REASONS[answer.end?.stop ?? 'end'],
        stop_sequence: answer.end?.stopWord ?? null,
        usage: { ...usageOf(answer.end?.usage), ...NO_USAGE },
      }),
    }
  },
}
