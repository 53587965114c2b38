import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Multiplies the number of cases that properties give for `npm test`, as their files are loaded. */
const moreCases: Plugin = {
  name: 'more-cases',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('.test.ts')
      ? code.replaceAll(/numRuns: ([\d_]+)/g, 'numRuns: $1 * Number(process.env.TALARIA_ROUNDS)')
      : undefined,
}

const withProperties = globSync('{src,testing,evals,training}/**/*.test.ts', { cwd: root }).filter(file =>
  readFileSync(`${root}/${file}`, 'utf8').includes('fc.assert'),
)

/** The unit tests that contain properties, for `npm run test:long -- properties`. */
export default defineConfig({
  root,
  plugins: [moreCases],
  resolve: { alias: { electron: `${root}/testing/host/electron-shim.ts` } },
  test: {
    name: 'properties',
    include: withProperties.filter(file => !file.includes('.browser.')),
    pool: 'forks',
    isolate: false,
    maxWorkers: '100%',
    setupFiles: [`${root}/testing/leave-no-trace.ts`, `${root}/testing/long/many-cases.ts`],
    testTimeout: 0,
    hookTimeout: 0,
  },
})
