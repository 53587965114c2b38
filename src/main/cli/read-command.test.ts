import { aFile } from '../../../testing/documents/read-made.ts'
import { test } from '../../../testing/terminal/cli.ts'
import { japanesePage, linePage, makePdf, scannedPage } from '../../../testing/documents/make-pdf.ts'

test('talaria read prints the text of a document, and what it lacks beside it', async ({
  talaria,
  expect,
}) => {
  const file = aFile('a.pdf', makePdf([japanesePage('93fa967b8cea'), scannedPage]))
  const text = await talaria.run(['read', file])
  expect(text).toMatchObject({
    code: 0,
    stdout: '[page 1]\n日本語\n\n[page 2]\n\n',
    stderr: '(Page 2 is scanned: a picture without text, which is not read.)\n',
  })
  const json = await talaria.run(['read', '--json', file])
  expect(JSON.parse(json.stdout)).toEqual({
    kind: 'pdf',
    pages: [
      { n: 1, text: '日本語' },
      { n: 2, text: '' },
    ],
    problems: ['Page 2 is scanned: a picture without text, which is not read.'],
  })
})

test('a locked document needs its password, and a missing one is bad usage', async ({ talaria, expect }) => {
  const file = aFile('locked.pdf', makePdf([linePage('Secret plan')], { password: 'open' }))
  expect(await talaria.run(['read', file])).toMatchObject({
    code: 1,
    stderr: `${file} is locked with a password. Give it with --password.\n`,
  })
  expect(await talaria.run(['read', file, '--password', 'open'])).toMatchObject({
    code: 0,
    stdout: 'Secret plan\n',
  })
  expect(await talaria.run(['read', `${file}x`])).toMatchObject({ code: 2 })
})

test('--pages prints only some pages; a page that is not there and a range that is none are said', async ({
  talaria,
  expect,
}) => {
  const file = aFile('four.pdf', makePdf(['One', 'Two', 'Three', 'Four'].map(linePage)))
  expect(await talaria.run(['read', file, '--pages', '2-3'])).toMatchObject({
    code: 0,
    stdout: '[page 2]\nTwo\n\n[page 3]\nThree\n',
  })
  const last = await talaria.run(['read', file, '--pages', '4-', '--json'])
  expect(JSON.parse(last.stdout)).toMatchObject({ pages: [{ n: 4, text: 'Four' }] })
  expect(await talaria.run(['read', file, '--pages', '5'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `There is no page 5: ${file} is a PDF of 4 pages.\n`,
  })
  expect(await talaria.run(['read', file, '--pages', '3-2'])).toMatchObject({ code: 2 })
})
