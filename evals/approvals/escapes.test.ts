import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { judgeRow } from './judge.ts'
import { readRow, type Row } from './row.ts'
import { openStage } from './stage.ts'

const STAGES = 4

const rows = readFileSync(new URL('escapes.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => readRow(line) as Row)

// Every command is harmless: it tries to leave a mark or to read a canary.
test(
  'nothing escapes: no mark outside, no canary read, no connection',
  { timeout: 300_000 },
  async ({ skip }) => {
    let ran = 0
    /** Run the rows of one stage, one after the other; why nothing can be confined, if it cannot. */
    const runOn = async (lane: Row[]): Promise<string | undefined> => {
      await using stage = await openStage()
      if (!stage.state.confined) return stage.state.reason
      for (const row of lane) {
        using place = stage.place(row)
        const { access, agreed } = judgeRow(row, place)
        const how = access ?? agreed
        if (!how) continue
        const did = await stage.execute(row, place, how)
        if ('error' in did) throw new Error(did.error)
        ran++
        const outside = [...did.created, ...did.changed].filter(
          path => path.startsWith('..') || path.includes('late'),
        )
        expect
          .soft({ outside, canary: did.stdout.includes('CANARY '), connected: did.connected }, row.command)
          .toEqual({ outside: [], canary: false, connected: false })
      }
      return undefined
    }
    // Commands mostly wait, so several stages cost little more than one.
    const lanes = Array.from({ length: STAGES }, (_, at) =>
      rows.filter((_row, index) => index % STAGES === at),
    )
    const [reason] = (await Promise.all(lanes.map(runOn))).filter(why => why !== undefined)
    if (reason !== undefined) {
      if (process.env['TALARIA_MUST_CONFINE'] === '1') throw new Error(reason)
      return skip(reason)
    }
    expect(ran).toBeGreaterThanOrEqual(150)
  },
)

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
