import type { AssistantMessage, Message } from '../../../shared/contract/messages.ts'
import type { Marked } from '../../dialects/dialect.ts'
import { findMarks } from '../../dialects/marked.ts'
import { callConstraint } from '../../dialects/grammar/call-constraint.ts'
import { presentTools, type Edition } from '../../dialects/present.ts'
import { dialects, fallbackDialect, type DialectId } from '../../dialects/table.ts'
import { writeCalls } from '../../dialects/write-calls.ts'
import type { CompletionEvent, Constraint, ToolSpec, WireMessage } from '../../llm/engine.ts'
import { createToolCallReader } from '../../toolcalls/reader.ts'
import { joinNeighbours } from './join-neighbours.ts'
import { replyOf } from './reply-of.ts'
import type { ReplyEvent, Strategy } from './strategy.ts'
import { userText } from './user-text.ts'

/** How a model is to be spoken to where its tools travel as text. */
export type TextOptions = {
  dialect: DialectId
  /** Whether its chat template has a place for results; otherwise they are messages of the user. */
  toolRole: boolean
  edition: Edition
  /**
   * The name under which replies of this model are stored. What another model wrote is spelled anew in this one’s
   * dialect; without a name, all replies count as its own.
   */
  model?: string
}

const made = new Map<string, Strategy>()

/** Tools as text: for local models, and for servers that refuse the `tools` parameter. Equal options give the same object. */
export function createTextStrategy(options: TextOptions): Strategy {
  const { dialect, toolRole, edition, model } = options
  const key = JSON.stringify([dialect, toolRole, edition, model])
  const strategy = made.get(key) ?? build(options)
  made.set(key, strategy)
  return strategy
}

/** For models of which nothing is known but a small window. */
export const textStrategy: Strategy = createTextStrategy({
  dialect: fallbackDialect,
  toolRole: false,
  edition: 'compact',
})

/** Sections of system prompts that are remembered for their marks; each chat sends one of a few. */
const REMEMBERED = 16

function build({ dialect: id, toolRole, edition, model }: TextOptions): Strategy {
  const dialect = dialects[id]
  const held = new WeakMap<readonly ToolSpec[], readonly Constraint[]>()
  let sections: Marked[] = []

  function present(tools: readonly ToolSpec[]): string {
    const section = presentTools(dialect, tools, edition, toolRole)
    const others = sections.filter(each => each.text !== section.text)
    if (section.text !== '') sections = [section, ...others].slice(0, REMEMBERED)
    return section.text
  }

  function constrain(tools: readonly ToolSpec[]): readonly Constraint[] {
    const known = held.get(tools)
    if (known) return known
    const constraint = callConstraint(dialect, tools)
    const constraints = constraint ? [constraint] : []
    held.set(tools, constraints)
    return constraints
  }

  /** The section about tools is part of the prompt as it was presented; its marks are the only ones there. */
  function systemOf(text: string): WireMessage {
    const section = sections.find(each => text.includes(each.text))
    const markup = section ? moved(section.markup, text.indexOf(section.text)) : []
    return { role: 'system', text, markup }
  }

  function messageOf(message: Message, current: boolean): WireMessage {
    switch (message.role) {
      case 'user':
        return { role: 'user', text: userText(message) }
      case 'assistant':
        return assistantOf(message, current)
      case 'tool':
        return toolRole
          ? { role: 'tool', name: message.name, text: message.text }
          : { role: 'user', text: `[Tool Result: ${message.name}] ${message.text}` }
    }
  }

  /** What this model wrote to the byte, where that is known and still sent: its tokens are in the engine’s cache. */
  function assistantOf(message: AssistantMessage, current: boolean): WireMessage {
    const { text, calls, raw } = message
    if (raw !== undefined && sendsRaw(message, current, model))
      return { role: 'assistant', text: raw, generated: true, markup: findMarks(dialect, raw) }
    if (calls.length === 0) return { role: 'assistant', text, markup: [] }
    const { text: written, markup } = writeCalls(dialect, calls)
    const words = text === '' ? '' : `${text}\n`
    return { role: 'assistant', text: words + written, markup: moved(markup, words.length) }
  }

  return {
    name: 'text',
    present,
    attach: () => [],
    constrain,
    render(system, history) {
      const newest = history.findLastIndex(message => message.role === 'user')
      const wire = history.map((message, index) => messageOf(message, index > newest))
      return [systemOf(system), ...joinNeighbours(wire)]
    },
    read,
  }
}

const moved = (markup: Marked['markup'], by: number) =>
  markup.map(([from, to]): [from: number, to: number] => [from + by, to + by])

/**
 * Whether a reply goes back as it was written: only to the model that wrote it, if one is named. Thoughts stay only
 * within their own turn, as models are trained: they are long, and a small window would soon hold nothing else.
 */
export const sendsRaw = (message: AssistantMessage, current: boolean, model?: string): boolean =>
  message.raw !== undefined &&
  (model === undefined || message.model === model) &&
  (current || message.reasoning === '')

async function* read(
  events: AsyncIterable<CompletionEvent>,
  tools: readonly ToolSpec[],
): AsyncIterable<ReplyEvent> {
  const reader = createToolCallReader({ tools })
  let raw = ''
  for await (const event of events) {
    switch (event.type) {
      case 'text':
        raw += event.text
        yield* reader.push(event.text).map(replyOf)
        break
      case 'done':
        yield* reader.end({ truncated: event.stop === 'length' }).map(replyOf)
        yield { ...event, raw }
        return
      case 'failed':
        yield* reader.end({ truncated: true }).map(replyOf)
        yield event
        return
      case 'call':
        break // An engine that was given no tools as data makes no calls as data.
      case 'progress':
      case 'notice':
      case 'reasoning':
        yield event
    }
  }
}
