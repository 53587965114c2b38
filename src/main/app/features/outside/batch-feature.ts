import { dirname } from 'node:path'
import { unsetOptions } from '../../../../shared/contract/chats/chat-options.ts'
import type { TurnSubject } from '../../../../shared/contract/chats/session.ts'
import { capStep } from '../../../agent/steps/result-steps.ts'
import { modeFor } from '../../../batch/answer-for-nobody.ts'
import { openBatches, type BatchParts } from '../../../batch/open-batches.ts'
import type { PlanSources } from '../../../batch/plan-batch.ts'
import { createEraser } from '../../../batch/run-attempt.ts'
import { runCheck } from '../../../batch/run-check.ts'
import type { HostHandlers } from '../../../../shared/contract/index.ts'
import type { ConfigHandle } from '../../../config/load.ts'
import type { CommandConfinement } from '../../../confinement/sandbox-setting.ts'
import { openMemoryStore } from '../../../db/store.ts'
import { isFailure, type EngineFailure, type LlmEngine } from '../../../models/interface/engine.ts'
import { estimateTokens } from '../../../../shared/text/estimate-tokens.ts'
import { FOLDER_SECTION } from '../../../runs/prompt/folder-section.ts'
import { prepareTurn } from '../../../runs/prepare-turn.ts'
import { createRuns } from '../../../runs/runs.ts'
import type { TurnSources } from '../../../runs/turn-setup.ts'
import type { Registry } from '../../../tools/registry/registry.ts'
import { TODO, todoTool } from '../../../tools/todo.ts'
import { TOOLSETS } from '../../../tools/tool-lists.ts'
import type { ToolsetEntry } from '../../../tools/registry/toolsets.ts'
import { ORIGIN_RULES } from '../../../../shared/origin-rules.ts'
import { refuseOwnFolder } from '../../../files/workspace.ts'
import type { chatsFeature } from '../chats/chats-feature.ts'
import { deciderFeature } from '../models/decider-feature.ts'
import { guideFeature } from '../models/guide-feature.ts'
import { toolsetsFeature } from '../tools/toolsets-feature.ts'

type Needs = {
  home: string
  config: ConfigHandle
  /** What the runs of chats are made of. */
  chats: Pick<ReturnType<typeof chatsFeature>, 'made'>
  /** Toolsets that come and go while the host runs. */
  mcp: { toolsets(): readonly ToolsetEntry[] }
  confinement: {
    commands: CommandConfinement
    forgetChat(sessionId: string): Promise<unknown>
  }
  pictures: { hold: BatchParts['holdPicture'] }
  now(): number
  report(error: unknown): void
}

/**
 * Batches: the agent of the product over rows of a file. Their chats are in a store of their own, in memory, so they get the same prompt,
 * tools, strategies and approvals as others, and nothing of them reaches the chats, searches, reviews and exports of the person.
 */
