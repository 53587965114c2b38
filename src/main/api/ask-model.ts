import { jsonBlock } from '../json-schema/expected-answer.ts'
import { structuredStrategy } from '../agent/strategies/structured.ts'
import type { ReplyEvent, Strategy } from '../agent/strategies/strategy.ts'
import { createTextStrategy } from '../agent/strategies/text.ts'
import type { Usage } from '../../shared/contract/chats/messages.ts'
import { parseJson } from '../lib/expected-errors.ts'
import { createCheck, type SchemaCheck } from '../json-schema/check-schema.ts'
import {
  isFailure,
  type EngineFailure,
  type LlmEngine,
  type ModelProfile,
  type Prompt,
  type WireMessage,
} from '../models/interface/engine.ts'
import { fallbackFormat, formatOf } from '../models/formats/format-table.ts'
import { answerConstraint } from '../models/formats/grammar/constraint.ts'
import { ApiProblem, type ApiEvent, type ApiRequest } from './api-request.ts'
import { createStopFilter } from './stop-filter.ts'

/** Maximum tries for JSON from a model that does not follow the schema by itself. */
const MOST_TRIES = 2

/**
 * Ask a model on behalf of a program. Failures are events. The request gives way to chats in which a user
 * waits, and ends if `signal` aborts.
 */
export async function* askModel(
  engine: LlmEngine,
  request: ApiRequest,
  signal: AbortSignal,
): AsyncGenerator<ApiEvent, void, void> {
  const profile = await engine.profile()
  if (isFailure(profile)) return yield failed(profile)
  if (profile.sees === false && request.pictures.size > 0)
    return yield {
      type: 'failed',
      problem: new ApiProblem(400, 'no_pictures', `${engine.name} does not accept pictures.`, 'messages'),
    }
  const strategy = strategyFor(profile)
  const prompt = promptOf(request, profile, strategy)
  const answer = (given: Prompt) =>
    readAnswer(strategy.read(engine.complete(given, signal), wanted(request)), request, written =>
      estimateUsage(engine, given, written),
    )
  if (request.schema === undefined) return yield* answer(prompt)
  const check = createCheck(request.schema, 'The answer')
  const unchecked = check.whyUnchecked()
  if (unchecked !== undefined) return yield { type: 'failed', problem: badSchema(unchecked) }
  yield* askForJson(check, prompt, answer)
}

/** Return why a value does not fit, or that the check gave up; such values are not passed on. */
export const misfitOf = (check: SchemaCheck, value: unknown): string | undefined =>
  check.problemOf(value) ??
  (check.fits(value) ? undefined : 'It takes too many steps to tell whether it fits the schema.')

/** A schema that cannot be checked: without a check, any answer would pass. */
export const badSchema = (why: string): ApiProblem =>
  new ApiProblem(400, 'bad_schema', `The schema of the answer cannot be used. ${why}`)

const wanted = ({ choice, tools }: ApiRequest) =>
  choice === 'none'
    ? []
    : typeof choice === 'object'
      ? tools.filter(({ name }) => name === choice.name)
      : tools

const strategyFor = ({ strategy, format = fallbackFormat, toolRole = false }: ModelProfile): Strategy =>
  strategy === 'structured' ? structuredStrategy : createTextStrategy({ format, toolRole, edition: 'full' })

function promptOf(request: ApiRequest, profile: ModelProfile, strategy: Strategy): Prompt {
  const { schema, choice, sampling, maxTokens, thinking } = request
  const tools = wanted(request)
  const mustCall = choice === 'required' || typeof choice === 'object'
  const form =
    schema === undefined
      ? ''
      : `Answer with nothing but JSON that fits this schema: ${JSON.stringify(schema)}`
  const must = mustCall ? 'Answer with a call of a tool, and nothing else.' : ''
  const system = [request.system, strategy.present(tools), form, must].filter(Boolean).join('\n\n')
  const isText = strategy.name === 'text'
  const constraints = [
    ...(tools.length > 0 ? strategy.constrain(tools) : []),
    ...(schema !== undefined && isText && tools.length === 0 ? [answerConstraint(schema)] : []),
  ]
  const messages = strategy
    .render(system, request.history)
    .filter(({ role, text }) => role !== 'system' || text !== '')
    .map(message => withImages(message, request.pictures))
  return {
    sessionId: 'api',
    messages,
    tools: strategy.attach(tools),
    priority: 'background',
    sampling,
    ...(maxTokens !== undefined && { maxTokens }),
    ...(thinking && { thinking }),
    ...(constraints.length > 0 && { constraints }),
    // Start the call for a local model, which then has to finish it.
    ...(mustCall && isText && { begin: formatOf(profile.format ?? fallbackFormat).open }),
  }
}

function withImages({ pictures, ...message }: WireMessage, kept: ApiRequest['pictures']): WireMessage {
  const images = (pictures ?? []).flatMap(({ hash }) => kept.get(hash) ?? [])
  return images.length > 0 ? { ...message, images } : message
}

