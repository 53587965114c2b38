import { fieldsOf, listOf, textOf, type Fields } from '../../../lib/json-fields.ts'
import { writeEvents, type StreamFormat } from '../shared/sdk-fetch.ts'

/** The event stream of the Messages API. */
export const anthropicStream: StreamFormat = {
  error: (message, code) => problemEvent({ type: code, message }),
  whole(answer) {
    const { content, stop_reason: reason, usage } = fieldsOf(answer)
    if (!Array.isArray(content)) return undefined
    const named = (event: Fields & { type: string }): [string, Fields] => [event.type, event]
    return writeEvents(
      named({ type: 'message_start', message: { usage } }),
      ...listOf(content).map((block, index) =>
        named({ type: 'content_block_start', index, content_block: block }),
      ),
      named({ type: 'message_delta', delta: { stop_reason: reason ?? 'end_turn' }, usage }),
      named({ type: 'message_stop' }),
    )
  },
  event(value, name, raw) {
    // The SDK needs the name of an event, which gateways omit. The data contain the same type.
    const type = textOf(value['type']) || name || ''
    if (type === 'message') return anthropicStream.whole(value) ?? ''
    if (type === 'error' || value['error']) return problemEvent(value['error'] ?? value)
    return `event: ${type.replaceAll(/\s/g, ' ') || 'message'}\ndata: ${raw}\n\n`
  },
  end: () => writeEvents(['message_stop', { type: 'message_stop' }]),
  problem: problemEvent,
}

function problemEvent(error: unknown): string {
  return writeEvents(['error', { type: 'error', error: error || 'An error without a word.' }])
}
