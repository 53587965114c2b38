import type { Message, ToolCall } from '../../../shared/contract/chats/messages.ts'

const MAX_LINE_CHARS = 160
/** How many characters to keep of the text beside a model's calls. */
const MAX_SAID_CHARS = 120

/** A step in words. Consecutive steps with the same verb share a line. */
type Step = { verb: string; rest: string }

/**
 * Write the steps of a turn as lines, oldest first, without a model: the text, and what each call did or why
 * it failed. A call is described by the title that the user saw while it ran.
 */
export function stepLines(messages: readonly Message[]): string[] {
  const calls = new Map<string, ToolCall>()
  const steps = messages.flatMap((message): Step[] => {
    if (message.role === 'user') return []
    if (message.role === 'assistant') {
      for (const call of message.calls) calls.set(call.id, call)
      const said = oneLine(message.text, MAX_SAID_CHARS)
      return said === '' ? [] : [{ verb: '', rest: `Said: ${said}` }]
    }
    const { ok, title, name, text, callId } = message
    const done = oneLine(title ?? `${name} ${shownArguments(calls.get(callId))}`, MAX_LINE_CHARS)
    if (!ok) return [{ verb: '', rest: oneLine(`${done} failed: ${reasonIn(text)}`, MAX_LINE_CHARS) }]
    const [verb = '', ...rest] = done.split(' ')
    return [rest.length === 0 ? { verb: '', rest: verb } : { verb, rest: rest.join(' ') }]
  })
  return joinAlike(steps)
}

/** “Create a.md” and “Create b.md” become “Create a.md, b.md”. */
function joinAlike(steps: readonly Step[]): string[] {
  const lines: { verb: string; text: string }[] = []
  for (const { verb, rest } of steps) {
    const last = lines.at(-1)
    const joined = last && verb !== '' && last.verb === verb ? `${last.text}, ${rest}` : undefined
    if (last && joined !== undefined && joined.length <= MAX_LINE_CHARS) last.text = joined
    else lines.push({ verb, text: `${verb} ${rest}`.trim() })
  }
  return lines.map(({ text }) => text)
}

const reasonIn = (text: string): string => text.replace(/^Error: /, '').split('\n', 1)[0]!

const shownArguments = (call: ToolCall | undefined): string =>
  call === undefined || Object.keys(call.arguments).length === 0 ? '' : JSON.stringify(call.arguments)

function oneLine(text: string, most: number): string {
  const line = text
    .slice(0, 10 * most)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`
}
