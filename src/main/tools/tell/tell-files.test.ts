import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aWorkspace } from '../../../../testing/tools/a-workspace.ts'
import { callAndTell } from '../../../../testing/tools/told-call.ts'
import { listFiles } from '../files/list-files.ts'
import { patchFile } from '../files/patch-file.ts'
import { readFileTool } from '../files/read-file.ts'
import { searchFiles } from '../search/search-files.ts'
import { writeFile } from '../files/write-file.ts'
import { tellSearch } from './tell-search.ts'

const readFile = readFileTool({ result_limit: 3_000 })

test('a folder is told as a list: empty, full, with odd names, left-out entries, and where there is none', async () => {
  const place = aWorkspace()
  const list = (args: Record<string, unknown> = {}) => callAndTell(place, listFiles, args)
  expect(await list()).toBe('This folder is empty.')
  const files = {
    '.gitignore': '*.log\n',
    'a.log': '',
    'node_modules/left/pad.js': '',
    'notes.txt': 'Milk\nBread\n',
    'src/`od*d <b>.ts': 'let a = 1\n',
    'two\nlines.txt': 'x',
  }
  for (const [name, content] of Object.entries(files)) place.put(join(place.workspace, name), content)
  symlinkSync('notes.txt', join(place.workspace, 'link'))
  expect(await list()).toBe(
    [
      'In this folder are 2 folders, 3 files and 1 link:\n',
      '- `node_modules/`',
      '- `src/`',
      '- `.gitignore` (6 bytes)',
      '- `link` (a link)',
      '- `notes.txt` (11 bytes)',
      '- `two⟨U+000A⟩lines.txt` (1 byte)',
      '\n1 more entry is left out by `.gitignore`.',
    ].join('\n'),
  )
  expect(await list({ path: 'src' })).toBe(
    'In the folder `src/` is 1 file:\n\n- `` `od*d <b>.ts `` (10 bytes)',
  )
  expect(await list({ path: 'node_modules', depth: 2 })).toBe(
    'In the folder `node_modules/` are 1 folder and 1 file:\n\n- `left/`\n- `left/pad.js` (0 bytes)',
  )
  expect(await list({ path: 'notes.txt' })).toBe('`notes.txt` is a file, not a folder.')
  expect(await list({ path: 'zzzzzzz' })).toBe('There is no file or folder `zzzzzzz` here.')
  expect(await list({ path: 'srk' })).toBe('There is no file or folder `srk`. Similar names here: `src`.')
  expect(await list({ path: 'no/deep' })).toBe(
    'There is no file or folder `no/deep`, and no folder `no` either.',
  )
})

test('of many entries the first are listed, and the others are counted', async () => {
  const place = aWorkspace(
    Object.fromEntries(Array.from({ length: 450 }, (_, at) => [`file ${at + 1000}.txt`, ''])),
  )
  const told = await callAndTell(place, listFiles, {})
  expect(told).toMatch(/^In this folder are 450 entries:\n\n- `file 1000\.txt` \(0 bytes\)\n/)
  expect(told).toMatch(/\n- … and 390 more$/)
})

test('a file is told as a block with its language, and of a long one how to go on', async () => {
  const lines = Array.from({ length: 300 }, (_, at) => `Line number ${at + 1}`)
  const place = aWorkspace({
    'notes.txt': 'Milk\nBread\n',
    'a.ts': 'let a = 1\n```\nx\u202e\n```\n',
    'long.txt': lines.join('\n'),
    'wide.txt': 'x'.repeat(9_000),
    'empty.md': '',
    'bin.dat': new Uint8Array([0, 1, 2]),
    'src/deep.py': 'pass',
  })
  const read = (args: Record<string, unknown>, contextTokens = 8_000) =>
    callAndTell(place, readFile, args, { how: { contextTokens } })
  expect(await read({ path: 'notes.txt' })).toBe('Here is `notes.txt`:\n\n```\nMilk\nBread\n```')
  expect(await read({ path: 'a.ts' })).toBe(
    'Here is `a.ts`:\n\n````typescript\nlet a = 1\n```\nx⟨U+202E⟩\n```\n````',
  )
  expect(await read({ path: 'deep.py' })).toBe('Here is `src/deep.py`:\n\n```python\npass\n```')
  const shown = lines.slice(0, 80).join('\n')
  expect(await read({ path: 'long.txt' })).toBe(
    `\`long.txt\` has 300 lines. Here are lines 1 to 80:\n\n\`\`\`\n${shown}\n\`\`\`\n\nAsk for line 81 on to read more.`,
  )
  expect(await read({ path: 'long.txt', offset: 5, limit: 1 })).toBe(
    '`long.txt` has 300 lines. Here is line 5:\n\n```\nLine number 5\n```\n\nAsk for line 6 on to read more.',
  )
  expect(await read({ path: 'long.txt', offset: 299 })).toBe(
    '`long.txt` has 300 lines. Here are lines 299 to 300:\n\n```\nLine number 299\nLine number 300\n```',
  )
  expect(await read({ path: 'wide.txt' }, 2_000)).toMatch(
    /^Line 1 of `wide\.txt` is long\. Here are its characters 1 to 1000 of 9000:\n\n```\nx{1000} …\n```$/,
  )
  expect(await read({ path: 'long.txt', offset: 999 })).toBe(
    '`long.txt` has only 300 lines, so there is no line 999.',
  )
  expect(await read({ path: 'empty.md' })).toBe('`empty.md` is empty.')
  expect(await read({ path: 'bin.dat' })).toBe('`bin.dat` is not a text (3 bytes), so I cannot show it.')
  expect(await read({ path: 'src' })).toBe('`src` is a folder, not a file.')
  expect(await read({ path: 'note.txt' })).toMatch(
    /^There is no file or folder `note\.txt`\. Similar names here: `notes\.txt`/,
  )
  expect(await read({ path: '.ssh/id_rsa' })).toBe(
    'I could not read `.ssh/id_rsa`. id_rsa holds keys or passwords, so tools never open it.',
  )
})

