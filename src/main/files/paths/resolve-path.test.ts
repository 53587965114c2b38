import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aWorkspace, said } from '../../../../testing/tools/a-workspace.ts'
import { resolveAgain, resolveFirst, resolveTarget, shownPath } from './resolve-path.ts'
import { writeFile } from '../../tools/files/write-file.ts'

const forWrite = { forWrite: true }

test('a path in the workspace may be read and written, in any spelling', async () => {
  const { workspace, home } = aWorkspace({ 'a/b.md': 'text' })
  const target = { path: join(workspace, 'a/b.md'), inWorkspace: true, kind: 'file' }
  for (const given of [
    'a/b.md',
    './a/../a/b.md',
    join(workspace, 'a/b.md'),
    `../${basename(workspace)}/a/b.md`,
  ]) {
    expect(await resolveTarget({ workspace, home }, given)).toEqual({ ...target, given })
    expect(await resolveTarget({ workspace, home }, given, forWrite)).toEqual({ ...target, given })
  }
})

test('reading elsewhere is marked, and writing elsewhere is refused', async () => {
  const { workspace, home, outside, put } = aWorkspace()
  const path = put(join(outside, 'a.txt'), 'text')
  for (const given of [path, '../outside/a.txt']) {
    expect(await resolveTarget({ workspace, home }, given)).toEqual({
      path,
      inWorkspace: false,
      kind: 'file',
      given,
    })
    expect(await resolveTarget({ workspace, home }, given, forWrite)).toEqual({
      refused: expect.stringContaining('files are only written inside it'),
    })
  }
})

test.for([
  ['a link to a file', 'link', 'a.txt', 'link'],
  ['a link to a folder', 'link', '.', 'link/a.txt'],
  ['a link that leads to nothing', 'link', 'new.txt', 'link'],
  ['a new file below a link', 'link', '.', 'link/deep/new.txt'],
] as const)('%s does not lead out of the workspace', async ([, name, to, given]) => {
  const { workspace, home, outside, put } = aWorkspace()
  put(join(outside, 'a.txt'), 'text')
  symlinkSync(join(outside, to), join(workspace, name))
  expect(await resolveTarget({ workspace, home }, given)).toMatchObject({ inWorkspace: false })
  expect(await resolveTarget({ workspace, home }, given, forWrite)).toEqual({
    refused: expect.stringContaining('outside the folder of this chat'),
  })
})

test('a link to a link to a key counts as a key', async () => {
  const { workspace, home, outside, put } = aWorkspace()
  symlinkSync(put(join(outside, '.ssh/id_rsa'), 'key'), join(outside, 'harmless'))
  symlinkSync(join(outside, 'harmless'), join(workspace, 'notes.md'))
  expect(await resolveTarget({ workspace, home }, 'notes.md')).toEqual({
    refused: 'id_rsa holds keys or passwords, so tools never open it. Ask the user for what you need.',
  })
})

test('a circular link is refused', async () => {
  const { workspace, home } = aWorkspace()
  symlinkSync('b', join(workspace, 'a'))
  symlinkSync('a', join(workspace, 'b'))
  expect(await resolveTarget({ workspace, home }, 'a')).toEqual({
    refused: 'a is a link that leads in a circle.',
  })
})

test('a link made after the approval is not followed', async () => {
  const { workspace, home, outside, put } = aWorkspace()
  put(join(outside, 'a.txt'), 'text')
  const input = {}
  await resolveFirst(input, { workspace, home }, 'a.txt')
  symlinkSync(join(outside, 'a.txt'), join(workspace, 'a.txt'))
  expect(await resolveAgain(input, { workspace, home }, 'a.txt')).toEqual({
    refused: 'a.txt leads to another place than a moment ago. Look at it again first.',
  })
})

