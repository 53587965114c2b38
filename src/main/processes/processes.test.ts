import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { confinedTest } from '../../../testing/confinement/can-confine.ts'
import { aFolderToConfine } from '../../../testing/confinement/folder-to-confine.ts'
import { gone, isAlive } from '../../../testing/processes.ts'
import { until } from '../../../testing/until.ts'
import { confineBesideVanishingSocket } from '../../../testing/confinement/vanishing-socket.ts'
import { openConfinement } from '../confinement/open-confinement.ts'
import type { Access } from '../confinement/profile.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { canForward } from './forward-port.ts'
import { findProcesses } from '../commands/end-family.ts'
import { openProcesses, type Processes, type Started } from './open-processes.ts'

const OFFLINE: Access = { profile: 'work', network: false, obeyed: 'nothing' }

/** A folder, and processes in it. */
type Place = {
  base: string
  folder: string
  processes: Processes
  /** Start a command that must start. */
  start(command: string, access: Access, given?: { sessionId?: string; port?: number }): Promise<Started>
}

/** Give a test its own folder and processes. Most tests here only wait, so they run concurrently. */
const inPlace = (run: (place: Place) => Promise<void>) => async () => {
  const base = aFolderToConfine()
  const folder = join(base, 'chat')
  mkdirSync(folder)
  const confine = openConfinement({ home: join(base, 'home'), readable: () => [] }).prepare
  const processes = openProcesses({ now: Date.now })
  const start: Place['start'] = async (command, access, given = {}) => {
    const request = { sessionId: 's1', command, workspace: folder, folder, access, confine, ...given }
    const started = await processes.start(request)
    if (isRefusal(started)) throw new Error(started.refused)
    return started
  }
  try {
    await run({ base, folder, processes, start })
  } finally {
    await processes.close()
    rmSync(base, { recursive: true, force: true })
  }
}

/** A command that starts a child in a new session and an orphaned one, and keeps running. */
const SCATTERED = `echo $$ > pids; (setsid sh -c 'echo $$ >> pids; exec sleep 700') & (sh -c 'echo $$ >> pids; exec sleep 700' &) ; echo up; sleep 700`
/** The processes of a family as this computer numbers them; inside a namespace they have other numbers. */
const idsOf = (folder: string, background: Started['background'], count: number) =>
  until(() => readFileSync(join(folder, 'pids'), 'utf8').split('\n').length > count).then(() => {
    const { id } = background.facts()
    return findProcesses({ leader: background.leader!, mark: markOf(id, background.leader!) })
  })
/** The mark of a process, from the environment of its leader. */
const markOf = (id: string, leader: number) => {
  const [, mark = ''] =
    /TALARIA_BACKGROUND=([^\0]+)/.exec(readFileSync(`/proc/${leader}/environ`, 'latin1')) ?? []
  expect(mark.endsWith(`.${id}`)).toBe(true)
  return mark
}

/** The same for unconfined and confined commands. */
function both(
  name: string,
  run: (access: Access, place: Place) => Promise<void>,
  tests: typeof test | typeof test.concurrent = test.concurrent,
) {
  const as = (access: Access) => inPlace(place => run(access, place))
  tests(`${name}, unconfined`, async ({ skip }) => {
    skip(process.platform !== 'linux', 'What left its group is found on Linux only.')
    await as('unconfined')()
  })
  confinedTest(`${name}, confined`, as(OFFLINE), '', tests)
}

/** One test of unconfined commands. */
const one = (name: string, run: (place: Place) => Promise<void>) => test.concurrent(name, inPlace(run))

both('a stop ends also what left the group and its parents', async (access, { folder, start }) => {
  const { background } = await start(SCATTERED, access)
  const ids = await idsOf(folder, background, 3)
  expect(ids.length).toBeGreaterThanOrEqual(3)
  await background.stop()
  expect(background.facts()).toMatchObject({ state: 'stopped', leftover: 0 })
  await gone(...ids)
})

both('what ignores SIGTERM is killed', async (access, { folder, start }) => {
  const { background } = await start(`trap '' TERM; echo $$ > pids; while true; do sleep 0.1; done`, access)
  const ids = await idsOf(folder, background, 1)
  await background.stop()
  await gone(...ids)
})

both('what handles SIGTERM may clean up, also by another program', async (access, { folder, start }) => {
  const { background } = await start(
    `trap 'sleep 0.2 && echo bye > bye; exit 0' TERM; echo up; while true; do sleep 0.1; done`,
    access,
  )
  await background.stop()
  expect(existsSync(join(folder, 'bye'))).toBe(true)
})

