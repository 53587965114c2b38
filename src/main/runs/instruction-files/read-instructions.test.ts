import { spawnSync } from 'node:child_process'
import { chmodSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { encode } from 'iconv-lite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { anInstructionFolder, POISON, type Reading } from '../../../../testing/runs/an-instruction-folder.ts'
import { foldersDown } from './repository.ts'

let folder: ReturnType<typeof anInstructionFolder>
let root: string
beforeEach(() => {
  folder = anInstructionFolder()
  root = folder.root
})
afterEach(() => folder[Symbol.dispose]())

const write: typeof folder.write = files => folder.write(files)
const read: typeof folder.read = given => folder.read(given)
const namesIn = async (given?: Reading) => (await read(given)).files.map(({ file }) => file)

describe('one folder', () => {
  test('without instructions it has none, and neither has a missing one', async () => {
    const nothing = { files: [], notUsed: [], untrusted: false }
    expect(await read()).toEqual(nothing)
    expect(await read({ from: 'gone' })).toEqual(nothing)
  })

  test.for(['GBK', 'utf-16le', 'utf-16be'])('instructions in %s are read', async encoding => {
    const text = '请用中文回答，并检查所有文件的格式。\n第二行也很重要。\n'
    const bytes = encode(text, encoding, { addBOM: encoding !== 'GBK' })
    write({ 'AGENTS.md': bytes })
    expect((await read()).files.map(each => each.text)).toEqual([text])
  })

  test('instructions whose encoding cannot be told are not used, and that is said', async () => {
    write({ 'AGENTS.md': encode('中文', 'GBK') })
    expect((await read()).notUsed).toEqual([
      'AGENTS.md, because it is not UTF-8 text, and its encoding is not sure; save it as UTF-8.',
    ])
  })

  test('the first file with a usual name is read, and the others are named with the reason', async () => {
    write({ '.cursorrules': 'cursor', 'CLAUDE.md': 'claude' })
    expect(await read()).toEqual({
      files: [{ file: 'CLAUDE.md', text: 'claude' }],
      notUsed: ['.cursorrules, because CLAUDE.md is read instead.'],
      untrusted: false,
    })
    write({ 'AGENTS.md': ' \n', '.cursor/rules/a.mdc': 'a', '.cursor/rules/b.mdc': 'b' })
    expect((await read()).notUsed).toEqual([
      'AGENTS.md, because it is empty.',
      '.cursorrules, because CLAUDE.md is read instead.',
      '.cursor/rules, because Talaria reads no folders of rules.',
    ])
    write({ 'AGENTS.md': '\uFEFFagents' })
    expect((await read()).files).toEqual([{ file: 'AGENTS.md', text: 'agents' }])
  })

  test.for([
    'agents.md',
    'Agents.md',
    'AGENTS.MD',
    'claude.md',
    '.claude/CLAUDE.md',
    '.claude/claude.md',
    '.github/copilot-instructions.md',
    'GEMINI.md',
    'AGENT.md',
    'AGENTS.override.md',
    '.windsurfrules',
    '.clinerules',
    '.junie/guidelines.md',
    'CLAUDE.local.md',
  ])('%s is read', async name => {
    write({ [name]: 'Sing softly.' })
    expect(await read()).toEqual({
      files: [{ file: name, text: 'Sing softly.' }],
      notUsed: [],
      untrusted: false,
    })
  })

  test('what the person keeps for themselves stands beside the first file', async () => {
    write({ 'CLAUDE.md': 'shared', 'CLAUDE.local.md': 'mine' })
    expect(await namesIn()).toEqual(['CLAUDE.md', 'CLAUDE.local.md'])
  })

  test.for(['@AGENTS.md', '# Claude\n\n@./AGENTS.md\n', 'AGENTS.md', 'Use tabs.\n', ''])(
    'a second file that adds nothing is not worth a word: %s',
    async text => {
      write({ 'AGENTS.md': 'Use tabs.', 'CLAUDE.md': text })
      expect(await read()).toMatchObject({ files: [{ file: 'AGENTS.md' }], notUsed: [] })
    },
  )

  test('a file that imports the one beside it brings it, and it is not said to be unused', async () => {
    write({ 'AGENTS.md': '@CLAUDE.md', 'CLAUDE.md': 'Use tabs.' })
    expect(await read()).toMatchObject({
      files: [{ text: '@CLAUDE.md' }, { text: 'Use tabs.' }],
      notUsed: [],
    })
  })

  test('a long file is cut between characters, and that is said', async () => {
    write({ 'AGENTS.md': '€'.repeat(1_000_000) })
    expect(await read({ limit: 10 })).toMatchObject({
      files: [{ text: `${'€'.repeat(10)}\n[cut here: the file goes on]` }],
      notUsed: ['the end of AGENTS.md: only its first 10 characters fit.'],
    })
    write({ 'AGENTS.md': '🙂'.repeat(100) })
    const { text } = (await read({ limit: 5 })).files[0]!
    expect([text.isWellFormed(), text.startsWith('🙂🙂')]).toEqual([true, true])
  })

  test('what is not text, a folder or an attack is left out with the reason', async () => {
    write({
      'AGENTS.md': Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0]),
      'CLAUDE.md/a.md': 'a',
      '.claude/CLAUDE.md': POISON,
      '.cursorrules': 'rules',
    })
    expect(await read()).toEqual({
      files: [{ file: '.cursorrules', text: 'rules' }],
      notUsed: [
        'AGENTS.md, because it is not text.',
        'CLAUDE.md, because it is a folder.',
        '.claude/CLAUDE.md, because it tells the model to ignore its instructions.',
      ],
      untrusted: false,
    })
  })

  test('UTF-16, as PowerShell writes it, is text', async () => {
    write({ 'AGENTS.md': Buffer.from('\uFEFFUse täbs.\r\n', 'utf16le') })
    expect((await read()).files[0]!.text).toBe('Use täbs.\r\n')
  })

  test('nothing is read in a folder that is not trusted, and that is said', async () => {
    write({ 'AGENTS.md': `Use tabs. @docs/x.md`, 'docs/x.md': 'x', 'SOUL.md': 'Sound old.' })
    expect(await read({ trusted: [] })).toEqual({
      files: [],
      notUsed: ['AGENTS.md and SOUL.md, because you do not trust this folder yet.'],
      untrusted: true,
    })
    rmSync(join(root, 'AGENTS.md'))
    rmSync(join(root, 'SOUL.md'))
    expect(await read({ trusted: [] })).toEqual({ files: [], notUsed: [], untrusted: false })
  })

  test.skipIf(process.platform === 'win32')('a pipe does not block', async () => {
    expect(spawnSync('mkfifo', [join(root, 'AGENTS.md')]).status).toBe(0)
    expect((await read()).notUsed).toEqual(['AGENTS.md, because it is no ordinary file.'])
  })

  test.skipIf(process.platform === 'win32')('a link is followed only within the folder', async () => {
    write({ 'project/docs/agents.md': 'inside', secret: 'outside' })
    symlinkSync(join('..', 'secret'), join(root, 'project', 'AGENTS.md'))
    symlinkSync(join('docs', 'agents.md'), join(root, 'project', 'CLAUDE.md'))
    const wanted = {
      files: [{ file: 'CLAUDE.md', text: 'inside' }],
      notUsed: ['AGENTS.md, because it leads out of the folder that you trust.'],
    }
    expect(await read({ from: 'project' })).toMatchObject(wanted)
    symlinkSync('project', join(root, 'by-link'))
    expect(await read({ from: 'by-link' })).toMatchObject(wanted)
    rmSync(join(root, 'project/CLAUDE.md'))
    symlinkSync('CLAUDE.md', join(root, 'project/CLAUDE.md'))
    rmSync(join(root, 'project/AGENTS.md'))
    symlinkSync('gone.md', join(root, 'project/AGENTS.md'))
    expect((await read({ from: 'project' })).notUsed).toEqual([
      'AGENTS.md, because it is a link to a file that does not exist.',
      'CLAUDE.md, because it is a link that leads in a circle.',
    ])
  })

  test('an unreadable file is left out with the reason', async context => {
    context.skip(process.getuid?.() === 0, 'root may read every file')
    write({ 'AGENTS.md': 'agents' })
    chmodSync(join(root, 'AGENTS.md'), 0)
    expect((await read()).notUsed).toEqual(['AGENTS.md, because it cannot be read: this user may not.'])
  })
})

