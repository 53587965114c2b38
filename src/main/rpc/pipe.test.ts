import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { connect as dial, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { connectClient } from '../../shared/connect-client.ts'
import { call, Fault, isNotBegun } from '../../shared/rpc.ts'
import { aHost, probe } from '../../../testing/host/probe-host.ts'
import { connectPipe, listenPipe, pipePath } from './pipe.ts'
import { serveContract } from './serve.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

function aHome(name = 'home') {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'talaria-pipe-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, name)
}

/** Create a temporary folder for this test, so that short names leave nothing behind. */
function ownTemporaryFolder() {
  const before = process.env['TMPDIR']
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'talaria-tmp-'))
  process.env['TMPDIR'] = folder
  cleanups.push(() => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    rmSync(folder, { recursive: true, force: true })
  })
}

/** A host that listens in `home`; `reports`: what went wrong with its peers. */
async function listening(home: string) {
  const host = aHost()
  const pipe = await listenPipe(
    home,
    channel => serveContract(probe, host.handlers, channel, host.report),
    host.report,
  )
  cleanups.push(() => pipe.close())
  return { ...pipe, reports: host.reports }
}

async function say(home: string, text: string) {
  const channel = (await connectPipe(home))!
  cleanups.push(() => channel.close())
  return connectClient(probe, channel)['echo.say']({ text })
}

/** A peer that sends bytes instead of the protocol. */
async function aStranger(home: string) {
  const socket = dial(pipePath(home))
  const closed = new Promise(resolve => socket.once('close', resolve))
  socket.on('error', () => {})
  socket.setEncoding('utf8')
  expect(await once(socket, 'data')).toEqual(['{"t":"hi"}\n'])
  cleanups.push(() => socket.destroy())
  return { socket, closed }
}

test('without a host nothing answers', async () => {
  expect(await connectPipe(aHome())).toBeUndefined()
})

test('the socket is in the home folder and private, whatever the umask', async () => {
  const home = aHome()
  const mask = process.umask(0)
  cleanups.push(() => process.umask(mask))
  await listening(home)
  expect(pipePath(home)).toBe(join(home, 'host.sock'))
  expect(statSync(pipePath(home)).mode & 0o777).toBe(0o600)
  expect(process.umask()).toBe(0)
})

test('a folder that another thread makes while the socket is bound can be entered', async () => {
  const masks = vi.spyOn(process, 'umask')
  cleanups.push(() => masks.mockRestore())
  await listening(aHome())
  const set = masks.mock.calls.flatMap(([mask]) => (mask === undefined ? [] : [Number(mask)]))
  expect(set.length).toBeGreaterThan(0)
  expect(set.filter(mask => (mask & 0o700) !== 0)).toEqual([])
})

test('closing a host removes its socket, and the next host can use its path', async () => {
  const home = aHome()
  const first = await listening(home)
  await first.close()
  expect([existsSync(pipePath(home)), await connectPipe(home)]).toEqual([false, undefined])
  await listening(home)
  expect(await say(home, 'again')).toBe('again')
})

test('a closing host answers running calls and refuses new ones', async () => {
  const home = aHome()
  const begun: string[] = []
  const slow = Promise.withResolvers<string>()
  const contract = { 'slow.say': call(z.object({ text: z.string() }), z.string()) }
  const handlers = { 'slow.say': ({ text }: { text: string }) => (begun.push(text), slow.promise) }
  const pipe = await listenPipe(home, channel => serveContract(contract, handlers, channel, () => {}))
  cleanups.push(() => pipe.close())
  const channel = (await connectPipe(home))!
  const client = connectClient(contract, channel, { isGreeted: true })
  const first = client['slow.say']({ text: 'first' })
  await vi.waitFor(() => expect(begun).toEqual(['first']))

  const closing = pipe.close()
  const refused = await client['slow.say']({ text: 'second' }).catch(error => error)
  slow.resolve('done')
  expect(await first).toBe('done')
  await closing
  const late = await client['slow.say']({ text: 'third' }).catch(error => error)
  expect([refused, late].map(isNotBegun)).toEqual([true, true])
  expect(begun).toEqual(['first'])
})

test('a client knows whether a host that vanished had taken it', async () => {
  for (const isTaken of [false, true]) {
    const home = aHome()
    await mkdir(home)
    const server = createServer(socket => {
      if (isTaken) socket.write('{"t":"hi"}\n')
      socket.once('data', () => socket.destroy())
    })
    server.listen(pipePath(home))
    await once(server, 'listening')
    cleanups.push(() => server.close())
    const client = connectClient(probe, (await connectPipe(home))!, { isGreeted: true })
    const error = await client['echo.say']({ text: 'hello' }).catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'disconnected' })
    expect(isNotBegun(error)).toBe(!isTaken)
  }
})

test('a running host is never replaced', async () => {
  const home = aHome()
  await listening(home)
  await expect(listening(home)).rejects.toEqual(
    new Fault('busy', 'Another Talaria is already running with this folder.'),
  )
  expect(await say(home, 'still here')).toBe('still here')
})

