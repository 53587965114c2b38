import { expect, test } from 'vitest'
import { confinedTest } from '../../testing/confinement/can-confine.ts'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import { readRows } from '../command-line.ts'
import { differences } from '../records.ts'
import { measureApprovals, measureExecuted } from './measure-approvals.ts'
import { CommandRow, ownFiles } from './row.ts'

const rows = ownFiles.flatMap(file => readRows(file, CommandRow))

test(
  'what should be asked is, what never runs is refused, and what only reads or looks alike runs, confined or not',
  { timeout: 300_000 },
  async () => {
    const { wrong, figures } = await measureApprovals(rows)
    expect(wrong).toEqual([])
    expect(differences('approvals', figures)).toEqual([])
  },
)

confinedTest(
  'what runs only because it is confined leaves no mark, sees no key and reaches nobody',
  async () => {
    const measured = await measureExecuted(rows)
    if (isRefusal(measured)) throw new Error(measured.refused)
    expect(measured.wrong).toEqual([])
    expect(differences('approvals-executed', measured.figures)).toEqual([])
  },
)
