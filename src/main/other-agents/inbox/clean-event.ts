import type { LearningEvent } from '../../../shared/contract/learned/learning.ts'
import { redactIn, redactText } from '../../untrusted/redact.ts'
import type { SpoolEvent } from './spool-line.ts'

/** The frame in which scripts inside other programs put what they give of the memory before a model. */
const OWN_FRAME = 'talaria_memory'

/** The frame with what is in it; one without an end, which was cut, reaches to the end of the text. */
const FRAMED = new RegExp(`<${OWN_FRAME}\\b[^>]{0,200}>[\\s\\S]*?(?:</${OWN_FRAME}\\s{0,20}>|$)`, 'gi')

/** A text without what we ourselves put before the model: what is learned must be the user's, not our own echo. @internal */
export const withoutOwnText = (text: string): string =>
  text.includes('<') ? text.replaceAll(FRAMED, '') : text

/**
 * Whether a tool is one of our MCP server, as other programs call it: `mcp__talaria__memory_search`,
 * `mcp__plugin_talaria_talaria__skill_list`, `talaria_memory_search`.
 * @internal
 */
export const isOwnTool = (name: string): boolean =>
  /(?:^|[^A-Za-z0-9])talaria(?:__?|[.:/-])[A-Za-z]/i.test(name)

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
