import {
  isFailure,
  type CompletionEvent,
  type EngineFailure,
  type LlmEngine,
  type Prompt,
  type ModelProfile,
  type WireMessage,
} from '../../interface/engine.ts'
import { pictureTokens } from '../../interface/token-counts.ts'
import { fallbackFormat, formatOf } from '../../formats/format-table.ts'
import { callConstraints } from '../../formats/grammar/constraint.ts'
import { writeToolsSection } from '../../formats/tools-section.ts'
import { countCalls } from '../../formats/call-ids.ts'
import { writeReply } from '../../formats/write-calls.ts'

/** The models for one question, in the order in which they are asked. */
type Candidates = {
  /** The model that the prompt was written for. */
  chosen: LlmEngine
  /** A faster model that may try first. */
  quick?: LlmEngine | undefined
  /** The fallback models, in case the chosen one fails. */
  others(): Promise<LlmEngine[]>
}

type Failed = Extract<CompletionEvent, { type: 'failed' }>

/**
 * Ask one model after the other until one answers. Moves on only after a failure that another model may not
 * have, and only while no output has been sent. If all fail, reports the failure of the chosen model.
 */
export async function* askWithFallback(
  { chosen, quick, others }: Candidates,
  prompt: Prompt,
  unavailable: UnavailableModels,
  signal: AbortSignal,
): AsyncGenerator<CompletionEvent, void, void> {
  if (quick && !unavailable.reasonFor(quick.modelId)) {
    const failed = yield* askAnother(quick, prompt, signal)
    if (!failed || signal.aborted) return
    unavailable.add(quick.modelId, failed.text)
  }
  let failure: Failed | undefined
  const knownReason = unavailable.reasonFor(chosen.modelId)
  const next = knownReason === undefined ? undefined : await others()
  if (knownReason === undefined || next?.length === 0) {
    failure = yield* ask(chosen, prompt, signal)
    if (!failure) unavailable.remove(chosen.modelId)
    if (!failure || signal.aborted) return
    if (!failure.elsewhere) {
      yield failure
      return
    }
    unavailable.add(chosen.modelId, failure.text)
  }
  const names: string[] = []
  const tooSmall: string[] = []
  const available = (next ?? (await others())).filter(
    ({ modelId }) => unavailable.reasonFor(modelId) === undefined,
  )
  for await (const engine of wholeFirst(available, prompt)) {
    if (signal.aborted) return
    const why = failure?.text ?? knownReason ?? ''
    const tell = () => unavailable.claimNotice(chosen.modelId, prompt.sessionId)
    const failed = yield* askAnother(engine, prompt, signal, less =>
      tell() ? [{ type: 'notice', text: `${why} ${engine.name} answers instead.${less}` }] : [],
    )
    if (!failed || signal.aborted) return
    if (failed.elsewhere) unavailable.add(engine.modelId, failed.text)
    if (failed.code === 'context_full') tooSmall.push(failed.text)
    else names.push(engine.name)
  }
  // No other model answered, so ask the chosen one although it failed recently.
  failure ??= yield* ask(chosen, prompt, signal)
  if (!failure || signal.aborted) return
  const either = names.length === 0 ? '' : ` ${names.join(' and ')} did not answer either.`
  yield { ...failure, text: [failure.text + either, ...tooSmall].join(' ') }
}

/**
 * Yield the models in their order, but first those that can take the whole prompt. The list is ordered by
 * price and quality, which do not help an answer that does not see the chat.
 */
async function* wholeFirst(engines: readonly LlmEngine[], prompt: Prompt): AsyncGenerator<LlmEngine> {
  const small: LlmEngine[] = []
  for (const engine of engines) {
    const profile = await engine.profile()
    const isWhole = !isFailure(profile) && fitsContext(engine, profile, convertPrompt(prompt, profile))
    if (isWhole) yield engine
    else small.push(engine)
  }
  yield* small
}

/**
 * Ask a model that the prompt was not written for. With `before`, a prompt that does not fit is shortened.
 * `before` gets a sentence about that. Its events and the model's name precede the first output. Without
 * `before`, only a prompt that fits is sent.
 */
async function* askAnother(
  engine: LlmEngine,
  prompt: Prompt,
  signal: AbortSignal,
  before?: (less: string) => CompletionEvent[],
): AsyncGenerator<CompletionEvent, Failed | undefined, void> {
  // If the server refuses tools as data, the model's profile says so from then on. So try twice.
  for (let attempt = 1; attempt <= 2; attempt++) {
    const profile = await engine.profile()
    if (isFailure(profile)) return { type: 'failed', ...profile }
    const shorter = (before ? shorterPrompts(prompt) : [{ prompt, less: '' }]).map(
      ({ prompt: each, less }) => ({
        prompt: convertPrompt(each, profile),
        less,
      }),
    )
    const fitting = shorter.filter(each => fitsContext(engine, profile, each.prompt))
    if (fitting.length === 0)
      return { type: 'failed', ...tooSmallFor(engine, profile, shorter.at(-1)!.prompt) }
    let announced = false
    let failed: Failed | undefined
    for (const { prompt: each, less } of fitting) {
      failed = yield* ask(engine, each, signal, () => {
        if (announced) return []
        announced = true
        return [...(before?.(less) ?? []), { type: 'writer', name: engine.name }]
      })
      // Tokens are only estimated until the model is loaded, so it may still reject the prompt as too long.
      if (failed?.code !== 'context_full') break
    }
    if (failed?.code !== 'tools_unsupported') return failed
  }
  return { type: 'failed', ...unsuited(engine) }
}

