import { join } from 'node:path'
import { expect, test } from 'vitest'
import { killBatch } from '../../../testing/batch/kill-batch.ts'
import { seededNumbers } from '../../../testing/gguf/seeded-numbers.ts'
import { aHome } from '../../../testing/host/a-host.ts'

test('a batch whose host is killed again and again ends as one that was not', async () => {
  using home = aHome()
  const next = seededNumbers(60)
  // A hundred kills: npm run -s test:long -- batch
  const report = await killBatch(join(home.path, 'home'), 2, () => (next() % 1_000_000) / 1_000_000, 9)
  expect(report).toMatchObject({ kills: 2, lost: 0, doubled: 0 })
})
