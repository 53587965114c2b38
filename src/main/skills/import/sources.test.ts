import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { zipSync, type Zippable } from 'fflate'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aZip } from '../../../../testing/a-zip.ts'
import type { ImportFrom } from '../skill-types.ts'
import { fetchSkills } from './copy-to-quarantine.ts'
import { limits } from './skill-source.ts'
import { openSource } from './open-source.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-sources-')))
  mkdirSync(join(folder, 'in'))
  mkdirSync(join(folder, 'out'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const SKILL = '---\nname: a\ndescription: b\n---\nDo it.\n'
const never = new AbortController().signal

function write(files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) {
    const target = join(folder, 'in', path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
  return join(folder, 'in')
}

/** Fetch, and return the files by path and the left-out names. */
async function fetched(from: ImportFrom) {
  const out = join(folder, 'out')
  const source = await openSource(from, out, {}, never)
  const { skills, leftOut } = await fetchSkills(source, out, undefined, never)
  const files = Object.fromEntries(
    skills.flatMap(skill =>
      readdirSync(skill.folder, { recursive: true, withFileTypes: true })
        .filter(entry => !entry.isDirectory())
        .map(entry => {
          const path = join(entry.parentPath, entry.name)
          return [join(skill.path, path.slice(skill.folder.length + 1)), readFileSync(path, 'utf8')] as const
        }),
    ),
  )
  return { skills, files, leftOut }
}
const ofPath = (path: string) => fetched({ kind: 'path', path })
function ofZip(bytes: Uint8Array) {
  const path = join(folder, 'in', 'skills.zip')
  writeFileSync(path, bytes)
  return ofPath(path)
}
/** Files outside the target folder; there must be none. */
const strays = () => readdirSync(folder, { recursive: true }).filter(name => /stolen|evil/.test(String(name)))

describe('a folder', () => {
  test('skills are taken with all their files, and other files stay', async () => {
    const path = write({
      LICENSE: 'MIT License',
      'README.md': 'x',
      '.claude/skills/a/SKILL.md': SKILL,
      '.claude/skills/a/references/deep/b.md': 'B',
      'more/c/skill.md': SKILL,
      'more/c/node_modules/x/index.js': 'x',
      'more/c/.git/config': 'x',
    })
    const { files, skills, leftOut } = await ofPath(path)
    expect(files).toEqual({
      '.claude/skills/a/SKILL.md': SKILL,
      '.claude/skills/a/references/deep/b.md': 'B',
      'more/c/skill.md': SKILL,
    })
    expect(skills.map(({ fallback, licence }) => [fallback, licence])).toEqual([
      ['a', 'MIT License'],
      ['c', 'MIT License'],
    ])
    expect(leftOut).toEqual([])
  })

  test.skipIf(process.platform === 'win32')(
    'links, pipes and unreadable files are left out and reported',
    async () => {
      const path = write({ 'a/SKILL.md': SKILL, 'a/x.md': 'x', secret: 'stolen' })
      symlinkSync(join(path, 'secret'), join(path, 'a', 'link.md'))
      symlinkSync('/etc', join(path, 'a', 'etc'))
      symlinkSync(join(path, 'a'), join(path, 'again'))
      execFileSync('mkfifo', [join(path, 'a', 'pipe')])
      const { files, leftOut } = await ofPath(path)
      expect(Object.keys(files)).toEqual(['a/SKILL.md', 'a/x.md'])
      expect(leftOut.toSorted()).toEqual([
        '“a/pipe”: it is no file.',
        expect.stringMatching(/^(“(again|a\/link\.md|a\/etc)”(, )?){3}: links are not followed\.$/),
      ])
    },
  )

  test('a link that replaces a file after the listing is not read', async () => {
    const path = write({ 'a/SKILL.md': SKILL, 'a/x.md': 'x', secret: 'stolen' })
    const source = await openSource({ kind: 'path', path }, '', {}, never)
    rmSync(join(path, 'a/x.md'))
    symlinkSync(join(path, 'secret'), join(path, 'a/x.md'))
    const read: string[] = []
    for await (const { file } of source.read(source.files, never)) read.push(file.path)
    expect(read).not.toContain('a/x.md')
  })

  test('a skill with too many files cannot be installed, the others can', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`big/${n}.md`, '']))
    const { skills } = await ofPath(write({ 'big/SKILL.md': SKILL, 'a/SKILL.md': SKILL, ...many }))
    expect(skills.map(({ path, refused }) => [path, refused])).toEqual([
      ['a', null],
      ['big', 'It has more than 1,000 files, too many for a skill.'],
    ])
  })

  test('a single SKILL.md is taken alone, and other files beside it are reported', async () => {
    const path = write({ 'a/SKILL.md': SKILL, 'a/scripts/x.sh': 'x', 'a/other.md': 'x' })
    const { files, skills, leftOut } = await ofPath(join(path, 'a/SKILL.md'))
    expect([files, skills[0]!.fallback]).toEqual([{ 'SKILL.md': SKILL }, 'a'])
    expect(leftOut).toEqual([expect.stringContaining('“scripts”: only the file was chosen')])
  })

  test.for([
    ['nothing', 'There is nothing at'],
    ['in/empty', 'It contains no skill'],
    ['in/picture.png', 'is not a skill. Choose a folder'],
    ['in/no.zip', 'is not a skill'],
  ])('%s is refused with a sentence', async ([name, words]) => {
    write({ 'picture.png': 'x', 'no.zip': 'x', 'empty/x.md': '' })
    await expect(ofPath(join(folder, name!))).rejects.toThrow(words!)
  })
})

