import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

// Imported before a program begins (`node --import`), which then believes that others have left it almost no memory.

process.availableMemory = () => 20_000_000
// Where the system does not tell what is available, this is asked.
os.freemem = process.availableMemory
os.totalmem = process.platform === 'linux' ? os.totalmem : os.freemem
syncBuiltinESMExports()
