import type { ScheduleRun } from '../shared/contract/runs/schedules.ts'
import { useHost } from './rpc/host-context.tsx'

// Texts about the run of a schedule, shared by the list of chats and the Schedules page.

/** The state of a run in a word or two, with its colour. `isWaiting`: its chat is asking the user. */
export function runState(
  { state, silent, reason }: ScheduleRun,
  isWaiting = false,
): { label: string; look: string } {
  if (isWaiting && state === 'running') return { label: 'Waiting for you', look: 'text-warn' }
  switch (state) {
    case 'claimed':
      return { label: 'Waiting', look: 'text-accent' }
    case 'running':
      return { label: 'Running', look: 'text-accent' }
    case 'done':
      if (reason === 'no_tools' && !silent)
        return { label: 'Answered without checking anything', look: 'text-ink-2' }
      return { label: silent ? 'Nothing to report' : 'Done', look: 'text-good' }
    case 'failed':
      return { label: 'Failed', look: 'text-danger' }
    case 'unknown':
      return { label: 'Unknown', look: 'text-warn' }
    case 'skipped':
      return { label: 'Did not run', look: 'text-warn' }
  }
}

/** Whether the chat of a run is asking the user. */
export const useRunWaits = (run: Pick<ScheduleRun, 'sessionId'> | null): boolean =>
  useHost(host => run?.sessionId != null && host.sessions[run.sessionId]?.waiting === true)

/** Whether a run is waiting or running. */
export const isRunOpen = ({ state }: ScheduleRun): boolean => state === 'claimed' || state === 'running'
