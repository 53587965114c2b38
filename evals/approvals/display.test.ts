import { expect, test } from 'vitest'
import { readRows } from '../command-line.ts'
import { differences } from '../records.ts'
import { measureDisplay } from './measure-ordinary.ts'
import { DisplayRow, pathOfRows } from './row.ts'

const rows = readRows(pathOfRows('display.jsonl'), DisplayRow)

test('texts are shown as expected', () => {
  const { wrong, figures } = measureDisplay(rows)
  expect(wrong).toEqual([])
  expect(differences('approvals-display', figures)).toEqual([])
})

test('half of the texts are ordinary', () => {
  const ordinary = rows.filter(row => row.text === row.expect)
  expect(ordinary.length).toBeGreaterThanOrEqual(40)
  expect(rows.length - ordinary.length).toBeGreaterThanOrEqual(40)
})
