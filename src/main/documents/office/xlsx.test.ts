import { expect, test } from 'vitest'
import { makeXlsx } from '../../../../testing/documents/make-office.ts'
import { readMade } from '../../../../testing/documents/read-made.ts'

const STYLES = `<numFmts><numFmt numFmtId="164" formatCode="[$-407]d\\. mmmm yyyy;@"/><numFmt numFmtId="165" formatCode="0.0&quot; days&quot;"/></numFmts>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="21"/><xf numFmtId="10"/><xf numFmtId="165"/><xf numFmtId="22"/></cellXfs>`
const row = (at: number, cells: string, more = '') => `<row r="${at}"${more}>${cells}</row>`
const number = (place: string, value: number, style = 0) => `<c r="${place}" s="${style}"><v>${value}</v></c>`

test('sheets are tables with dates as dates, and what is merged or hidden is said', async () => {
  const cells = [
    row(1, '<c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>When</t></is></c>'),
    row(2, number('A2', 0.30000000000000004) + number('B2', 45_292, 1)),
    row(3, number('A3', 5, 5) + number('B3', 45_292.75, 6), ' hidden="1"'),
    row(5, number('A5', 0.125, 4) + number('B5', 0.5, 3) + number('D5', 45_350, 2)),
    row(
      6,
      '<c r="A6" t="b"><v>1</v></c><c r="B6" t="e"><v>#DIV/0!</v></c><c r="C6"><f>A2*2</f></c><c r="D6"><f>1+1</f><v>2</v></c>',
    ),
  ].join('')
  const xml = `<cols><col min="3" max="3" hidden="1"/></cols><sheetData>${cells}</sheetData><mergeCells><mergeCell ref="A1:B1"/></mergeCells>`
  const texts = ['<r><t>Am</t></r><r><t>ount</t></r><rPh><t>sound</t></rPh>']
  const read = await readMade(
    'a.xlsx',
    makeXlsx(
      [
        {
          name: 'Costs &amp; more',
          xml,
          comments: '<comment ref="A2"><text><r><t>Check</t></r></text></comment>',
        },
        { name: 'Old', xml: '<sheetData/>', state: 'veryHidden' },
      ],
      { texts, styles: STYLES },
    ),
  )
  expect(read).toEqual({
    kind: 'xlsx',
    pages: [
      {
        n: 1,
        text: `Sheet Costs & more, A1:D6
Merged: A1:B1
Hidden: row 3 (shown here)
Hidden: column C (shown here)

|  | A | B | C | D |
| --- | --- | --- | --- | --- |
| 1 | Amount | When |  |  |
| 2 | 0.3 | 2024-01-01 |  |  |
| 3 | 5 | 2024-01-01 18:00 |  |  |
| 5 | 12.5 % | 12:00 |  | 2024-02-28 |
| 6 | TRUE | #DIV/0! | =A2*2 | 2 |

1 comment:
- A2: Check`,
      },
      { n: 2, text: 'Sheet Old (hidden), empty' },
    ],
    problems: [
      'The sheet Costs & more has formulas without a saved value; the formulas are shown.',
      'The sheet Old is hidden.',
    ],
  })
})

test('days are counted from 1904 where the workbook says so, and early ones as Excel does', async () => {
  const first = async (serial: number, is1904: boolean) => {
    const sheets = [{ name: 'S', xml: `<sheetData>${row(1, number('A1', serial, 1))}</sheetData>` }]
    const read = await readMade('a.xlsx', makeXlsx(sheets, { styles: STYLES, is1904 }))
    return 'pages' in read ? read.pages[0]!.text.split('\n').at(-1) : read.refused
  }
  expect(await first(43_830, true)).toBe('| 1 | 2024-01-01 |')
  expect(await first(1, false)).toBe('| 1 | 1900-01-01 |')
  expect(await first(61, false)).toBe('| 1 | 1900-03-01 |')
  expect(await first(-4, false)).toBe('| 1 | -4 |')
})
