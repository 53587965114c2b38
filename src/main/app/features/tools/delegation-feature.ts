import type { AppEvent } from '../../../../shared/contract/app.ts'
import type { HostHandlers } from '../../../../shared/contract/index.ts'
import { Fault } from '../../../../shared/rpc.ts'
import type { ConfigHandle } from '../../../config/load.ts'
import type { Store } from '../../../db/store.ts'
import { delegateTool } from '../../../delegation/delegate-tool.ts'
import { openDelegation } from '../../../delegation/open-delegation.ts'
import type { Broadcast } from '../../../lib/topic.ts'
import type { Projects } from '../../../projects/open-projects.ts'
import type { Runs } from '../../../runs/runs.ts'

type Needs = {
  config: ConfigHandle
  store: Store
  projects: Pick<Projects, 'options'>
  models: { chatsAtOnce(modelId: string): number; answererOf(modelId: string): string }
  chats: { runs: Runs }
  events: Broadcast<AppEvent>
  now(): number
  report(error: unknown): void
}

/** Maximum number of parallel sub-agents on one server, where they do not slow each other down. */
const ON_A_SERVER = 4

/** Sub-agents: the tool that starts them, and their state. */
export function delegationFeature({ config, store, projects, models, chats, events, now, report }: Needs) {
  const delegation = openDelegation({
    store,
    runs: chats.runs,
    settings: () => ({
      poolSteps: config.current.agent.sub_agent_steps,
      poolTokens: config.current.agent.sub_agent_tokens,
    }),
    optionsFor: projects.options.inheritedBy,
    laneFor(chosen) {
      const modelId = models.answererOf(chosen)
      return modelId.startsWith('server:')
        ? { name: modelId, places: ON_A_SERVER, isLocal: false }
        : // Reserve one place for the chat, which continues after its sub-agents have ended.
          { name: 'local', places: Math.max(1, models.chatsAtOnce(modelId) - 1), isLocal: true }
    },
    onChange: agent => events.publish({ type: 'agent', agent }),
    now,
    report,
  })
  return {
    tools: [delegateTool(delegation)],
    handlers: {
      'delegation.ofChat'({ sessionId }) {
        if (!store.sessions.get(sessionId)) throw new Fault('not_found', 'This chat no longer exists.')
        return { agents: delegation.ofChat(sessionId) }
      },
      'delegation.stop'({ sessionId }) {
        delegation.stop(sessionId)
        return {}
      },
      'delegation.stopAll': ({ sessionId }) => ({ names: delegation.stopAll(sessionId) }),
    } satisfies Partial<HostHandlers>,
    close: delegation.close,
  }
}
