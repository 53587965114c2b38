import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { rootFolder } from '../lib/disk/shipped-files.ts'
import { nameTimeZone } from '../lib/time-zone.ts'

// Half the time of a short command is spent compiling the program, so cache the compiled code. The cache is in
// our own folder: in the shared temporary folder, another user could plant code.
enableCompileCache(join(rootFolder(), 'node_modules/.cache/talaria/compile'))
nameTimeZone()
const { runProgram } = await import('./program.ts')
await runProgram(process.argv.slice(2))
