import type { ReplyEvent, Strategy } from '../agent/strategies/strategy.ts'
import type { EngineFailure, LlmEngine, Prompt, ToolSpec } from '../models/interface/engine.ts'
import type { Registry } from '../tools/registry/registry.ts'
import type { Usage } from '../../shared/contract/chats/messages.ts'
import type { Refusal } from '../lib/expected-errors.ts'
import type { CallReport } from './model-report.ts'

/** A question that one tool answers. `also`: other tools that answer it as well. */
export type Trial = { tool: string; also?: readonly string[]; question: string }

/** The setting in which a model is asked. Its calls are never executed. */
export type Desk = {
  engine: LlmEngine
  strategy: Strategy
  system: string
  registry: Registry
  /** All tools in the prompt. */
  tools: readonly ToolSpec[]
  /** The start of a call in the model's notation; undefined if the start of a reply cannot be written. */
  opening: string | undefined
  /** One chat, whose beginning is evaluated only once. */
  sessionId: string
  /** Called with the usage of every answer. */
  onUsage(this: void, usage: Usage): void
}

/** Maximum tokens of an answer; calls are much shorter. */
const answerTokens = 200
/** Maximum tokens of an answer that begins with long thoughts. */
const thoughtTokens = 1_500

/**
 * Ask a model a question: first as in a chat. If it calls no tool, ask again with the start of a call already
 * written, so that the grammar allows only a valid call. If that is not possible, the model is told which
 * tool to use. Undefined if `signal` aborts.
 */
export async function tryCall(
  desk: Desk,
  { tool, question, also = [] }: Trial,
  signal: AbortSignal,
): Promise<CallReport | EngineFailure | undefined> {
  const chat = { constraints: desk.strategy.constrain(desk.tools) }
  let free = await ask(desk, question, { ...chat, maxTokens: answerTokens }, signal)
  const isThinking = free.end === 'cut' && free.isThinking
  if (isThinking) free = await ask(desk, question, { ...chat, maxTokens: thoughtTokens }, signal)
  if (free.end === 'stopped') return undefined
  if (free.end === 'failed') return free.failure
  const alone = judge(desk.registry, free, [tool, ...also])
  if ('call' in alone)
    return { tool, question, how: 'by itself', call: alone.call, alone: null, problem: null }

  const only = desk.tools.filter(({ name }) => name === tool)
  const short = only.map(spec => ({
    ...spec,
    parameters: shortTexts(spec.parameters) as ToolSpec['parameters'],
  }))
  const help =
    desk.opening === undefined
      ? { text: `${question} Use the tool ${tool} for that.`, constraints: [], maxTokens: thoughtTokens }
      : {
          text: question,
          constraints: desk.strategy.constrain(short),
          begin: desk.opening,
          maxTokens: answerTokens,
        }
  const { text, ...options } = help
  const begun = await ask(desk, text, options, signal)
  if (begun.end === 'stopped') return undefined
  if (begun.end === 'failed') return begun.failure
  const helped = judge(desk.registry, begun, [tool])
  const report = { tool, question, alone: alone.refused }
  if ('call' in helped) return { ...report, how: 'begun for it', call: helped.call, problem: null }
  // A started call counts as a call, even if the parser reads the unfinished call as text.
  const problem = begun.end === 'cut' ? unended : helped.refused
  return { ...report, how: 'not', call: null, problem }
}

/** Have the model write something longer than a call, to measure its speed. */
export async function keepTalking(desk: Desk, signal: AbortSignal): Promise<void> {
  const question = 'Tell me in some sentences what an operating system does. Use no tool.'
  await ask(desk, question, { maxTokens: 64 }, signal)
}

type Answer = { text: string; isThinking: boolean; calls: Written[] } & (
  | { end: 'done' | 'cut' | 'stopped' }
  | { end: 'failed'; failure: EngineFailure }
)
type Written = Extract<ReplyEvent, { type: 'call' | 'bad_call' }>

async function ask(
  { engine, strategy, system, tools, sessionId, onUsage }: Desk,
  question: string,
  options: Pick<Prompt, 'constraints' | 'begin' | 'maxTokens'>,
  signal: AbortSignal,
): Promise<Answer> {
  const prompt: Prompt = {
    sessionId,
    messages: strategy.render(system, [{ id: 1, sessionId, at: 0, role: 'user', text: question }]),
    tools: strategy.attach(tools),
    // Gives the same answers every time.
    sampling: { seed: 1 },
    ...options,
  }
  const answer = { text: '', isThinking: false, calls: [] as Written[] }
  for await (const event of strategy.read(engine.complete(prompt, signal), tools)) {
    if (event.type === 'text') answer.text += event.text
    if (event.type === 'thought') [answer.text, answer.calls] = ['', []]
    if (event.type === 'call' || event.type === 'bad_call') answer.calls.push(event)
    answer.isThinking = event.type === 'reasoning' || (answer.isThinking && event.type === 'done')
    if (event.type === 'failed') return { ...answer, end: 'failed', failure: event }
    if (event.type === 'done') {
      onUsage(event.usage)
      return { ...answer, end: event.stop === 'length' ? 'cut' : 'done' }
    }
  }
  return { ...answer, end: 'stopped' }
}

const unended = 'its call did not end'

type Judged = { call: NonNullable<CallReport['call']> } | Refusal

/** The first call of an answer, if it could run. Slips that the product repairs do not count. */
function judge(
  registry: Registry,
  { end, calls, text, isThinking }: Answer,
  wanted: readonly string[],
): Judged {
  const [first] = calls
  if (!first) {
    if (end !== 'cut') return { refused: text.trim() === '' ? 'it said nothing' : 'it talked instead' }
    return { refused: isThinking ? 'its thoughts did not end' : 'it talked, and did not end' }
  }
  if (first.type === 'bad_call')
    return { refused: end === 'cut' ? unended : `its call is not valid: ${first.reason}` }
  const { name, arguments: given } = first.call
  if (!wanted.includes(name)) return { refused: `it called ${name} instead` }
  const checked = registry.validate(name, given)
  if (!checked.ok) return { refused: `its call is not valid: ${checked.reason}` }
  if (isItsName(name, checked.value))
    return { refused: `its call is not valid: it says only ${name} where the arguments belong` }
  return { call: { name, arguments: checked.value } }
}

/** A model that copies the name of the tool into the arguments has not understood what it calls. */
function isItsName(name: string, given: Record<string, unknown>): boolean {
  const values = Object.values(given)
  return values.length > 0 && values.every(value => String(value).trim().toLowerCase() === name.toLowerCase())
}

/** Maximum characters of a string in a begun call: enough for a path, and random weights stop too. */
const most = 60

/**
 * The same JSON Schema with a limit on every free text, so that generation with its grammar ends.
 * @internal The bench bounds the calls of random models with it too.
 */
export function shortTexts(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shortTexts)
  if (typeof schema !== 'object' || schema === null) return schema
  const limited = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, shortTexts(value)]))
  if (limited['type'] !== 'string' || 'enum' in limited || 'const' in limited) return limited
  return { ...limited, maxLength: Math.min(Number(limited['maxLength'] ?? most), most) }
}
