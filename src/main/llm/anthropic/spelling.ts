import { fieldsOf, listOf, type Fields } from '../remote/fields.ts'
import { events, type Spelling } from '../remote/plain-fetch.ts'

/** How messages are streamed. */
export const anthropicSpelling: Spelling = {
  error: (message, code) => events(['error', { type: 'error', error: { type: code, message } }]),
  whole(answer) {
    const { content, stop_reason: reason, usage } = fieldsOf(answer)
    if (!Array.isArray(content)) return undefined
    const named = (event: Fields & { type: string }): [string, Fields] => [event.type, event]
    return events(
      named({ type: 'message_start', message: { usage } }),
      ...listOf(content).map((block, index) =>
        named({ type: 'content_block_start', index, content_block: block }),
      ),
      named({ type: 'message_delta', delta: { stop_reason: reason ?? 'end_turn' }, usage }),
    )
  },
}
