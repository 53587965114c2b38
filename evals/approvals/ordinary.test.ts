import { expect } from 'vitest'
import { confinedTest } from '../../testing/confinement/can-confine.ts'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import { readRows } from '../command-line.ts'
import { differences } from '../records.ts'
import { measureOrdinary } from './measure-ordinary.ts'
import { OrdinaryRow, pathOfRows } from './row.ts'

const rows = readRows(pathOfRows('ordinary.jsonl'), OrdinaryRow)

confinedTest('ordinary reading works in Look', async () => {
  const measured = await measureOrdinary(rows)
  if (isRefusal(measured)) throw new Error(measured.refused)
  const { wrong, figures, skipped } = measured
  expect(wrong).toEqual([])
  if (skipped.length > 0) {
    const left = `${skipped.length} of ${rows.length} ordinary commands were left out:\n${skipped.join('\n')}`
    if (process.env['TALARIA_MUST_RUN'] === '1') throw new Error(left)
    console.log(left)
  }
  expect(differences('approvals-ordinary', figures)).toEqual([])
})