describe('a zip', () => {
  test('skills are taken as from a folder, with either path separator', async () => {
    const { files, skills } = await ofZip(
      aZip([
        { name: 'top/LICENSE.md', content: 'Apache License Version 2.0' },
        { name: 'top/a/SKILL.md', content: SKILL },
        { name: 'top\\a\\scripts\\x.sh', content: 'x', stored: true },
        { name: '__MACOSX/top/a/._SKILL.md', content: '\0' },
        { name: 'top/a/empty/', content: '' },
      ]),
    )
    expect(files).toEqual({ 'top/a/SKILL.md': SKILL, 'top/a/scripts/x.sh': 'x' })
    expect(skills[0]!.licence).toContain('Apache')
  })

  test.for([
    '../evil.md',
    'a/../../evil.md',
    'a\\..\\..\\evil.md',
    '/tmp/evil.md',
    'C:\\evil.md',
    'C:evil.md',
    '\\\\server\\evil.md',
    'a/%2e%2e/%2e%2e/evil.md',
    'a/．．/evil.md',
    '.. /evil.md',
    '../evil/',
  ])('with a file at %s it is refused as a whole', async name => {
    const zip = aZip([
      { name: 'a/SKILL.md', content: SKILL },
      { name, content: 'evil' },
    ])
    await expect(ofZip(zip)).rejects.toThrow('This zip was refused, because it names')
    expect(strays()).toEqual([])
    expect(readdirSync(join(folder, 'out'))).toEqual([])
  })

  test('links, devices and duplicate names in it are left out and reported', async () => {
    const link = (mode: number): Zippable[string] => [
      Buffer.from('/etc/passwd'),
      { os: 3, attrs: mode * 2 ** 16 },
    ]
    const { files, leftOut } = await ofZip(
      zipSync({
        'a/SKILL.md': Buffer.from(SKILL),
        'a/link.md': link(0o120777),
        'a/fifo': link(0o010644),
        'a/nul.md': Buffer.from('x'),
        'a/run.sh': [Buffer.from('x'), { os: 3, attrs: 0o100755 * 2 ** 16 }],
        'a/x.md': Buffer.from('x'),
        'a/X.md': Buffer.from('y'),
      }),
    )
    expect(Object.keys(files).toSorted()).toEqual(['a/SKILL.md', 'a/run.sh', 'a/x.md'])
    if (process.platform !== 'win32')
      expect(statSync(join(folder, 'out/0/skill/run.sh')).mode & 0o777).toBe(0o700)
    expect(leftOut).toEqual([
      '“a/link.md”: links are not followed.',
      '“a/fifo”: it is no file.',
      '“a/nul.md”: Windows would take it for a device.',
      '“a/X.md”: another file has the same name.',
    ])
  })

  test('a file and a folder with the same name do no harm', async () => {
    const { files, leftOut } = await ofZip(
      aZip([
        { name: 'a/SKILL.md', content: SKILL },
        { name: 'a/b', content: 'file' },
        { name: 'a/b/c.md', content: 'in a folder' },
      ]),
    )
    expect(Object.keys(files)).toEqual(['a/SKILL.md', 'a/b'])
    expect(leftOut).toEqual(['“a/b/c.md”: its content is not in what was fetched.'])
  })

  test('zip bombs: highly compressed files are left out, and a false size or encryption stops the import', async () => {
    const zeros = Buffer.alloc(9_000_000)
    const { files, leftOut } = await ofZip(
      aZip([
        { name: 'a/SKILL.md', content: SKILL },
        { name: 'a/bomb.md', content: zeros },
        { name: 'a/large.md', content: Buffer.alloc(limits.fileBytes + 1) },
        // A zip inside is an ordinary file and is not unpacked.
        { name: 'a/nested.zip', content: aZip([{ name: 'bomb', content: zeros }]) },
      ]),
    )
    expect(Object.keys(files)).toEqual(['a/SKILL.md', 'a/nested.zip'])
    expect(leftOut.join()).toContain('“a/bomb.md”, “a/large.md”: it is packed so tightly')

    for (const [file, words] of [
      [{ name: 'a/x.md', content: zeros, claims: 10 }, 'it is damaged'],
      [{ name: 'a/x.md', content: 'x', flags: 1 }, 'it is locked with a password'],
    ] as const) {
      rmSync(join(folder, 'out'), { recursive: true })
      mkdirSync(join(folder, 'out'))
      const zip = aZip([{ name: 'a/SKILL.md', content: SKILL }, file])
      await expect(ofZip(zip)).rejects.toThrow(`This zip cannot be used: ${words}`)
    }
  })

  test('5,001 files, or more bytes than a collection may have, are refused before anything is written', async () => {
    const files = Array.from({ length: 5_001 }, (_, n) => ({ name: `s${n % 20}/${n}.md`, content: '' }))
    const skills = Array.from({ length: 20 }, (_, n) => ({ name: `s${n}/SKILL.md`, content: SKILL }))
    await expect(ofZip(aZip([...skills, ...files]))).rejects.toThrow('more than 5,000 files of skills')

    const large = Buffer.alloc(9_000_000, 'ab').fill(0, 0, 1_000_000)
    const bytes = Array.from({ length: 14 }, (_, n) => ({
      name: `s${n}/x.bin`,
      content: large,
      stored: true,
    }))
    await expect(ofZip(aZip([...skills, ...bytes]))).rejects.toThrow('more than 100 MB of skills')
    expect(readdirSync(join(folder, 'out'))).toEqual([])
  })

  test('a collection of 500 skills can be imported', async () => {
    const files = Array.from({ length: 2_000 }, (_, n) => ({
      name: `cat/s${n >> 2}/${n % 4 === 0 ? 'SKILL' : n % 4}.md`,
      content: SKILL,
    }))
    const { skills } = await ofZip(aZip(files))
    expect([skills.length, skills.filter(({ refused }) => refused !== null)]).toEqual([500, []])
  })
})

