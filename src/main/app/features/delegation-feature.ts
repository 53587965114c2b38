import type { AppEvent } from '../../../shared/contract/app.ts'
import type { HostHandlers } from '../../../shared/contract/index.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { ConfigHandle } from '../../config/load.ts'
import type { Store } from '../../db/store.ts'
import { delegateTool } from '../../delegation/delegate-tool.ts'
import { openDelegation } from '../../delegation/open-delegation.ts'
import type { Broadcast } from '../../lib/publish.ts'
import type { Runs } from '../../runs/runs.ts'

type Needs = {
  config: ConfigHandle
  store: Store
  chats: { runs: Runs; publishSession(id: string): void; reportTo(reports: NonNullable<Reports>): void }
  events: Broadcast<AppEvent>
  now(): number
  report(error: unknown): void
}
type Reports = (sessionId: string) => { text: string; told(): void } | undefined

/** On a server sub-agents cost each other nothing; on one computer they would share its speed. */
const PLACES = { server: 4, local: 1 }

/** Sub-agents: the tool that starts them, and how they stand. */
export function delegationFeature({ config, store, chats, events, now, report }: Needs) {
  const delegation = openDelegation({
    store,
    runs: chats.runs,
    settings: () => ({
      poolSteps: config.current.agent.sub_agent_steps,
      poolTokens: config.current.agent.sub_agent_tokens,
    }),
    placesFor: modelId => (modelId.startsWith('server:') ? PLACES.server : PLACES.local),
    onChange: agent => events.publish({ type: 'agent', agent }),
    publishSession: chats.publishSession,
    now,
    report,
  })
  chats.reportTo(delegation.untold)
  return {
    tools: [delegateTool(delegation)],
    handlers: {
      'delegation.ofChat'({ sessionId }) {
        if (!store.sessions.get(sessionId)) throw new Fault('not_found', 'This chat does not exist any more.')
        return { agents: delegation.ofChat(sessionId) }
      },
      'delegation.stop'({ sessionId }) {
        delegation.stop(sessionId)
        return {}
      },
    } satisfies Partial<HostHandlers>,
    stopAll: delegation.stopAll,
    close: delegation.close,
  }
}
