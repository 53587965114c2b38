import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { confinedEnvironment, harmlessGitConfig } from './command-environment.ts'
import { hiddenPaths, createFolderSearch } from './hidden-paths.ts'
import { openConfinement } from './open-confinement.ts'
import { probeConfinement, type RunProbe } from './probe-confinement.ts'
import type { FolderFacts } from './profile.ts'
import { findOuterGit } from './protect-git.ts'
import { commandConfinement, type SandboxSetting } from './sandbox-setting.ts'
import { seatbeltProfile } from './seatbelt.ts'

let base: string
const put = (name: string, text = 'x') => {
  const path = join(base, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'talaria-profiles-'))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

describe('search of a folder', () => {
  test('keys, environment files and repositories are found at any depth, also new ones', () => {
    const search = createFolderSearch()
    put('a/b/.env')
    put('a/.env.example')
    put('a/server.pem')
    put('node_modules/x/.env')
    put('lib/.git/HEAD')
    put('deep/.ssh/config')
    symlinkSync(join(base, 'a/server.pem'), join(base, 'link.pem'))
    const shown = ({ hidden, repositories, isComplete }: FolderFacts) => [
      ...[...hidden.map(({ path, kind }) => `${kind} ${path}`), ...repositories]
        .map(path => path.replace(`${base}/`, ''))
        .toSorted(),
      isComplete,
    ]
    expect(shown(search(base))).toEqual([
      'file a/b/.env',
      'file a/server.pem',
      'folder deep/.ssh',
      'lib/.git',
      true,
    ])
    put('a/b/c/.env.local')
    rmSync(join(base, 'a/server.pem'))
    expect(shown(search(base))).toEqual([
      'file a/b/.env',
      'file a/b/c/.env.local',
      'folder deep/.ssh',
      'lib/.git',
      true,
    ])
  })

  test('a folder of more folders than are searched is said to be incomplete', () => {
    for (let count = 0; count < 12; count++) put(`f${count}/x`)
    expect(createFolderSearch(10)(base).isComplete).toBe(false)
  })
})

describe('the git folder outside of the folder', () => {
  test('of a subfolder and of a linked worktree it is found', () => {
    for (const name of ['HEAD', 'objects/x', 'refs/x']) put(`repo/.git/${name}`)
    const tree = join(base, 'tree')
    put('tree/.git', `gitdir: ${join(base, 'repo/.git/worktrees/tree')}\n`)
    put('repo/.git/worktrees/tree/gitdir', `${tree}/.git\n`)
    mkdirSync(join(base, 'repo/src'))
    expect(findOuterGit(join(base, 'repo/src'))).toEqual([join(base, 'repo/.git')])
    expect(findOuterGit(join(base, 'repo'))).toEqual([])
    expect(findOuterGit(tree)).toEqual([join(base, 'repo/.git')])
  })

  test('a `.git` file that names any other folder leads nowhere', () => {
    put('secret/HEAD')
    put('evil/.git', `gitdir: ${join(base, 'secret/worktrees/x')}\n`)
    put('secret/worktrees/x/gitdir', `${join(base, 'evil')}/.git\n`)
    put('other/.git', `gitdir: ${join(base, 'secret')}\n`)
    expect([findOuterGit(join(base, 'evil')), findOuterGit(join(base, 'other'))]).toEqual([[], []])
  })
})

