import { isRefusal } from '../lib/expected-errors.ts'
import type { CommandConfinement } from '../confinement/sandbox-setting.ts'
import { shellFor } from '../commands/process-group.ts'
import { runCommand } from '../commands/run-command.ts'

/** Time after which a check has failed, in ms. */
const CHECK_MS = 600_000
const LONGEST_NOTE = 2_000

/** The result of a check: reward 1 if it exits with 0, else 0 and the end of its output. `cut`: stopped. */
export type Checked = { reward: 0 | 1; note: string } | 'cut'

/**
 * Run the check of a row in the folder of its attempt, in *Work* without network. Throws if it cannot be
 * confined, because the result would say nothing about the attempt.
 */
export async function runCheck(
  confine: CommandConfinement['confine'],
  { command, folder, sessionId }: { command: string; folder: string; sessionId: string },
  signal: AbortSignal,
  timeoutMs = CHECK_MS,
): Promise<Checked> {
  const confinement = { profile: 'work', network: false, obeyed: 'nothing' } as const
  const confined = await confine(shellFor(command), confinement, { folder, cwd: folder, sessionId })
  if (isRefusal(confined)) throw new CheckNotRun(confined.refused)
  try {
    const ran = await runCommand({ command, folder, timeoutMs, signal, confined, output: () => undefined })
    if (ran.how === 'not started' || ran.how === 'not confined') throw new CheckNotRun(ran.reason)
    if ('gone' in ran) await ran.gone
    if (ran.how === 'stopped') return 'cut'
    if (ran.how === 'exited' && ran.code === 0) return { reward: 1, note: '' }
    const how =
      ran.how === 'late'
        ? `The check took longer than ${timeoutMs / 1_000} seconds.`
        : ran.how === 'exceeded'
          ? `The check was ended: ${ran.reason}`
          : `The check failed with exit code ${ran.code}.`
    return { reward: 0, note: `${how} ${ran.output.trim().slice(-LONGEST_NOTE)}`.trim().toWellFormed() }
  } finally {
    confined.cleanUp()
  }
}

/** Thrown if a check could not run at all, which is no failure of the attempt. */
export class CheckNotRun extends Error {}
