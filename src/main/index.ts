import { createHost } from './host.ts'
import { runDesktop } from './shell/desktop.ts'

// The entry that Electron runs. It is not awaited: Electron reports `ready` only once this module has been evaluated.
void runDesktop(createHost)