const unsuited = ({ name }: LlmEngine): EngineFailure => ({
  code: 'internal',
  text: `${name} cannot take this chat over.`,
  fix: '',
})

function tooSmallFor(engine: LlmEngine, { contextTokens }: ModelProfile, prompt: Prompt): EngineFailure {
  const needed = tokensOf(engine, prompt) + ROOM
  return {
    code: 'context_full',
    text: `${engine.name} cannot take this chat over: even the newest message alone needs about ${needed.toLocaleString('en-US')} tokens, and it holds ${contextTokens.toLocaleString('en-US')}.`,
    fix: '',
    tokens: { needed, holds: contextTokens },
  }
}

/** Return ever shorter versions of a prompt for a small window, each with the notice for the user. */
function shorterPrompts(prompt: Prompt): { prompt: Prompt; less: string }[] {
  const { messages } = prompt
  const system = messages.filter(message => message.role === 'system')
  // A result in text form is also a message of the user, and belongs to the question before it.
  const asked = messages.findLastIndex(
    ({ role, text }) => role === 'user' && !text.startsWith('[Tool Result: '),
  )
  const newest = messages.slice(Math.max(asked, system.length))
  const withSystem = (shorten: (text: string) => string) => [
    ...system.map(({ text }): WireMessage => ({ role: 'system', text: shorten(text) })),
    ...newest,
  ]
  const { constraints: _, begin: __, ...bare } = prompt
  const firstParagraph = (text: string) => text.split('\n\n', 1)[0]!
  // Without any tool, a model would take the calls of this turn for something it cannot do.
  const called = new Set(newest.flatMap(({ calls = [] }) => calls.map(({ name }) => name)))
  const used = prompt.tools.filter(({ name }) => called.has(name))
  return [
    { prompt, less: '' },
    {
      prompt: { ...prompt, messages: [...system, ...newest] },
      less: ' It has little room, so it sees only your newest message.',
    },
    {
      prompt: { ...prompt, messages: withSystem(withoutKnowledge) },
      less: ' It has little room, so it sees only your newest message, without memory and skills.',
    },
    ...(used.length === 0
      ? []
      : [
          {
            prompt: { ...prompt, messages: withSystem(firstParagraph), tools: used },
            less: ' It has little room, so it sees only your newest message, and has only the tools that were used for it.',
          },
        ]),
    {
      prompt: { ...bare, messages: withSystem(firstParagraph), tools: [] },
      less: ' It has little room, so it sees only your newest message, and has no tools.',
    },
  ]
}

