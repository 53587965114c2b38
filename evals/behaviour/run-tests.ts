import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { z } from 'zod'
import type { Refusal } from '../../src/main/lib/expected-errors.ts'
import type { TestResults } from './judge.ts'

import { ROOT as root } from './where-is.ts'

const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(
        z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() }),
      ),
    }),
  ),
})

/** Run the named tests and no others, in one run of vitest. */
export function runTests(names: readonly string[]): TestResults | Refusal {
  const parts = names.map(name => name.split(' > '))
  const files = new Set(parts.map(([file]) => file!))
  const titles = parts.map(([, ...title]) => title.join(' > ').replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const folder = mkdtempSync(join(tmpdir(), 'talaria-behaviour-'))
  try {
    const report = join(folder, 'report.json')
    const { stderr } = spawnSync(
      process.execPath,
      [
        join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--project=node',
        '--reporter=json',
        `--outputFile=${report}`,
        `--testNamePattern=^(?:${titles.join('|')})$`,
        ...files,
      ],
      { cwd: root, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] },
    )
    if (!existsSync(report)) return { refused: `The tests did not run.\n${stderr.trim()}` }
    return readReport(readFileSync(report, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The results of vitest's JSON report. A title that is twice in a file only counts as passed if both passed.
 */
function readReport(text: string): TestResults {
  const results = new Map<string, 'passed' | 'failed'>()
  for (const { name, assertionResults } of Report.parse(JSON.parse(text)).testResults)
    for (const { ancestorTitles, title, status } of assertionResults) {
      if (status !== 'passed' && status !== 'failed') continue
      const key = [relative(root, name).replaceAll('\\', '/'), ...ancestorTitles, title].join(' > ')
      results.set(key, results.get(key) === 'failed' ? 'failed' : status)
    }
  return results
}
