import type { LearningEvent } from '../../../shared/contract/learned/learning.ts'
import { redactIn, redactText } from '../../untrusted/redact.ts'
import type { SpoolEvent } from './spool-line.ts'

/** The frame in which our scripts put memory before another program's model. */
const OWN_FRAME = 'talaria_memory'

/** The frame with its content. If the text was cut before its end, it reaches to the end of the text. */
const FRAMED = new RegExp(`<${OWN_FRAME}\\b[^>]{0,200}>[\\s\\S]*?(?:</${OWN_FRAME}\\s{0,20}>|$)`, 'gi')

/** Remove our own text from an event: learn only from the user, not from our own echo. @internal */
export const withoutOwnText = (text: string): string =>
  text.includes('<') ? text.replaceAll(FRAMED, '') : text

/**
 * Return whether a tool belongs to our MCP server, by its name in other programs:
 * `mcp__talaria__memory_search`, `mcp__plugin_talaria_talaria__skill_list`, `talaria_memory_search`.
 * @internal
 */
export const isOwnTool = (name: string): boolean =>
  /(?:^|[^A-Za-z0-9])talaria(?:__?|[.:/-])[A-Za-z]/i.test(name)

/**
 * Return an event that may be stored: without keys, passwords and our own text. Undefined if nothing else is
 * in it: a call of our own tool, or a message with only our section.
 */
export function cleanEvent({ event, folder, model, ...rest }: SpoolEvent): SpoolEvent | undefined {
  if (event.type === 'tool_result' && isOwnTool(event.name)) return undefined
  const { type, session, at, ...given } = event
  // An id would refer to a message in our own chats.
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

/** Clean every string in a value. */
function withoutOwn<T>(value: T): T {
  if (typeof value === 'string') return withoutOwnText(value) as T
  if (Array.isArray(value)) return value.map(withoutOwn) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutOwn(each)])) as T
}
