import { createHash } from 'node:crypto'
import type { AssistantMessage, Message, Usage, UserMessage } from '../../shared/contract/chats/messages.ts'
import type { EndReason, RunEvent } from '../../shared/contract/runs/run.ts'
import type { ApprovalMode } from '../../shared/contract/chats/session.ts'
import { Fault } from '../../shared/rpc.ts'
import { expectJson } from '../json-schema/expected-answer.ts'
import { createCheck } from '../json-schema/check-schema.ts'
import type { RunStart } from '../runs/origin.ts'
import type { Store } from '../db/store.ts'
import { ApiProblem, refuseField, type ApiEvent, type ApiRequest } from './api-request.ts'
import { badSchema, misfitOf } from './ask-model.ts'

/** The parts needed to ask the agent. */
export type AgentParts = {
  store: Pick<Store, 'sessions' | 'messages'>
  /** Start a turn in a chat. */
  send(this: void, sessionId: string, text: string, how: { start: RunStart }): { runId: string }
  watch(this: void, runId: string, after: number, signal: AbortSignal): AsyncIterable<RunEvent>
  stopIn(this: void, sessionId: string): Promise<void>
  isRunning(this: void, sessionId: string): boolean
  defaultModel(this: void): string
  workspace: string
  /** Return the approval mode: `chat_only` while tools are off for programs. */
  mode(this: void): ApprovalMode
  now(this: void): number
}

/** Maximum number of chats that a program may continue. */
const MOST_KNOWN = 200
const MOST_SYSTEM_CHARS = 8_000

/**
 * Create the handler for the model `talaria`: an ordinary chat with memory and style, shown in the list. A
 * conversation that continues an earlier answer continues in its chat; any other gets a new one with its
 * messages.
 */