/** Convert a model's output to answer events: separate thoughts, parse calls, cut before a stop text. */
async function* readAnswer(
  events: AsyncIterable<ReplyEvent>,
  { stops, isSingle }: ApiRequest,
  estimate: (written: string) => Usage,
): AsyncGenerator<ApiEvent, void, void> {
  const filter = createStopFilter(stops)
  let written = ''
  let hasCalls = false
  for await (const event of events) {
    if (event.type === 'call' && isSingle && hasCalls) continue
    switch (event.type) {
      case 'progress':
        yield { type: 'waiting' }
        break
      case 'text': {
        const { text, hit } = filter.push(event.text)
        written += text
        if (text !== '') yield { type: 'text', text }
        if (hit !== undefined)
          return yield { type: 'end', stop: 'stop_word', usage: estimate(written), stopWord: hit }
        break
      }
      case 'reasoning':
      case 'thought':
        yield event
        break
      case 'call': {
        const rest = filter.end()
        if (rest !== '') yield { type: 'text', text: rest }
        hasCalls = true
        yield event
        break
      }
      case 'bad_call':
        return yield {
          type: 'failed',
          problem: new ApiProblem(
            502,
            'unreadable_call',
            `The model wrote a call that cannot be read. ${event.reason}`,
          ),
        }
      case 'done': {
        const rest = filter.end()
        if (rest !== '') yield { type: 'text', text: rest }
        const stop = event.stop === 'length' ? 'length' : hasCalls ? 'calls' : 'end'
        return yield { type: 'end', stop, usage: event.usage }
      }
      case 'failed':
        return yield failed(event)
      case 'notice':
      case 'writer':
        break
    }
  }
}

/** Ask for JSON; hold it back until it fits, as it cannot be withdrawn. No retry after a cut or tool call. */
async function* askForJson(
  check: SchemaCheck,
  prompt: Prompt,
  answer: (prompt: Prompt) => AsyncGenerator<ApiEvent, void, void>,
): AsyncGenerator<ApiEvent, void, void> {
  let asked = prompt
  let spent: Usage | undefined
  for (let tries = 1; ; tries += 1) {
    let text = ''
    let end: ApiEvent | undefined
    let hasCalls = false
    for await (const event of answer(asked)) {
      if (event.type === 'text') text += event.text
      else if (event.type === 'thought') text = ''
      else if (event.type === 'end') end = event
      else yield event
      if (event.type === 'text') yield { type: 'waiting' }
      hasCalls ||= event.type === 'call'
    }
    if (end?.type !== 'end') return
    const usage = spent ? addUsage(spent, end.usage) : end.usage
    const json = jsonIn(text)
    const problem = json === undefined ? 'It is not JSON.' : misfitOf(check, parseJson(json))
    if (hasCalls || end.stop !== 'end' || problem === undefined) {
      if (text !== '') yield { type: 'text', text: problem === undefined ? (json ?? text) : text }
      return yield { ...end, usage }
    }
    if (tries >= MOST_TRIES)
      return yield {
        type: 'failed',
        problem: new ApiProblem(
          422,
          'schema_not_met',
          `The answer of the model does not fit the schema. ${problem}`,
        ),
      }
    spent = usage
    asked = {
      ...prompt,
      messages: [
        ...prompt.messages,
        { role: 'assistant', text },
        {
          role: 'user',
          text: `That does not have the form that was asked for: ${problem} Answer again, with nothing but the JSON.`,
        },
      ],
    }
  }
}

/** Extract the JSON of an answer. It may be in a code block, and small models write more after it. */
function jsonIn(text: string): string | undefined {
  const inBlock = jsonBlock(text)
  const whole = (inBlock ?? text).trim()
  const found = parseJson(whole) === undefined ? whole.slice(0, endOfValue(whole)) : whole
  return parseJson(found) === undefined ? undefined : found
}

/** Return where the object or list at the start of a text ends. */
function endOfValue(text: string): number {
  let depth = 0
  for (const { 0: sign, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') depth -= 1
    if (depth === 0) return index + sign.length
  }
  return 0
}

/** Estimate the usage of an answer that a stop text ended, because the engine reports none then. */
function estimateUsage(engine: LlmEngine, { messages }: Prompt, written: string): Usage {
  const promptTokens = messages.reduce((sum, { text }) => sum + engine.count(text), 0)
  const outputTokens = engine.count(written)
  const unknown = { firstTokenMs: 0, prefillPerSecond: 0, tokensPerSecond: 0 }
  return {
    ...unknown,
    promptTokens,
    reusedTokens: 0,
    evaluatedTokens: promptTokens,
    outputTokens,
    contextTokens: promptTokens + outputTokens,
    estimated: true,
  }
}

const addUsage = (one: Usage, other: Usage): Usage => ({
  ...other,
  promptTokens: one.promptTokens + other.promptTokens,
  reusedTokens: one.reusedTokens + other.reusedTokens,
  outputTokens: one.outputTokens + other.outputTokens,
})

const STATUSES: Readonly<Record<EngineFailure['code'], number>> = {
  model_missing: 404,
  model_unreadable: 500,
  out_of_memory: 503,
  context_full: 400,
  engine_gone: 503,
  unreachable: 502,
  refused: 502,
  rate_limited: 429,
  tools_unsupported: 400,
  pictures_unsupported: 400,
  picture_refused: 400,
  internal: 500,
}

/** Return the problem that a program is told for a model's failure. */
export const explainFailure = ({ code, text, fix }: EngineFailure): ApiProblem =>
  new ApiProblem(
    STATUSES[code],
    code === 'context_full' ? 'context_length_exceeded' : code,
    `${text} ${fix}`.trim(),
  )

const failed = (failure: EngineFailure): ApiEvent => ({ type: 'failed', problem: explainFailure(failure) })
