import type { LearningEvent } from '../../../shared/contract/learning.ts'
import { redactIn, redactText } from '../../lib/redact.ts'
import { isOwnTool, withoutOwnText } from './own-text.ts'
import type { SpoolEvent } from './spool-line.ts'

/**
 * An event as it may be stored: without keys and passwords, and without what we ourselves put before the model. Undefined when
 * nothing else is in it: a call of one of our own tools, or a message that is only our section.
 */
export function cleanEvent({ event, folder, model, ...rest }: SpoolEvent): SpoolEvent | undefined {
  if (event.type === 'tool_result' && isOwnTool(event.name)) return undefined
  const { type, session, at, ...given } = event
  // An id would name a message of one of our own chats.
  if ('id' in given) delete given.id
  const kept = withoutOwn(given)
  const wasEmptied = 'text' in given && given.text.trim() !== '' && (kept as typeof given).text.trim() === ''
  if (wasEmptied && type === 'user_message') return undefined
  return {
    ...rest,
    folder: redactText(folder),
    model: redactText(model),
    event: { ...redactIn(kept), type, session, at } as LearningEvent,
  }
}

/** The same for every string in a value. */
function withoutOwn<T>(value: T): T {
  if (typeof value === 'string') return withoutOwnText(value) as T
  if (Array.isArray(value)) return value.map(withoutOwn) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutOwn(each)])) as T
}
