import { openKillSpool } from './kill-appending.ts'

/** Read a spool again and again, as a running host does, until killed. */
openKillSpool(process.argv[2] ?? '', { isCarried: true })
// A timer of the spool does not keep a process alive.
setInterval(() => undefined, 60_000)
