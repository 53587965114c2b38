import { join } from 'node:path'
import { isBuilt, isFresh } from './freshness.mjs'

// What `npm run talaria` runs: the built terminal, which starts three times as fast, where it is what the sources say; else
// the sources themselves. Plain JavaScript for the reason given in `freshness.mjs`.
const root = join(import.meta.dirname, '..')
const fresh = isFresh(root)
if (!fresh && isBuilt(root))
  process.stderr.write(
    'out/ is older than the sources, so they run instead. “npm run build” brings it up to date.\n',
  )
await import(fresh ? '../out/main/cli.js' : '../src/main/cli/index.ts')