test('the socket left by a killed host is replaced', async () => {
  const home = aHome()
  await mkdir(home)
  const script = `require('node:net').createServer().listen(process.argv[1], () => console.log('up'))`
  const dead = spawn(process.execPath, ['-e', script, pipePath(home)])
  await once(dead.stdout, 'data')
  dead.kill('SIGKILL')
  await once(dead, 'close')
  expect([existsSync(pipePath(home)), await connectPipe(home)]).toEqual([true, undefined])
  await listening(home)
  expect(await say(home, 'taken over')).toBe('taken over')
})

test('a file that is not a socket is left unchanged', async () => {
  const home = aHome()
  await mkdir(home)
  writeFileSync(pipePath(home), 'precious')
  await expect(listening(home)).rejects.toMatchObject({ name: 'Fault', code: 'not_ready' })
  expect(statSync(pipePath(home)).size).toBe(8)
})

test('a home whose path is too long for a socket uses a short name in a private folder', async () => {
  ownTemporaryFolder()
  const home = aHome('long '.repeat(40))
  await listening(home)
  const path = pipePath(home)
  const folder = statSync(dirname(path))
  expect(Buffer.byteLength(path)).toBeLessThanOrEqual(100)
  expect([folder.mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600])
  expect(await say(home, 'a')).toBe('a')
})

test('a long path and a link to it lead to the same socket', async () => {
  ownTemporaryFolder()
  const home = aHome('long '.repeat(40))
  await mkdir(home)
  const link = aHome('other'.repeat(40))
  symlinkSync(home, link)
  expect(pipePath(link)).toBe(pipePath(home))
})

test('a short name in a folder that others can enter is neither used nor trusted', async () => {
  ownTemporaryFolder()
  const home = aHome('long '.repeat(40))
  await listening(home)
  expect(await say(home, 'a')).toBe('a')
  await chmod(dirname(pipePath(home)), 0o777)
  expect(await connectPipe(home)).toBeUndefined()
  await expect(listening(home)).rejects.toMatchObject({ name: 'Fault', code: 'not_ready' })
})

test('on Windows every home has its own named pipe', () => {
  const [a, b] = [pipePath('/homes/a', 'win32'), pipePath('/homes/b', 'win32')]
  expect(a).toMatch(/^\\\\\.\\pipe\\talaria-[0-9a-f]{16}$/)
  expect(a).not.toBe(b)
})

test.each(['not json', '', '{"t":', '\u0000', '{"t":"call"}', '[]', 'null'])(
  'the line %j is dropped and reported, and the client can continue',
  async line => {
    const home = aHome()
    const { reports } = await listening(home)
    const { socket } = await aStranger(home)
    socket.write(`${line}\n{"t":"call","id":1,"name":"echo.say","input":{"text":"a"}}\n`)
    expect(await once(socket, 'data')).toEqual(['{"t":"end","id":1,"value":"a"}\n'])
    expect(reports).toEqual([expect.any(Error)])
  },
)

test('messages may be split anywhere, even within a character', async () => {
  const home = aHome()
  await listening(home)
  const { socket } = await aStranger(home)
  const line = Buffer.from('{"t":"call","id":1,"name":"echo.say","input":{"text":"é🙂"}}\n')
  socket.setNoDelay(true)
  for (const byte of line) {
    socket.write(Buffer.of(byte))
    await new Promise(resolve => setImmediate(resolve))
  }
  expect(await once(socket, 'data')).toEqual(['{"t":"end","id":1,"value":"é🙂"}\n'])
})

test('only a client that sends more than 16 MiB in a line is disconnected', async () => {
  const home = aHome()
  const { reports } = await listening(home)
  const { socket, closed } = await aStranger(home)
  socket.write('x'.repeat((16 << 20) + 1))
  await closed
  expect(reports).toHaveLength(1)
  expect(await say(home, 'me not')).toBe('me not')
})

test('our own client refuses such a line itself and stays connected', async () => {
  const home = aHome()
  await listening(home)
  const channel = (await connectPipe(home))!
  cleanups.push(() => channel.close())
  const client = connectClient(probe, channel)
  const tooLong = client['echo.say']({ text: 'x'.repeat(16 << 20) })
  await expect(tooLong).rejects.toMatchObject({ name: 'Fault', code: 'bad_input' })
  expect(await client['echo.say']({ text: 'short' })).toBe('short')
})

test('a client that never reads is disconnected before its answers fill the memory', async () => {
  const home = aHome()
  const { reports } = await listening(home)
  const { socket, closed } = await aStranger(home)
  const text = 'x'.repeat(1_000_000)
  for (let id = 1; id <= 10; id++)
    socket.write(`${JSON.stringify({ t: 'call', id, name: 'echo.say', input: { text, times: 9 } })}\n`)
  await expect
    .poll(() => reports)
    .toEqual([expect.objectContaining({ message: expect.stringContaining('read') })])
  socket.resume()
  await closed
  expect(await say(home, 'me not')).toBe('me not')
})

test('an answer may be longer than a request', async () => {
  const home = aHome()
  await listening(home)
  const channel = (await connectPipe(home))!
  cleanups.push(() => channel.close())
  const text = 'x'.repeat(500_000)
  expect(await connectClient(probe, channel)['echo.say']({ text, times: 5 })).toHaveLength(2_500_000)
})
