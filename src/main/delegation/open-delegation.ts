import { inheritedOptions } from '../../shared/contract/chats/chat-options.ts'
import type { Delegated } from '../../shared/contract/runs/delegation.ts'
import type { StrangersMark } from '../../shared/contract/chats/messages.ts'
import type { Approval, EndReason } from '../../shared/contract/runs/run.ts'
import type { Session } from '../../shared/contract/chats/session.ts'
import { Fault } from '../../shared/rpc.ts'
import { readIn } from '../agent/steps/ask-approval.ts'
import { createBudget, type Budget } from '../agent/budget.ts'
import { judgeSchema, textsIn } from '../json-schema/judge-schema.ts'
import { expectJson, type ExpectedAnswer } from '../json-schema/expected-answer.ts'
import type { ApprovalAnswer, TurnPorts } from '../agent/turn-types.ts'
import type { Store } from '../db/store.ts'
import { isRefusal, type Refusal } from '../lib/expected-errors.ts'
import { findOrders } from '../untrusted/pushing-text.ts'
import type { RunInside, Runs } from '../runs/runs.ts'
import type { ToolContext, ToolResult } from '../tools/registry/tool.ts'
import { watchCommands } from './command-changes.ts'
import { agentFacts } from './agent-facts.ts'
import { followAgent, shortLine } from './follow-agent.ts'
import type { AgentKind } from './agent-kinds.ts'
import { createPlaces, type ModelPlaces } from './places-per-model.ts'
import { resultText, taskText } from './result-text.ts'

/** The arguments of one call to delegate. */
export type Task = {
  goal: string
  context: string
  kind: AgentKind
  /** A JSON Schema for the answer. */
  schema?: Record<string, unknown> | undefined
  background: boolean
}

type DelegationSettings = { poolSteps: number; poolTokens: number }

type Parts = {
  store: Pick<Store, 'sessions' | 'messages' | 'delegations' | 'marks'>
  runs: Pick<Runs, 'send' | 'stop' | 'within'>
  settings(): DelegationSettings
  /** The initial values of chat options for a sub-agent's chat. */
  optionsFor(parent: Session): Readonly<Record<string, unknown>>
  /** The lane for sub-agents with this model. */
  laneFor(modelId: string): ModelPlaces
  /** Called with every change of a sub-agent. */
  onChange(agent: Delegated): void
  now(): number
  report(error: unknown): void
  /** How long without a token or output before a sub-agent counts as stalled, in ms. */
  stallMs?: number
}

/** Maximum number of sub-agents in one turn, maximum steps of each, and default stall time. */
const MOST_AGENTS = 8
const MOST_STEPS = 20
const STALL_MS = 10 * 60_000

/** State shared by the sub-agents of one turn. */
type Pool = { runId: string; budget: Budget; limits: DelegationSettings; started: number }
type Live = { agent: Delegated; pool: Pool; stop: AbortController; error: string }

export type Delegation = ReturnType<typeof openDelegation>