describe('files dropped on a window', () => {
  const drop = (name: string, files: Record<string, string | Buffer>) =>
    fetched({
      kind: 'upload',
      name,
      files: Object.entries(files).map(([path, content]) => ({
        path,
        base64: Buffer.from(content as string).toString('base64'),
      })),
    })

  test('may be a folder, a zip or a SKILL.md', async () => {
    expect((await drop('set', { 'set/a/SKILL.md': SKILL, 'set/a/x.md': 'x' })).files).toEqual({
      'set/a/SKILL.md': SKILL,
      'set/a/x.md': 'x',
    })
    rmSync(join(folder, 'out/0'), { recursive: true })
    const zip = aZip([{ name: 'b/SKILL.md', content: SKILL }])
    expect((await drop('b.zip', { 'b.zip': zip })).files).toEqual({ 'b/SKILL.md': SKILL })
    rmSync(join(folder, 'out/0'), { recursive: true })
    const alone = await drop('haiku.md', { 'haiku.md': SKILL })
    expect([alone.files, alone.skills[0]!.fallback]).toEqual([{ 'SKILL.md': SKILL }, 'haiku'])
  })

  test('with a path out of the folder are refused as a whole', async () => {
    await expect(drop('x', { 'a/SKILL.md': SKILL, '../evil.md': 'x' })).rejects.toThrow(
      'was refused, because it names',
    )
    expect(strays()).toEqual([])
    expect(existsSync(join(folder, 'evil.md'))).toBe(false)
  })
})