describe('what *Work* hides', () => {
  const surroundings = () => ({
    folder: join(base, 'ada/f'),
    cwd: join(base, 'ada/f'),
    userHome: join(base, 'ada'),
    home: join(base, 'ada/.talaria'),
    readable: [],
  })
  const system = (sockets = '', isWsl = false) => ({ sockets: () => sockets, isWsl })

  test('only what exists, links resolved, and nothing twice', () => {
    put('ada/.ssh/id_rsa')
    put('ada/.talaria/state.db')
    put('ada/deploy.pem')
    put('keys/aws/credentials')
    symlinkSync(join(base, 'keys/aws'), join(base, 'ada/.aws'))
    const names = hiddenPaths(surroundings(), system()).map(
      ({ path, kind }) => `${kind} ${path.replace(base, '')}`,
    )
    expect(names.filter(name => !/ \/(home|root|Users)/.test(name)).toSorted()).toEqual([
      'file /ada/deploy.pem',
      'folder /ada/.ssh',
      'folder /ada/.talaria',
      'folder /keys/aws',
    ])
  })

  test('sockets that programs listen on', () => {
    const agent = put('ada/agent.sock')
    const listing = `Num RefCount Protocol Flags Type St Inode Path\n0000: 00000002 00000000 00010000 0001 01 77466 ${agent}\n0000: 00000003 00000000 00000000 0001 03 1\n0000: 00000002 00000000 00010000 0001 01 7 @abstract\n0000: 00000002 00000000 00010000 0001 01 9 /not/there\n`
    expect(hiddenPaths(surroundings(), system(listing))).toContainEqual({ path: agent, kind: 'file' })
    expect(hiddenPaths(surroundings(), system('', true))).toContainEqual({ path: '/mnt', kind: 'folder' })
  })
})

describe('the environment', () => {
  const outside = {
    PATH: '/usr/bin',
    HOME: '/ada',
    SSH_AUTH_SOCK: '/x',
    DBUS_SESSION_BUS_ADDRESS: 'unix:',
    WSL_INTEROP: '/y',
    BASH_ENV: '/z',
    EDITOR: 'vi',
    GITHUB_TOKEN: 'x',
  }
  const paths = {
    userHome: '/ada',
    caches: '/c',
    gitConfig: '/g',
    noEditor: '/n',
    temporary: '/tmp',
    git: {},
  }

  test('leads to no agent, desktop or Windows program', () => {
    const look = confinedEnvironment({ profile: 'look' }, paths, outside)
    const work = confinedEnvironment({ profile: 'work', network: false, obeyed: 'nothing' }, paths, outside)
    for (const env of [look, work])
      expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['SSH_AUTH_SOCK']))
    expect(
      Object.keys(work)
        .filter(name => name in outside)
        .toSorted(),
    ).toEqual(['EDITOR', 'HOME', 'PATH'])
    expect(
      Object.keys(look)
        .filter(name => name in outside)
        .toSorted(),
    ).toEqual(['EDITOR', 'HOME', 'PATH'])
    expect(work).toMatchObject({ GIT_CONFIG_GLOBAL: '/g', npm_config_cache: '/c/npm' })
  })

  test('of git keeps the identity and no program', async () => {
    const list = [
      'user.name\nAda "L"',
      'user.email\nada@example.org',
      'core.pager\nevil',
      'alias.x\n!evil',
      'url.a.insteadof\nb',
      'credential.helper\nstore',
      'core.autocrlf\ninput',
      'color.diff.meta\nblue',
    ]
    expect(await harmlessGitConfig(async () => list.map(entry => `${entry}\0`).join(''))).toBe(
      [
        '[user]',
        '\tname = "Ada \\"L\\""',
        '[user]',
        '\temail = "ada@example.org"',
        '[core]',
        '\tautocrlf = "input"',
        '[color "diff"]',
        '\tmeta = "blue"',
        '',
      ].join('\n'),
    )
  })
})

describe('the probe', () => {
  const answering =
    (answers: { code: number | undefined; stderr: string }[]): RunProbe =>
    async () =>
      answers.shift() ?? { code: 7, stderr: '' }
  const version = { code: 0, stderr: 'bubblewrap 0.9.0' }

  test('says why commands are not confined, and what would help', async () => {
    const ask = (
      answers: { code: number | undefined; stderr: string }[],
      program: string | undefined = '/usr/bin/bwrap',
      platform: NodeJS.Platform = 'linux',
    ) => probeConfinement(program, [['--x']], answering(answers), platform)
    expect(await ask([{ code: 8, stderr: '' }])).toEqual({
      confined: true,
      by: 'bubblewrap',
      program: '/usr/bin/bwrap',
      limitsProcesses: true,
    })
    expect(await ask([{ code: 7, stderr: '' }])).toMatchObject({ limitsProcesses: false })
    expect(
      await ask([
        { code: 1, stderr: 'bwrap: Unknown option --disable-userns' },
        { code: 0, stderr: 'bubblewrap 0.6.2' },
      ]),
    ).toMatchObject({ confined: false, reason: 'bubblewrap 0.6 is too old.' })
    expect(
      await ask([
        { code: 1, stderr: 'bwrap: Creating new namespace failed: Operation not permitted' },
        version,
      ]),
    ).toMatchObject({
      reason: expect.stringContaining('namespaces') as string,
      remedy: expect.stringContaining('Docker') as string,
    })
    expect(
      await ask([{ code: 1, stderr: "bwrap: Can't mount proc on /newroot/proc" }, version]),
    ).toMatchObject({ reason: expect.stringContaining('/proc') as string })
    expect(await ask([], undefined, 'win32')).toMatchObject({
      confined: false,
      reason: expect.stringContaining('Windows') as string,
    })
    expect(await probeConfinement(undefined, [], answering([]), 'linux')).toMatchObject({
      remedy: expect.stringContaining('apt install bubblewrap') as string,
    })
  })
})

