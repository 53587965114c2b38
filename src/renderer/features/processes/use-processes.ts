import type { BackgroundProcess } from '../../../shared/contract/runs/processes.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { useAnswer } from '../../rpc/use-answer.ts'
import { showToast } from '../../ui/Toasts.tsx'
import { byCount } from '../../../shared/text/amounts.ts'

const none: readonly BackgroundProcess[] = []

/** The background processes of all chats, reloaded on every change the host reports. Ended ones come last. */
export function useProcesses(): readonly BackgroundProcess[] {
  const answer = useAnswer('process.list', {})
  return answer?.ok ? answer.value.processes : none
}

/** Returns a function that stops a process and shows a failure. */
export function useStop(): (id: string) => Promise<void> {
  const { client } = useLink()
  return async id => {
    const answer = await attemptCall(client['process.stop']({ id }))
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
  }
}

export const isRunning = ({ endedAt }: BackgroundProcess): boolean => endedAt === null

const accessTexts = {
  confined: 'confined, no network',
  network: 'confined, with network',
  unconfined: 'not confined',
}

/** State and confinement of a process, on one line. */
export function describeProcess({
  state,
  exitCode,
  access,
  leftover,
  obeyed = [],
}: BackgroundProcess): string {
  const states = {
    running: 'Running',
    stopping: 'Stopping…',
    exited: exitCode === null ? 'Ended' : `Ended with exit code ${exitCode}`,
    stopped: 'Stopped',
  }
  const aside = obeyed.filter(({ kept }) => kept !== 'stands').length
  return [
    states[state],
    leftover > 0 &&
      byCount(
        leftover,
        '1 process of another user is still running',
        `${leftover} processes of another user are still running`,
      ),
    accessTexts[access],
    aside > 0
      ? byCount(
          aside,
          '1 of its files is set aside for review',
          `${aside} of its files are set aside for review`,
        )
      : obeyed.length > 0 && 'it changed files that programs obey',
  ]
    .filter(Boolean)
    .join(' · ')
}
