import type { AssistantMessage, Message } from '../../../shared/contract/chats/messages.ts'
import type { Format, Marked } from '../../models/formats/format-types.ts'
import { countCalls, type CallsSoFar } from '../../models/formats/call-ids.ts'
import { findMarks, learntMarks } from '../../models/formats/marked-text.ts'
import { callConstraints } from '../../models/formats/grammar/constraint.ts'
import { writeToolsSection, type Edition } from '../../models/formats/tools-section.ts'
import { formatOf, type ModelFormat } from '../../models/formats/format-table.ts'
import { writeReply } from '../../models/formats/write-calls.ts'
import type { CompletionEvent, Constraint, ToolSpec, WireMessage } from '../../models/interface/engine.ts'
import { createToolCallReader } from '../../models/formats/reader/call-reader.ts'
import {
  alternateRoles,
  moveMarks,
  picturesOf,
  userText,
  toReplyEvent,
  withInterjections,
  type ReplyEvent,
  type Strategy,
} from './strategy.ts'

/** How to present tools as text to a particular model. */
export type TextOptions = {
  format: ModelFormat
  /** Whether the chat template has a role for tool results; otherwise they are sent as user messages. */
  toolRole: boolean
  edition: Edition
  /**
   * The name under which this model's replies are stored. Replies of other models are rewritten in this
   * model's format. Without a name, every reply counts as the model's own.
   */
  model?: string
}

const made = new Map<string, Strategy>()

/** Tools as text, for local models and servers that reject `tools`. Equal options give the same object. */
export function createTextStrategy(options: TextOptions): Strategy {
  const { format, toolRole, edition, model } = options
  const key = JSON.stringify([format, toolRole, edition, model])
  const strategy = made.get(key) ?? build(options)
  made.set(key, strategy)
  return strategy
}

/** How many tool sections to keep cached with their marks. Each chat sends one of a few. */
const MAX_CACHED_SECTIONS = 16

function build({ format: id, toolRole, edition, model }: TextOptions): Strategy {
  const format = formatOf(id)
  const held = new WeakMap<readonly ToolSpec[], readonly Constraint[]>()
  let sections: Marked[] = []

  function present(tools: readonly ToolSpec[]): string {
    const section = writeToolsSection(format, tools, edition, toolRole)
    const others = sections.filter(each => each.text !== section.text)
    if (section.text !== '') sections = [section, ...others].slice(0, MAX_CACHED_SECTIONS)
    return section.text
  }

  function constrain(tools: readonly ToolSpec[]): readonly Constraint[] {
    const known = held.get(tools)
    if (known) return known
    const constraints = callConstraints(format, tools)
    held.set(tools, constraints)
    return constraints
  }

  /** The tool section is part of the system prompt, and the only part with marks. */
  function systemOf(text: string): WireMessage {
    const section = sections.find(each => text.includes(each.text))
    const markup = section ? moveMarks(section.markup, text.indexOf(section.text)) : []
    return { role: 'system', text, markup }
  }

  function messageOf(message: Message, current: boolean, calls: CallsSoFar, isNewest: boolean): WireMessage {
    switch (message.role) {
      case 'user':
        return { role: 'user', text: userText(message), ...picturesOf(message, isNewest) }
      case 'assistant':
        return assistantOf(message, current, calls)
      case 'tool':
        return toolRole
          ? {
              role: 'tool',
              name: message.name,
              text: message.text,
              ...calls.idOf(message.callId),
              ...picturesOf(message),
            }
          : { role: 'user', text: `[Tool Result: ${message.name}] ${message.text}`, ...picturesOf(message) }
    }
  }

  /** Send the exact text that this model wrote, if known, because its tokens are in the engine’s cache. */
  function assistantOf(message: AssistantMessage, current: boolean, before: CallsSoFar): WireMessage {
    const { text, calls, raw } = message
    if (raw !== undefined && sendsRaw(message, current, model)) {
      before.add(calls, raw)
      return { role: 'assistant', text: raw, generated: true, markup: findMarks(format, raw) }
    }
    if (calls.length === 0) return { role: 'assistant', text, markup: [] }
    return { role: 'assistant', ...writeReply(format, text, calls, before.add(calls)) }
  }

  return {
    name: 'text',
    present,
    attach: () => [],
    constrain,
    render(system, given) {
      const history = withInterjections(given)
      const newest = history.findLastIndex(message => message.role === 'user')
      const calls = countCalls(format)
      const wire = history.map((message, index) =>
        messageOf(message, index > newest, calls, index === newest),
      )
      return [systemOf(system), ...alternateRoles(wire)]
    },
    presentBehind(messages, tools) {
      const { text, markup } = writeToolsSection(format, tools, edition, toolRole)
      return text === '' ? [...messages] : alternateRoles([...messages, { role: 'user', text, markup }])
    },
    read: (events, tools) => read(format, events, tools),
  }
}

/**
 * Whether to send a reply back exactly as written: only to the model that wrote it, if a model is named.
 * Reasoning is only sent during its own turn, as in training; it would soon fill a small context window.
 */
export const sendsRaw = (message: AssistantMessage, current: boolean, model?: string): boolean =>
  message.raw !== undefined &&
  (model === undefined || message.model === model) &&
  (current || message.reasoning === '')

async function* read(
  format: Format,
  events: AsyncIterable<CompletionEvent>,
  tools: readonly ToolSpec[],
): AsyncIterable<ReplyEvent> {
  const marks = learntMarks(format)
  let reader = createToolCallReader({ tools, marks })
  let raw = ''
  for await (const event of events) {
    switch (event.type) {
      case 'text':
        raw += event.text
        yield* reader.push(event.text).map(toReplyEvent)
        break
      case 'done':
        yield* reader.end({ truncated: event.stop === 'length' }).map(toReplyEvent)
        yield { ...event, raw }
        return
      case 'failed':
        yield* reader.end({ truncated: true }).map(toReplyEvent)
        yield event
        return
      case 'prompt_end':
        if (raw === '') reader = createToolCallReader({ tools, promptTail: event.text, marks })
        break
      case 'call':
        break // Without tools as data, an engine makes no calls as data.
      case 'read':
        break
      case 'progress':
      case 'notice':
      case 'writer':
      case 'reasoning':
        yield event
    }
  }
}
