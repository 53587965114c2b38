import { createHost } from './host.ts'
import { runDesktop } from './desktop/run-desktop.ts'
import { servedWords, serveInDesktop } from './desktop/serve-others.ts'

// The entry that Electron runs. Not awaited: Electron emits `ready` only once this module is evaluated.
const words = servedWords(process.argv.slice(1))
if (words) void serveInDesktop(createHost, words)
else void runDesktop(createHost, process.argv.slice(1), process)
