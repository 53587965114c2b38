import { ensureChromium } from '../../scripts/chromium.ts'
import { readPlaywright, runSuite } from '../../scripts/suites.ts'
import type { LongRun } from './index.ts'

/**
 * Run the end-to-end specs that are tagged as stories. `npm test` leaves them out: browser tests on the real
 * handlers and tests of the host cover the same in parts. It keeps the specs that need the whole product: the
 * build under its policy, restarts and kills, several windows, a terminal next to them, and models. `npm run
 * test:desktop` runs all.
 */
export const stories: LongRun = {
  says: 'the end-to-end specs that npm test leaves out, each so many times',
  rounds: 1,
  async run({ rounds }) {
    const command = [
      'playwright',
      'test',
      '--project=web',
      '--grep=@story',
      `--repeat-each=${rounds}`,
    ] as const
    const suite = {
      name: 'stories',
      command: [...command, '--reporter=list,json'],
      read: readPlaywright,
    } as const
    const { code, passed, failed, skipped } = await runSuite(suite, ensureChromium(), process.stderr.fd)
    if (code !== 0) throw new Error(`${failed} specs failed, see above.`)
    if (passed === 0) throw new Error('No spec was run.')
    return { passed, skipped }
  },
}
