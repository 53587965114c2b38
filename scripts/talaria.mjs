import { join } from 'node:path'
import { isBuilt, isFresh } from './freshness.mjs'

// `npm run talaria`: run the built terminal if it matches the sources, because it starts three times as fast;
// else run the sources. Plain JavaScript for the reason in `freshness.mjs`.
const root = join(import.meta.dirname, '..')
const fresh = isFresh(root)
if (!fresh && isBuilt(root))
  process.stderr.write(
    'out/ is older than the sources, so they run instead. “npm run build” brings it up to date.\n',
  )
await import(fresh ? '../out/main/cli.js' : '../src/main/cli/index.ts')
