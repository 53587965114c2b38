import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { judgeRow } from './judge.ts'
import { readRow, type Row } from './row.ts'
import { openStage } from './stage.ts'

/**
 * What becomes of a command while the chat knows the text of a stranger: it runs in *Look*, or it runs unconfined because it is
 * known to start no program and to reach no network, or it asks. The commands are only judged; none of them runs.
 */
type Expected = { class: string; expect: 'look' | 'plain' | 'ask' }

const rows = readFileSync(new URL('marked.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => ({ ...(readRow(line) as Row), ...(JSON.parse(line) as Expected) }))

test(
  'with a stranger’s text in the chat, a command in “full” and “reads” runs in Look, starts nothing, or asks',
  { timeout: 120_000 },
  async () => {
    await using stage = await openStage()
    const wrong: string[] = []
    using place = stage.place(rows[0]!)
    for (const row of rows) {
      const { decision, access } = judgeRow(row, place)
      const came = decision !== 'run' ? 'ask' : access ? access.profile : 'plain'
      // The same command, whatever the mode: full access lets nothing more run.
      if (came !== row.expect) wrong.push(`${row.id} ${came}: ${row.command}`)
    }
    expect(rows.length).toBeGreaterThan(600)
    expect(new Set(rows.map(row => JSON.stringify(row.files))).size).toBe(1)
    expect(wrong).toEqual([])
  },
)