test.for([
  'config.yaml',
  'config.yaml.bak',
  '.env',
  'page-entry.json',
  'page-entry (1).json',
  'state.db',
  'state.db-wal',
  'backups/x.db',
  '.lock',
])('Talaria’s own %s is never opened, even if the workspace is its home or contains it', async name => {
  const { workspace, home, put } = aWorkspace()
  const path = put(join(home, name), 'secret')
  for (const folder of [workspace, home, join(home, '..')]) {
    for (const options of [{}, forWrite]) {
      expect(await resolveTarget({ workspace: folder, home }, path, options)).toHaveProperty('refused')
    }
  }
})

test('the default workspace in the home folder is an ordinary one', async () => {
  const { home, put } = aWorkspace()
  const path = put(join(home, 'workspace/config.yaml'), 'mine')
  const where = { workspace: join(home, 'workspace'), home }
  expect(await resolveTarget(where, 'config.yaml', forWrite)).toEqual({
    path,
    inWorkspace: true,
    kind: 'file',
    given: 'config.yaml',
  })
})

test('nothing else in the home folder can be written, and stored outputs are read without approval', async () => {
  const { workspace, home, put } = aWorkspace()
  const output = put(join(home, 'cache/outputs/out_1.txt'), 'long')
  const soul = put(join(home, 'SOUL.md'), 'me')
  expect(await resolveTarget({ workspace, home }, output)).toMatchObject({ inWorkspace: true })
  expect(await resolveTarget({ workspace, home }, soul)).toMatchObject({ inWorkspace: false })
  for (const path of [output, soul]) {
    expect(await resolveTarget({ workspace: join(home, '..'), home }, path, forWrite)).toEqual({
      refused: 'Tools do not write into Talaria’s own folder.',
    })
  }
})

test.for([
  ['', 'The path is empty.'],
  ['a\0b', 'The path contains a null character.'],
  ['x'.repeat(5_000), 'The path is too long.'],
  ['x'.repeat(300), 'The path is too long.'],
])('%# an invalid path is refused with a sentence', async ([given, refused]) => {
  const { workspace, home } = aWorkspace()
  expect(await resolveTarget({ workspace, home }, given!)).toEqual({ refused })
})

test.skipIf(process.platform === 'win32')('pipes and devices are refused', async () => {
  const { workspace, home } = aWorkspace()
  execFileSync('mkfifo', [join(workspace, 'queue')])
  expect(await resolveTarget({ workspace, home }, 'queue')).toEqual({
    refused: 'queue is a pipe, not a file.',
  })
  expect(await resolveTarget({ workspace, home }, '/dev/zero')).toEqual({
    refused: '/dev/zero is a view into the system, not a file.',
  })
})

test('paths are shown relative to the workspace or the user’s home', () => {
  const workspace = join(homedir(), 'notes')
  const shown = ['a/b.md', '', '../other', '/etc/hosts'].map(path =>
    shownPath({ workspace }, path.startsWith('/') ? path : join(workspace, path)),
  )
  expect(shown).toEqual(['a/b.md', '.', join('~', 'other'), '/etc/hosts'])
})

test('a folder, a file and a missing path are distinguished', async () => {
  const { workspace, home } = aWorkspace({ file: '' })
  mkdirSync(join(workspace, 'folder'))
  const kinds = ['file', 'folder', 'nothing', 'file/below'].map(async given => {
    const target = await resolveTarget({ workspace, home }, given)
    return 'kind' in target ? target.kind : target.refused
  })
  expect(await Promise.all(kinds)).toEqual(['file', 'folder', 'missing', 'missing'])
})

test.for([
  ['"src/b.ts"', 'src/b.ts'],
  ['notes.md\n', 'notes.md'],
  ['list.md ', 'list.md'],
  ['src\\b.ts', 'src/b.ts'],
  ['[b](src/b.ts)', 'src/b.ts'],
  ['file://src/b.ts', 'src/b.ts'],
  ['file://notes.md', 'notes.md'],
  ['file://./notes.md', 'notes.md'],
] as const)('%j is written as %s, and the card says so', async ([path, name]) => {
  const { call, intent, workspace } = aWorkspace({ 'src/a.ts': 'a\n' })
  expect(await intent(writeFile, { path, content: 'plum\n' })).toMatchObject({
    title: `Create ${name}`,
    path: join(workspace, name),
  })
  expect(said(await call(writeFile, { path, content: 'plum\n' }))).toContain(`Created ${name} `)
  expect(readFileSync(join(workspace, name), 'utf8')).toBe('plum\n')
})

