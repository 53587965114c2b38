import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { aHome, aHost, type TestHost } from '../../../testing/host/a-host.ts'
import { until } from '../../../testing/until.ts'
import type { Notice } from '../../shared/contract/app.ts'
import type { SessionChange } from '../../shared/contract/chats/session.ts'
import { Fault } from '../../shared/rpc.ts'
import { openEvenIfFull } from './go-on-when-free.ts'
import type { SystemData } from '../lib/expected-errors.ts'
import type { Host, HostOptions } from './host-types.ts'

async function aFullHome() {
  const home = aHome()
  await using host = await aHost(home.path)
  const { id } = await host.client['session.create']({})
  await host.client['session.update']({ id, title: 'About tea' })
  await host.client['memory.add']({ target: 'user', text: 'Likes green tea.' })
  return { id, path: home.path, [Symbol.dispose]: () => home[Symbol.dispose]() }
}

/** Every notice list that a window gets, in order; it follows again after the host ends its stream. */
function followNotices({ client }: TestHost) {
  const told: Notice[][] = []
  const leaving = new AbortController()
  void (async () => {
    while (!leaving.signal.aborted)
      try {
        for await (const event of client['app.watch']({}, { signal: leaving.signal }))
          if (event.type === 'hello') told.push(event.notices)
      } catch {
        return
      }
  })()
  return { told, [Symbol.dispose]: () => leaving.abort() }
}

test('on a full disk everything is read, a write says so, and with room again the same window goes on with what was typed', async () => {
  using home = await aFullHome()
  const { id } = home
  let room = 4_096
  await using host = await aHost(home.path, { roomIn: () => room })
  using notices = followNotices(host)
  const { client } = host
  await until(() => notices.told.length === 1)
  expect(notices.told[0]?.find(each => each.id === 'disk-full')?.text).toBe(
    `Nothing can be saved in ${home.path}: the disk is full. You can read everything, and nothing is lost.`,
  )
  expect((await client['session.list']({})).sessions.map(each => each.title)).toEqual(['About tea'])
  expect((await client['memory.view']({})).entries.map(each => each.text)).toEqual(['Likes green tea.'])
  await expect(client['memory.add']({ target: 'user', text: 'No.' })).rejects.toThrow(
    'the disk is full. You can read everything, and nothing is lost. Free some space',
  )
  await client['session.update']({ id, draft: 'typed meanwhile' })

  host.host.lookAtClock()
  expect(host.host.reading?.id).toBe('disk-full')
  room = 1e9
  host.host.lookAtClock()
  await until(() => notices.told.length === 2)
  expect(notices.told[1]?.map(each => each.id)).not.toContain('disk-full')
  expect(host.host.reading).toBe(undefined)
  expect((await client['session.get']({ id })).draft).toBe('typed meanwhile')
  await client['memory.add']({ target: 'user', text: 'Has a cat.' })
  expect(readFileSync(join(home.path, 'memories', 'USER.md'), 'utf8')).toContain('Has a cat.')
})

test('where the home cannot be opened yet, the host goes on reading and tries again', async () => {
  const aFake = (reading?: Notice) =>
    ({
      home: '/h',
      reading,
      handlers: {},
      report: vi.fn(),
      lookAtClock() {},
      close: vi.fn(),
    }) as unknown as Host
  const first = aFake({ id: 'disk-full', level: 'warning', text: '', fix: '' })
  const whole = aFake()
  const answers = [
    () => first,
    () => {
      throw new Fault('busy', 'Talaria is already running with the folder /h.')
    },
    () => whole,
  ]
  const options: HostOptions = { hosting: 'headless', roomIn: () => 1e9 }
  const host = await openEvenIfFull(options, async () => answers.shift()!())
  host.lookAtClock()
  await until(() => vi.mocked(first.report).mock.calls.length === 1)
  expect([host.reading?.id, vi.mocked(first.close).mock.calls.length]).toEqual(['disk-full', 0])
  await until(() => {
    host.lookAtClock()
    return host.reading === undefined
  })
  await until(() => vi.mocked(first.close).mock.calls.length === 1)
  await host.close()
  expect(whole.close).toHaveBeenCalledOnce()
})

