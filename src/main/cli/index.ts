import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { rootFolder } from '../lib/places.ts'

// Half the time of a short command is reading the program itself; from the second time on it lies there ready. In our own
// folder and not in the shared temporary one, where another user could leave code for us to run.
enableCompileCache(join(rootFolder(), 'node_modules/.cache/talaria/compile'))
await import('./program.ts')
