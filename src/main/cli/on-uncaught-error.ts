import { crashText } from '../app/after-crash.ts'
import type { Host } from '../app/host-types.ts'
import type { LastSteps } from '../lib/processes/uncaught-errors.ts'

/** The home folder that a command has open, with its host if that runs in this process. */
type OpenedHome = Pick<Host, 'home'> & Partial<Pick<Host, 'report' | 'close'>>

let opened: OpenedHome | undefined
const unlogged: unknown[] = []

/** Note the home folder that this command works in, so that an uncaught error is logged there. */
export function noteOpened(home: OpenedHome): void {
  opened = home
}

/**
 * Whether the reader of the output left, as in `talaria search … | head`, which is not an error. Node does
 * not record it on the stream, because standard output is never destroyed. Sockets of the host handle their
 * own errors.
 */
function isUnread(error: unknown): boolean {
  const { code, syscall } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  return code === 'EPIPE' && syscall === 'write'
}

/** The last steps of a command after an uncaught error. */
export const onUncaughtError: LastSteps = {
  report(error) {
    if (isUnread(error)) return
    if (opened?.report) opened.report(error)
    else unlogged.push(error)
  },
  async finish() {
    await opened?.close?.()
    if (!opened || unlogged.length === 0) return
    const { openLog } = await import('../app/log.ts')
    const log = openLog(opened.home)
    for (const error of unlogged) log.error({ error }, 'unexpected, in a terminal')
    log.close()
  },
  tell(error) {
    if (isUnread(error)) return
    if (opened) console.error(crashText(error, opened.home))
    else console.error(error)
  },
  exit: code => process.exit(code),
}
