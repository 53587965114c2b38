import { workInThread } from '../threads/inside-thread.ts'
import { writeBackup } from './backup/write-backup.ts'
import { restoreBackup } from './backup/restore-backup.ts'
import { exportText, writeExport } from './export/write-export.ts'
import { cleanCopies } from './clean-copies.ts'

/** Work of seconds to minutes that would block the host's event loop: SQLite in big steps, zip, checksums. */
const works = {
  backup: writeBackup,
  restore: restoreBackup,
  export: writeExport,
  exportText,
  clean: cleanCopies,
}
export type Works = typeof works
export type JobOf<W extends keyof Works> = Parameters<Works[W]>[0]
export type ItemOf<W extends keyof Works> = ReturnType<Works[W]> extends AsyncGenerator<infer T> ? T : never

/** A job of the thread. */
export type DataJob = { work: keyof Works; job: JobOf<keyof Works> }

workInThread(({ work, job }: DataJob, { signal }): AsyncIterable<unknown> =>
  works[work](job as never, signal),
)
