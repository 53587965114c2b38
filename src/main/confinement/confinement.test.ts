import { spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { confinedTest } from '../../../testing/confinement/can-confine.ts'
import { aFolderToConfine } from '../../../testing/confinement/folder-to-confine.ts'
import { openConfinement, type Confiner } from './open-confinement.ts'
import type { Confinement } from './profile.ts'
import { LOOK, runConfined, runPrepared, WORK } from '../../../testing/confinement/run-confined.ts'

/** A home folder of a user with keys, a neighbour of the chat's folder, Talaria's home and a server. */
let base: string
let userHome: string
let folder: string
let home: string
let confiner: Confiner
let server: Server
let port: number
let connections = 0

const put = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

beforeAll(async () => {
  base = aFolderToConfine()
  userHome = join(base, 'ada')
  folder = join(userHome, 'garden')
  home = join(userHome, '.talaria')
  put(join(userHome, '.ssh/id_ed25519'), 'CANARY key')
  put(join(userHome, '.bash_history'), 'CANARY history')
  put(join(userHome, 'diary.txt'), 'CANARY diary')
  put(join(home, 'state.db'), 'CANARY chats')
  put(join(home, 'skills/tea/SKILL.md'), 'how to make tea')
  put(join(folder, '.env'), 'CANARY password')
  put(join(folder, 'plants.txt'), 'beans\n')
  spawnSync('git', ['init', '-q', folder])
  symlinkSync(join(userHome, '.ssh/id_ed25519'), join(folder, 'link'))
  linkSync(join(userHome, 'diary.txt'), join(folder, 'hard'))
  confiner = openConfinement({ home, userHome, readable: () => [join(home, 'skills/tea')] })
  server = createServer(socket => {
    connections++
    socket.end('CANARY server')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as { port: number }).port
})
afterAll(() => {
  server.close()
  rmSync(base, { recursive: true, force: true })
})

const run = (command: string, confinement: Confinement, cwd = folder) =>
  runConfined(confiner, command, confinement, { folder, cwd })

confinedTest('a command that looks reads the folder and nothing else of the user', async () => {
  expect(await run('cat plants.txt; git status --short | head -1', LOOK)).toMatchObject({
    code: 0,
    output: expect.stringContaining('beans') as string,
  })
  const escapes = [
    'cat .env',
    'cat link',
    `cat ${userHome}/diary.txt`,
    `cat ../diary.txt`,
    `cat ${userHome}/.ssh/id_ed25519 ${userHome}/.bash_history ${home}/state.db`,
    `cat /proc/1/root${userHome}/diary.txt /proc/self/root${userHome}/diary.txt`,
    `ls -a ${userHome}; ls -a ~`,
    'cat /etc/shadow',
  ]
  for (const command of escapes)
    expect.soft((await run(command, LOOK)).output, command).not.toMatch(/CANARY|diary\.txt$|root:\S+:\d/m)
  await run('echo x > made; echo x >> plants.txt; rm plants.txt; ln -s / made2; mkdir made3', LOOK)
  expect(readFileSync(join(folder, 'plants.txt'), 'utf8')).toBe('beans\n')
  expect(['made', 'made2', 'made3'].filter(name => existsSync(join(folder, name)))).toEqual([])
})

confinedTest('a command that works writes to the folder and its own temporary folder only', async () => {
  const { code, output } = await run(
    'echo peas >> plants.txt && echo t > /tmp/t && cat /tmp/t && git add plants.txt && git status --short',
    WORK,
  )
  expect({ code, output }).toMatchObject({
    code: 0,
    output: expect.stringContaining('A  plants.txt') as string,
  })
  expect(readFileSync(join(folder, 'plants.txt'), 'utf8')).toBe('beans\npeas\n')
  writeFileSync(join(folder, 'plants.txt'), 'beans\n')
  const outside = [
    join(base, 'out'),
    join(userHome, 'out'),
    join(userHome, '.bashrc'),
    join(home, 'out'),
    '/out',
    '/usr/out',
    '/var/tmp/out',
  ]
  for (const path of outside)
    await run(
      `echo x > ${path}; cd / && echo x > ${path}; ln -s ${path} inside && echo x > inside; rm -f inside`,
      WORK,
    )
  expect(outside.filter(path => existsSync(path))).toEqual([])
})

confinedTest('a command that works sees no keys, histories, other chats and foreign sockets', async () => {
  const hidden = [
    'cat .env',
    'cat link',
    `cat ${userHome}/.ssh/id_ed25519`,
    `cat ${userHome}/.bash_history`,
    `cat ${home}/state.db`,
    'cat /proc/1/environ',
    `cat /proc/1/root${home}/state.db`,
  ]
  for (const command of hidden)
    expect.soft((await run(command, WORK)).output, command).not.toContain('CANARY')
  expect((await run(`cat ${home}/skills/tea/SKILL.md`, WORK)).output).toBe('how to make tea')
  expect((await run(`echo x > ${home}/skills/tea/SKILL.md`, WORK)).code).not.toBe(0)
  expect((await run('ls -A /run /mnt 2>/dev/null | grep -c sock', WORK)).output.trim()).toBe('0')
})

confinedTest(
  'a hard link into the folder is a file of the folder, and a warning is in docs/security/limits.md',
  async () => {
    expect((await run('cat hard', LOOK)).output).toBe('CANARY diary')
  },
)

confinedTest(
  'a chat in the whole home folder, in Talaria’s own or in everything hides the same',
  async () => {
    const inFolder = async (at: string, confinement: Confinement) => {
      // One pipe for both outputs keeps their lines whole.
      const command = `exec 2>&1; cat ${home}/state.db ${userHome}/.ssh/id_ed25519 ${userHome}/.bash_history; echo end; rm -f made; echo x > made && rm made && echo wrote`
      const { output } = await runConfined(confiner, command, confinement, { folder: at })
      expect.soft(output, at).not.toContain('CANARY')
      return (output.match(/^(end|wrote)$/gm) ?? []).join(' ')
    }
    mkdirSync(join(home, 'workspace'))
    expect(await inFolder(userHome, LOOK)).toBe('end')
    expect(await inFolder(userHome, WORK)).toBe('end wrote')
    expect(await inFolder(join(home, 'workspace'), LOOK)).toBe('end')
    expect(await inFolder(join(home, 'workspace'), WORK)).toBe('end wrote')
    expect(await inFolder('/', WORK)).toBe('end')
  },
)

confinedTest('a home folder below /tmp is hidden from a chat that works in all of it', async () => {
  const around = mkdtempSync(join(tmpdir(), 'talaria-around-'))
  onTestFinished(() => rmSync(around, { recursive: true, force: true }))
  put(join(around, '.talaria/state.db'), 'CANARY chats')
  put(join(around, '.bash_history'), 'CANARY history')
  put(join(around, 'plants.txt'), 'beans\n')
  const small = openConfinement({ home: join(around, '.talaria'), userHome: around, readable: () => [] })
  const command = 'cat plants.txt .talaria/state.db .bash_history; echo x > made && cat made'
  for (const confinement of [LOOK, WORK]) {
    const { output } = await runConfined(small, command, confinement, { folder: around, cwd: around })
    expect(output).toContain('beans')
    expect(output).not.toContain('CANARY')
    // Refusals arrive on the other pipe, before or after this line.
    expect(/^x$/m.test(output)).toBe(confinement === WORK)
  }
})

confinedTest('nothing reaches the network unless it was allowed', async () => {
  const connect = `exec 5<>/dev/tcp/127.0.0.1/${port} && cat <&5`
  for (const confinement of [LOOK, WORK])
    expect((await run(connect, confinement)).output).not.toContain('CANARY')
  expect(connections).toBe(0)
  expect((await run(connect, { profile: 'work', network: true, obeyed: 'nothing' })).output).toBe(
    'CANARY server',
  )
})

confinedTest('hooks and configuration of git are protected, and what changed is reported', async () => {
  const attempts = [
    'git config core.pager evil',
    'echo evil > .git/config',
    'echo evil > .git/hooks/pre-commit',
    'mv .git .git2',
    'rm -rf .git/hooks',
    'mount --bind /tmp .git/hooks',
    'unshare -Ur true && echo CANARY',
  ]
  for (const command of attempts) {
    const { code, report } = await run(command, WORK)
    expect
      .soft({ isRefused: code !== 0, changes: report?.changes }, command)
      .toEqual({ isRefused: true, changes: [] })
  }
  // A new repository is no danger, but its hooks are.
  const made = await run('mkdir sub && git init -q sub && echo evil > sub/.git/hooks/post-checkout', WORK)
  expect(made.report?.changes).toEqual([
    { path: 'sub/.git/hooks/post-checkout', how: 'new', by: 'git', tier: 1, kept: 'put aside' },
  ])
  expect(existsSync(join(folder, 'sub/.git/hooks/post-checkout'))).toBe(false)
  rmSync(join(folder, 'sub'), { recursive: true })
  expect(
    await run('git config user.name Ada', { profile: 'work', network: false, obeyed: 'git' }),
  ).toMatchObject({
    code: 0,
    report: { changes: [{ path: '.git/config', how: 'changed', by: 'git', tier: 1, kept: 'stands' }] },
  })
})

const status = () =>
  spawnSync('git', ['-C', folder, 'status', '--porcelain', '--ignored'], { encoding: 'utf8' }).stdout

confinedTest('a git folder that a file or a link named .git leads to is protected too', async () => {
  for (const name of ['real', 'real2']) spawnSync('git', ['init', '-q', '--bare', join(folder, name)])
  put(join(folder, 'inner/.git'), 'gitdir: ../real\n')
  mkdirSync(join(folder, 'inner2'))
  symlinkSync('../real2', join(folder, 'inner2/.git'))
  for (const command of ['echo x >> real/config', 'echo x > real2/hooks/pre-commit', 'mv real other'])
    expect.soft(await run(command, WORK), command).toMatchObject({ code: 1, report: { changes: [] } })
  for (const name of ['real', 'real2', 'inner', 'inner2']) rmSync(join(folder, name), { recursive: true })
})

confinedTest('a chat in a subfolder or in a linked worktree sees the real .git, read-only', async () => {
  // Also below /tmp, which is hidden otherwise.
  for (const parent of [userHome, tmpdir()]) {
    const at = mkdtempSync(join(parent, 'talaria-trees-'))
    const git = (...args: string[]) => {
      const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
      const { status, stderr } = spawnSync('git', ['-C', join(at, 'repo'), ...identity, ...args], {
        encoding: 'utf8',
      })
      expect(status, stderr).toBe(0)
    }
    put(join(at, 'repo/sub/a.txt'), 'a\n')
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'First')
    git('worktree', 'add', '-q', '../tree')
    for (const place of [join(at, 'repo/sub'), join(at, 'tree')])
      for (const confinement of [LOOK, WORK]) {
        const where = { folder: place }
        const log = await runConfined(confiner, 'git log --oneline', confinement, where)
        expect(log.output, place).toMatch(/^[0-9a-f]{7} First\n$/)
        const tag = await runConfined(confiner, 'git tag other', confinement, where)
        expect(tag.code, place).not.toBe(0)
      }
    rmSync(at, { recursive: true })
  }
})

confinedTest('git says the same before and after a hundred commands', async () => {
  const before = status()
  for (let count = 0; count < 100; count++) await run('cat plants.txt > /dev/null', count % 2 ? LOOK : WORK)
  expect(status()).toBe(before)
})

confinedTest('a command that is killed leaves nothing in the folder, and its processes end', async () => {
  const before = status()
  const isRunning = () => spawnSync('pgrep', ['-f', '^sleep 97.531$']).status === 0
  for (const confinement of [LOOK, WORK]) {
    const shell = ['/bin/bash', '-c', 'echo ready; sleep 97.531']
    let wasRunning = false
    // The shell says that it is ready before it starts the program.
    const killOnceRunning = async (child: ChildProcess) => {
      while (!isRunning()) await sleep(10)
      wasRunning = true
      child.kill('SIGKILL')
    }
    const kill = (child: ChildProcess) => void child.stdout!.once('data', () => void killOnceRunning(child))
    const where = { folder, cwd: folder, sessionId: 's3' }
    const ended = await runPrepared(() => confiner.prepare(shell, confinement, where), kill)
    expect({ ...ended, wasRunning }).toMatchObject({ code: null, wasRunning: true })
    await expect.poll(isRunning).toBe(false)
  }
  expect(status()).toBe(before)
})

confinedTest('what runs on in the background ends with its command', async () => {
  const isRunning = () => spawnSync('pgrep', ['-f', '^sleep 98.7654$']).status === 0
  const { output } = await run('setsid sleep 98.7654 & (sleep 98.7654 &) & echo started', WORK)
  expect(output).toBe('started\n')
  await expect.poll(isRunning).toBe(false)
})

confinedTest('exit codes pass unchanged', async () => {
  expect((await run('exit 3', WORK)).code).toBe(3)
  expect((await run('kill -9 $$', LOOK)).code).toBe(137)
})

confinedTest('a folder that nobody may enter is no obstacle', async () => {
  const closed = join(folder, 'closed')
  mkdirSync(closed)
  chmodSync(closed, 0o000)
  expect((await run('cat plants.txt', LOOK)).code).toBe(0)
  rmSync(closed, { recursive: true })
})

confinedTest('a program that starts hundreds of processes is stopped', async () => {
  // The program ends if it cannot start another process. Otherwise it waits to be ended.
  const program = String.raw`for (1..300) { $p = fork; last unless defined $p; if (!$p) { exec "sleep", "60" } $n++ } print "started $n\n"; sleep 60 if $n == 300`
  const { output, exceeded } = await run(`perl -e '${program}'`, WORK)
  const started = Number(/started (\d+)/.exec(output)?.[1] ?? 300)
  expect(started < 256 || exceeded === 'it started more than 256 processes').toBe(true)
})

confinedTest(
  'an editor that a command asks for says why there is none, however its name is read',
  async () => {
    const forms = [
      '$EDITOR plants.txt',
      '"$EDITOR" plants.txt',
      '${VISUAL:-vi} plants.txt',
      'eval "$EDITOR plants.txt"',
      'sh -c "$EDITOR plants.txt"',
      'env $VISUAL plants.txt',
    ]
    for (const command of forms) {
      expect(await run(command, WORK), command).toMatchObject({
        code: 1,
        output: expect.stringMatching(/^There is no editor here/) as string,
      })
      expect((await run(command, LOOK)).output, command).toMatch(/^There is no editor here/)
    }
    expect((await run('echo x > "$EDITOR"; rm -f "$EDITOR"', WORK)).output).toMatch(/read-only/i)
    expect((await run('EDITOR="echo own" && $EDITOR', WORK)).output).toBe('own\n')
  },
)
