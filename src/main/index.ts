import { createHost } from './host.ts'
import { runDesktop } from './desktop/desktop.ts'

// The entry that Electron runs. Not awaited: Electron emits `ready` only after this module has been evaluated.
void runDesktop(createHost, process.argv.slice(1), process)