test('what is typed while the next host takes over is written there too, the last words last', async () => {
  const begun: { draft: string | undefined; end(): void }[] = []
  const aHostWith = (reading: Notice | undefined, update: (input: SessionChange) => Promise<void>) =>
    ({
      home: '/h',
      reading,
      handlers: { 'session.update': update },
      report: vi.fn(),
      lookAtClock() {},
      close: vi.fn(),
    }) as unknown as Host
  const slow = ({ draft }: SessionChange) => new Promise<void>(end => begun.push({ draft, end: () => end() }))
  const written: (string | undefined)[] = []
  const first = aHostWith({ id: 'disk-full', level: 'warning', text: '', fix: '' }, slow)
  const next = aHostWith(undefined, async ({ draft }) => {
    // Each word is typed while the one before it is written.
    if (draft === 'one') type('one two')
    written.push(draft)
  })
  const hosts = [first, next]
  const options: HostOptions = { hosting: 'headless', roomIn: () => 1e9 }
  const host = await openEvenIfFull(options, async () => hosts.shift()!)
  const type = (draft: string) =>
    void host.handlers['session.update']({ id: 'a', draft }, new AbortController().signal)
  type('one')
  host.lookAtClock()
  await until(() => host.reading === undefined)
  type('one two three')
  for (const { end } of begun) end()
  await host.close()
  expect([begun.map(({ draft }) => draft), written]).toEqual([
    ['one', 'one two'],
    ['one', 'one two', 'one two three'],
  ])
})

test('a start that fails because the disk fills up opens the home for reading; any other failure stays one', async () => {
  const asked: (number | undefined)[] = []
  const failing = (message: string, data?: SystemData) => async (options: HostOptions) => {
    asked.push(options.roomIn?.('/h'))
    throw new Fault('not_ready', message, data)
  }
  const options: HostOptions = { hosting: 'headless' }
  const full = 'state.db cannot grow: the disk is full. Free some space and try again.'
  await expect(openEvenIfFull(options, failing(full, { system: 'ENOSPC' }))).rejects.toThrow(full)
  await expect(openEvenIfFull(options, failing('It is damaged.'))).rejects.toThrow('It is damaged.')
  expect(asked).toEqual([undefined, 0, undefined])
})

test('a home on a disk that really is full is read, and is not changed', async context => {
  using home = await aFullHome()
  const script = fileURLToPath(new URL('../cli/index.ts', import.meta.url))
  // A small file system of its own, which is gone once the shell ends.
  const filled = `mount -t tmpfs -o size=4m none "$1" && cp -r "$2" "$1/home" && mkdir "$1/tmp" && (cat /dev/zero > "$1/fill" || true) 2>/dev/null`
  const sums = 'find "$1/home" -type f -exec cksum {} + | sort'
  const run = `TALARIA_HOME="$1/home" TMPDIR="$1/tmp" "$3" "$4" chats; TALARIA_HOME="$1/home" TMPDIR="$1/tmp" "$3" "$4" memory add No.; echo "exit $?"`
  using place = aHome()
  const shell = (work: string) =>
    spawnSync(
      'unshare',
      [
        '-m',
        'sh',
        '-c',
        `${filled} || exit 77; ${work}`,
        'sh',
        place.path,
        home.path,
        process.execPath,
        script,
      ],
      {
        encoding: 'utf8',
      },
    )
  if (shell('true').status !== 0) return context.skip('no file system can be mounted here')
  const { stdout, stderr } = shell(`a=$(${sums}); ${run}; [ "$a" = "$(${sums})" ] && echo same`)
  expect(stdout).toMatch(/About tea[^]*exit 1\nsame\n$/)
  expect(stderr).toContain('the disk is full. You can read everything, and nothing is lost.')
})
