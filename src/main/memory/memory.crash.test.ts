import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { crashRounds } from '../../../testing/crash/rounds.ts'

// The long version is `npm run -s test:long -- crash`.
test('after a kill at any moment, confirmed changes are there and none is partial', async () => {
  const home = mkdtempSync(join(tmpdir(), 'talaria-crash-'))
  try {
    const report = await crashRounds(home, 6, Math.random)
    expect(report.rounds).toBe(6)
    // Each round begins with a confirmed write; how many follow depends on the machine.
    expect(report.confirmed).toBeGreaterThanOrEqual(6)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})
