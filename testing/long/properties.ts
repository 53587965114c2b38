import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootFolder } from '../../src/main/lib/disk/shipped-files.ts'
import type { LongRun } from './index.ts'

/** Run the test files that contain properties, each with `rounds` times as many cases as in `npm test`. */
export const properties = propertiesIn('', 'every property is tried with so many times the cases of npm test')
/**
 * The same for schedules only: instants in five zones, and 400 days with clock changes, sleep and crashes.
 */
export const schedules = propertiesIn('src/main/schedules', 'the properties of schedules, in the same way')

function propertiesIn(folder: string, says: string): LongRun {
  return {
    says,
    rounds: 20,
    async run({ rounds, seed, home }) {
      const counted = join(home, 'cases.txt')
      const report = join(home, 'report.json')
      const args = [
        join(rootFolder(), 'node_modules/vitest/vitest.mjs'),
        'run',
        `--config=${join(rootFolder(), 'testing/long/vitest.config.ts')}`,
        ...(folder === '' ? [] : [folder]),
        '--reporter=dot',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ]
      const environment = { TALARIA_ROUNDS: `${rounds}`, TALARIA_SEED: `${seed}`, TALARIA_CASES: counted }
      const child = spawn(process.execPath, args, {
        cwd: rootFolder(),
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, ...environment },
      })
      const [code] = (await once(child, 'exit')) as [number | null]
      if (code !== 0) throw new Error(`A property does not hold, see above (code ${code}).`)
      const { numPassedTests: tests } = JSON.parse(readFileSync(report, 'utf8')) as { numPassedTests: number }
      const lines = existsSync(counted) ? readFileSync(counted, 'utf8').trim().split('\n') : []
      const cases = lines.reduce((sum, line) => sum + Number(line), 0)
      if (cases === 0) throw new Error('No property was tried.')
      return { tests, properties: lines.length, cases }
    },
  }
}