both('what a command leaves behind ends with it', async (access, { folder, start }) => {
  const { background } = await start(
    `(setsid sleep 700 &); echo up; until [ -e go ]; do sleep 0.02; done; exit 3`,
    access,
  )
  const mark = markOf(background.facts().id, background.leader!)
  await until(() => findProcesses({ leader: background.leader!, mark }).length > 1)
  const ids = findProcesses({ leader: background.leader!, mark })
  mkdirSync(join(folder, 'go'))
  await background.ended
  expect(background.facts()).toMatchObject({ state: 'exited', exitCode: 3 })
  await gone(...ids)
})

both('a chat takes its processes with it, and no others', async (access, { processes, start }) => {
  const first = await start('echo up; sleep 700', access)
  const second = await start('echo up; sleep 700', access, { sessionId: 's2' })
  await processes.endChat('s1')
  expect(processes.list()).toEqual([second.background])
  expect(isAlive(first.background.leader!)).toBe(false)
  expect(isAlive(second.background.leader!)).toBe(true)
})

both('closing ends all of them, and nothing more is started', async (access, { processes, start }) => {
  const all = [await start('echo up; sleep 700', access), await start('echo up; sleep 700', access)]
  await processes.close()
  expect(all.map(({ background }) => isAlive(background.leader!))).toEqual([false, false])
  await expect(start('echo up', access)).rejects.toThrow('Talaria is closing.')
})

