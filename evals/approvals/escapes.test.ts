import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { judgeRow } from './judge.ts'
import { readRow, type Row } from './row.ts'
import { openStage, type Stage } from './stage.ts'

const rows = readFileSync(new URL('escapes.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => readRow(line) as Row)

/** Run every row of one stage; returns how many commands ran. */
async function runRows(stage: Stage, its: readonly Row[]): Promise<number> {
  let ran = 0
  for (const row of its) {
    using place = stage.place(row)
    const { access } = judgeRow(row, place)
    if (!access) continue
    const did = await stage.execute(row, place, access)
    if ('error' in did) throw new Error(did.error)
    ran++
    const outside = [...did.created, ...did.changed].filter(
      path => path.startsWith('..') || path.includes('late'),
    )
    expect
      .soft({ outside, canary: did.stdout.includes('CANARY '), connected: did.connected }, row.command)
      .toEqual({ outside: [], canary: false, connected: false })
  }
  return ran
}

/** Each stage has a computer of its own, so that what a command did can only be its own work. */
const STAGES = 4

// Every command is harmless: it tries to leave a mark or to read a canary.
test('nothing escapes: no mark outside, no canary read, no connection', async ({ skip }) => {
  await using stack = new AsyncDisposableStack()
  const stages: Stage[] = []
  for (let count = 0; count < STAGES; count++) stages.push(stack.use(await openStage()))
  const { state } = stages[0]!
  if (!state.confined) {
    if (process.env['TALARIA_MUST_CONFINE'] === '1') throw new Error(state.reason)
    return skip(state.reason)
  }
  const counts = await Promise.all(
    stages.map((stage, at) =>
      runRows(
        stage,
        rows.filter((_row, index) => index % STAGES === at),
      ),
    ),
  )
  expect(counts.reduce((sum, each) => sum + each)).toBeGreaterThanOrEqual(150)
})

test('a row that is wrong is told by its id', () => {
  expect(readRow('{"id":7,"mode":"reads","command":"ls","files":{"../a":{"text":""}}}')).toEqual({
    id: 7,
    error: 'files: a path leaves the folder',
  })
  expect(readRow('{"id":8,"kind":"display"}')).toMatchObject({
    id: 8,
    error: expect.stringContaining('text') as string,
  })
  expect(readRow('no')).toMatchObject({ id: null, error: expect.any(String) as string })
  expect(readRow('{"id":1,"mode":"most","command":"ls"}')).toMatchObject({
    id: 1,
    error: expect.stringContaining('mode') as string,
  })
})