describe('a repository', () => {
  test('is read from its root down, the nearest last', async () => {
    write({
      'AGENTS.md': 'above all',
      'repo/.git/HEAD': 'ref: refs/heads/main',
      'repo/AGENTS.md': 'root',
      'repo/a/CLAUDE.md': 'middle',
      'repo/a/b/agents.md': 'near',
      'repo/a/other/AGENTS.md': 'other',
    })
    expect((await read({ from: 'repo/a/b' })).files).toEqual([
      { file: '../../AGENTS.md', text: 'root' },
      { file: '../CLAUDE.md', text: 'middle', place: { kind: 'nearer' } },
      { file: 'agents.md', text: 'near', place: { kind: 'nearer' } },
    ])
    expect(await namesIn({ from: 'repo' })).toEqual(['AGENTS.md'])
  })

  test('a folder without one is read alone', async () => {
    write({ 'AGENTS.md': 'above', 'sub/CLAUDE.md': 'own' })
    expect(await namesIn({ from: 'sub' })).toEqual(['CLAUDE.md'])
  })

  test('a worktree or submodule, whose .git is a file, is a repository of its own', async () => {
    write({
      '.git/HEAD': 'ref: refs/heads/main',
      'AGENTS.md': 'outer',
      'vendor/lib/.git': 'gitdir: ../../.git/modules/lib',
      'vendor/lib/AGENTS.md': 'inner',
      'vendor/lib/src/a.ts': '',
    })
    expect(await namesIn({ from: 'vendor/lib/src' })).toEqual(['../AGENTS.md'])
  })

  test('what lies above the folder that is trusted is not read, and that is said', async () => {
    write({ '.git/HEAD': '', 'AGENTS.md': 'root', 'sub/AGENTS.md': 'own @../docs/x.md', 'docs/x.md': 'x' })
    expect(await read({ from: 'sub', trusted: ['sub'] })).toEqual({
      files: [
        {
          file: 'AGENTS.md',
          text: 'own @../docs/x.md [not read: it leads out of the folder that you trust]',
        },
      ],
      notUsed: [
        '../docs/x.md, which AGENTS.md names, because it leads out of the folder that you trust.',
        '../AGENTS.md, because you trust only this folder.',
      ],
      untrusted: false,
    })
  })

  test('the nearest gets the room first', async () => {
    write({
      '.git/HEAD': '',
      'AGENTS.md': 'r'.repeat(90),
      'a/AGENTS.md': 'm'.repeat(50),
      'a/b/AGENTS.md': 'n'.repeat(80),
    })
    expect(await read({ from: 'a/b', limit: 100 })).toEqual({
      files: [
        { file: '../AGENTS.md', text: `${'m'.repeat(20)}\n[cut here: the file goes on]` },
        { file: 'AGENTS.md', text: 'n'.repeat(80), place: { kind: 'nearer' } },
      ],
      notUsed: [
        'the end of ../AGENTS.md: only its first 20 characters fit.',
        '../../AGENTS.md, because the nearer files take all 100 characters.',
      ],
      untrusted: false,
    })
  })

  test('a home folder in git is no repository of what lies in it, and Talaria’s own is none', async () => {
    const home = homedir()
    const way = await foldersDown(home, join(root, 'talaria-home'))
    expect(way).toEqual([realpathSync(home)])
    write({ 'talaria-home/.git/HEAD': '', '.git/HEAD': '', 'talaria-home/workspace/x/a': '' })
    const inside = join(root, 'talaria-home/workspace/x')
    expect(await foldersDown(inside, join(root, 'talaria-home'))).toEqual([inside])
  })
})