test('a failure of the moment is tried again, and one that lasts after a while', async () => {
  const program = put('confine', '')
  const failures = put('failures', '')
  // Fails as often as lines were added to the file, then confines.
  const lines = [
    `[ "$1" = --version ] && { echo 'bubblewrap 0.9.0' >&2; exit; }`,
    `if [ -s '${failures}' ]; then sed -i 1d '${failures}'; echo failed >&2; exit 1; fi; exit 7`,
  ]
  writeFileSync(program, ['#!/bin/sh', ...lines].join('\n'))
  chmodSync(program, 0o755)
  const { state } = openConfinement({ home: base, readable: () => [], program: () => program })
  writeFileSync(failures, 'x\n'.repeat(3))
  expect(await state()).toMatchObject({ confined: false })
  expect(await state()).toMatchObject({ confined: false })
  writeFileSync(failures, 'x\n'.repeat(2))
  using _ = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 11_000)
  expect(await state()).toMatchObject({ confined: true })
})

test('the setting decides what a computer that confines nothing does', async () => {
  const reason = 'bubblewrap is not installed.'
  const confiner = {
    state: async () => ({ confined: false as const, reason, remedy: '' }),
    prepare: async () => ({ refused: reason, mayRunUnconfined: true }),
  }
  const rights = (sandbox: SandboxSetting) =>
    commandConfinement(confiner, { sandbox: () => sandbox, isOffline: () => false }).rights()
  expect(await rights('auto')).toEqual({ confined: false, whyNot: reason, offline: false })
  expect(await rights('off')).toMatchObject({ confined: false, whyNot: expect.stringContaining('Settings') })
  expect(await rights('on')).toMatchObject({
    confined: false,
    refusal: `Settings allow only confined commands, and this computer cannot confine them: ${reason}`,
  })
})

test('the profiles for macOS', async () => {
  const parts = {
    surroundings: {
      folder: '/Users/ada/garden',
      cwd: '/Users/ada/garden',
      userHome: '/Users/ada',
      home: '/Users/ada/.talaria',
      readable: ['/Users/ada/.talaria/skills/tea'],
    },
    facts: {
      hidden: [{ path: '/Users/ada/garden/.env', kind: 'file' as const }],
      repositories: ['/Users/ada/garden/.git'],
      gitFiles: [],
      outerGit: [],
      obeyed: ['/Users/ada/garden/.vscode'],
      obeyedFiles: [],
      runFiles: [],
      folders: [],
      isComplete: true,
    },
    hidden: [{ path: '/Users/ada/.ssh', kind: 'folder' as const }],
    temporary: '/Users/ada/.talaria/cache/tmp/s1',
    caches: '/Users/ada/.talaria/cache/commands',
    gitConfig: '/Users/ada/.talaria/cache/confinement/gitconfig',
    noEditor: '/Users/ada/.talaria/cache/confinement/no-editor',
  }
  const profiles = [
    seatbeltProfile({ ...parts, confinement: { profile: 'look' } }),
    seatbeltProfile({ ...parts, confinement: { profile: 'work', network: false, obeyed: 'nothing' } }),
    seatbeltProfile({ ...parts, confinement: { profile: 'work', network: true, obeyed: 'git' } }),
  ]
  await expect(profiles.join('\n')).toMatchFileSnapshot('seatbelt.golden.txt')
})
