import { newId } from '../../lib/ids.ts'
import type { ReaderEvent } from '../../toolcalls/reader.ts'
import type { ReplyEvent } from './strategy.ts'

/** What the reader found in a text, as an event of the reply; calls get the ids that pair them with their results. */
export function replyOf(event: ReaderEvent): ReplyEvent {
  switch (event.type) {
    case 'text':
    case 'reasoning':
      return event
    case 'call':
      return { type: 'call', call: { id: newId('call'), name: event.name, arguments: event.arguments } }
    case 'bad_call':
      return {
        type: 'bad_call',
        call: { id: newId('call'), name: event.name ?? 'unknown', arguments: {} },
        reason: event.reason,
      }
  }
}
