import type { Usage } from '../../../shared/contract/chats/messages.ts'
import { newId } from '../../lib/ids.ts'
import { gatherAnswer, openAiProblem, streamEvent, type Dialect, type Gathered } from './dialect.ts'
import { readChat, type ChatAsked } from './read-chat.ts'

const REASONS = { end: 'stop', stop_word: 'stop', length: 'length', calls: 'tool_calls' } as const

const usageOf = ({ promptTokens, outputTokens, reusedTokens }: Usage) => ({
  prompt_tokens: promptTokens,
  completion_tokens: outputTokens,
  total_tokens: promptTokens + outputTokens,
  prompt_tokens_details: { cached_tokens: reusedTokens },
})

const callsOf = ({ calls }: Gathered) =>
  calls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(given) },
  }))

/** `/v1/chat/completions` of OpenAI, with the common extension `reasoning_content`. */
export const chatDialect: Dialect<ChatAsked> = {
  read: readChat,
  problem: openAiProblem,
  writer({ includeUsage }, model, at) {
    const id = newId('chatcmpl')
    const created = Math.floor(at / 1000)
    const { answer, hear } = gatherAnswer()
    const chunk = (delta: object, finish: string | null = null) =>
      streamEvent({
        id,
        object: 'chat.completion.chunk',
        created,
        model,
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
        ...(includeUsage && { usage: null }),
      })
    return {
      open: () => chunk({ role: 'assistant', content: '' }),
      write(event) {
        hear(event)
        switch (event.type) {
          case 'text':
            return chunk({ content: event.text })
          case 'reasoning':
            return chunk({ reasoning_content: event.text })
          case 'call':
            return chunk({ tool_calls: [{ index: answer.calls.length - 1, ...callsOf(answer).at(-1) }] })
          case 'end': {
            const usage = usageOf(event.usage)
            const last = { id, object: 'chat.completion.chunk', created, model, choices: [], usage }
            return (
              chunk({}, REASONS[event.stop]) + (includeUsage ? streamEvent(last) : '') + streamEvent('[DONE]')
            )
          }
          case 'failed':
            return streamEvent(openAiProblem(event.problem))
          case 'thought':
          case 'waiting':
            return ''
        }
      },
      whole: () => ({
        id,
        object: 'chat.completion',
        created,
        model,
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              content: answer.text === '' && answer.calls.length > 0 ? null : answer.text,
              refusal: null,
              ...(answer.reasoning !== '' && { reasoning_content: answer.reasoning }),
              ...(answer.calls.length > 0 && { tool_calls: callsOf(answer) }),
            },
            logprobs: null,
            finish_reason: REASONS[answer.end?.stop ?? 'end'],
          },
        ],
        ...(answer.end && { usage: usageOf(answer.end.usage) }),
      }),
    }
  },
}