/** Remove the sections under headings from a system prompt, except the one about tools. */
const withoutKnowledge = (text: string): string =>
  text
    .split(/\n\n(?=## )/)
    .filter((section, at) => at === 0 || section.startsWith('## Tools'))
    .join('\n\n')

/** Forward the model's output. A failure before any output is returned instead. */
async function* ask(
  engine: LlmEngine,
  prompt: Prompt,
  signal: AbortSignal,
  before: () => CompletionEvent[] = () => [],
): AsyncGenerator<CompletionEvent, Failed | undefined, void> {
  let said = false
  for await (const event of engine.complete(prompt, signal)) {
    if (event.type === 'failed' && !said) return event
    if (event.type !== 'progress' && event.type !== 'read' && event.type !== 'failed') {
      said = true
      yield* before()
    }
    yield event
  }
  return undefined
}

/** How long to skip a model that failed, in ms. One turn asks many times, each with its own retries. */
const RETRY_AFTER_MS = 60_000

/** Models that failed recently, and the chats that were notified about it. */
type UnavailableModels = {
  add(modelId: string, why: string): void
  remove(modelId: string): void
  /** Return why a model is skipped at the moment; undefined if it is not. */
  reasonFor(modelId: string): string | undefined
  /** Whether to notify this chat that another model answers. True once per chat and failure. */
  claimNotice(modelId: string, sessionId: string): boolean
}

/** Track the unavailable models. */
export function trackUnavailableModels(now: () => number): UnavailableModels {
  const entries = new Map<string, { until: number; why: string; notified: Set<string> }>()
  return {
    add(modelId, why) {
      const notified = entries.get(modelId)?.notified ?? new Set()
      entries.set(modelId, { until: now() + RETRY_AFTER_MS, why, notified })
    },
    remove: modelId => void entries.delete(modelId),
    reasonFor(modelId) {
      const entry = entries.get(modelId)
      return entry && entry.until > now() ? entry.why : undefined
    },
    claimNotice(modelId, sessionId) {
      const notified = entries.get(modelId)?.notified
      if (!notified || notified.has(sessionId)) return false
      notified.add(sessionId)
      return true
    },
  }
}

/** How many tokens to reserve for the answer. */
const ROOM = 512

/** Context windows up to this size get the compact tool list. */
const SMALL_WINDOW = 8_192

/** Whether a prompt written for another model leaves this model enough tokens to answer. */
function fitsContext(engine: LlmEngine, profile: ModelProfile, prompt: Prompt): boolean {
  return tokensOf(engine, prompt) + ROOM <= profile.contextTokens
}

/** How many tokens a chat template adds around a message. */
const TEMPLATE_TOKENS = 8

/** Count the tokens of a prompt. Texts are counted raw: as JSON, small vocabularies need twice as many. */
function tokensOf(engine: LlmEngine, { messages, tools }: Prompt): number {
  const asJson = (list: readonly unknown[]) => (list.length === 0 ? 0 : engine.count(JSON.stringify(list)))
  return messages.reduce(
    (sum, { text, calls = [], pictures = [] }) =>
      sum +
      engine.count(text) +
      asJson(calls) +
      pictures.reduce((all, picture) => all + pictureTokens(picture), 0) +
      TEMPLATE_TOKENS,
    asJson(tools),
  )
}

/**
 * Convert a prompt that was written for another model. Structured tools become text for a model that does not
 * accept them. A prompt in text suits every model once the fields of the other engine are removed.
 */
function convertPrompt(prompt: Prompt, profile: ModelProfile): Prompt {
  const { constraints: _, begin: __, ...rest } = prompt
  const asData = prompt.tools.length > 0 || prompt.messages.some(message => message.callId !== undefined)
  if (!asData) return { ...rest, messages: prompt.messages.map(withoutEngineFields) }
  if (profile.strategy === 'structured') return rest
  return toText(rest, profile)
}

function toText(
  prompt: Prompt,
  { format: id = fallbackFormat, toolRole = false, contextTokens }: ModelProfile,
): Prompt {
  const format = formatOf(id)
  const { tools } = prompt
  const edition = contextTokens <= SMALL_WINDOW ? 'compact' : 'full'
  const section = writeToolsSection(format, tools, edition, toolRole)
  const names = new Map(
    prompt.messages.flatMap(({ calls = [] }) => calls.map(call => [call.id, call.name] as const)),
  )

  const counted = countCalls(format)

  function messageOf(message: WireMessage): WireMessage {
    return { ...textOf(message), ...(message.pictures && { pictures: message.pictures }) }
  }

  function textOf({ role, text, calls = [], callId, name }: WireMessage): WireMessage {
    if (role === 'assistant' && calls.length > 0) {
      return { role, ...writeReply(format, text, calls, counted.add(calls)) }
    }
    if (role !== 'tool') return { role, text, markup: [] }
    const tool = name ?? names.get(callId ?? '') ?? 'tool'
    return toolRole
      ? { role, name: tool, text, markup: [], ...counted.idOf(callId ?? '') }
      : { role: 'user', text: `[Tool Result: ${tool}] ${text}`, markup: [] }
  }

  const [first, ...others] = prompt.messages.map(messageOf)
  const system: WireMessage[] = []
  if (first?.role === 'system' && section.text !== '') {
    const before = `${first.text}\n\n`
    system.push({ role: 'system', text: before + section.text, markup: moved(section.markup, before.length) })
  } else if (first) system.push(first)
  const constraints = callConstraints(format, tools)
  const messages = joined([...system, ...others])
  return { ...prompt, messages, tools: [], ...(constraints.length > 0 && { constraints }) }
}

const moved = (markup: readonly (readonly [number, number])[], by: number) =>
  markup.map(([from, to]): [number, number] => [from + by, to + by])

/** Join consecutive user messages, which tool results can cause: many templates require alternating roles. */
function joined(messages: readonly WireMessage[]): WireMessage[] {
  const all: WireMessage[] = []
  for (const message of messages) {
    const last = all.at(-1)
    if (last?.role === 'user' && message.role === 'user')
      all[all.length - 1] = {
        ...last,
        text: `${last.text}\n\n${message.text}`,
        pictures: [...(last.pictures ?? []), ...(message.pictures ?? [])],
      }
    else all.push(message)
  }
  return all
}

/** Remove the fields that only the original engine understands. */
const withoutEngineFields = ({ generated: _generated, ...message }: WireMessage): WireMessage => ({
  ...message,
  markup: [],
})
