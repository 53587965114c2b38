import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { gone } from '../../../../testing/processes.ts'
import { until } from '../../../../testing/until.ts'
import { Fault } from '../../../shared/rpc.ts'
import { OfflineError } from '../../lib/network/offline.ts'
import { aRepository, type TestRepository } from '../../../../testing/skills/a-repository.ts'
import { fromGit } from './from-git.ts'
import { partAddress, readGitAddress, writtenAddress } from './git-address.ts'
import { gitTrouble, type GitOptions } from './open-git.ts'

const SKILL = '---\nname: a\ndescription: b\n---\nDo it.\n'
const never = new AbortController().signal
const POINTER = 'version https://lfs.example/spec/v1\noid sha256:0123\nsize 99\n'

let root: string
let repository: TestRepository
let first: string
let newest: string
let scratches = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'talaria-git-'))
  repository = aRepository(join(root, 'repo'))
  first = repository.commit({ 'skills/a/SKILL.md': SKILL })
  repository.git('tag', 'v1')
  repository.git('config', 'uploadpack.allowAnySHA1InWant', 'true')
  newest = repository.commit({
    'skills/a/references/größe b.md': 'B',
    'skills/a/link.md': { link: '/etc/passwd' },
    'skills/a/large.bin': POINTER,
    'skills/a/empty.md': '',
    'skills/a/long.md': 'words '.repeat(100_000),
    '.gitattributes': '* text eol=crlf filter=evil\n',
    '.gitmodules': '[submodule "x"]\n\tpath = sub\n\turl = ext::sh -c "touch evil"\n',
  })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))
afterEach(() => void vi.restoreAllMocks())

const fetchFrom = (
  address: string,
  ref = '',
  { git = { allowFile: true }, signal = never }: { git?: GitOptions; signal?: AbortSignal } = {},
) => fromGit({ address, ref }, join(root, `scratch-${scratches++}`), git, signal)

async function contents(source: Awaited<ReturnType<typeof fetchFrom>>) {
  const read: Record<string, string> = {}
  for await (const { file, bytes } of source.read(source.files, never))
    read[file.path] = Buffer.from(bytes).toString()
  return read
}

test('the latest commit is fetched with its id; links are reported, and external contents are left out', async () => {
  const source = await fetchFrom(repository.address)
  expect([source.from, source.name]).toEqual([
    { kind: 'git', address: repository.address, commit: newest },
    'repo',
  ])
  expect(source.leftOut).toEqual([{ name: 'skills/a/link.md', why: 'links are not followed' }])
  const read = await contents(source)
  // As in the repository: nothing was checked out, so no filter and no line ending conversion applied.
  expect(read).toMatchObject({
    'skills/a/SKILL.md': SKILL,
    'skills/a/references/größe b.md': 'B',
    'skills/a/empty.md': '',
  })
  expect(read['skills/a/long.md']).toHaveLength(600_000)
  expect(Object.keys(read)).not.toContain('skills/a/large.bin')
})

test('a named branch, tag or commit is fetched', async () => {
  for (const [address, ref] of [
    [repository.address, 'v1'],
    [`${repository.address}#v1`, ''],
    [repository.address, first],
  ] as const) {
    const source = await fetchFrom(address, ref)
    expect([source.from.commit, source.from.address]).toEqual([first, `${repository.address}#${ref || 'v1'}`])
    expect(source.files.map(file => file.path)).toEqual(['skills/a/SKILL.md'])
  }
})

test.for([
  ['no-such-branch', 'has no branch, tag or commit'],
  ['0123456789012345678901234567890123456789', 'has no branch, tag or commit'],
] as const)('%s is reported in words', async ([ref, words]) => {
  await expect(fetchFrom(repository.address, ref)).rejects.toThrow(words)
})

test('a missing repository, and a local one that is not allowed, are reported in words', async () => {
  await expect(fetchFrom(`${repository.address}-gone`)).rejects.toThrow(
    'There is no repository at this address.',
  )
  await expect(fetchFrom(repository.address, '', { git: {} })).rejects.toThrow(
    'Skills cannot be fetched from this address',
  )
})

test('a remote fetch is announced before it starts, and stopped if it is not allowed', async () => {
  const told: string[] = []
  const git: GitOptions = {
    reach(host, subject) {
      told.push(`${host} ${subject}`)
      throw new OfflineError(host)
    },
  }
  const refused = fetchFrom('https://192.0.2.1:8443/ada/skills', '', { git })
  await expect(refused).rejects.toThrow(
    'The offline lock is on, so nothing was sent to 192.0.2.1:8443. Switch',
  )
  await expect(fetchFrom('git@git.example.org:ada/skills.git', '', { git })).rejects.toThrow(Fault)
  expect(told).toEqual([
    expect.stringContaining('192.0.2.1:8443 https://192.0.2.1:8443/ada/skills'),
    expect.stringContaining('git.example.org '),
  ])
  // A folder on this computer needs no connection.
  await fetchFrom(repository.address, '', { git: { ...git, allowFile: true } })
  expect(told).toHaveLength(2)
})

