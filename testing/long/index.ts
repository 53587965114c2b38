import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { batch, crash, gateway } from './crash.ts'
import { mcp } from './mcp.ts'
import { mcpCalls } from './mcp-calls.ts'
import { mcpConformance } from './mcp-conformance.ts'
import { moments } from './moments.ts'
import { properties, schedules } from './properties.ts'
import { soak } from './soak.ts'
import { spool } from './spool.ts'
import { stories } from './stories.ts'

// Test runs that take too long for `npm test`:
//   npm run -s test:long -- crash --rounds 1000 --seed 7

/** One kind of long run. It throws an error that says what is wrong, or returns its counts. */
export type LongRun = {
  says: string
  rounds: number
  run(given: { rounds: number; seed: number; home: string }): Promise<Record<string, number>>
}

const all: Record<string, LongRun> = {
  batch,
  crash,
  gateway,
  mcp,
  'mcp-calls': mcpCalls,
  'mcp-conformance': mcpConformance,
  moments,
  properties,
  schedules,
  soak,
  spool,
  stories,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, seed: { type: 'string', default: '1' } },
})
const [name = ''] = positionals
const chosen = Object.hasOwn(all, name) ? all[name] : undefined
const rounds = Number(values.rounds ?? chosen?.rounds)
const seed = Number(values.seed)
if (!chosen || positionals.length > 1) {
  console.error('npm run -s test:long -- NAME [--rounds N] [--seed N]\n')
  for (const [each, { says, rounds: usual }] of Object.entries(all))
    console.error(`  ${each.padEnd(12)}${says} (${usual} rounds)`)
  process.exitCode = 2
} else if (!Number.isInteger(rounds) || rounds < 1 || !Number.isInteger(seed)) {
  console.error('--rounds takes a whole number from 1 on, --seed a whole number.')
  process.exitCode = 2
} else {
  const home = mkdtempSync(join(tmpdir(), `talaria-${name}-`))
  const startedAt = Date.now()
  try {
    const counts = await chosen.run({ rounds, seed, home })
    const seconds = Math.round((Date.now() - startedAt) / 1_000)
    console.log(JSON.stringify({ name, rounds, seed, ...counts, seconds }))
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
