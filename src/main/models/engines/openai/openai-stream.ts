import { fieldsOf, isRecord, listOf, textOf, type Fields } from '../../../lib/json-fields.ts'
import { writeEvents, type StreamFormat } from '../shared/sdk-fetch.ts'

/** The `object` of the chunk that replaces `[DONE]`, which the SDK would not pass on. */
export const END_OF_STREAM = 'talaria.end'

/** The event stream of Chat Completions. */
export const openAiStream: StreamFormat = {
  error: (message, code) => writeEvents([undefined, { error: { message, code } }]),
  whole(answer) {
    const { choices } = fieldsOf(answer)
    if (!Array.isArray(choices)) return undefined
    const deltas = listOf(choices).map(choice => ({ ...choice, delta: choice['message'] ?? choice['delta'] }))
    // An answer that arrived whole has ended, whatever its finish reason.
    return writeEvents(
      [undefined, { ...fieldsOf(answer), choices: deltas }],
      [undefined, { object: END_OF_STREAM, choices: [] }],
    )
  },
  event(value, name, raw) {
    if (value['error']) return writeEvents([undefined, { error: value['error'] }])
    const { message, done, done_reason: reason } = value
    if (typeof done === 'boolean' && isRecord(message)) return writeOllama(message, done, textOf(reason))
    if (name === 'error' || isProblem(value)) return writeEvents([undefined, { error: value }])
    return `data: ${raw}\n\n`
  },
  end: () => writeEvents([undefined, { object: END_OF_STREAM, choices: [] }]),
  problem: value => writeEvents([undefined, { error: value || 'An error without a word.' }]),
}

/** Convert one line of Ollama's own protocol, which some proxies pass on. */
function writeOllama(message: Fields, isDone: boolean, reason: string): string {
  const choice = { index: 0, delta: message, finish_reason: isDone ? reason || 'stop' : null }
  const chunk: [undefined, object] = [undefined, { choices: [choice] }]
  return isDone ? writeEvents(chunk, [undefined, { object: END_OF_STREAM, choices: [] }]) : writeEvents(chunk)
}

/** Whether an event without choices is a failure in a server's own form. The protocol has no such event. */
function isProblem(value: Fields): boolean {
  if (Array.isArray(value['choices'])) return false
  if (value['object'] === 'error' || Number(value['error_code'] ?? 0) > 0) return true
  if (textOf(value['detail']) !== '' || Array.isArray(value['errors'])) return true
  return textOf(value['message']) !== '' && ['code', 'type', 'status'].some(key => value[key] !== undefined)
}