test('a written file is named, and shown if it is short', async () => {
  const place = aWorkspace({ 'src/a.ts': '', 'win.txt': 'a\r\nb\r\n' })
  const write = (path: string, content: string) => callAndTell(place, writeFile, { path, content })
  expect(await write('new.md', '# Hi\n```js\nx\n```\n')).toBe(
    'I created `new.md` (17 bytes). It says:\n\n````markdown\n# Hi\n```js\nx\n```\n````',
  )
  expect(await write('new.md', '')).toBe('I replaced the text of `new.md`. It is empty.')
  expect(await write('new.md', 'x\n'.repeat(500))).toBe('I replaced the text of `new.md` (1.0 kB).')
  expect(await write('win.txt', 'c\nd\n')).toBe(
    'I replaced the text of `win.txt` (6 bytes). It keeps its Windows line ends (CRLF). It says:\n\n```\nc\nd\n```',
  )
  expect(await write('src', 'x')).toBe('`src` is a folder, so I cannot write it as a file.')
  expect(await write('../out.txt', 'x')).toMatch(
    /^`[^`]*out\.txt` is outside the folder of this chat, `[^`]*work`\. I write files only inside it, so nothing was written\.$/,
  )
})

test('an edit is told as a difference, and one that does not apply in plain words', async () => {
  const place = aWorkspace({ 'notes.txt': 'Milk\nBread\n', 'many.txt': 'x\nx\nx\n', 'src/a.ts': '' })
  const patch = (path: string, old_string: string, new_string: string, more: object = {}) =>
    callAndTell(place, patchFile, { path, old_string, new_string, ...more })
  expect(await patch('notes.txt', 'Milk', 'Oat milk')).toBe(
    'I changed `notes.txt`. The difference:\n\n```diff\n@@ -1,2 +1,2 @@\n-Milk\n+Oat milk\n Bread\n```',
  )
  expect(await patch('many.txt', 'x', 'y', { replace_all: true })).toMatch(
    /^I changed `many\.txt` in 3 places\. The difference:\n\n```diff\n/,
  )
  expect(await patch('notes.txt', 'Honey', 'Jam')).toBe(
    'I did not find the text to replace in `notes.txt`, so nothing was changed.',
  )
  expect(await patch('notes.txt', 'Bread', 'Bread')).toBe(
    'The old and the new text are the same, so nothing was changed in `notes.txt`.',
  )
  expect(await patch('many.txt', 'y', 'z')).toBe(
    'The text to replace is in `many.txt` 3 times (lines 1, 2, 3), so nothing was changed. Say which one you mean, or that all are to be replaced.',
  )
  expect(await patch('notes.txt', '', 'z')).toBe(
    'It was not clear which text to replace in `notes.txt`, so nothing was changed.',
  )
  expect(await patch('src', 'a', 'b')).toBe('`src` is a folder, so there is no text to change in it.')
  expect(await patch('note.txt', 'a', 'b')).toMatch(/^There is no file or folder `note\.txt`\. Similar names/)
})

test('a search is told with its places, and says what it did not look at', async () => {
  const place = aWorkspace({
    'notes.txt': 'Milk\nBread and *butter*\n',
    'src/a.md': 'No bread `here`\n',
    '.hidden': 'bread',
    'many.txt': 'line\n'.repeat(60),
  })
  const search = (args: Record<string, unknown>) => callAndTell(place, searchFiles(), args)
  expect(await search({ pattern: 'bread' })).toBe(
    'I found “bread” 2 times in 2 files:\n\n- `src/a.md:1`: `` No bread `here` ``\n- `notes.txt:2`: `Bread and *butter*`\n\nNot searched: 1 hidden (.hidden).',
  )
  expect(await search({ pattern: 'line', glob: '*.txt' })).toMatch(
    /^I found “line” 60 times in 1 file:\n\n(?:- `many\.txt:\d+`: line\n){25}- … and 35 more/,
  )
  expect(await search({ pattern: 'qqq' })).toBe(
    'I did not find “qqq”. I looked in 3 files. Not searched: 1 hidden (.hidden).',
  )
  expect(await search({ pattern: 'qqq', glob: '*.zip' })).toBe(
    'I searched nothing: of 3 files here, none fits `*.zip`.',
  )
  expect(await search({ pattern: 'a(' })).toBe(
    'I could not search for “a(”. The pattern is not a valid regular expression. A ( has no ).',
  )
  expect(await search({ pattern: 'a', path: 'zzzzzzz' })).toBe('There is no file or folder `zzzzzzz` here.')
  const late = {
    ok: false,
    text: 'The search was ended after 10 s while it read slow.txt. Use a simpler pattern, a path or a glob.',
  }
  expect(tellSearch({ pattern: '(a+)+$' }, late)).toBe(
    'I searched for `(a+)+$`, but it took too long, and nothing was found until then.',
  )
})
