import { crashText } from '../app/after-crash.ts'
import type { Host } from '../app/host-types.ts'
import type { LastSteps } from '../lib/processes/uncaught-errors.ts'

/** What a command has open: a home folder, and the host in it if that lives in this process. */
type OpenedHome = Pick<Host, 'home'> & Partial<Pick<Host, 'report' | 'close'>>

let opened: OpenedHome | undefined
const unlogged: unknown[] = []

/** Note the home folder that this command works in, so that an error which nothing catches is logged there. */
export function noteOpened(home: OpenedHome): void {
  opened = home
}

/**
 * The reader of the output left, as in `talaria search … | head`. That is not an error. Node does not note it at the stream:
 * standard output is never destroyed. Sockets of the host handle their own errors.
 */
function isUnread(error: unknown): boolean {
  const { code, syscall } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  return code === 'EPIPE' && syscall === 'write'
}

/** What a command does about an error that nothing caught. */
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
