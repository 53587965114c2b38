import { once } from 'node:events'
import { setImmediate as macrotask } from 'node:timers/promises'
import { z } from 'zod'
import type { AssistantMessage, Message, NewMessage } from '../../shared/contract/messages.ts'
import type { Decision, EndReason, NewRunEvent } from '../../shared/contract/run.ts'
import type { ApprovalMode } from '../../shared/contract/session.ts'
import { scriptedEngine, type Script } from '../llm/scripted.ts'
import { createRegistry } from '../tools/registry.ts'
import { tool, type Tool } from '../tools/tool.ts'
import { openWindow } from './fit.ts'
import { runTurn } from './loop.ts'
import { structuredStrategy } from './strategies/structured.ts'
import { textStrategy } from './strategies/text.ts'
import type { Answer, TurnPorts } from './turn.ts'

// For tests: a turn with a scripted model, small tools and everything in memory.

type TurnScript = {
  replies: Script['replies']
  strategy?: 'text' | 'structured'
  contextTokens?: number
  maxIterations?: number
  approval?: ApprovalMode
  /** What the person answers, in order; an empty list leaves questions open. */
  answers?: (Decision | Answer)[]
  /** Tools besides the small ones. */
  tools?: Tool[]
  cap?: TurnPorts['cap']
  before?: NewMessage[]
  question?: string
  onEvent?: (event: NewRunEvent, stop: () => void) => void
  /** A small tool has begun to read; `slow` reads until it is stopped. */
  onBegin?: (path: string, stop: () => void) => void
}

const intentOf = (verb: string, path: string, risk: 'read' | 'write') => ({
  title: `${verb} ${path}`,
  detail: path,
  risk,
  inWorkspace: true,
  folder: '/desk',
  path: `/desk/${path}`,
})

/** Tools that note when they began and ended. `read_file` needs no question in the mode `ask`, `write_file` does. */
function smallTools(trace: string[], onBegin: (path: string) => void): Tool[] {
  return [
    tool({
      name: 'read_file',
      says: 'Read a file.',
      input: z.object({ path: z.string(), limit: z.int().optional() }),
      toolset: 'files',
      risk: 'read',
      intent: async ({ path }) => intentOf('Read', path, 'read'),
      async run({ path }, { signal }) {
        trace.push(`begin ${path}`)
        onBegin(path)
        if (path === 'slow') await once(signal, 'abort')
        // The first of a batch takes longest, so that order shows.
        for (let rounds = path === 'a' ? 30 : 5; rounds > 0 && !signal.aborted; rounds--) await macrotask()
        if (signal.aborted) return { ok: false, reason: 'Stopped.' }
        trace.push(`end ${path}`)
        return { ok: true, text: `content of ${path}` }
      },
    }),
    tool({
      name: 'write_file',
      says: 'Write a file.',
      input: z.object({ path: z.string(), content: z.string() }),
      toolset: 'files',
      risk: 'write',
      intent: async ({ path }) =>
        path === '/etc/passwd' ? { refused: 'Not there.' } : intentOf('Write', path, 'write'),
      async run({ path }, { output }) {
        if (path === 'bug') throw new TypeError('a bug')
        output(`writing ${path}`)
        trace.push(`write ${path}`)
        return { ok: true, text: `wrote ${path}` }
      },
    }),
  ]
}

/** Run one turn to its end and tell everything about it. */
export async function aTurn(script: TurnScript) {
  const {
    strategy = 'structured',
    contextTokens = 8_192,
    maxIterations = 20,
    approval = 'ask',
    answers = [],
  } = script
  const trace: string[] = []
  const events: NewRunEvent[] = []
  const reported: unknown[] = []
  const messages: Message[] = []
  let refusedTools = false
  const stop = new AbortController()
  const grants = new Set<string>()
  const append = (message: NewMessage): Message => {
    const stored = { ...message, id: messages.length + 1 }
    messages.push(stored)
    return stored
  }
  for (const message of script.before ?? []) append(message)
  append({ role: 'user', sessionId: 's', at: 0, text: script.question ?? 'Go on.' })

  const registry = createRegistry([
    ...smallTools(trace, path => script.onBegin?.(path, () => stop.abort())),
    ...(script.tools ?? []),
  ])
  const engine = scriptedEngine({ replies: script.replies, strategy, contextTokens })
  const wire = strategy === 'text' ? textStrategy : structuredStrategy
  const tools = registry.specs()
  const ports: TurnPorts = {
    history: (firstId, most) => messages.filter(message => message.id >= firstId).slice(-most),
    append,
    emit(event) {
      events.push(event)
      script.onEvent?.(event, () => stop.abort())
    },
    approvalMode: () => approval,
    grants,
    grant: rule => void grants.add(rule),
    async ask(_approval, signal) {
      const given = answers.shift()
      if (given) return typeof given === 'string' ? { decision: given, note: '' } : given
      await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
      return { decision: 'deny', note: 'stopped', unanswered: true }
    },
    cap: script.cap ?? (async (_call, result) => result),
    refusedTools: () => {
      refusedTools = true
    },
    now: () => 0,
    report: error => void reported.push(error),
  }
  const reason: EndReason = await runTurn(
    {
      askedId: 1,
      sessionId: 's',
      workspace: '/desk',
      home: '/home',
      engine,
      strategy: wire,
      system: `You are a test.\n\n${wire.present(tools)}`,
      registry,
      tools,
      contextTokens,
      maxIterations,
    },
    ports,
    openWindow(),
    stop.signal,
  )
  return { reason, messages, events, trace, reported, refusedTools, prompts: engine.prompts }
}

/** So many questions of about 60 tokens, each with its answer. */
export const talkOf = (turns: number): NewMessage[] =>
  Array.from({ length: turns }, (_, n): NewMessage[] => [
    { role: 'user', sessionId: 's', at: 0, text: `Question ${n}. ${'Many words. '.repeat(20)}` },
    aReply(`Answer ${n}.`),
  ]).flat()

/** A reply as the loop stores it. */
export const aReply = (
  text: string,
  given: Partial<AssistantMessage> = {},
): Omit<AssistantMessage, 'id'> => ({
  role: 'assistant',
  sessionId: 's',
  at: 0,
  text,
  reasoning: '',
  calls: [],
  interrupted: false,
  model: 'Scripted model',
  ...given,
})

/** The history in short, one line a message. */
export const inShort = (messages: readonly Message[]): string[] =>
  messages.map(message => {
    if (message.role === 'user') return `user: ${message.text}`
    if (message.role === 'tool') return `${message.ok ? 'result' : 'error'}: ${message.text}`
    const calls = message.calls.map(call => `${call.name}(${Object.values(call.arguments).join(', ')})`)
    const start = `assistant${message.interrupted ? ' (interrupted)' : ''}:`
    return [start, message.text, ...calls].filter(part => part !== '').join(' ')
  })

/** Every call has exactly one result, right after its reply, and no result is without a call. */
export function isLegal(messages: readonly Message[]): boolean {
  let open: string[] = []
  for (const message of messages) {
    if (message.role === 'tool') {
      if (open.shift() !== message.callId) return false
    } else if (open.length > 0) return false
    else if (message.role === 'assistant') open = message.calls.map(call => call.id)
  }
  return open.length === 0
}
