import { parentPort, workerData } from 'node:worker_threads'
import { Fault, type FaultCode } from '../../shared/rpc.ts'
import { writeBackup } from './backup/write-backup.ts'
import { restoreBackup } from './backup/restore-backup.ts'
import { writeExport } from './export/write-export.ts'
import { cleanCopies } from './clean-copies.ts'

/** The work that takes seconds to minutes and would hold the host's event loop: SQLite in big steps, zip, checksums. */
const works = { backup: writeBackup, restore: restoreBackup, export: writeExport, clean: cleanCopies }
export type Works = typeof works
export type JobOf<W extends keyof Works> = Parameters<Works[W]>[0]
export type ItemOf<W extends keyof Works> = ReturnType<Works[W]> extends AsyncGenerator<infer T> ? T : never

/** What the thread is given, and what it says. */
export type ThreadWork = { work: keyof Works; job: JobOf<keyof Works> }
export type ThreadNews =
  | { type: 'item'; item: unknown }
  | { type: 'end' }
  | { type: 'fault'; code: FaultCode; message: string }
  | { type: 'bug'; stack: string }

const port = parentPort!
const stopping = new AbortController()
port.once('message', () => stopping.abort(new Fault('cancelled', 'Cancelled.')))
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const say = (news: ThreadNews) => port.postMessage(news)

const { work, job } = workerData as ThreadWork
try {
  for await (const item of works[work](job as never, stopping.signal)) say({ type: 'item', item })
  say({ type: 'end' })
} catch (error) {
  if (error instanceof Fault) say({ type: 'fault', code: error.code, message: error.message })
  else say({ type: 'bug', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) })
}
port.close()