test('without git the error says what else can be done', async () => {
  const git = { allowFile: true, program: join(root, 'no-git') }
  await expect(fetchFrom(repository.address, '', { git })).rejects.toThrow(
    'Git is not installed on this computer',
  )
})

describe.skipIf(process.platform === 'win32')('fetching with another git program', () => {
  /** A stand-in for git that makes an empty repository and then runs a script. */
  function aGit(script: string): string {
    const program = join(root, `git-${scratches++}`)
    writeFileSync(program, `#!/bin/sh\ncase "$*" in *" init "*) exit 0;; esac\n${script}\n`)
    chmodSync(program, 0o755)
    return program
  }

  /** A stand-in that never ends and has a child process. `started` returns their process ids. */
  function anEndlessGit() {
    const numbers = join(root, `numbers-${scratches++}`)
    const program = aGit(`sleep 600 & echo $$ $! > ${numbers}.part; mv ${numbers}.part ${numbers}; wait`)
    const started = async () => {
      await until(() => existsSync(numbers))
      return readFileSync(numbers, 'utf8').trim().split(' ').map(Number)
    }
    return { program, started }
  }

  test('a fetch that takes too long is stopped with all its processes', async () => {
    const late = new AbortController()
    vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(late.signal)
    const { program, started } = anEndlessGit()
    const fetching = fetchFrom(repository.address, '', { git: { allowFile: true, program, mostMs: 300 } })
    const refused = expect(fetching).rejects.toThrow('took too long')
    const pids = await started()
    late.abort()
    await refused
    await gone(...pids)
  })

  test('a fetch that is too large is stopped', async () => {
    const program = aGit('mkdir -p objects/pack; head -c 3000000 /dev/zero > objects/pack/tmp_pack; sleep 60')
    const git = { allowFile: true, program, mostBytes: 1_000_000 }
    await expect(fetchFrom(repository.address, '', { git })).rejects.toThrow('larger than 1 MB')
  })

  test('a fetch ends when cancelled', async () => {
    const stopping = new AbortController()
    const { program, started } = anEndlessGit()
    const fetching = fetchFrom(repository.address, '', {
      git: { allowFile: true, program },
      signal: stopping.signal,
    })
    const refused = expect(fetching).rejects.toThrow('Enough.')
    const pids = await started()
    stopping.abort(new Fault('cancelled', 'Enough.'))
    await refused
    await gone(...pids)
  })

  test('git sees no variables that could redirect it, and cannot prompt', async () => {
    const said = join(root, 'environment')
    process.env['GIT_DIR'] = '/elsewhere'
    process.env['GIT_ASKPASS'] = '/evil'
    try {
      const program = aGit(`env > ${said}; echo "$@" >> ${said}; exit 1`)
      await expect(fetchFrom(repository.address, '', { git: { allowFile: true, program } })).rejects.toThrow(
        Fault,
      )
    } finally {
      delete process.env['GIT_DIR']
      delete process.env['GIT_ASKPASS']
    }
    const text = readFileSync(said, 'utf8')
    expect(text).not.toMatch(/elsewhere|evil/)
    for (const line of [
      'GIT_TERMINAL_PROMPT=0',
      'GIT_ALLOW_PROTOCOL=https:ssh:file',
      'GIT_LFS_SKIP_SMUDGE=1',
    ])
      expect(text).toContain(`${line}\n`)
    expect(text).toMatch(/-c credential\.helper= .* fetch .*--depth=1 .*--no-recurse-submodules -- file:/)
  })
})

test('the user’s own git hooks, such as those of a template, do not run', async () => {
  const hooks = join(root, 'hooks')
  mkdirSync(hooks)
  const mark = join(root, 'hooked')
  for (const name of ['reference-transaction', 'post-checkout', 'fsmonitor-watchman']) {
    writeFileSync(join(hooks, name), `#!/bin/sh\ntouch ${mark}\n`)
    chmodSync(join(hooks, name), 0o755)
  }
  const config = join(root, 'gitconfig')
  writeFileSync(config, `[core]\n\thooksPath = ${hooks}\n[filter "evil"]\n\tsmudge = touch ${mark}\n`)
  process.env['GIT_CONFIG_GLOBAL'] = config
  try {
    await contents(await fetchFrom(repository.address))
  } finally {
    delete process.env['GIT_CONFIG_GLOBAL']
  }
  expect(existsSync(mark)).toBe(false)
  expect(readdirSync(root)).not.toContain('evil')
})

test('a repository whose files lie outside of it is refused', async () => {
  const crafted = aRepository(join(root, 'crafted'))
  crafted.commit({ 'SKILL.md': SKILL })
  const blob = crafted.git('rev-parse', 'HEAD:SKILL.md')
  // Git would not write such a tree, so its bytes are built here.
  const entry = (name: string) => Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')])
  const path = join(root, 'tree')
  writeFileSync(path, Buffer.concat([entry('..\\evil.md'), entry('SKILL.md')]))
  const tree = crafted.git('hash-object', '-t', 'tree', '--literally', '-w', path)
  crafted.git('update-ref', 'refs/heads/main', crafted.git('commit-tree', '-m', 'x', tree))
  await expect(fetchFrom(crafted.address)).rejects.toThrow('This repository was refused')
})

