import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootFolder } from '../../src/main/lib/disk/shipped-files.ts'
import type { LongRun } from './index.ts'

/** Run the tests that kill processes with all of their moments; `npm test` uses only some of them. */
export const moments: LongRun = {
  says: 'processes are killed at every moment that tests know, and nothing is lost',
  rounds: 1,
  async run({ rounds, home }) {
    const root = rootFolder()
    const files = globSync('{src/main,testing}/**/*.test.ts', { cwd: root }).filter(file =>
      readFileSync(join(root, file), 'utf8').includes("/moments.ts'"),
    )
    const report = join(home, 'report.json')
    let tests = 0
    for (let round = 0; round < rounds; round++) {
      const child = spawn(
        process.execPath,
        [
          join(root, 'node_modules/vitest/vitest.mjs'),
          'run',
          '--project=node',
          ...files,
          '--reporter=dot',
          '--reporter=json',
          `--outputFile.json=${report}`,
        ],
        {
          cwd: root,
          stdio: ['ignore', 'inherit', 'inherit'],
          env: { ...process.env, TALARIA_MOMENTS: 'every' },
        },
      )
      const [code] = (await once(child, 'exit')) as [number | null]
      if (code !== 0) throw new Error(`Something was lost, see above (code ${code}).`)
      tests += (JSON.parse(readFileSync(report, 'utf8')) as { numPassedTests: number }).numPassedTests
    }
    return { files: files.length, tests }
  },
}
