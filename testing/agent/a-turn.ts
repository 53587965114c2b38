import { once } from 'node:events'
import { setImmediate as macrotask } from 'node:timers/promises'
import { z } from 'zod'
import type { AssistantMessage, Message, NewMessage } from '../../src/shared/contract/chats/messages.ts'
import type { Decision, NewRunEvent } from '../../src/shared/contract/runs/run.ts'
import type { ApprovalMode } from '../../src/shared/contract/chats/session.ts'
import { scriptedEngine, type Script } from '../models/scripted.ts'
import { createRegistry } from '../../src/main/tools/registry/registry.ts'
import { defineTool, type Tool } from '../../src/main/tools/registry/tool.ts'
import { nothingOmitted } from '../../src/main/agent/fit-turn.ts'
import { runTurn } from '../../src/main/agent/loop.ts'
import { structuredStrategy } from '../../src/main/agent/strategies/structured.ts'
import type {
  ApprovalAnswer,
  CallStep,
  Permits,
  Turn,
  TurnEnd,
  TurnPorts,
} from '../../src/main/agent/turn-types.ts'
import { confinementStep, secondLookStep } from '../../src/main/agent/steps/command-steps.ts'
import { asAgreedStep } from '../../src/main/agent/steps/file-steps.ts'
import { policyStep } from '../../src/main/agent/steps/policy-step.ts'
import { capStep, type Cap } from '../../src/main/agent/steps/result-steps.ts'
import type { CommandConfinement } from '../../src/main/confinement/sandbox-setting.ts'
import { presentAsText } from './messages.ts'

// For tests: a turn with a scripted model, small tools and in-memory state.

type TurnScript = {
  replies: Script['replies']
  strategy?: 'text' | 'structured'
  contextTokens?: number
  maxIterations?: number
  approval?: ApprovalMode
  /** The user's answers in order; an empty list leaves requests open. */
  answers?: (Decision | ApprovalAnswer)[]
  /** Further tools besides the small tools. */
  tools?: Tool[]
  commands?: CommandConfinement
  rules?: Permits['rules']
  secondLook?: Parameters<typeof secondLookStep>[0]
  cap?: Cap
  /** Leave out the policy, so that no step judges calls. */
  policy?: false
  /** Further call steps besides the agent's own. */
  steps?: CallStep[]
  budget?: Turn['budget']
  plainTokens?: number
  maxTokens?: number
  before?: NewMessage[]
  question?: string
  onEvent?: (event: NewRunEvent, stop: () => void) => void
  /** Called when a small tool starts to read; `slow` reads until it is stopped. */
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

/**
 * Tools that log when they start and end. In mode `ask`, `read_file` needs no approval and `write_file` does.
 */
function smallTools(trace: string[], onBegin: (path: string) => void): Tool[] {
  return [
    defineTool({
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
        // The first call of a batch takes longest, so that the order of results is tested.
        for (let rounds = path === 'a' ? 30 : 5; rounds > 0 && !signal.aborted; rounds--) await macrotask()
        if (signal.aborted) return { ok: false, reason: 'Stopped.' }
        trace.push(`end ${path}`)
        return { ok: true, text: `content of ${path}` }
      },
    }),
    defineTool({
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

/** Run one turn to its end and return everything about it. */
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
  const wire = strategy === 'text' ? presentAsText({ ...engine, contextTokens }) : structuredStrategy
  const tools = registry.specs()
  const ports: TurnPorts = {
    history: (firstId, most) => messages.filter(message => message.id >= firstId).slice(-most),
    append,
    emit(event) {
      events.push(event)
      script.onEvent?.(event, () => stop.abort())
    },
    approvalMode: () => approval,
    async ask(_approval, signal) {
      const given = answers.shift()
      if (given) return typeof given === 'string' ? { decision: given, note: '' } : given
      await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
      return { decision: 'deny', note: 'stopped', unanswered: true }
    },
    now: () => 0,
    report: error => void reported.push(error),
  }
  const reason: TurnEnd = await runTurn(
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
      steps: [
        ...(script.policy === false ? [] : [policyStep({ rights: script.commands?.rights })]),
        ...(script.secondLook ? [secondLookStep(script.secondLook)] : []),
        confinementStep(script.commands ?? {}),
        asAgreedStep(),
        ...(script.cap ? [capStep(script.cap)] : []),
        ...(script.steps ?? []),
      ],
      permits: { grants, grant: rule => void grants.add(rule), rules: script.rules },
      budget: script.budget,
      plainTokens: script.plainTokens,
      ...(script.maxTokens !== undefined && { maxTokens: script.maxTokens }),
    },
    ports,
    nothingOmitted(),
    stop.signal,
  )
  return { reason, messages, events, trace, reported, prompts: engine.prompts }
}

/** `turns` questions of about 60 tokens, each with its answer. */
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

/** The history in short, one line per message. */
export const inShort = (messages: readonly Message[]): string[] =>
  messages.map(message => {
    if (message.role === 'user') return `user: ${message.text}`
    if (message.role === 'tool') return `${message.ok ? 'result' : 'error'}: ${message.text}`
    const calls = message.calls.map(call => `${call.name}(${Object.values(call.arguments).join(', ')})`)
    const start = `assistant${message.interrupted ? ' (interrupted)' : ''}:`
    return [start, message.text, ...calls].filter(part => part !== '').join(' ')
  })

/** Whether every call has exactly one result, directly after its reply, and every result has a call. */
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
