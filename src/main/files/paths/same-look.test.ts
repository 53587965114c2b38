import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aWorkspace, said } from '../../../../testing/tools/a-workspace.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { listFiles } from '../../tools/files/list-files.ts'
import { patchFile } from '../../tools/files/patch-file.ts'
import { readFileTool } from '../../tools/files/read-file.ts'
import { searchFiles } from '../../tools/search/search-files.ts'
import { terminalTool } from '../../tools/terminal/terminal.ts'
import { writeFile } from '../../tools/files/write-file.ts'

const readFile = readFileTool()
const apart = (name: string) => name.normalize('NFD')

test.for([
  ['accents apart', apart('menü/Café.txt'), 'menü/Café.txt'],
  ['accents together', 'menü/Café.txt', apart('menü/Café.txt')],
  ['Hangul apart', apart('한글.txt'), '한글.txt'],
  ['a narrow no-break space', 'Shot at 10.15\u202fPM.txt', 'Shot at 10.15 PM.txt'],
  ['a no-break space given', 'Shot 10.txt', 'Shot\u00a010.txt'],
  ['an ideographic space', '第一章\u3000序.txt', '第一章 序.txt'],
  ['a typographic apostrophe', 'Don’t.txt', "Don't.txt"],
  ['typographic quotes', 'The “end”.txt', 'The "end".txt'],
  ['a dash', '2020–2021.txt', '2020-2021.txt'],
  ['a mark that is not seen', '\u200eWhatsApp.txt', 'WhatsApp.txt'],
  ['a blank at the end', 'list.txt ', 'list.txt'],
] as const)('a name with %s is meant where it is the only one of its look', async ([, name, given]) => {
  const { call, workspace } = aWorkspace({ [name]: 'old words\n' })
  const path = join(workspace, name)
  expect(said(await call(readFile, { path: given }))).toContain('old words')
  const patch = { path: given, old_string: 'old', new_string: 'newer' }
  expect((await call(patchFile, patch)).ok).toBe(true)
  expect(readFileSync(path, 'utf8')).toBe('newer words\n')
  expect((await call(writeFile, { path: given, content: 'all new\n' })).ok).toBe(true)
  expect(readFileSync(path, 'utf8')).toBe('all new\n')
  expect(readdirSync(join(path, '..'))).toHaveLength(1)
})

test('a folder of the same look is meant by all tools, also for a new file', async () => {
  const folder = apart('Menü für Kinder').replaceAll(' ', '\u00a0')
  const { call, intent, workspace } = aWorkspace({ [`${folder}/a.txt`]: 'plum\n' })
  const path = 'Menü für Kinder'
  expect((await call(writeFile, { path: `${path}/b.txt`, content: 'b' })).ok).toBe(true)
  expect(said(await call(listFiles, { path }))).toContain('b.txt')
  expect(await intent(terminalTool({ timeout_s: 5 }), { command: 'ls', cwd: path })).toMatchObject({
    folder: join(workspace, folder),
  })
  expect(await intent(searchFiles(), { pattern: 'plum', path })).toMatchObject({
    path: join(workspace, folder),
  })
  expect(readdirSync(workspace)).toEqual([folder])
})

test('a new name is kept as it is given', async () => {
  const { call, workspace } = aWorkspace()
  await call(writeFile, { path: apart('Café.txt'), content: 'x' })
  expect(readdirSync(workspace)).toEqual([apart('Café.txt')])
})

test('a name that is there exactly is meant, whatever looks like it', async () => {
  const { call } = aWorkspace({ 'Café.txt': 'together', [apart('Café.txt')]: 'apart' })
  expect(said(await call(readFile, { path: 'Café.txt' }))).toContain('together')
  expect(said(await call(readFile, { path: apart('Café.txt') }))).toContain('apart')
})

test('two names of the same look are shown with what differs, and nothing is written', async () => {
  const { call, workspace } = aWorkspace({ 'a\u00a0b é.txt': '1', [`a b ${apart('é')}.txt`]: '2' })
  const reason =
    '"a b é.txt" is not there, but 2 names look like it: "a b e\\u0301.txt" (with an acute accent apart, U+0301) and ' +
    '"a\\u00a0b \\u00e9.txt" (with a no-break space, U+00A0, é, U+00E9). Write exactly the one you mean.'
  expect(await call(readFile, { path: 'a b é.txt' })).toEqual({ ok: false, reason })
  expect(await call(writeFile, { path: 'a b é.txt', content: 'x' })).toEqual({ ok: false, reason })
  expect(readdirSync(workspace)).toHaveLength(2)
  expect(said(await call(readFile, { path: JSON.parse('"a\\u00a0b \\u00e9.txt"') as string }))).toContain(
    '\n1',
  )
})

test('a name that only reads alike is never written over', async () => {
  const { call, workspace } = aWorkspace({ 'x².txt': '1', 'NOTES.txt': '2', '报告（终稿）.txt': '3' })
  for (const path of ['x2.txt', 'notes.txt', '报告(终稿).txt'])
    expect((await call(writeFile, { path, content: 'new' })).ok).toBe(true)
  expect(readFileSync(join(workspace, 'NOTES.txt'), 'utf8')).toBe('2')
  expect(readFileSync(join(workspace, 'x².txt'), 'utf8')).toBe('1')
})

test('a look-alike that appears after the approval is not written to', async () => {
  const { call, put, workspace } = aWorkspace()
  const between = () => void put(join(workspace, apart('Café.txt')), 'theirs')
  const result = await call(writeFile, { path: 'Café.txt', content: 'mine' }, { between })
  expect(said(result)).toContain('leads to another place than a moment ago')
  expect(readFileSync(join(workspace, apart('Café.txt')), 'utf8')).toBe('theirs')
})

test('a credential of the same look stays closed', async () => {
  const { intent, workspace } = aWorkspace()
  mkdirSync(join(workspace, '.ssh\u00a0'))
  for (const path of ['"~/.ssh/id_rsa"', '‘.ssh/id_rsa’', 'id\u2011rsa/../id_rsa', '`.npmrc`', 'server.pem,'])
    expect(isRefusal(await intent(writeFile, { path, content: 'x' }))).toBe(true)
})
