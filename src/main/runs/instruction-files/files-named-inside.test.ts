import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { anInstructionFolder, POISON } from '../../../../testing/runs/an-instruction-folder.ts'

let folder: ReturnType<typeof anInstructionFolder>
let root: string
beforeEach(() => {
  folder = anInstructionFolder()
  root = folder.root
})
afterEach(() => folder[Symbol.dispose]())

const write: typeof folder.write = files => folder.write(files)
const read: typeof folder.read = given => folder.read(given)

describe('files that a file names', () => {
  test('are read in order behind it, relative to the file that names them, each once', async () => {
    write({
      'CLAUDE.md': '# Rules\n- @docs/a.md\n- @docs/b.md and @docs/a.md\nTell @alice, use @types/node.',
      'docs/a.md': 'A. See @deep/c.md',
      'docs/deep/c.md': 'C. See @../b.md',
      'docs/b.md': 'B.',
    })
    expect(await read()).toEqual({
      files: [
        {
          file: 'CLAUDE.md',
          text: '# Rules\n- @docs/a.md\n- @docs/b.md and @docs/a.md\nTell @alice, use @types/node.',
        },
        { file: 'docs/a.md', text: 'A. See @deep/c.md', place: { kind: 'named', by: 'CLAUDE.md' } },
        { file: 'docs/deep/c.md', text: 'C. See @../b.md', place: { kind: 'named', by: 'docs/a.md' } },
        { file: 'docs/b.md', text: 'B.', place: { kind: 'named', by: 'docs/deep/c.md' } },
      ],
      notUsed: [],
      untrusted: false,
    })
  })

  test.for<[string, Record<string, string | Buffer>, string]>([
    ['@docs/gone.md', {}, 'does not exist'],
    ['@~/notes.md', {}, 'leads out of the folder that you trust'],
    ['@/etc/hostname', {}, 'leads out of the folder that you trust'],
    ['@../outside.md', {}, 'leads out of the folder that you trust'],
    ['@docs/', { 'p/docs/a.md': 'a' }, 'is a folder'],
    ['@./docs', { 'p/docs/a.md': 'a' }, 'is a folder'],
    ['@docs/empty.md', { 'p/docs/empty.md': '\n' }, 'is empty'],
    ['@logo.png', { 'p/logo.png': Buffer.from([137, 80, 78, 71, 0, 0, 0]) }, 'is not text'],
    ['@.env', { 'p/.env': 'KEY=1' }, 'may hold keys or passwords'],
    ['@deploy/id_rsa', { 'p/deploy/id_rsa': 'KEY' }, 'may hold keys or passwords'],
    ['@.git/config', { 'p/.git/config': '[remote]' }, 'may hold keys or passwords'],
    ['@CLAUDE.md', {}, 'leads in a circle back to this file'],
  ])('%s is not read, and model and person know why', async ([text, files, why]) => {
    write({ 'outside.md': 'secret', 'p/CLAUDE.md': `See ${text}.`, ...files })
    expect(await read({ from: 'p' })).toMatchObject({
      files: [{ text: `See ${text} [not read: it ${why}].` }],
      notUsed: [`${text.slice(1)}, which CLAUDE.md names, because it ${why}.`],
    })
  })

  test.skipIf(process.platform === 'win32')('a link that leads out is not read', async () => {
    write({ 'outside.md': 'secret', 'p/CLAUDE.md': '@docs/x.md', 'p/docs/a.md': '' })
    symlinkSync('../../outside.md', join(root, 'p/docs/x.md'))
    const { files, notUsed } = await read({ from: 'p' })
    expect(JSON.stringify(files)).not.toContain('secret')
    expect(notUsed).toEqual([
      'docs/x.md, which CLAUDE.md names, because it leads out of the folder that you trust.',
    ])
  })

  test('an attack in one of them leaves that one out, and the model is not told what it says', async () => {
    write({ 'CLAUDE.md': 'Use tabs. @docs/evil.md', 'docs/evil.md': POISON })
    expect(await read()).toMatchObject({
      files: [{ text: 'Use tabs. @docs/evil.md [not read: it is not safe]' }],
      notUsed: [
        'docs/evil.md, which CLAUDE.md names, because it tells the model to ignore its instructions.',
      ],
    })
  })

  test('five files deep is the deepest', async () => {
    const names = [1, 2, 3, 4, 5, 6, 7]
    write({
      'AGENTS.md': '@1.md',
      ...Object.fromEntries(names.map(n => [`${n}.md`, `at ${n} @${n + 1}.md`])),
    })
    const { files, notUsed } = await read()
    expect(files.map(({ file }) => file)).toEqual(['AGENTS.md', '1.md', '2.md', '3.md', '4.md', '5.md'])
    expect(notUsed).toEqual(['6.md, which 5.md names, because it lies more than 5 files deep.'])
  })

  test('they share the room of all, and what finds none is said', async () => {
    write({ 'AGENTS.md': '@a.md @b.md @c.md', 'a.md': 'a'.repeat(60), 'b.md': 'b'.repeat(60), 'c.md': 'c' })
    const { files, notUsed } = await read({ limit: 100 })
    expect(files.map(({ text }) => text)).toEqual([
      '@a.md @b.md @c.md [not read: it finds no room]',
      'a'.repeat(60),
      `${'b'.repeat(23)}\n[cut here: the file goes on]`,
    ])
    expect(notUsed).toEqual([
      'the end of b.md: only its first 23 characters fit.',
      'c.md, which AGENTS.md names, because it finds no room.',
    ])
  })

  test('many missing ones fill neither prompt nor list', async () => {
    const text = Array.from({ length: 150 }, (_, n) => `@gone/${n}.md`).join('\n')
    write({ 'AGENTS.md': text })
    const { files, notUsed } = await read({ limit: 12_000 })
    expect(files[0]!.text.match(/\[not read/g)).toHaveLength(20)
    expect(notUsed.at(-1)).toBe('130 more files, for such reasons.')
  })
})

describe('a link that git wrote as text', () => {
  test.for<[string, string]>([
    ['CLAUDE.md', 'CLAUDE.md'],
    ['CLAUDE.md\n', 'CLAUDE.md'],
    ['./docs/rules for all.md', 'docs/rules for all.md'],
    ['.claude\\CLAUDE.md', '.claude/CLAUDE.md'],
  ])('%s is followed', async ([text, target]) => {
    write({ 'AGENTS.md': text, [target]: 'Never push.' })
    expect(await read()).toMatchObject({ files: [{ file: 'AGENTS.md', text: 'Never push.' }], notUsed: [] })
  })

  test('it may lead up within the repository, and what it leads to names files from there', async () => {
    write({
      '.git/HEAD': '',
      'docs/a.md': 'Never push. @b.md',
      'docs/b.md': 'B',
      'sub/AGENTS.md': '../docs/a.md',
    })
    expect(await read({ from: 'sub' })).toMatchObject({
      files: [
        { file: 'AGENTS.md', text: 'Never push. @b.md' },
        { file: '../docs/b.md', text: 'B' },
      ],
    })
  })

  test.for<[string, string]>([
    ['../secret.md', 'only names another file, ../secret.md, which leads out of the folder that you trust'],
    ['gone.md', 'only names another file, gone.md, which does not exist'],
    ['AGENTS.md', 'only names another file, and that leads in a circle'],
  ])('%s is not, and the next usual name is read', async ([text, why]) => {
    write({ 'secret.md': 'secret', 'p/AGENTS.md': text, 'p/CLAUDE.md': 'Use tabs.' })
    expect(await read({ from: 'p' })).toEqual({
      files: [{ file: 'CLAUDE.md', text: 'Use tabs.' }],
      notUsed: [`AGENTS.md, because it ${why}.`],
      untrusted: false,
    })
  })

  test.for([
    'Use tabs.',
    'TODO',
    'docs',
    'See CLAUDE.md',
    'https://example.org/AGENTS.md',
    'CLAUDE.md\nis old',
  ])('real prose stays: %s', async text => {
    write({ 'AGENTS.md': text, 'docs/a.md': 'a' })
    expect(await read()).toMatchObject({ files: [{ text }], notUsed: [] })
  })

  test('files that are named may be such links, too', async () => {
    write({ 'AGENTS.md': '@docs/a.md', 'docs/a.md': '../b.md', 'b.md': 'Never push.' })
    expect((await read()).files[1]).toMatchObject({ file: 'docs/a.md', text: 'Never push.' })
  })
})

test('whatever files name, nothing outside is read, no file twice, and the room is kept', async () => {
  const name = fc.constantFrom(
    'AGENTS.md',
    'CLAUDE.md',
    'sub/AGENTS.md',
    'docs/a.md',
    'docs/b.md',
    'sub/c.md',
  )
  const piece = fc.constantFrom(
    '@docs/a.md',
    '@docs/b.md',
    '@../docs/a.md',
    '@c.md',
    '@../AGENTS.md',
    '@../../out.md',
    '../AGENTS.md',
    'CLAUDE.md',
    'Words.',
    '\n',
    '`',
    ' ',
  )
  const files = fc.dictionary(
    name,
    fc.array(piece, { maxLength: 8 }).map(each => each.join(' ')),
    { maxKeys: 6 },
  )
  await fc.assert(
    fc.asyncProperty(files, fc.integer({ min: 5, max: 200 }), async (given, limit) => {
      rmSync(join(root, 'r'), { recursive: true, force: true })
      write({ 'out.md': 'SECRET', 'r/.git/HEAD': '', 'r/sub/x': '' })
      write(Object.fromEntries(Object.entries(given).map(([path, text]) => [`r/${path}`, text])))
      const { files: found } = await read({ from: 'r/sub', limit, trusted: ['r'] })
      expect(JSON.stringify(found)).not.toContain('SECRET')
      expect(new Set(found.map(({ file }) => file)).size).toBe(found.length)
      const said = found.map(({ text }) => text.replaceAll(/ \[not read: [^\]]*\]|\n\[cut here[^\]]*\]/g, ''))
      expect(said.join('').length).toBeLessThanOrEqual(limit)
    }),
    { numRuns: 40 },
  )
})
