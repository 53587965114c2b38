import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvOf } from './table-csv.ts'

test('cells with commas, quotes and lines are quoted, and rows end as RFC 4180 says', () => {
  expect(
    csvOf([
      ['a', 'b,c'],
      ['d"e', 'f\ng'],
      ['', ' h'],
    ]),
  ).toBe('a,"b,c"\r\n"d""e","f\ng"\r\n," h"\r\n')
})

test.for([
  ['=1+1', "'=1+1"],
  ['+cmd|x', "'+cmd|x"],
  ['-A1', "'-A1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  ['\u200B=1', "'\u200B=1"],
  ['-5', '-5'],
  ['+3.2', '+3.2'],
  ['-12 %', '-12 %'],
  ['-1.5%', '-1.5%'],
  ['a=b', 'a=b'],
] as const)('a spreadsheet takes %o as a text or a number: %o', ([cell, written]) => {
  expect(csvOf([[cell]])).toBe(`${written}\r\n`)
})

test('whatever cells hold, none begins a formula and each can be read back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (one, other) => {
      const cells = [...csvOf([[one, other]]).matchAll(/(?:"((?:[^"]|"")*)"|([^",]*))(,|\r\n)/g)]
      const read = cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '')
      expect(read.map(cell => cell.replace(/^'(?=[\s\p{Cf}]*[=+\-@＝＋－＠])/u, ''))).toEqual([
        one.replace(/^'(?=[\s\p{Cf}]*[=+\-@＝＋－＠])/u, ''),
        other.replace(/^'(?=[\s\p{Cf}]*[=+\-@＝＋－＠])/u, ''),
      ])
    }),
  )
})