both('none survives a kill -9 of the host', async (access, { base, folder }) => {
  const program = fileURLToPath(
    new URL('../../../testing/host/killed/background-until-killed.ts', import.meta.url),
  )
  const host = spawn(
    process.execPath,
    [program, join(base, 'home'), folder, SCATTERED, JSON.stringify(access)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let ids: number[]
  try {
    const [said] = (await once(host.stdout, 'data')) as [Buffer]
    const { leader } = JSON.parse(String(said)) as { leader: number }
    const mark = markOf('p1', leader)
    await until(() => findProcesses({ leader, mark }).length >= 3)
    ids = findProcesses({ leader, mark })
  } finally {
    host.kill('SIGKILL')
  }
  await gone(...ids)
})

describe.runIf(process.platform !== 'win32')('a background process', () => {
  one('says what is new since the last look, and its end', async ({ folder, start }) => {
    const { background } = await start(
      'echo one; until [ -e go ]; do sleep 0.02; done; echo two; exit 4',
      'unconfined',
    )
    expect(background.readNew()).toEqual({ text: 'one\n', dropped: 0 })
    expect(background.readNew()).toEqual({ text: '', dropped: 0 })
    mkdirSync(join(folder, 'go'))
    await background.ended
    expect(background.readNew()).toEqual({ text: 'two\n', dropped: 0 })
    expect(background.facts()).toMatchObject({ state: 'exited', exitCode: 4, address: null })
  })

  one('shows a line without an end at once, and whole when more of it comes', async ({ folder, start }) => {
    const { background } = await start(
      `printf 'half '; until [ -e go ]; do sleep 0.02; done; echo whole`,
      'unconfined',
    )
    expect(background.readNew().text).toBe('half ')
    expect(background.readNew().text).toBe('')
    mkdirSync(join(folder, 'go'))
    await background.ended
    expect(background.readNew().text).toBe('half whole\n')
  })

  one('shows the last state of a line that is drawn again, at each look', async ({ folder, start }) => {
    const { background } = await start(
      String.raw`echo up; printf '\r1%%\r2%%'; until [ -e go ]; do sleep 0.02; done; printf '\r3%%\r100%%\nready\n'`,
      'unconfined',
    )
    expect(background.readNew().text).toBe('up\n2%')
    mkdirSync(join(folder, 'go'))
    await background.ended
    expect(background.readNew().text).toBe('100%\nready\n')
    expect(background.readNew().text).toBe('')
    expect(background.output.since(0).text).toContain('1%\n2%\n3%')
  })

  one('prints without end and costs no more memory for it', async ({ start }) => {
    const { background } = await start('yes', 'unconfined')
    await until(() => background.output.end > 10_000_000)
    const { text, dropped } = background.output.since(0)
    expect(text.length).toBeLessThanOrEqual(64_000)
    expect(text.length + dropped).toBe(background.output.end)
  })

  one('keeps its input open, as watchers want it', async ({ start }) => {
    const { background } = await start('echo up; cat; echo input ended', 'unconfined')
    expect(background.facts().state).toBe('running')
    expect(background.output.since(0).text).toBe('up\n')
  })

  both(
    'reads no startup file of the shell',
    async (access, { folder, start }) => {
      vi.stubEnv('HOME', folder)
      // This is what counts on Windows.
      vi.stubEnv('USERPROFILE', folder)
      vi.stubEnv('SHLVL', undefined)
      onTestFinished(() => void vi.unstubAllEnvs())
      writeFileSync(join(folder, '.bashrc'), 'echo started')
      const { background } = await start('echo up; sleep 700', access)
      expect(background.output.since(0).text).toBe('up\n')
    },
    test,
  )

  one('is refused when eight run, and allowed when one has ended', async ({ folder, processes, start }) => {
    const all = await Promise.all(Array.from({ length: 8 }, () => start('echo up; sleep 700', 'unconfined')))
    const ninth = await processes.start({
      sessionId: 's2',
      command: 'echo up',
      workspace: folder,
      folder,
      access: 'unconfined',
    })
    expect(ninth).toEqual({
      refused: '8 background processes are running already, in this chat or in others. Stop one first.',
    })
    await all[0]!.background.stop()
    await start('echo up; sleep 700', 'unconfined')
    expect(processes.list()).toHaveLength(9)
  })

  one('that ended is remembered for its output, but not for ever', async ({ processes, start }) => {
    for (let count = 0; count < 10; count++)
      await (
        await start(`echo ${count}`, 'unconfined')
      ).background.ended
    expect(processes.list().map(each => each.output.since(0).text)).toEqual(
      [2, 3, 4, 5, 6, 7, 8, 9].map(count => `${count}\n`),
    )
  })

  one('in a folder that is gone is refused with the reason', async ({ folder, start }) => {
    rmSync(folder, { recursive: true })
    await expect(start('echo up', 'unconfined')).rejects.toThrow('did not start')
  })
})

/** A server that says hello on a port that it is given. */
const serverOn = (port: number, host: string) =>
  `node -e "require('http').createServer((q, r) => r.end('hello ' + q.url)).listen(${port}, '${host}', () => console.log('up'))"`

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const NO_SOCAT = canForward() ? '' : 'socat is not installed.'

for (const host of ['127.0.0.1', '::1'])
  confinedTest(
    `a confined server on ${host} is reached through a forwarded port`,
    inPlace(async ({ start }) => {
      const port = await freePort()
      const { background, insideSocket } = await start(serverOn(port, host), OFFLINE, { port })
      await until(() => background.output.end > 0)
      const { address } = background.facts()
      expect(address).toBe(`http://127.0.0.1:${port}`)
      expect(await (await fetch(`${address}/tea`)).text()).toBe('hello /tea')
      // Another command of the chat has another network and the same folder for temporary files.
      const asking = await start(`curl -s --unix-socket ${insideSocket} http://localhost/beans`, OFFLINE)
      await asking.background.ended
      expect(asking.background.output.since(0).text).toBe('hello /beans')
      await background.stop()
      await expect(fetch(`${address}/tea`)).rejects.toThrow('fetch failed')
    }),
    NO_SOCAT,
    test.concurrent,
  )

confinedTest(
  'a port that is taken on this computer is forwarded from another',
  inPlace(async ({ start }) => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const { background } = await start(serverOn(port, '127.0.0.1'), OFFLINE, { port })
    await until(() => background.output.end > 0)
    const { address } = background.facts()
    expect(address).not.toBe(`http://127.0.0.1:${port}`)
    expect(await (await fetch(`${address}/x`)).text()).toBe('hello /x')
    taken.close()
  }),
  NO_SOCAT,
  test.concurrent,
)

confinedTest(
  'a process starts although what was to be hidden from it has vanished',
  inPlace(async ({ base, folder, processes }) => {
    const confine = confineBesideVanishingSocket(base)
    const request = {
      sessionId: 's1',
      command: 'echo up',
      workspace: folder,
      folder,
      access: OFFLINE,
      confine,
    }
    const started = await processes.start(request)
    if (isRefusal(started)) throw new Error(started.refused)
    await started.background.ended
    expect(started.background.output.since(0).text).toBe('up\n')
    expect(processes.list()).toHaveLength(1)
  }),
  '',
  test.concurrent,
)
