import { execFile, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import crossSpawn from 'cross-spawn'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { confinedTest } from '../../../../testing/confinement/can-confine.ts'
import { aFolderToConfine } from '../../../../testing/confinement/folder-to-confine.ts'
import { confineBesideVanishingSocket } from '../../../../testing/confinement/vanishing-socket.ts'
import { LocalMcpServer } from '../../../shared/contract/connections/mcp.ts'
import { openConfinement, type Confiner } from '../../confinement/open-confinement.ts'
import type { CommandRights } from '../../confinement/profile.ts'
import { commandConfinement } from '../../confinement/sandbox-setting.ts'
import { openConnections } from './open-connections.ts'
import { prepareStart, type StartParts } from './start-program.ts'

let home: string
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-start-')))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const NOWHERE: CommandRights = { confined: false, whyNot: 'A test.', offline: false }

/** Prepare the start of a server with these rights and keys. */
function prepare(
  given: Partial<LocalMcpServer>,
  {
    rights = NOWHERE,
    keys = {},
    path = process.env['PATH'] ?? '',
    confine,
    platform = process.platform,
    root,
  }: {
    rights?: CommandRights
    keys?: Record<string, string>
    path?: string
    confine?: StartParts['commands']['confine']
    platform?: NodeJS.Platform
    root?: string
  } = {},
) {
  const server = LocalMcpServer.parse({ name: 'one', command: process.execPath, ...given })
  const how = { mark: 'mark', root }
  return prepareStart(server, how, {
    home,
    commands: {
      rights: async () => rights,
      confine: confine ?? (async () => ({ refused: 'A test.', mayRunUnconfined: true })),
    },
    keyOf: name => keys[name],
    loginPath: async () => path,
    platform,
  })
}

describe('the start of a server', () => {
  test('has a folder of its own, the PATH of the login shell, and the keys that it was given', async () => {
    const start = await prepare(
      { args: ['--key', '${KEY}'], env: { TOKEN: 'Bearer ${KEY}' } },
      { keys: { KEY: 'a-secret', OTHER: 'another' }, path: '/from/the/shell' },
    )
    expect(start).toMatchObject({
      program: process.execPath,
      args: ['--key', 'a-secret'],
      cwd: join(home, 'connections', 'one'),
      env: { TOKEN: 'Bearer a-secret', PATH: '/from/the/shell' },
      secrets: ['a-secret'],
    })
  })

  test.each([
    [{ command: 'no-such-program' }, 'The program no-such-program was not found. Searched: /a, /b.'],
    [{ command: '/no/such/program' }, 'The program /no/such/program was not found. Searched: /no/such.'],
    [{ command: 'bin/server' }, 'The program bin/server has to be a name or a whole path.'],
    [{ command: '/' }, '/ is not a program that can be started.'],
    [{ env: { TOKEN: '${KEY}' } }, 'It needs the key KEY, which is not stored.'],
    [{ cwd: '/no/such/folder' }, 'Its folder /no/such/folder cannot be used: its folder does not exist.'],
  ])('is refused with the reason: %j', async (given, refused) => {
    expect(await prepare(given, { path: ['/a', 'relative', '/b'].join(delimiter) })).toEqual({ refused })
  })

  test('names a file that is no program', async () => {
    const file = join(home, 'server')
    writeFileSync(file, '')
    chmodSync(file, 0o600)
    expect(await prepare({ command: 'server' }, { path: home })).toEqual({
      refused: `${file} is not a program that can be started.`,
    })
  })

  test('is refused where its folder cannot be made', async () => {
    writeFileSync(join(home, 'connections'), '')
    expect(await prepare({})).toEqual({
      refused: `Its folder ${join(home, 'connections', 'one')} cannot be used: a part of its path is not a folder.`,
    })
  })

  test('is refused where it cannot be confined, with the reason', async () => {
    const full = Object.assign(new Error('full'), { code: 'ENOSPC' })
    const rights = { ...NOWHERE, confined: true }
    expect(await prepare({}, { rights, confine: () => Promise.reject(full) })).toEqual({
      refused: 'It cannot be confined: the disk is full.',
    })
  })

  test.each([
    [{}, 'It cannot be confined here, and the offline lock is on, so it is not started. A test.'],
    [{ command: 'npx' }, 'npx downloads the program when it starts, and the offline lock is on.'],
    [{ command: 'uvx' }, 'uvx downloads the program when it starts, and the offline lock is on.'],
  ])('is refused with the offline lock on: %j', async (given, refused) => {
    for (const name of ['npx', 'uvx']) symlinkSync(process.execPath, join(home, name))
    const rights = { ...NOWHERE, offline: true }
    expect(await prepare(given, { rights, path: home })).toEqual({ refused })
  })

  test('has no network with the offline lock on, whatever its switch says', async () => {
    const asked: unknown[] = []
    const confine: StartParts['commands']['confine'] = async (_words, access) => {
      asked.push(access)
      return { refused: 'A test.', mayRunUnconfined: false }
    }
    for (const offline of [false, true])
      await prepare({ network: true }, { rights: { confined: true, whyNot: '', offline }, confine })
    expect(asked).toEqual([
      { profile: 'work', network: true, obeyed: 'nothing' },
      { profile: 'work', network: false, obeyed: 'nothing' },
    ])
  })
})

describe('the start of a server on Windows', () => {
  /** Return what Node is asked to start. A separate process is used: cross-spawn reads the platform once. */
  async function asked(program: string, args: readonly string[]) {
    const script = `
      Object.defineProperty(process, 'platform', { value: 'win32' })
      require('node:child_process').spawn = (command, args, { windowsVerbatimArguments = false }) => {
        console.log(JSON.stringify({ command, args, windowsVerbatimArguments }))
        return new (require('node:events'))()
      }
      require('cross-spawn')(${JSON.stringify(program)}, ${JSON.stringify(args)}, {})`
    const run = promisify(execFile)(process.execPath, ['-e', script], { env: { PATH: '/usr/bin' } })
    return JSON.parse((await run).stdout) as unknown
  }

  test('takes the script of npx that Windows can start, by way of cross-spawn', async () => {
    for (const name of ['npx', 'npx.cmd']) writeFileSync(join(home, name), '', { mode: 0o755 })
    const there = await prepare({ command: 'npx' }, { path: home, platform: 'win32' })
    expect(there).toMatchObject({ program: join(home, 'npx.cmd'), spawn: crossSpawn })
    const here = await prepare({ command: 'npx' }, { path: home, platform: 'linux' })
    expect(here).toMatchObject({ program: join(home, 'npx'), spawn })
  })

  test('takes the PATH of its entry in any case, and a folder below ~ with either slash', async () => {
    for (const name of ['npx', 'npx.cmd']) writeFileSync(join(home, name), '', { mode: 0o755 })
    const given = { command: 'npx', env: { Path: home } }
    const there = await prepare(given, { path: '/nowhere', platform: 'win32' })
    expect(there).toMatchObject({ program: join(home, 'npx.cmd') })
    if ('refused' in there) throw new Error(there.refused)
    expect(Object.entries(there.env).filter(([name]) => /^path$/i.test(name) && name !== 'Path')).toEqual([
      ['PATH', home],
    ])
    expect(await prepare(given, { path: '/nowhere', platform: 'linux' })).toMatchObject({
      refused: expect.stringContaining('was not found'),
    })
    for (const cwd of ['~/no such folder', '~\\no such folder'])
      expect(await prepare({ cwd })).toMatchObject({ refused: expect.stringContaining('does not exist') })
  })

  test('starts scripts by cmd, with every sign escaped that it would read as its own', async () => {
    const program = join(home, 'npx.cmd')
    writeFileSync(program, '')
    expect(await asked(program, ['-y', 'a b', '%PATH%&calc', 'say "x"', 'c:\\'])).toEqual({
      command: 'cmd.exe',
      args: [
        '/d',
        '/s',
        '/c',
        `"${program} ^"-y^" ^"a^ b^" ^"^%PATH^%^&calc^" ^"say^ \\^"x\\^"^" ^"c:\\\\^""`,
      ],
      windowsVerbatimArguments: true,
    })
  })

  test('starts programs as they are', async () => {
    const program = join(home, 'server.exe')
    writeFileSync(program, '')
    const args = ['a b', '%PATH%']
    expect(await asked(program, args)).toEqual({ command: program, args, windowsVerbatimArguments: false })
  })
})

describe('a confined server', () => {
  /** Return the tools of a server that reports what it can see and do. */
  async function aWorld(
    network: boolean,
    prepareIn?: (base: string) => Confiner['prepare'],
    entry: Partial<LocalMcpServer> = {},
  ) {
    const base = aFolderToConfine()
    const own = join(base, 'home')
    mkdirSync(own)
    const program = fileURLToPath(new URL('../../../../testing/mcp/misbehaving-server.ts', import.meta.url))
    const command = process.execPath
    const confiner = openConfinement({ home: own, readable: () => [] })
    const prepare = prepareIn?.(base) ?? confiner.prepare
    const connections = openConnections({
      home: own,
      commands: commandConfinement({ ...confiner, prepare }, { sandbox: () => 'on', isOffline: () => false }),
      keyOf: () => undefined,
      loginPath: async () => process.env['PATH'] ?? '',
      entryOf: name => LocalMcpServer.parse({ name, command, args: [program, 'world'], network, ...entry }),
      fetchFor: () => fetch,
      version: '1.0.0',
      now: Date.now,
      // The server is known to be of the older era, so it is started only once.
      eras: { olderSince: () => Date.now(), setOlder: () => undefined },
    })
    onTestFinished(async () => {
      await connections.close()
      rmSync(base, { recursive: true, force: true })
    })
    const signal = new AbortController().signal
    const ask = async (tool: string, text: string) => {
      const outcome = await connections.call('one', tool, { text }, { signal, timeoutMs: 60_000 })
      return 'answered' in outcome ? JSON.stringify(outcome.answered) : outcome.failed
    }
    return { ask, base }
  }

  /** A listener on this computer that answers to everything. */
  async function aListener(): Promise<string> {
    const server = createServer((_request, response) => response.end('reached')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }

  confinedTest('writes to its own folder alone, and reaches nothing without the network', async () => {
    const { ask, base } = await aWorld(false)
    const folder = join(base, 'home', 'connections', 'one')
    expect(await ask('folder', '')).toContain(folder)
    expect(await ask('write', 'here.txt')).toContain('written')
    expect(await ask('write', join(base, 'there.txt'))).toMatch(/EROFS|EACCES|ENOENT/)
    expect(await ask('fetch', await aListener())).toContain('fetch failed')
  })

  confinedTest('starts although what was to be hidden from it has vanished', async () => {
    const { ask } = await aWorld(false, confineBesideVanishingSocket)
    expect(await ask('write', 'here.txt')).toContain('written')
  })

  confinedTest(
    'says why it misses its own files below /tmp, of which it sees what its command names',
    async () => {
      const venv = realpathSync(mkdtempSync('/tmp/talaria-venv-'))
      onTestFinished(() => rmSync(venv, { recursive: true, force: true }))
      for (const name of ['bin', 'lib']) mkdirSync(join(venv, name))
      const python = join(venv, 'bin', 'python')
      writeFileSync(
        python,
        `#!/bin/sh\n[ -f ${venv}/lib/mcp.py ] || echo "ModuleNotFoundError: No module named 'mcp'" >&2\n`,
      )
      chmodSync(python, 0o755)
      writeFileSync(join(venv, 'lib', 'mcp.py'), '')
      const { ask } = await aWorld(false, undefined, { command: python, args: [] })
      expect(await ask('folder', '')).toMatch(
        /It printed: ModuleNotFoundError: No module named 'mcp' \S+\/bin\/python is in a folder for temporary files, of which a confined program sees only what its command names: put the server elsewhere/,
      )
    },
  )

  confinedTest('reaches the network with its switch on', async () => {
    const { ask } = await aWorld(true)
    expect(await ask('fetch', await aListener())).toContain('reached')
  })
})