export function batchFeature({ home, config, chats, mcp, confinement, pictures, now, report }: Needs) {
  const { made } = chats
  const { models, turns } = made
  // What the folders around the results say to agents would make their place a part of the prompt.
  const sources = {
    ...turns.sources,
    sections: turns.sources.sections.filter(({ name }) => name !== FOLDER_SECTION),
    // No other model describes the picture: the result would say nothing about this one.
    describePicture: async () => ({
      refused: 'Its row has a picture, so it needs a model that can see pictures.',
    }),
  }

  const batches = openBatches({
    refuseFolder: folder => refuseOwnFolder(home, folder),
    distributions: () => config.current.batch.distributions,
    toolsets() {
      const all = made.registry.names.map(name => made.registry.get(name)!)
      const usable = all.filter(({ unavailable }) => unavailable?.() === undefined)
      return [...new Set(usable.map(({ toolset }) => toolset))].filter(mayHave)
    },
    defaultModel: models.defaultId,
    async whyUnconfined() {
      const { confined, whyNot } = await confinement.commands.rights()
      return confined ? '' : whyNot
    },
    promptFor,
    openBench,
    check: (given, signal) => runCheck(confinement.commands.confine, given, signal),
    holdPicture: pictures.hold,
    now,
    report,
  })

  /** The tokens that a first request holds before the prompt of its row. */
  async function promptFor(
    ...[modelId, toolsets, options]: Parameters<PlanSources['promptFor']>
  ): ReturnType<PlanSources['promptFor']> {
    const subject: TurnSubject = {
      ...unsetOptions(),
      approval: options.tools ? modeFor(options.approve) : 'chat_only',
      ...(toolsets && {
        toolsets: { '*': false, ...Object.fromEntries(toolsets.map(name => [name, true])) },
      }),
      id: 'batch',
      modelId,
      workspace: dirname(options.file),
      origin: 'batch',
      originId: '',
      projectId: null,
      onlyTools: [],
    }
    const turn = await prepareTurn({ ...sources, projects: undefined, sessions: KEEPS_NOTHING }, subject)
    if (isFailure(turn)) return { refused: `${turn.text} ${turn.fix}`.trim() }
    const attached = turn.strategy.attach(turn.tools)
    return {
      tokens: estimateTokens(turn.system + (attached.length > 0 ? JSON.stringify(attached) : '')),
      tools: turn.tools.map(({ name }) => name),
      sees: turn.sees,
      isBuiltIn: turn.guide !== undefined,
    }
  }

  function openBench(gate: Parameters<BatchParts['openBench']>[0]): ReturnType<BatchParts['openBench']> {
    const store = openMemoryStore({ clock: now, report })
    /** What chats left behind, and is being removed while others run. */
    const leaving = new Set<Promise<unknown>>()
    const { choice } = toolsetsFeature({
      config,
      store,
      projects: NO_PROJECTS,
      registry: made.registry,
      entries: TOOLSETS,
      more: mcp.toolsets,
    })
    const registry = withPlans(made.registry, store.messages.latestResult)
    const engineFor = async (id: string): Promise<LlmEngine | EngineFailure> => {
      const engine = await models.engineAlone(id)
      if (!isFailure(engine)) return gate.guard(engine)
      gate.judge(engine)
      return engine
    }
    const own = {
      ...sources,
      store,
      sessions: store.sessions,
      registry,
      toolsets: choice,
      projects: undefined,
      engineFor,
      engineAlone: engineFor,
    }
    const { guideFor, sceneFor } = guideFeature({
      sources: own,
      knownIn: () => undefined,
      loadableIn: async () => [],
      messages: store.messages,
      encode: models.encode,
      report,
    })
    const decider = deciderFeature({
      sceneFor,
      store,
      deciding: models.deciding,
      verdictOf: models.verdictOf,
      now,
      report,
    })
    const runs = createRuns({
      ...own,
      guideFor,
      steps: [...made.steps, ...decider.steps, () => capStep(turns.cap)],
      rules: made.permissions.standing,
      compaction: () => config.current.compaction,
      flushes: undefined,
      waitMs: () => 0,
      refuseFolder: folder => refuseOwnFolder(home, folder),
      onSessionChange: () => undefined,
      evidence: NO_EVIDENCE,
      onRunEvent: () => undefined,
      report,
    })
    return {
      store,
      registry,
      runs,
      gate,
      erase: createEraser(store),
      async leave({ sessionId, modelId }) {
        await made.processes.endChat(sessionId)
        const own = Promise.all([
          confinement.forgetChat(sessionId),
          // A server keeps nothing of a chat here.
          modelId.startsWith('server:') ? undefined : models.forgetContext(sessionId),
        ])
          .catch(report)
          .finally(() => leaving.delete(own))
        leaving.add(own)
      },
      async close() {
        await runs.close()
        await Promise.all(leaving)
        store.close()
      },
    }
  }

  return {
    handlers: {
      'batch.look': batches.look,
      'batch.start': batches.start,
      'batch.watch': ({ id }, signal) => batches.watch(id, signal),
      async 'batch.pause'({ id }) {
        await batches.pause(id)
        return {}
      },
      'batch.resume': ({ id }) => batches.resume(id),
      'batch.watchList': (_, signal) => batches.watchList(signal),
      'batch.list': () => ({ batches: batches.list() }),
    } satisfies Partial<HostHandlers>,
    close: batches.close,
  }
}

/** Whether a batch may have a toolset at all. */
const mayHave = (toolset: string): boolean =>
  !ORIGIN_RULES.batch.without.includes(toolset) &&
  !ORIGIN_RULES.batch.without.includes(toolset.split('-', 1)[0]!)

/** The same tools, but the plan of a chat is found where its messages are. */
const withPlans = (registry: Registry, latestResult: Parameters<typeof todoTool>[0]): Registry => {
  const todo = todoTool(latestResult)
  return { ...registry, get: name => (name === TODO ? todo : registry.get(name)) }
}

const NO_PROJECTS = {
  of: () => undefined,
  get(): never {
    throw new Error('There are no projects in a batch.')
  },
}

const NO_EVIDENCE = { asked: () => undefined, sent: () => undefined, ended: () => undefined }

/** The prompt of an estimate is of no chat. */
const KEEPS_NOTHING: TurnSources['sessions'] = {
  frozenPrompt: () => undefined,
  frozenPrompts: () => [],
  freezePrompt() {},
}
