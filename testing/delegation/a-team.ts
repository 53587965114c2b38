import { createReports } from '../../src/main/delegation/untold-reports.ts'
import { policyStep } from '../../src/main/agent/steps/policy-step.ts'
import { capStep } from '../../src/main/agent/steps/result-steps.ts'
import { realpathSync } from 'node:fs'
import { someSections } from '../runs/some-sections.ts'
import type { Delegated } from '../../src/shared/contract/runs/delegation.ts'
import type { NewRunEvent } from '../../src/shared/contract/runs/run.ts'
import type { ApprovalMode } from '../../src/shared/contract/chats/session.ts'
import { Config } from '../../src/main/config/schema.ts'
import { delegateTool } from '../../src/main/delegation/delegate-tool.ts'
import { openDelegation } from '../../src/main/delegation/open-delegation.ts'
import type { Prompt } from '../../src/main/models/interface/engine.ts'
import { createRuns } from '../../src/main/runs/runs.ts'
import { createResultCap } from '../../src/main/tools/registry/shorten-result.ts'
import { coreTools } from '../../src/main/tools/tool-lists.ts'
import { createRegistry } from '../../src/main/tools/registry/registry.ts'
import type { Tool } from '../../src/main/tools/registry/tool.ts'
import { aChat, aFolder, open } from '../db/a-store.ts'
import { scriptedEngine, type ScriptedReply } from '../models/scripted.ts'

type DelegationSettings = ReturnType<Parameters<typeof openDelegation>[0]['settings']>

/** The replies of each model, in order: the model of the chat, and those of its sub-agents by goal. */
export type TeamScript = {
  chat: readonly ScriptedReply[]
  agents?: Readonly<Record<string, readonly ScriptedReply[]>>
  approval?: ApprovalMode
  tools?: readonly Tool[]
  settings?: Partial<DelegationSettings>
  places?: number
  stallMs?: number
  modelId?: string
  onEvent?: (event: NewRunEvent, team: { stop(): void }) => void
  /** Called with the events of the sub-agents' runs. */
  onAgentEvent?: (event: NewRunEvent) => void
  onAgent?: (agent: Delegated) => void
  /**
   * Called in the tick in which a request to the model is aborted, with the goal of the sub-agent, or `chat`.
   */
  onAbort?: (goal: string) => void
}

export const delegate = (goal: string, more: Record<string, unknown> = {}) => ({
  call: { name: 'delegate', arguments: { goal, ...more } },
})

export const write = (path: string, content: string) => ({
  call: { name: 'write_file', arguments: { path, content } },
})
export const run = (command: string) => ({ call: { name: 'terminal', arguments: { command } } })

/** A chat with sub-agents on a real store, real files and real commands; only the model is scripted. */
export function aTeam(script: TeamScript) {
  const home = aFolder()
  const desk = aFolder()
  const { store } = open(home.path)
  const workspace = realpathSync(desk.path)
  const { modelId = 'server:scripted' } = script
  const said = new Map<string, number>()
  const reported: unknown[] = []
  /** The script of a prompt: a sub-agent is known by the goal in its first message. */
  function replyTo(prompt: Prompt): ScriptedReply {
    const key = goalOf(prompt)
    const replies = key === 'chat' ? script.chat : (script.agents?.[key] ?? ['Nothing to say.'])
    const at = said.get(key) ?? 0
    said.set(key, at + 1)
    return replies[Math.min(at, replies.length - 1)] ?? 'No more.'
  }
  const engine = scriptedEngine({ replies: replyTo, strategy: 'structured', modelId, contextTokens: 32_000 })
  const watched = {
    ...engine,
    complete(prompt: Prompt, signal: AbortSignal) {
      signal.addEventListener('abort', () => script.onAbort?.(goalOf(prompt)))
      return engine.complete(prompt, signal)
    },
  }
  const registry = createRegistry(script.tools ?? coreTools({ timeout_s: 20 }))
  const chat = aChat(store, { modelId, workspace, approval: script.approval ?? 'full' })
  const agents = new Map<string, Delegated>()
  const onAgent = (agent: Delegated) => {
    agents.set(agent.name, agent)
    script.onAgent?.(agent)
  }
  const runs = createRuns({
    refuseFolder: () => {},
    home: home.path,
    store,
    sessions: store.sessions,
    sections: someSections(),
    evidence: { asked: () => {}, sent: () => {}, ended: () => {} },
    registry,
    engineFor: async () => watched,
    steps: [
      () => policyStep(),
      () =>
        capStep(
          createResultCap(home.path, { result_limit: 50_000, error_limit: 2_048 }, store.marks.keepOutput),
        ),
    ],
    maxIterations: () => 20,
    waitMs: () => 600_000,
    onSessionChange: () => {},
    onRunEvent: (sessionId, event) => {
      if (sessionId === chat.id) script.onEvent?.(event, { stop })
      else script.onAgentEvent?.(event)
    },
    compaction: () => ({ ...Config.parse({}).compaction, trigger: 1 }),
    flushes: undefined,
    reports: createReports({ store, onChange: onAgent }),
    now: Date.now,
    report: error => void reported.push(error),
  })
  const delegation = openDelegation({
    store,
    runs,
    settings: () => ({ poolSteps: 60, poolTokens: 1_200_000, ...script.settings }),
    optionsFor: () => ({}),
    laneFor: name => ({ name, places: script.places ?? 4, isLocal: !name.startsWith('server:') }),
    onChange: onAgent,
    now: Date.now,
    report: error => void reported.push(error),
    ...(script.stallMs !== undefined && { stallMs: script.stallMs }),
  })
  registry.add([delegateTool(delegation)])
  const { signal } = new AbortController()
  let runId = ''
  const stop = () => runs.stop(runId)
  return {
    home: home.path,
    chat,
    store,
    runs,
    delegation,
    workspace,
    engine,
    agents,
    reported,
    signal,
    stop,
    /** Send a message in the chat and wait for the end of the turn. Returns its events. */
    async turn(text = 'Go on.'): Promise<NewRunEvent[]> {
      runId = runs.send(chat.id, text).runId
      return Array.fromAsync(runs.watch(runId, 0, signal))
    },
    /** The results of sub-agents that the model of the chat read, in order. */
    results: () =>
      store.messages
        .history(chat.id)
        .flatMap(message => (message.role === 'tool' && message.name === 'delegate' ? [message] : [])),
    async [Symbol.asyncDispose]() {
      delegation.close()
      await runs.close()
      store.close()
      home[Symbol.dispose]()
      desk[Symbol.dispose]()
    },
  }
}

function goalOf({ messages }: Prompt): string {
  const first = messages.find(message => message.role === 'user')?.text ?? ''
  return /## Goal\n\n(.*)/.exec(first)?.[1] ?? 'chat'
}