export function createAgentAsker(parts: AgentParts) {
  const { store } = parts
  const known = new Map<string, { sessionId: string; messageCount: number }>()

  /** Return the chat of a conversation, unless the user has continued it in the meantime. */
  function chatGoingOn(key: string): string | undefined {
    const found = known.get(key)
    const session = found && store.sessions.get(found.sessionId)
    const isSame = session?.messageCount === found?.messageCount && session?.approval === parts.mode()
    return session && isSame && !parts.isRunning(session.id) ? session.id : undefined
  }

  function beginChat(system: string, before: readonly Message[]): string {
    const { id } = store.sessions.create({
      modelId: parts.defaultModel(),
      workspace: parts.workspace,
      approval: parts.mode(),
      origin: 'api',
      instructions: system,
    })
    for (const { role, text } of before) {
      const stored = { sessionId: id, at: parts.now(), text }
      const rest = { reasoning: '', calls: [], interrupted: false, model: '' }
      if (role === 'user') store.messages.append({ ...stored, role })
      else if (role === 'assistant' && text !== '') store.messages.append({ ...stored, role, ...rest })
    }
    return id
  }

  return async function* askAgent(
    request: ApiRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ApiEvent, void, void> {
    const { asked, before } = readConversation(request)
    const { system, schema } = request
    const check = schema && createCheck(schema, 'The answer')
    const unchecked = check?.whyUnchecked()
    if (unchecked !== undefined) return yield { type: 'failed', problem: badSchema(unchecked) }
    const sessionId = chatGoingOn(keyOf(system, before)) ?? beginChat(system, before)
    const start: RunStart = {
      origin: 'api',
      ...(schema && check && { expected: expectJson(schema, value => misfitOf(check, value)) }),
    }
    let runId: string
    try {
      runId = parts.send(sessionId, asked.text, { start }).runId
    } catch (error) {
      throw toProblem(error)
    }
    const stop = () => void parts.stopIn(sessionId)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    const answers: AssistantMessage[] = []
    let failure = ''
    let reason: EndReason = 'failed'
    try {
      for await (const event of parts.watch(runId, 0, new AbortController().signal)) {
        if (event.type === 'turn_end') reason = event.reason
        else if (event.type === 'error') failure = `${event.text} ${event.fix}`.trim()
        else if (event.type === 'reasoning_delta') yield { type: 'reasoning', text: event.text }
        // Unfinished text may be discarded, so only final text is sent.
        else if (event.type === 'message' && event.message.role === 'assistant' && !event.message.void) {
          const { text } = event.message
          if (text !== '')
            yield { type: 'text', text: answers.some(each => each.text !== '') ? `\n\n${text}` : text }
          answers.push(event.message)
        }
      }
    } finally {
      signal.removeEventListener('abort', stop)
      // The reader of the answer may leave at any step.
      if (parts.isRunning(sessionId)) await parts.stopIn(sessionId)
    }
    const text = answers.flatMap(each => (each.text === '' ? [] : [each.text])).join('\n\n')
    remember(
      keyOf(system, [...before, { role: 'user', text: asked.text }, { role: 'assistant', text }]),
      sessionId,
    )
    if (reason === 'failed' || (reason !== 'budget_exhausted' && text === ''))
      return yield {
        type: 'failed',
        problem: new ApiProblem(502, 'no_answer', failure || 'There was no answer.'),
      }
    const isCut = reason === 'budget_exhausted' || answers.at(-1)?.cut === true
    yield { type: 'end', stop: isCut ? 'length' : 'end', usage: sumUsage(answers) }
  }

  function remember(key: string, sessionId: string) {
    const session = store.sessions.get(sessionId)
    if (!session) return
    known.delete(key)
    known.set(key, { sessionId, messageCount: session.messageCount })
    for (const oldest of known.keys()) {
      if (known.size <= MOST_KNOWN) break
      known.delete(oldest)
    }
  }
}

/** Return the fields that a model would follow but the agent does not. */
export const unusedByAgent = ({ maxTokens, stops, sampling, thinking }: ApiRequest): string[] => [
  ...(maxTokens === undefined ? [] : ['max_tokens']),
  ...(stops.length === 0 ? [] : ['stop']),
  ...Object.keys(sampling),
  ...(thinking === undefined ? [] : ['reasoning']),
]

type Said = { role: string; text: string }

/** Return the question and earlier messages. Only texts: results of foreign tools are not ours. */
function readConversation({ history, tools, pictures, system }: ApiRequest): {
  asked: UserMessage
  before: Message[]
} {
  if (tools.length > 0)
    refuseField('tools', 'The agent uses its own tools. Choose another model to use your tools.')
  if (pictures.size > 0) refuseField('messages', 'The agent does not accept pictures here yet.')
  if (system.length > MOST_SYSTEM_CHARS)
    refuseField(
      'messages',
      `A system message for the agent has at most ${MOST_SYSTEM_CHARS.toLocaleString('en')} characters.`,
    )
  const asked = history.at(-1)
  if (asked?.role !== 'user' || asked.text.trim() === '')
    return refuseField('messages', 'The last message must be from the user and contain text.')
  return { asked, before: history.slice(0, -1).filter(({ role, text }) => role !== 'tool' && text !== '') }
}

const keyOf = (system: string, said: readonly Said[]): string =>
  createHash('sha256')
    .update(JSON.stringify([system, ...said.map(({ role, text }) => [role, text])]))
    .digest('hex')

const STATUSES: Readonly<Record<string, number>> = {
  bad_input: 400,
  not_found: 404,
  busy: 409,
  not_ready: 503,
}

const toProblem = (error: unknown): unknown =>
  error instanceof Fault ? new ApiProblem(STATUSES[error.code] ?? 500, error.code, error.message) : error

function sumUsage(answers: readonly AssistantMessage[]): Usage {
  const all = answers.flatMap(({ usage }) => usage ?? [])
  const sum = (of: (usage: Usage) => number) => all.reduce((total, usage) => total + of(usage), 0)
  const last = all.at(-1)
  return {
    promptTokens: sum(each => each.promptTokens),
    reusedTokens: sum(each => each.reusedTokens),
    evaluatedTokens: sum(each => each.evaluatedTokens),
    outputTokens: sum(each => each.outputTokens),
    contextTokens: last?.contextTokens ?? 0,
    firstTokenMs: last?.firstTokenMs ?? 0,
    prefillPerSecond: last?.prefillPerSecond ?? 0,
    tokensPerSecond: last?.tokensPerSecond ?? 0,
  }
}
