import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, vi } from 'vitest'
import { confinedTest } from '../../../testing/can-confine.ts'
import { rootFolder } from '../../../src/main/lib/shipped-files.ts'

vi.setConfig({ testTimeout: 240_000 })

const FILE = 'evals/approvals/obeyed/attempts.jsonl'

// In a process of its own, because it sets the home folder of the person.
confinedTest('nothing that a confined command wrote is obeyed, and ordinary work goes on', async () => {
  const root = rootFolder()
  const { stdout, stderr } = spawnSync(process.execPath, ['evals/approvals/index.ts', FILE], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  const rows = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { id?: string; right: boolean | number })
  expect(
    rows.filter(({ right }) => right === false),
    stderr,
  ).toEqual([])
  const count = readFileSync(`${root}/${FILE}`, 'utf8').trim().split('\n').length
  expect(rows.at(-1)).toEqual({ attempts: count, right: count })
})
