import { join } from 'node:path'
import type { Notice } from '../../shared/contract/app.ts'

/** How to start the app again: its arguments, and its program if that is not the running one. */
export type Restart = { args: string[]; execPath?: string }

/** Marks a start that follows a crash, with the time of the crash in epoch milliseconds. */
const MARK = '--crashed-at='
/** An app that crashes twice within this time, in ms, would crash again. */
const AGAIN_MS = 10 * 60_000

/**
 * Return how to start the app again after a crash at `now`, given the arguments it was started with (without
 * the program). Undefined if it was itself started after a crash less than ten minutes ago.
 */
export function planRestart(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  now: number,
): Restart | undefined {
  const before = crashedAt(args)
  if (before !== undefined && Math.abs(now - before) < AGAIN_MS) return undefined
  // Inside an AppImage the running program is in a folder that is unmounted when it ends.
  const appImage = env['APPIMAGE']
  return {
    args: [...args.filter(arg => !arg.startsWith(MARK)), `${MARK}${now}`],
    ...(appImage && { execPath: appImage }),
  }
}

/** Return when the crash before this start happened, in epoch ms; undefined for an ordinary start. */
export function crashedAt(args: readonly string[]): number | undefined {
  const mark = args.find(arg => arg.startsWith(MARK))?.slice(MARK.length)
  return mark !== undefined && /^\d{1,15}$/.test(mark) ? Number(mark) : undefined
}

/** The notice that the window shows after the app was restarted. */
export const restartNotice = (home: string): Notice => ({
  id: 'restarted-after-crash',
  level: 'warning',
  text: 'An unexpected error occurred, so Talaria restarted. Everything that was shown before is kept.',
  fix: `The details are in ${logFile(home)}.`,
})

/** The text that the user reads when Talaria ends because of an uncaught error. */
export function crashText(error: unknown, home: string): string {
  const message = error instanceof Error ? error.message : String(error)
  return [
    `Talaria has to close because of an unexpected error: ${message.trim().replace(/\.$/, '')}.`,
    `Everything shown before it was saved. The details are in ${logFile(home)}.`,
    'Start Talaria again. If the error comes back, report it with that file.',
  ].join('\n')
}

const logFile = (home: string) => join(home, 'logs', 'talaria.log')