test.for([
  ["fatal: unable to access 'x': Could not resolve host: forge.example", 'not_ready', 'not on the network'],
  ['fatal: unable to access: Failed to connect to forge.example port 443', 'not_ready', 'does not answer'],
  ['fatal: unable to access: SSL certificate problem: self-signed', 'not_ready', 'certificate'],
  ["fatal: could not read Username for 'x': terminal prompts disabled", 'bad_input', 'requires a password'],
  ['git@forge.example: Permission denied (publickey).\nfatal: Could not read', 'bad_input', 'no ssh key'],
  ['Host key verification failed.', 'bad_input', 'ssh does not know the host'],
  ["fatal: repository 'x' not found", 'bad_input', 'no repository at this address'],
  ["fatal: transport 'http' not allowed", 'bad_input', 'only by https and ssh'],
  ['fatal: something new\u001b[31m', 'not_ready', 'something new⟨U+001B⟩[31m'],
] as const)('“%s” is explained in plain words', ([said, code, words]) => {
  expect(gitTrouble(said, 'x')).toMatchObject({ code, message: expect.stringContaining(words) })
})

const HOST = 'forge.example'

test.for([
  [`https://${HOST}/owner/repo`, `https://${HOST}/owner/repo`, ''],
  [`https://${HOST}/owner/repo.git/`, `https://${HOST}/owner/repo.git`, ''],
  [`${HOST}/owner/repo`, `https://${HOST}/owner/repo`, ''],
  [`https://${HOST}:8443/a/b?tab=readme#v1.2`, `https://${HOST}:8443/a/b`, 'v1.2'],
  [`git@${HOST}:owner/repo.git#main`, `git@${HOST}:owner/repo.git`, 'main'],
  [`ssh://git@${HOST}/owner/repo`, `ssh://git@${HOST}/owner/repo`, ''],
] as const)('%s is a repository', ([given, repository, ref]) => {
  const read = readGitAddress(given)
  expect(read).toEqual({ repository, ref, folder: '' })
  expect(readGitAddress(writtenAddress(read))).toEqual(read)
})

test.for([
  [`https://${HOST}/o/r/tree/main/skills/x`, `https://${HOST}/o/r`, 'main', 'skills/x'],
  [`https://${HOST}/o/r/tree/feature/x/skills/a%20b/`, `https://${HOST}/o/r`, 'feature/x', 'skills/a b'],
  [`https://${HOST}/o/r/blob/v1/skills/x/SKILL.md`, `https://${HOST}/o/r`, 'v1', 'skills/x'],
  [`https://${HOST}/group/sub/r/-/tree/main/x`, `https://${HOST}/group/sub/r`, 'main', 'x'],
  [`https://${HOST}/o/r/src/branch/main/x`, `https://${HOST}/o/r`, 'main', 'x'],
  [`https://${HOST}/o/r/tree/0123abc/x`, `https://${HOST}/o/r`, '0123abc', 'x'],
  [`https://${HOST}/o/r/tree/main`, `https://${HOST}/o/r`, 'main', ''],
] as const)('%s is a folder of a repository', ([given, repository, ref, folder]) => {
  expect(partAddress(readGitAddress(given), ['main', 'feature', 'feature/x', 'v1'])).toEqual({
    repository,
    ref,
    folder,
  })
})

test.for([
  '',
  '--upload-pack=touch x',
  '-oProxyCommand=x',
  'ext::sh -c id',
  'ext::sh',
  'EXT::sh',
  'fd::17',
  'transport::https://forge.example/a/b',
  'file:///etc',
  '/etc',
  '../repo',
  'repo',
  'http://forge.example/a/b',
  'git://forge.example/a/b',
  'ftp://forge.example/a/b',
  'https://user:secret@forge.example/a/b',
  'https://token@forge.example/a/b',
  'ssh://-oProxyCommand=x/a',
  'ssh://-oProxyCommand=x@forge.example/a',
  'git@forge.example:-oProxyCommand=x',
  'git@-forge:x y',
  'https://forge.example/a/b\n--upload-pack=x',
  'https://forge.example/',
  'https://forge.example/a/--upload-pack=x',
  `https://${'a'.repeat(3_000)}/b`,
])('%s is refused with a sentence', given => {
  expect(() => readGitAddress(given)).toThrow(Fault)
  expect(() => readGitAddress(given)).toThrow(/Skills cannot be fetched from this address\. \S/)
})

test.for(['-x', '--upload-pack=x', 'a..b', 'a b', 'a:b', 'a~1', 'x^', '@{-1}', '/x', 'x/', 'x.lock', 'a\0'])(
  'the branch %s is refused',
  ref => {
    for (const read of [
      () => readGitAddress('https://forge.example/a/b', ref),
      () => readGitAddress(`git@forge.example:a/b#${ref}`),
    ])
      expect(read).toThrow(Fault)
  },
)