/** Open the service that starts and follows sub-agents. Those cut off when Talaria quit end as `unknown`. */
export function openDelegation(parts: Parts) {
  const { store, runs, settings, onChange, now, report, stallMs = STALL_MS } = parts
  const pools = new Map<string, Pool>()
  const live = new Map<string, Live>()
  const lanes = createPlaces(parts.laneFor)
  let isClosing = false
  for (const agent of store.delegations.open()) {
    // The sub-agent's usage and last text were stored with its messages, step by step.
    const { steps, tokens, summary } = agentFacts(store.messages.history(agent.sessionId))
    const line = shortLine(summary)
    store.delegations.put({ ...agent, state: 'ended', end: 'unknown', endedAt: now(), steps, tokens, line })
  }

  /** The pool of a run. If an earlier run of the chat has ended, only its sub-agents still need its pool. */
  function poolOf(parentId: string, { runId }: RunInside): Pool {
    const known = pools.get(parentId)
    if (known?.runId === runId) return known
    const limits = settings()
    const budget = createBudget(
      { steps: limits.poolSteps, tokens: limits.poolTokens },
      'the sub-agents of this turn',
    )
    const pool = { runId, budget, limits, started: 0 }
    pools.set(parentId, pool)
    return pool
  }

  function change(one: Live, given: Partial<Delegated>): void {
    const { budget, limits } = one.pool
    const pool = {
      steps: budget.used.steps,
      mostSteps: limits.poolSteps,
      tokens: budget.used.tokens,
      mostTokens: limits.poolTokens,
    }
    const before = one.agent
    one.agent = { ...before, ...given, pool }
    if (one.agent.state !== before.state) {
      // While Talaria shuts down, the end is not stored, so that the next start sets it to unknown.
      if (!(isClosing && one.agent.state === 'ended')) store.delegations.put(one.agent)
      const { callId, name, state, line } = one.agent
      runs.within(one.agent.parentId)?.emit({
        type: 'agent',
        callId,
        name,
        line: state === 'ended' ? `ended: ${one.agent.end}` : line || state,
        ended: state === 'ended',
      })
    }
    onChange(one.agent)
  }

  /** A sub-agent's questions go to its parent chat and to followers of its own; the first answer counts. */
  const askFor =
    (one: Live) =>
    async (approval: Approval, signal: AbortSignal, follower: TurnPorts['ask']): Promise<ApprovalAnswer> => {
      change(one, { state: 'asks', line: `asks: ${approval.title}` })
      const { sessionId, parentId, callId, name } = one.agent
      const over = new AbortController()
      const either = AbortSignal.any([signal, over.signal])
      const parent = runs.within(parentId)
      try {
        if (!parent) return await follower(approval, signal)
        const asked = { ...approval, callId, agent: { sessionId, name } }
        parent.emit({ type: 'approval_request', approval: asked })
        const answer = await Promise.race([parent.ask(asked, either), follower(approval, either)])
        const { decision, note } = answer
        // The user has read the text in the parent chat, whichever sub-agent asked.
        const read = readIn(answer, approval.texts)
        if (read.length > 0)
          store.marks.end(
            parentId,
            read.map(({ id }) => id),
            now(),
          )
        parent.emit({
          type: 'approval_resolved',
          approvalId: approval.id,
          callId,
          decision,
          note,
          ...(answer.from !== undefined && { from: answer.from }),
          ...(read.length > 0 && { read }),
        })
        return answer
      } finally {
        over.abort()
        change(one, { state: 'running', line: approval.title })
      }
    }

  /** Work through one task in its own chat; returns the text for the parent's model. */
  async function work(
    one: Live,
    task: Task,
    modelId: string,
    expected: ExpectedAnswer | undefined,
    marks: readonly StrangersMark[],
  ) {
    const { sessionId } = one.agent
    const signal = one.stop.signal
    const tokens = Math.ceil((one.pool.limits.poolTokens * MOST_STEPS) / one.pool.limits.poolSteps)
    const budget = createBudget({ steps: MOST_STEPS, tokens }, 'this sub-agent', one.pool.budget)
    let followed: ReturnType<typeof followAgent> | undefined
    const inItsChat = async (begun: () => void): Promise<EndReason> => {
      // The chat was deleted while the sub-agent waited for a place.
      if (!store.sessions.get(sessionId)) return 'stopped'
      followed = followAgent(one, { change: given => change(one, given), begun, stallMs })
      change(one, { state: 'running', line: 'begins' })
      const { promise, resolve } = Promise.withResolvers<EndReason>()
      const { runId } = runs.send(sessionId, taskText({ ...task, instructions: task.kind.instructions }), {
        ended: resolve,
        marks,
        start: {
          origin: 'sub_agent',
          budget,
          expected,
          onEvent: followed.onEvent,
          aroundCommand: watchCommands(changed => {
            if (one.agent.state === 'ended') return
            one.agent = { ...one.agent, changed }
            // Stored immediately, so that the facts about commands outlive Talaria.
            store.delegations.put(one.agent)
          }),
          // On this computer, an answer that the user waits for comes first.
          ...(parts.laneFor(modelId).isLocal && { priority: 'background' as const }),
          ask: askFor(one),
          mode: () =>
            runs.within(one.agent.parentId)?.mode() ?? store.sessions.get(sessionId)?.approval ?? 'none',
        },
      })
      // Abort signals call listeners synchronously, so a stop of the parent reaches the run in the same tick.
      const stop = () => runs.stop(runId)
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) stop()
      return await promise
    }
    const broken = (error: unknown): EndReason => {
      if (!(error instanceof Fault)) report(error)
      one.error = error instanceof Fault ? error.message : 'Something went wrong inside Talaria.'
      return 'failed'
    }
    const finish = (reason: EndReason) => {
      followed?.end()
      return end(one, reason, expected)
    }
    const result = await lanes.within(modelId, signal, async begun =>
      finish(await inItsChat(begun).catch(broken)),
    )
    return result ?? finish('stopped')
  }

  function end(one: Live, reason: EndReason, expected: ExpectedAnswer | undefined): ToolResult {
    const { sessionId } = one.agent
    const facts = agentFacts(store.messages.history(sessionId))
    live.delete(sessionId)
    const line = reason === 'done' ? shortLine(facts.summary) : one.error || shortLine(facts.summary)
    const hadTools = store.sessions.frozenPrompts(sessionId).some(({ toolNames }) => toolNames.length > 0)
    change(one, {
      state: 'ended',
      end: reason,
      endedAt: now(),
      line,
      told: !one.agent.background,
      ...(hadTools && !facts.ran && { unlooked: true as const }),
    })
    const marks = store.marks.ofChat(sessionId)
    const text = resultText({
      agent: one.agent,
      facts,
      error: one.error,
      hadForm: expected !== undefined,
      misfit: expected?.problemOf(facts.summary),
      marks,
    })
    return reason === 'done' ? { ok: true, text, marks } : { ok: false, reason: text, marks }
  }

  /** Start a sub-agent for the run in a chat. Resolves when it has ended; in the background, immediately. */
  async function delegate(task: Task, context: ToolContext): Promise<ToolResult> {
    const { sessionId: parentId, callId = '', signal, strangers = [] } = context
    const parent = runs.within(parentId)
    const session = store.sessions.get(parentId)
    if (!parent || !session) return { ok: false, reason: 'No turn of this chat is in progress.' }
    if (session.origin === 'sub_agent')
      return { ok: false, reason: 'A sub-agent has no sub-agents of its own.' }
    const expected = task.schema === undefined ? undefined : formOf(task.schema)
    if (expected && isRefusal(expected)) return { ok: false, reason: expected.refused }
    const pool = poolOf(parentId, parent)
    if (pool.started >= MOST_AGENTS)
      return {
        ok: false,
        reason: `This turn has started ${MOST_AGENTS} sub-agents, which is the most. Do the rest yourself.`,
      }
    pool.started++
    const modelId = task.kind.model ?? parent.modelId
    const number = store.delegations.ofChat(parentId).length + 1
    const name = `${task.kind.name} ${number}`
    const chat = store.sessions.create({
      modelId,
      workspace: session.workspace,
      approval: parent.mode(),
      origin: 'sub_agent',
      originId: callId,
      parentId,
      onlyTools: task.kind.tools,
      ...inheritedOptions(session),
      options: parts.optionsFor(session),
      title: `${name}: ${shortLine(task.goal, 80)}`,
      temporary: session.temporary,
    })
    const agent: Delegated = {
      sessionId: chat.id,
      parentId,
      callId,
      name,
      kind: task.kind.name,
      goal: shortLine(task.goal, 300),
      background: task.background,
      state: 'waiting',
      end: null,
      line: 'waits for a free place',
      steps: 0,
      tokens: 0,
      pool: { steps: 0, mostSteps: 0, tokens: 0, mostTokens: 0 },
      startedAt: now(),
      endedAt: null,
      told: false,
    }
    const one: Live = { agent, pool, stop: new AbortController(), error: '' }
    live.set(chat.id, one)
    store.delegations.put(agent)
    change(one, {})
    const stop = () => one.stop.abort()
    signal.addEventListener('abort', stop, { once: true })
    const working = work(one, task, modelId, expected, strangers)
    if (!task.background) return await working.finally(() => signal.removeEventListener('abort', stop))
    void working.catch(report)
    return {
      ok: true,
      text: `The sub-agent ${name} works in the background (its chat is ${chat.id}). Do not wait for it: go on, or end your turn. What came of it reaches you with a later message of the user, once all that work in the background have ended.`,
    }
  }

  return {
    delegate,
    /** The sub-agents of a chat in their current state, oldest first. */
    ofChat: (parentId: string): Delegated[] =>
      store.delegations.ofChat(parentId).map(agent => live.get(agent.sessionId)?.agent ?? agent),
    /** Stop one sub-agent. */
    stop: (sessionId: string) => live.get(sessionId)?.stop.abort(),
    /** Stop all sub-agents of a chat, including those in the background; returns their names. */
    stopAll(parentId: string): string[] {
      const theirs = [...live.values()].filter(({ agent }) => agent.parentId === parentId)
      for (const one of theirs) one.stop.abort()
      return theirs.map(({ agent }) => agent.name)
    },
    /** From now on ends are not stored, so that the next start sets them to unknown. */
    close() {
      isClosing = true
    },
  }
}

/** The form of an answer, given a JSON Schema of an object; or why the schema cannot be used. */
function formOf(schema: Record<string, unknown>): ExpectedAnswer | Refusal {
  const judged = judgeSchema(schema, 'The arguments')
  if (isRefusal(judged)) return { refused: `expect cannot be used: ${judged.refused}` }
  const { schema: read, check } = judged
  const type = schema['type'] ?? 'object'
  const problem =
    findOrders(textsIn(schema)) ??
    (type === 'object' ? check.whyUnchecked() : 'it is not a JSON Schema of an object')
  return problem === undefined
    ? expectJson(read, check.problemOf)
    : { refused: `expect cannot be used: ${problem}` }
}
