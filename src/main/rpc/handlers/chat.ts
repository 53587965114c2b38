import type { HostHandlers } from '../../../shared/contract/index.ts'
import type { Runs } from '../../runs/runs.ts'

/** Speak to the agent, and follow, stop and answer what it does. */
export function chatHandlers({ runs }: { runs: Runs }) {
  return {
    'chat.send': ({ sessionId, text }) => runs.send(sessionId, text),
    'run.watch': ({ runId, after }, signal) => runs.watch(runId, after, signal),
    'run.stop'({ runId }) {
      runs.stop(runId)
      return {}
    },
    'run.approve'({ runId, approvalId, decision, note }) {
      runs.answer(runId, approvalId, { decision, note })
      return {}
    },
  } satisfies Partial<HostHandlers>
}
