import { createToolCallReader, type ReaderEvent } from '../../src/main/models/formats/reader/call-reader.ts'
import type { ToolShape } from '../../src/main/models/formats/reader/known-tools.ts'

const object = (properties: Record<string, object>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
})

/** Tools with every kind of parameter, and one with none. */
export const tools: ToolShape[] = [
  {
    name: 'open_file',
    parameters: object({ path: { type: 'string' }, line: { type: 'integer' } }, ['path']),
  },
  { name: 'clock', parameters: object({}) },
  { name: 'python', parameters: object({ code: { type: 'string' } }, ['code']) },
  {
    name: 'plan',
    parameters: object({
      title: { type: 'string' },
      steps: { type: 'array', items: { type: 'string' } },
      limits: { type: 'object', properties: { hours: { type: 'number' }, note: { type: 'string' } } },
      share: { type: 'number' },
      urgent: { type: 'boolean' },
      owner: { type: ['string', 'null'] },
    }),
  },
]

/** How a message is passed to the reader, and under which circumstances. */
export type Manner = { promptTail?: string; truncated?: boolean; chunks?: (text: string) => string[] }

/** All events for a message, with adjacent pieces of text joined; what turned out to be a thought is reasoning. */
export function eventsOf(
  text: string,
  { promptTail, truncated = false, chunks }: Manner = {},
): ReaderEvent[] {
  const reader = createToolCallReader({ tools, promptTail })
  const events = (chunks?.(text) ?? [text]).flatMap(chunk => reader.push(chunk))
  const joined: ReaderEvent[] = []
  for (const event of [...events, ...reader.end({ truncated })]) {
    const last = joined.at(-1)
    if (event.type === 'thought') joined.splice(0, joined.length, { type: 'reasoning', text: event.text })
    else if ('text' in event && last && 'text' in last && last.type === event.type) last.text += event.text
    else joined.push({ ...event })
  }
  return joined
}

/**
 * A message in short form: text as it is, reasoning in braces, calls as `[name, arguments]`, bad ones as their
 * reason.
 */
export function gist(text: string, manner?: Manner): unknown[] {
  return eventsOf(text, manner).map(event => {
    switch (event.type) {
      case 'text':
        return event.text
      case 'thought':
      case 'reasoning':
        return { thought: event.text }
      case 'call':
        return [event.name, event.arguments]
      case 'bad_call':
        return { refused: event.reason }
    }
  })
}

/** Every way to cut a text in two. */
export function everySplit(text: string): ((text: string) => string[])[] {
  return Array.from({ length: text.length + 1 }, (_, at) => whole => [whole.slice(0, at), whole.slice(at)])
}
