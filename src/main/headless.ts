import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { rootFolder } from './lib/disk/shipped-files.ts'
import { nameTimeZone } from './lib/time-zone.ts'

// Compiling takes a sixth of the launch; the cache saves it from the second on (as in `cli/index.ts`).
enableCompileCache(join(rootFolder(), 'node_modules/.cache/talaria/compile'))
nameTimeZone()
const { serveBrowser } = await import('./serve-browser.ts')
await serveBrowser(process.argv.slice(2))
