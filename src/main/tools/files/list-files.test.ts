import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aWorkspace, said } from '../../../../testing/tools/a-workspace.ts'
import { listFiles } from './list-files.ts'

test('folders come first, files have a size, and git-ignored entries are only counted', async () => {
  const { workspace, call } = aWorkspace({
    '.gitignore': '*.log\n/out/\n!keep.log\n',
    '.git/config': '',
    'b.md': 'text',
    'a.log': '',
    'keep.log': '',
    'out/x': '',
    'src/deep/c.ts': 'x'.repeat(1_200),
    'src/out/y': '',
    'node_modules/left/pad.js': '',
  })
  symlinkSync('b.md', join(workspace, 'link'))
  expect(said(await call(listFiles, {}))).toBe(
    [
      'The workspace, 6 entries',

      'node_modules/',
      'src/',
      '.gitignore (22 bytes)',
      'b.md (4 bytes)',
      'keep.log (0 bytes)',
      'link (link)',
      '[2 more left out by .gitignore]',
    ].join('\n'),
  )
  expect(said(await call(listFiles, { path: 'src', depth: 3 }))).toBe(
    ['src/, 4 entries', 'deep/', 'deep/c.ts (1.2 kB)', 'out/', 'out/y (0 bytes)'].join('\n'),
  )
})

test('rules in deeper folders take precedence, and those of the parent repository still apply', async () => {
  const { call } = aWorkspace({
    '.git/config': '',
    '.gitignore': '*.tmp\n',
    'a/.gitignore': '!b.tmp\n',
    'a/b.tmp': '',
    'a/c.tmp': '',
  })
  expect(said(await call(listFiles, { path: 'a' }))).toBe(
    ['a/, 2 entries', '.gitignore (7 bytes)', 'b.tmp (0 bytes)', '[1 more left out by .gitignore]'].join(
      '\n',
    ),
  )
})

test('a folder that is ignored is listed when it is named, and what is not entered is said', async () => {
  const { call } = aWorkspace({
    '.git/config': '',
    '.gitignore': 'out/\n',
    'out/a.js': '',
    'app/node_modules/left/index.js': '',
    'venv/.gitignore': '*\n',
    'venv/site.py': '',
    'none/.gitignore': 'x\n.gitignore\n',
    'none/x': '',
  })
  expect(said(await call(listFiles, { path: 'out' }))).toBe('out/, 1 entry\na.js (0 bytes)')
  expect(said(await call(listFiles, { path: 'venv' }))).toBe(
    'venv/, 2 entries\n.gitignore (2 bytes)\nsite.py (0 bytes)',
  )
  expect(said(await call(listFiles, { path: 'app', depth: 3 }))).toBe(
    'app/, 1 entry\nnode_modules/\n[not entered: node_modules/; list it by its path]',
  )
  expect(said(await call(listFiles, { path: 'app/node_modules', depth: 2 }))).toBe(
    'app/node_modules/, 2 entries\nleft/\nleft/index.js (0 bytes)',
  )
  expect(said(await call(listFiles, { path: 'none' }))).toBe(
    'none/, 0 entries\n[2 more left out by .gitignore]',
  )
})

test('a long list is cut, with the number of entries', async () => {
  const names = Array.from({ length: 450 }, (_, index) => [`${1_000 + index}.txt`, ''])
  const text = said(await aWorkspace(Object.fromEntries(names)).call(listFiles, {}))
  const lines = text.split('\n')
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([
    402,
    'The workspace, 450 entries',
    '[only the first 400 are shown; list a folder below]',
  ])
})

test('an empty folder, a file and a missing path are distinguished', async () => {
  const { call } = aWorkspace({ 'a.md': '' })
  expect(said(await aWorkspace().call(listFiles, {}))).toBe('The workspace is empty')
  expect(said(await call(listFiles, { path: 'a.md' }))).toBe('a.md is a file. Use read_file to read it.')
  expect(said(await call(listFiles, { path: 'b' }))).toBe(
    'b does not exist. List the folder to see what does.',
  )
})

test('the workspace is named so when the chat spells its folder with a slash at the end', async () => {
  const { workspace, home } = aWorkspace()
  expect(await listFiles.intent({}, { workspace: `${workspace}/`, home })).toMatchObject({
    title: 'List the workspace',
  })
})

test('the intent is a read of the folder', async () => {
  const { workspace, outside, intent } = aWorkspace()
  expect(await intent(listFiles, {})).toEqual({
    title: 'List the workspace',
    detail: workspace,
    risk: 'read',
    inWorkspace: true,
    folder: workspace,
    path: workspace,
  })
  expect(await intent(listFiles, { path: outside })).toMatchObject({ inWorkspace: false, folder: outside })
})