test('an absolute file address is the path in it', async () => {
  const { workspace, home } = aWorkspace({ 'My Notes.txt': 'x' })
  const given = `file://${workspace}/My%20Notes.txt`
  expect(await resolveTarget({ workspace, home }, given, forWrite)).toMatchObject({
    path: join(workspace, 'My Notes.txt'),
    kind: 'file',
  })
})

test('a file that has such a name is meant by it', async () => {
  const names = ['"a".txt"', 'b,', 'src\\c.ts', 'two\nlines.md', ' d ', '"folder/e.md']
  const { workspace, home } = aWorkspace(Object.fromEntries(names.map(name => [name, 'x'])))
  for (const name of names)
    expect(await resolveTarget({ workspace, home }, name, forWrite)).toMatchObject({
      path: join(workspace, name),
      kind: 'file',
    })
  expect(await resolveTarget({ workspace, home }, '"folder/new.md', forWrite)).toMatchObject({
    path: join(workspace, '"folder/new.md'),
  })
})

test.for([
  '"../outside/x"',
  '`../../x`',
  'file:///etc/passwd',
  '<file:///etc/passwd>',
  'file:///%2e%2e/%2e%2e/etc/passwd',
  'file:%2e%2e%2foutside%2fx',
  'file://../outside/x',
  '[x](../outside/x)',
  '..\\outside\\x',
  'file://host/share',
  '\\\\host\\share\\x',
  'C:\\Users\\x.md',
  'https://example.test/x',
  '"two\nlines.md"',
  'file:///a%00b',
  'file:///a%0Ab',
  '"config/.ssh/id_rsa"',
  '“.npmrc”,',
  '“”',
  'link/“new.txt”',
])('%j is never written', async given => {
  const { workspace, home, outside, put } = aWorkspace({ 'src/a.ts': '' })
  put(join(outside, 'x'), 'secret')
  symlinkSync(outside, join(workspace, 'link'))
  expect(await resolveTarget({ workspace, home }, given, forWrite)).toHaveProperty('refused')
})

test('whatever a text means, it is judged by where it leads', async () => {
  const { workspace, home, outside, put } = aWorkspace({ 'src/a.ts': '', 'café/b.md': '' })
  put(join(outside, 'x.txt'), 'secret')
  symlinkSync(outside, join(workspace, 'link'))
  const piece = fc.constantFrom(
    '..',
    '/',
    '\\',
    '"',
    '`',
    'file://',
    '%2e%2e',
    '%2f',
    'link',
    'src',
    'cafe\u0301',
    'a.ts',
    '~',
    '\u00a0',
    '@',
    ':1',
    'outside',
    '.ssh',
    'id_rsa',
  )
  const options = fc.constantFrom({ forWrite: true }, {}, { guess: 'file' as const })
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 8 }), options, async (pieces, how) => {
      const target = await resolveTarget({ workspace, home }, pieces.join(''), how)
      if ('refused' in target) return
      const isInside = target.path === workspace || target.path.startsWith(`${workspace}/`)
      expect(target.inWorkspace).toBe(isInside)
      if ('forWrite' in how) expect(isInside).toBe(true)
      expect(target.path).not.toMatch(/\/\.ssh(\/|$)|\/id_rsa$/)
      if (target.kind !== 'missing') expect(realpathSync(target.path)).toBe(target.path)
    }),
    { numRuns: 300 },
  )
})

test('a path from the disk is taken letter by letter', async () => {
  const { workspace, home } = aWorkspace({ 'a.txt': '', 'Café.txt': '' })
  for (const name of ['"a.txt"', 'a.txt ', 'Cafe\u0301.txt'])
    expect(await resolveTarget({ workspace, home }, join(workspace, name), { exact: true })).toMatchObject({
      path: join(workspace, name),
      kind: 'missing',
    })
})
