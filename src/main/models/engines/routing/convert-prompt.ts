import { callConstraint } from '../../formats/grammar/constraint.ts'
import { writeToolsSection } from '../../formats/tools-section.ts'
import { formats, fallbackFormat } from '../../formats/format-table.ts'
import { writeCalls } from '../../formats/write-calls.ts'
import type { LlmEngine, ModelProfile, Prompt, WireMessage } from '../../engine.ts'

/** Tokens to reserve for the answer. */
const ROOM = 512

/** Context windows up to this size get the compact tool list. */
const SMALL_WINDOW = 8_192

/** Whether a prompt written for another model leaves this model enough room to answer. */
export function fitsContext(engine: LlmEngine, profile: ModelProfile, prompt: Prompt): boolean {
  const { messages, tools } = prompt
  const said = JSON.stringify([messages.map(message => [message.text, message.calls]), tools])
  return engine.count(said) + ROOM <= profile.contextTokens
}

/**
 * Convert a prompt that was written for another model. Structured tools become text for a model that does not accept
 * them. A prompt in text suits every model once the fields of the other engine are removed.
 */
export function convertPrompt(prompt: Prompt, profile: ModelProfile, asText: boolean): Prompt {
  const { constraints: _, begin: __, ...rest } = prompt
  const asData = prompt.tools.length > 0 || prompt.messages.some(message => message.callId !== undefined)
  if (!asData) return { ...rest, messages: prompt.messages.map(withoutEngineFields) }
  if (profile.strategy === 'structured' && !asText) return rest
  return toText(rest, profile)
}

function toText(
  prompt: Prompt,
  { format: id = fallbackFormat, toolRole = false, contextTokens }: ModelProfile,
): Prompt {
  const format = formats[id]
  const { tools } = prompt
  const edition = contextTokens <= SMALL_WINDOW ? 'compact' : 'full'
  const section = writeToolsSection(format, tools, edition, toolRole)
  const names = new Map(
    prompt.messages.flatMap(({ calls = [] }) => calls.map(call => [call.id, call.name] as const)),
  )

  function messageOf({ role, text, calls = [], callId, name }: WireMessage): WireMessage {
    if (role === 'assistant' && calls.length > 0) {
      const words = text === '' ? '' : `${text}\n`
      const { text: written, markup } = writeCalls(format, calls)
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
  const constraint = tools.length > 0 ? callConstraint(format, tools) : undefined
  const messages = joined([...system, ...others])
  return { ...prompt, messages, tools: [], ...(constraint && { constraints: [constraint] }) }
}

const moved = (markup: readonly (readonly [number, number])[], by: number) =>
  markup.map(([from, to]): [number, number] => [from + by, to + by])

/** Join consecutive user messages, as tool results produce them: many templates require alternating roles. */
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

/** The message without fields that only the other engine understands. */
const withoutEngineFields = ({ generated: _generated, ...message }: WireMessage): WireMessage => ({
  ...message,
  markup: [],
})
