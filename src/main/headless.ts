import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { rootFolder } from './lib/places.ts'

// A sixth of the start is compiling the program; from the second time on it lies there ready (as in `cli/index.ts`).
enableCompileCache(join(rootFolder(), 'node_modules/.cache/talaria/compile'))
await import('./serve.ts')
