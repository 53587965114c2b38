import { expect, test } from 'vitest'
import { japanesePage, linePage, makePdf, scannedPage } from '../../../testing/documents/make-pdf.ts'
import { readMade, textsOf } from '../../../testing/documents/read-made.ts'

test('the pages of a PDF are read with their notes, and wide gaps stay', async () => {
  const table = 'BT /F1 12 Tf 72 700 Td (Apples) Tj 200 0 Td (3) Tj -200 -14 Td (Pears) Tj 200 0 Td (4) Tj ET'
  const pages = [linePage('Hello'), { draws: table, note: 'Check this' }]
  expect(await textsOf('a.pdf', makePdf(pages))).toEqual([
    'Hello',
    'Apples   3\nPears   4\n\nNotes on this page:\n- Ada: Check this',
  ])
})

test('Japanese text needs a character map, and has one', async () => {
  // “日本語” in Shift JIS.
  expect(await textsOf('a.pdf', makePdf([japanesePage('93fa967b8cea')]))).toEqual(['日本語'])
})

test('a page that is only a picture is said to be scanned', async () => {
  expect(await readMade('a.pdf', makePdf([linePage('A page with text'), scannedPage, scannedPage]))).toEqual({
    kind: 'pdf',
    pages: [
      { n: 1, text: 'A page with text' },
      { n: 2, text: '' },
      { n: 3, text: '' },
    ],
    problems: ['Pages 2-3 are scanned: a picture without text, which is not read.'],
  })
  expect(await readMade('a.pdf', makePdf([{ draws: '' }]))).toMatchObject({ problems: ['It has no text.'] })
})

test('a locked PDF asks for its password, and opens with it', async () => {
  const locked = makePdf([linePage('Secret plan')], { password: 'open sesame' })
  expect(await readMade('a.pdf', locked)).toEqual({ refused: 'is locked with a password', needs: 'password' })
  expect(await readMade('a.pdf', locked, 'wrong')).toEqual({
    refused: 'is locked, and this is not its password',
    needs: 'password',
  })
  expect(await readMade('a.pdf', locked, 'open sesame')).toMatchObject({
    pages: [{ n: 1, text: 'Secret plan' }],
  })
})

test('a PDF that breaks off is read as far as it goes, or refused', async () => {
  const whole = makePdf(Array.from({ length: 9 }, (_, at) => linePage(`Page number ${at + 1}`)))
  const part = await readMade('a.pdf', whole.subarray(0, whole.length * 0.8))
  expect(JSON.stringify(part)).toMatch(/Page number 1|is damaged/)
  expect(await readMade('a.pdf', whole.subarray(0, 40))).toEqual({
    refused: 'is damaged, or only a part of a PDF',
  })
})
