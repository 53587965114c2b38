import { chmod, lstat, mkdir, unlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setImmediate as othersRan } from 'node:timers/promises'
import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { encodeMessage, maxMessageBytes } from '../../shared/connect-client.ts'
import { Fault, type Channel, type ToClient } from '../../shared/rpc.ts'
import { undefinedIfMissing, fileErrorCode, parseJson } from '../lib/expected-errors.ts'
import { withinTime } from '../lib/timing.ts'
import type { Served } from './serve.ts'
import { tmpdir, userInfo } from 'node:os'

const someoneListens = 'Another Talaria is already running with this folder.'
// Error codes if no host listens: no file, the socket of a dead host, no folder.
const nobodyListens = ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'ENOTDIR']

/** How long a closing host waits for its running calls, in ms. */
const LEAVE_MS = 2_000

/**
 * Let other programs of this user connect to the host of `home`. The socket of a dead host is replaced; that
 * of a live one is a `busy` Fault. The caller holds the lock of `home`, so no second host does this at the
 * same time. `close` finishes running calls, starts no others, and closes every connection.
 */
export async function listenPipe(
  home: string,
  serve: (channel: Channel) => Served,
  report: (error: unknown) => void = () => {},
): Promise<{ close(): Promise<void> }> {
  const path = pipePath(home)
  if (!isWindows) await clearSocketPath(home, path)
  const peers = new Map<Socket, Served>()
  const server = createServer(socket => {
    const channel = overPipe(socket, { maxLineBytes: maxMessageBytes, report })
    channel.post({ t: 'hi' } satisfies ToClient)
    peers.set(socket, serve(channel))
    socket.on('close', () => peers.delete(socket))
  })
  await listen(server, path)
  server.on('error', report)
  if (!isWindows) await chmod(path, 0o600)
  return {
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      const left = [...peers].map(async ([socket, served]) => {
        await served.leave()
        socket.destroySoon()
      })
      await withinTime(LEAVE_MS, Promise.all([...left, closed]))
      for (const socket of peers.keys()) socket.destroy()
      await closed
    },
  }
}

/** Connect to the running host of `home`; undefined if there is none. */
export async function connectPipe(home: string): Promise<Channel | undefined> {
  const path = pipePath(home)
  // In a folder that others can write to, the socket may belong to another user.
  if (inSharedFolder(home, path) && !(await isPrivateFolder(dirname(path)))) return undefined
  const socket = await reach(path)
  return socket && overPipe(socket, { toText: encodeMessage })
}

async function reach(path: string): Promise<Socket | undefined> {
  const socket = connect(path)
  const { promise, resolve, reject } = Promise.withResolvers<Socket | undefined>()
  const failed = (error: NodeJS.ErrnoException) => {
    if (nobodyListens.includes(error.code ?? '')) resolve(undefined)
    else reject(new Fault('not_ready', `The running Talaria cannot be reached at ${path}: ${error.message}.`))
  }
  socket.once('error', failed)
  socket.once('connect', () => {
    socket.off('error', failed)
    resolve(socket)
  })
  return promise
}

/** Prepare `path` for binding: its folder exists and is private, and at most a dead socket is removed. */
async function clearSocketPath(home: string, path: string): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (inSharedFolder(home, path) && !(await isPrivateFolder(folder)))
    throw new Fault('not_ready', `${folder} is open to other users. Remove it and start again.`)
  const there = await lstat(path).catch(undefinedIfMissing)
  if (!there) return
  if (!there.isSocket())
    throw new Fault('not_ready', `${path} is in the way of the host's socket. Move it and start again.`)
  const socket = await reach(path)
  if (socket) {
    socket.destroy()
    throw new Fault('busy', someoneListens)
  }
  await unlink(path).catch(undefinedIfMissing)
}

/**
 * Bind under a umask that keeps other users out, so that the socket is private from the start. The umask
 * applies to the whole process: files that another thread creates at that moment are private too, which is
 * harmless.
 */
async function listen(server: Server, path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const failed = (error: NodeJS.ErrnoException) =>
    reject(error.code === 'EADDRINUSE' ? new Fault('busy', someoneListens) : error)
  server.once('error', failed)
  server.once('listening', resolve)
  const mask = process.umask(0o077)
  try {
    server.listen(path)
  } finally {
    process.umask(mask)
  }
  await promise
  server.off('error', failed)
}

