import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDocx, makeParagraph, makeZip } from '../../../../testing/documents/make-office.ts'
import { linePage, makePdf, scannedPage } from '../../../../testing/documents/make-pdf.ts'
import { aWorkspace } from '../../../../testing/tools/a-workspace.ts'
import { readFileTool } from './read-file.ts'
import { tellResult } from '../tell/tell-result.ts'

const readFile = readFileTool()

test('read_file gives the text of a document in pages of lines, and says what it is and lacks', async () => {
  const { call } = aWorkspace({ 'a.pdf': makePdf([linePage('Hello'), linePage('World'), scannedPage]) })
  const whole = await call(readFile, { path: 'a.pdf' })
  expect(whole).toEqual({
    ok: true,
    text: `a.pdf, lines 1-7 of 7
[page 1]
Hello

[page 2]
World

[page 3]
[this is the text of a PDF of 3 pages. Page 3 is scanned: a picture without text, which is not read]`,
  })
  expect(await call(readFile, { path: 'a.pdf', offset: 4, limit: 2 })).toMatchObject({
    text: expect.stringMatching(
      /^a\.pdf, lines 4-5 of 7\n\[page 2\]\nWorld\n\[more from line 6: read again with offset 6\]\n\[this is the text of a PDF/,
    ),
  })
  if (!whole.ok) throw new Error(whole.reason)
  const told = tellResult(readFile, { path: 'a.pdf' }, { ok: true, text: whole.text })
  expect(told).toContain('This is the text of a PDF of 3 pages.')
})

test('a document that has changed is read again', async () => {
  const { call, workspace } = aWorkspace({ 'a.docx': makeDocx(makeParagraph('Old')) })
  expect(await call(readFile, { path: 'a.docx' })).toMatchObject({ text: expect.stringContaining('\nOld\n') })
  writeFileSync(join(workspace, 'a.docx'), makeDocx(makeParagraph('Newer')))
  expect(await call(readFile, { path: 'a.docx' })).toMatchObject({
    text: expect.stringContaining('\nNewer\n'),
  })
})

test('what cannot be read is said in words', async () => {
  const { call } = aWorkspace({
    'locked.pdf': makePdf([linePage('Secret')], { password: 'x' }),
    'half.docx': makeDocx(makeParagraph('Text')).subarray(0, 200),
    'files.zip': makeZip({ a: 'b' }),
  })
  const reasonFor = async (path: string) => {
    const result = await call(readFile, { path })
    return result.ok ? result.text : result.reason
  }
  expect(await reasonFor('locked.pdf')).toBe('locked.pdf is locked with a password.')
  expect(await reasonFor('half.docx')).toBe('half.docx is damaged, or only a part of a file.')
  expect(await reasonFor('files.zip')).toBe(
    'files.zip cannot be read. It is a zip archive (1 file). Unpack it to read what is in it.',
  )
})

test('pages of the web and tables as text stay as they are, so that they can be patched', async () => {
  const { call } = aWorkspace({ 'a.html': '<p>Hi</p>\n', 'a.csv': 'a,b\n1,2\n' })
  expect(await call(readFile, { path: 'a.html' })).toEqual({
    ok: true,
    text: 'a.html, lines 1-1 of 1\n<p>Hi</p>',
  })
  expect(await call(readFile, { path: 'a.csv' })).toEqual({
    ok: true,
    text: 'a.csv, lines 1-2 of 2\na,b\n1,2',
  })
})
