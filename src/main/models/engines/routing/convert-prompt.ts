import { callConstraint } from '../../dialects/grammar/call-constraint.ts'
import { presentTools } from '../../dialects/present.ts'
import { dialects, fallbackDialect } from '../../dialects/table.ts'
import { writeCalls } from '../../dialects/write-calls.ts'
import type { LlmEngine, ModelProfile, Prompt, WireMessage } from '../engine.ts'

/** What must be left for an answer, in tokens. */
const ROOM = 512

/** Windows up to here are told of tools in lines. */
const SMALL_WINDOW = 8_192

/** Whether a prompt that was made for another model leaves this one room to answer. */
export function holds(engine: LlmEngine, profile: ModelProfile, prompt: Prompt): boolean {
  const { messages, tools } = prompt
  const said = JSON.stringify([messages.map(message => [message.text, message.calls]), tools])
  return engine.count(said) + ROOM <= profile.contextTokens
}

/**
 * A prompt that was made for another model, as this one takes it. Tools that travel as data become text for a model that
 * takes none; a prompt in text is one for every model, but for the tokens and the grammar of its own.
 */
export function suit(prompt: Prompt, profile: ModelProfile, asText: boolean): Prompt {
  const { constraints: _, begin: __, ...rest } = prompt
  const asData = prompt.tools.length > 0 || prompt.messages.some(message => message.callId !== undefined)
  if (!asData) return { ...rest, messages: prompt.messages.map(plain) }
  if (profile.strategy === 'structured' && !asText) return rest
  return toText(rest, profile)
}

function toText(
  prompt: Prompt,
  { dialect: id = fallbackDialect, toolRole = false, contextTokens }: ModelProfile,
): Prompt {
  const dialect = dialects[id]
  const { tools } = prompt
  const edition = contextTokens <= SMALL_WINDOW ? 'compact' : 'full'
  const section = presentTools(dialect, tools, edition, toolRole)
  const names = new Map(
    prompt.messages.flatMap(({ calls = [] }) => calls.map(call => [call.id, call.name] as const)),
  )

  function messageOf({ role, text, calls = [], callId, name }: WireMessage): WireMessage {
    if (role === 'assistant' && calls.length > 0) {
      const words = text === '' ? '' : `${text}\n`
      const { text: written, markup } = writeCalls(dialect, calls)
      return { role, text: words + written, markup: moved(markup, words.length) }
    }
    if (role !== 'tool') return { role, text, markup: [] }
    const tool = name ?? names.get(callId ?? '') ?? 'tool'
    return toolRole
      ? { role, name: tool, text, markup: [] }
      : { role: 'user', text: `[Tool Result: ${tool}] ${text}`, markup: [] }
  }

  const [first, ...others] = prompt.messages.map(messageOf)
  const system: WireMessage[] = []
  if (first?.role === 'system' && section.text !== '') {
    const before = `${first.text}\n\n`
    system.push({ role: 'system', text: before + section.text, markup: moved(section.markup, before.length) })
  } else if (first) system.push(first)
  const constraint = tools.length > 0 ? callConstraint(dialect, tools) : undefined
  const messages = joined([...system, ...others])
  return { ...prompt, messages, tools: [], ...(constraint && { constraints: [constraint] }) }
}

const moved = (markup: readonly (readonly [number, number])[], by: number) =>
  markup.map(([from, to]): [number, number] => [from + by, to + by])

/** Results that are messages of the user stand side by side, and many templates want roles to take turns. */
function joined(messages: readonly WireMessage[]): WireMessage[] {
  const all: WireMessage[] = []
  for (const message of messages) {
    const last = all.at(-1)
    if (last?.role === 'user' && message.role === 'user')
      all[all.length - 1] = { ...last, text: `${last.text}\n\n${message.text}` }
    else all.push(message)
  }
  return all
}

/** Without what only the engine that it was made for understands. */
const plain = ({ generated: _generated, ...message }: WireMessage): WireMessage => ({
  ...message,
  markup: [],
})
