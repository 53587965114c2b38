import { spawnSync } from 'node:child_process'
import { expect, vi } from 'vitest'
import { z } from 'zod'
import { confinedTest } from '../../../testing/confinement/can-confine.ts'
import { rootFolder } from '../../../src/main/lib/disk/shipped-files.ts'
import { differences } from '../../records.ts'

vi.setConfig({ testTimeout: 240_000 })

const FILE = 'evals/approvals/obeyed/attempts.jsonl'
const Last = z.object({ eval: z.string(), figures: z.record(z.string(), z.number()) })

// In a separate process, because it sets the person's home folder.
confinedTest('nothing that a confined command wrote is obeyed, and ordinary work goes on', async () => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['evals/approvals/index.ts', FILE], {
    cwd: rootFolder(),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  expect(status, stderr).toBe(0)
  const last = Last.parse(JSON.parse(stdout.trim().split('\n').at(-1)!))
  expect(differences('approvals-obeyed', last.figures)).toEqual([])
})
