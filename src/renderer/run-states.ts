import type { ScheduleRun } from '../shared/contract/schedules.ts'

// What the list of chats and the page of schedules both say of the run of a schedule.

/** How a run stands, in a word or two, with its look. */
export function stateOf({ state, silent, reason }: ScheduleRun): { label: string; look: string } {
  switch (state) {
    case 'claimed':
      return { label: 'Waits', look: 'text-accent' }
    case 'running':
      return { label: 'Running', look: 'text-accent' }
    case 'done':
      if (reason === 'no_tools' && !silent)
        return { label: 'Answered without looking at anything', look: 'text-ink-2' }
      return { label: silent ? 'Nothing to report' : 'Done', look: 'text-good' }
    case 'failed':
      return { label: 'Failed', look: 'text-danger' }
    case 'unknown':
      return { label: 'Unknown', look: 'text-warn' }
    case 'skipped':
      return { label: 'Did not run', look: 'text-warn' }
  }
}

/** Whether a run waits or goes on. */
export const isOpen = ({ state }: ScheduleRun): boolean => state === 'claimed' || state === 'running'
