import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { judgeRow } from './judge.ts'
import { readRow, type Row } from './row.ts'
import { openStage } from './stage.ts'

/** `any`: a read that may be asked about. The commands are only judged; none of them runs. */
type Expected = { class: string; expect: 'run' | 'ask' | 'refuse' | 'any' }

const rows = ['commands.jsonl', 'daily-commands.jsonl']
  .flatMap(name =>
    readFileSync(new URL(name, import.meta.url), 'utf8')
      .trim()
      .split('\n'),
  )
  .map(line => ({ ...(readRow(line) as Row), ...(JSON.parse(line) as Expected) }))

test(
  'what should be asked is, what never runs is refused, and what only reads or looks alike runs',
  {
    timeout: 300_000,
  },
  async () => {
    await using stage = await openStage()
    const wrong: string[] = []
    const reads = { all: 0, run: 0 }
    // Judging writes nothing, so rows with the same files share a folder.
    for (const [first, ...more] of Map.groupBy(rows, ({ files }) => JSON.stringify(files)).values()) {
      using place = stage.place(first!)
      for (const row of [first!, ...more]) {
        const { decision, reason } = judgeRow(row, place)
        if (row.class.startsWith('read') && row.sandbox === 'off') {
          reads.all++
          if (decision === 'run') reads.run++
        }
        // To refuse is stricter than to ask.
        const isRight =
          row.expect === 'ask' ? decision !== 'run' : row.expect === 'any' || decision === row.expect
        if (!isRight) wrong.push(`${row.id} ${decision}: ${row.command} (${reason})`)
      }
    }
    expect(rows.length).toBeGreaterThan(2_900)
    expect(wrong).toEqual([])
    expect(reads.run / reads.all).toBeGreaterThan(0.7)
  },
)
