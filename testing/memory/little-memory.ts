import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

// Preloaded with `node --import`: the program believes that almost no memory is available.

process.availableMemory = () => 20_000_000
// Used where the system does not report available memory.
os.freemem = process.availableMemory
os.totalmem = process.platform === 'linux' ? os.totalmem : os.freemem
syncBuiltinESMExports()
