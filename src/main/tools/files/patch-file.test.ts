import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aWorkspace } from '../../../../testing/tools/a-workspace.ts'
import { patchFile } from './patch-file.ts'
import { encodeText } from '../../lib/encodings/decode-text.ts'

test('a passage is replaced, and the intent and the result show the diff', async () => {
  const { workspace, intent, call } = aWorkspace({ 'notes.md': 'one\ntwo\nthree\n' })
  const args = { path: 'notes.md', old_string: 'two', new_string: 'TWO' }
  const diff = '@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three'
  expect(await intent(patchFile, args)).toEqual({
    title: 'Change notes.md',
    detail: diff,
    risk: 'write',
    inWorkspace: true,
    folder: workspace,
    path: join(workspace, 'notes.md'),
  })
  expect(await call(patchFile, args)).toEqual({
    ok: true,
    text: `Changed notes.md.\n${diff}`,
    files: [args.path],
  })
  expect(readFileSync(join(workspace, 'notes.md'), 'utf8')).toBe('one\nTWO\nthree\n')
})

test('the encoding, the byte order mark and the line endings stay', async () => {
  const file = { text: 'one\r\ntwo\r\n', encoding: 'utf16le', mark: true } as const
  const { workspace, call } = aWorkspace({ 'a.txt': encodeText(file) })
  await call(patchFile, { path: 'a.txt', old_string: 'one\ntwo', new_string: '1\n2' })
  expect(readFileSync(join(workspace, 'a.txt'))).toEqual(encodeText({ ...file, text: '1\r\n2\r\n' }))
})

test('a patch that does not match is refused before approval', async () => {
  const { intent } = aWorkspace({
    'a.md': 'a\na\n',
    'latin.txt': Buffer.from('caf\xe9', 'latin1'),
    'folder/x': '',
  })
  const refusals = ['a.md', 'b.md', 'latin.txt', 'folder'].map(path =>
    intent(patchFile, { path, old_string: 'a', new_string: 'b' }),
  )
  expect(await Promise.all(refusals)).toEqual([
    {
      refused:
        'old_string occurs 2 times (lines 1, 2). Add lines around it until it is unique, or set replace_all.',
    },
    { refused: 'b.md does not exist. Near it: a.md.' },
    {
      refused: expect.stringMatching(
        /^latin\.txt is not UTF-8, and its encoding is not sure \(perhaps windows-1252\)/,
      ),
    },
    { refused: 'folder is a folder, not a file.' },
  ])
})

test('a failed match shows similar text, but never from an .env file', async () => {
  const content = 'KEY_ONE=secret-1\n'
  const { intent } = aWorkspace({ 'a.txt': content, '.env': content })
  const args = { old_string: 'KEY_ONE=secret-2', new_string: 'x' }
  expect(await intent(patchFile, { path: 'a.txt', ...args })).toEqual({
    refused:
      'old_string was not found. Line 1 is nearest to it:\nKEY_ONE=secret-1\n[Behind “_ONE=secret-” line 1 has “1” where old_string has “2”.]',
  })
  expect(await intent(patchFile, { path: '.env', ...args })).toEqual({
    refused: 'old_string was not found.',
  })
})

test('a file changed since the approval is matched again', async () => {
  const { workspace, put, call } = aWorkspace({ 'a.txt': 'one\n' })
  const between = () => put(join(workspace, 'a.txt'), 'other\n')
  const result = await call(
    patchFile,
    { path: 'a.txt', old_string: 'one', new_string: '1' },
    { between: () => void between() },
  )
  expect(result.ok).toBe(false)
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('other\n')
})
