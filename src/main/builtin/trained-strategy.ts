import { fillText } from '../../shared/text/fill-template.ts'
import type {
  AssistantMessage,
  Message,
  ToolMessage,
  UserMessage,
} from '../../shared/contract/chats/messages.ts'
import {
  alternateRoles,
  userText,
  withInterjections,
  type ReplyEvent,
  type Strategy,
} from '../agent/strategies/strategy.ts'
import { createTextStrategy, sendsRaw } from '../agent/strategies/text.ts'
import { summaryIn } from '../agent/compaction/summary.ts'
import type { CompletionEvent, Constraint, ToolSpec, WireMessage } from '../models/interface/engine.ts'
import { formats } from '../models/formats/format-table.ts'
import { callConstraint } from '../models/formats/grammar/constraint.ts'
import { findMarks } from '../models/formats/marked-text.ts'
import { writeCalls } from '../models/formats/write-calls.ts'
import { todayCall, trainedCall } from './trained-calls.ts'
import { trainedResult } from './trained-results.ts'
import { knownTools, presentTrainedTools, type TrainedTexts } from './trained-texts.ts'

/** The format in which the model was trained to write calls. */
const FORMAT = 'hermes'
const format = formats[FORMAT]
const CALL_MARK = /^<\/?tool_call>$/

/** The tool that asks the user. The model does not know it, so it sees question and answer as messages. */
const ASKING = 'ask_user'
const ANSWERED = /^The user answers: /

const made = new Map<string, { texts: TrainedTexts; strategy: Strategy }>()

/**
 * Create the strategy of the built-in model. It describes tools in the words of the training, converts the
 * model's calls to calls of today's tools, and tells the history as the training would have. `model` is the
 * name under which its replies are stored. Equal arguments give the same object.
 */
export function createTrainedStrategy(texts: TrainedTexts, model = ''): Strategy {
  const known = made.get(model)
  if (known?.texts === texts) return known.strategy
  const strategy = buildStrategy(texts, model)
  made.set(model, { texts, strategy })
  return strategy
}

function buildStrategy(texts: TrainedTexts, model: string): Strategy {
  const own = createTextStrategy({ format: FORMAT, toolRole: false, edition: 'compact', model })
  const held = new WeakMap<readonly ToolSpec[], readonly Constraint[]>()

  function constrain(tools: readonly ToolSpec[]): readonly Constraint[] {
    const kept = held.get(tools)
    if (kept) return kept
    const constraint = callConstraint(format, specsOf(texts, tools))
    const constraints = constraint ? [constraint] : []
    held.set(tools, constraints)
    return constraints
  }

  return {
    name: 'text',
    present: tools => presentTrainedTools(texts, tools),
    attach: () => [],
    constrain,
    // The model knows tools only in the place where its training had them.
    presentBehind: messages => [...messages],
    render: (system, history) => [systemOf(texts, system), ...renderHistory(texts, model, history)],
    async *read(events: AsyncIterable<CompletionEvent>, tools): AsyncIterable<ReplyEvent> {
      for await (const event of own.read(events, specsOf(texts, tools)))
        yield event.type === 'call' ? { ...event, call: todayCall(event.call) } : event
    },
  }
}

const specsOf = (texts: TrainedTexts, tools: readonly ToolSpec[]): ToolSpec[] =>
  knownTools(texts, tools).map(({ name, description, parameters }) => ({ name, description, parameters }))

/** The tools section is the only part of the prompt in which marks are tokens. */
function systemOf({ tools: { opening, specs } }: TrainedTexts, text: string): WireMessage {
  const at = text.indexOf(opening)
  const isSection = at >= 0 && specs.some(({ line }) => text.startsWith(line, at + opening.length))
  const marks = isSection
    ? findMarks(format, opening).filter(([from, to]) => CALL_MARK.test(opening.slice(from, to)))
    : []
  return { role: 'system', text, markup: marks.map(([from, to]) => [from + at, to + at]) }
}

/** Render the history. A reply with calls is sent as the model wrote it, in other words, or not at all. */
function renderHistory(texts: TrainedTexts, model: string, given: readonly Message[]): WireMessage[] {
  const { conversation } = texts
  const history = withInterjections(given, conversation.interjected)
  const newest = history.findLastIndex(message => message.role === 'user')
  const results = new Map(
    history.flatMap(message => (message.role === 'tool' ? [[message.callId, message] as const] : [])),
  )
  /** The ids of calls that the history shows as calls; results of other calls are not shown as results. */
  const shown = new Set<string>()

  function assistantOf(message: AssistantMessage, isCurrent: boolean): WireMessage[] {
    const { text, calls, raw } = message
    if (raw !== undefined && sendsRaw(message, isCurrent, model === '' ? undefined : model)) {
      for (const { id } of calls) shown.add(id)
      return [{ role: 'assistant', text: raw, generated: true, markup: findMarks(format, raw) }]
    }
    if (calls.length === 0) return [{ role: 'assistant', text, markup: [] }]
    const question = calls.flatMap(call => askedIn(call, results.get(call.id)))
    const trained = calls.flatMap(call => trainedCall(texts, call) ?? [])
    for (const { id } of trained) shown.add(id)
    if (trained.length > 0) {
      const { text: written, markup } = writeCalls(format, trained)
      const words = text === '' ? '' : `${text}\n`
      const moved = markup.map(([from, to]): [number, number] => [from + words.length, to + words.length])
      return [{ role: 'assistant', text: words + written, markup: moved }]
    }
    return question.map(({ asked }) => ({ role: 'assistant', text: asked, markup: [] }))
  }

  function resultOf({ callId, name, ok, text }: ToolMessage): WireMessage[] {
    if (shown.has(callId)) {
      const { result, failed } = conversation
      const said = ok ? text : failed + text.replace(/^Error: /, '')
      return [{ role: 'user', text: fillText(result, { tool: name }) + trainedResult(name, said) }]
    }
    return ok && name === ASKING ? [{ role: 'user', text: text.replace(ANSWERED, '') }] : []
  }

  return alternateRoles(
    history.flatMap((message, index): WireMessage[] => {
      if (message.role === 'user') return [{ role: 'user', text: saidIn(texts, message) }]
      return message.role === 'assistant' ? assistantOf(message, index > newest) : resultOf(message)
    }),
  )
}

/** The question of an asking call that was answered; empty for any other call. */
const askedIn = (
  { name, arguments: { question } }: AssistantMessage['calls'][number],
  result: ToolMessage | undefined,
): { asked: string }[] =>
  name === ASKING && result?.ok === true && typeof question === 'string' ? [{ asked: question }] : []

/** A message of the user, with a summary or a skill in the frame that the model knows. */
function saidIn({ conversation: { summary, skill: frame } }: TrainedTexts, message: UserMessage): string {
  const found = summaryIn(message.text)
  if (found !== undefined) return summary.opening + found + summary.ending
  const { skill, ...others } = message
  const said = userText(others)
  if (!skill) return said
  return fillText(frame.opening, { name: skill.name }) + skill.text.trim() + frame.ending + said
}