/** Windows has named pipes instead of socket files. */
const isWindows = process.platform === 'win32'

// A socket address holds 104 bytes on macOS and 108 on Linux.
const maxPathBytes = 100

/**
 * Return the address of the host of `home`: a socket in that folder. If the path is too long, a short name in
 * a private folder of the temporary folder; on Windows a named pipe.
 * @internal Tests put what is not a host at this address.
 */
export function pipePath(home: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32')
    return `\\\\.\\pipe\\talaria-${shortName(`${userInfo().username}\n${real(home)}`)}`
  const path = join(resolve(home), 'host.sock')
  if (Buffer.byteLength(path) <= maxPathBytes) return path
  return join(tmpdir(), `talaria-${userInfo().uid}`, `${shortName(real(home))}.sock`)
}

/** Return whether the socket is in the temporary folder, where another user may have created it first. */
const inSharedFolder = (home: string, path: string): boolean =>
  !isWindows && path !== join(resolve(home), 'host.sock')

/** Return whether a folder is not a link, belongs to this user and is closed to all others. */
async function isPrivateFolder(folder: string): Promise<boolean> {
  try {
    const about = await lstat(folder)
    return about.isDirectory() && about.uid === userInfo().uid && (about.mode & 0o077) === 0
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return false
    throw error
  }
}

const shortName = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** Resolve links, so that they give the same name; a missing folder keeps its given path. */
function real(home: string): string {
  try {
    return realpathSync(home)
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return resolve(home)
    throw error
  }
}

const newline = 10
/** A call counts as long if it runs for this time before its first wait, in ms. */
const LONG_MS = 20
/** A peer with this much unread output is dropped. */
const maxBacklogBytes = 64 << 20

type Options = {
  /** Maximum bytes of a line; longer ones drop the peer. Only hosts set it: their answers may be long. */
  maxLineBytes?: number
  report?: (error: unknown) => void
  toText?: (message: unknown) => string
}

/** A channel over a local socket: one JSON message per line. */
function overPipe(socket: Socket, options: Options = {}): Channel {
  const { maxLineBytes = Infinity, report = () => {}, toText = JSON.stringify } = options
  // Every socket error is followed by `close`, which both ends handle.
  socket.on('error', () => {})

  return {
    post(message) {
      if (!socket.writable) return
      socket.write(`${toText(message)}\n`)
      if (socket.writableLength <= maxBacklogBytes) return
      report(new Error('Dropped a peer of the pipe: it does not read what it is sent.'))
      socket.destroy()
    },
    onMessage(listener) {
      readLines(socket, maxLineBytes, report, line => {
        const message = parseJson(line)
        if (message === undefined) report(new Error('Dropped a line of the pipe that is not JSON.'))
        else listener(message)
      })
    },
    onClose: listener => (socket.closed ? queueMicrotask(listener) : void socket.once('close', listener)),
    close: () => socket.destroySoon(),
  }
}

function readLines(
  socket: Socket,
  maxBytes: number,
  report: (error: unknown) => void,
  take: (line: string) => void,
): void {
  let parts: Buffer[] = []
  let bytes = 0
  // One chunk at a time: data that arrives while lines are handled waits in the socket.
  socket.on('data', (chunk: Buffer) => void takeLines(chunk))

  async function takeLines(chunk: Buffer): Promise<void> {
    let from = 0
    for (let to = chunk.indexOf(newline); to >= 0; to = chunk.indexOf(newline, from)) {
      if (!keep(chunk.subarray(from, to))) return
      const line = Buffer.concat(parts).toString('utf8')
      parts = []
      bytes = 0
      from = to + 1
      const startedAt = performance.now()
      take(line)
      if (socket.destroyed) return
      if (performance.now() - startedAt < LONG_MS || !chunk.includes(newline, from)) continue
      // A program may make ten long calls in a row. Calls of others must not wait until all have started.
      socket.pause()
      await othersRan()
      if (socket.destroyed) return
      socket.resume()
    }
    keep(chunk.subarray(from))
  }

  function keep(part: Buffer): boolean {
    bytes += part.length
    if (bytes > maxBytes) {
      report(new Error(`Dropped a peer of the pipe: it sent a line of more than ${maxBytes} bytes.`))
      socket.destroy()
      return false
    }
    if (part.length > 0) parts.push(part)
    return true
  }
}
