import { expect, test } from 'vitest'
import type { Confinement } from '../../src/main/confinement/profile.ts'
import { confinedTest } from '../../testing/confinement/can-confine.ts'
import { LOOK, WORK } from '../../testing/confinement/run-confined.ts'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import { readRows } from '../command-line.ts'
import { differences } from '../records.ts'
import { callOf, judgeRow } from './judge.ts'
import { measureEscapes } from './measure-escapes.ts'
import { EscapeRow, pathOfRows } from './row.ts'
import { openStage } from './stage.ts'

const rows = readRows(pathOfRows('escapes.jsonl'), EscapeRow)

// Every command is harmless: it only tries to leave a mark or to read a canary.
confinedTest('nothing escapes: no mark outside, no canary read, no connection', async () => {
  const measured = await measureEscapes(rows)
  if (isRefusal(measured)) throw new Error(measured.refused)
  expect(measured.wrong).toEqual([])
  expect(differences('approvals-escapes', measured.figures)).toEqual([])
})

const WITH_NETWORK: Confinement = { profile: 'work', network: true, obeyed: 'nothing' }
const aRow = (command: string) =>
  EscapeRow.parse({ id: 'a', kind: 'escape', mode: 'full', sandbox: 'on', command })

test('what stands for a place is judged as what runs, and what means something to the shell is left alone', async () => {
  await using stage = await openStage()
  using place = stage.place({ files: {} })
  const judged = await judgeRow(aRow('cat {TALARIA}/state.db'), place)
  expect(judged).toMatchObject({
    decision: 'refuse',
    reason: expect.stringContaining('belongs to Talaria itself') as string,
  })
  expect(callOf(aRow('cat ${HOME}/x'), place)['command']).toBe('cat ${HOME}/x')
  // A carriage return at the end never runs, so it is not judged either.
  expect(callOf(aRow('ls\r'), place)['command']).toBe('ls')
})

confinedTest(
  'the stage sees what a command wrote, read and reached, as the model is told of it',
  async () => {
    await using stage = await openStage()
    using place = stage.place({ files: { '.env': { text: 'K=1\n' } } })
    const did = (command: string, access: Confinement) => stage.execute(aRow(command), place, access)
    // *Work* may do this: read most of the person's files, and write here.
    expect(await did('cat {HOME}/diary.txt; echo x > mark; exit 3', WORK)).toMatchObject({
      exit: 3,
      text: expect.stringMatching(/^exit code 3\nCANARY diary/) as string,
      canary: true,
      created: ['mark'],
      changed: [],
      connected: false,
    })
    expect(await did('bash -c "exec 5<>/dev/tcp/127.0.0.1/{PORT} && cat <&5"', WITH_NETWORK)).toMatchObject({
      canary: true,
      connected: true,
    })
    expect(await did('cat .env; ls {HOME}; echo x > mark2', LOOK)).toMatchObject({
      canary: false,
      created: [],
      connected: false,
    })
  },
)
