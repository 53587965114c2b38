import { chmod, lstat, mkdir, unlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { encodeMessage, maxMessageBytes } from '../../shared/connect.ts'
import { Fault, type Channel } from '../../shared/rpc.ts'
import { undefinedIfMissing } from '../lib/expected-errors.ts'
import { overPipe } from './pipe-channel.ts'
import { inSharedFolder, isPrivateFolder, isWindows, pipePath } from './pipe-path.ts'

const someoneListens = 'Another Talaria is already running with this folder.'
// Error codes when no host listens: no file, the socket of a dead host, no folder.
const nobodyListens = ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'ENOTDIR']

/**
 * Let other programs of this user connect to the host of `home`. The socket of a dead host is replaced; that of
 * a live one is a `busy` Fault. The caller holds the lock of `home`, so no second host does this at the same time. `close`
 * also closes every connection.
 */
export async function listenPipe(
  home: string,
  onChannel: (channel: Channel) => void,
  report: (error: unknown) => void = () => {},
): Promise<{ close(): Promise<void> }> {
  const path = pipePath(home)
  if (!isWindows) await clearSocketPath(home, path)
  const peers = new Set<Socket>()
  const server = createServer(socket => {
    peers.add(socket)
    socket.on('close', () => peers.delete(socket))
    onChannel(overPipe(socket, { maxLineBytes: maxMessageBytes, report }))
  })
  await listen(server, path)
  server.on('error', report)
  if (!isWindows) await chmod(path, 0o600)
  return {
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const peer of peers) peer.destroy()
      }),
  }
}

/** Connect to the running host of `home`; undefined when there is none. */
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
 * Bind under a umask that keeps other users out, so that the socket is private from the start. The umask holds for the
 * whole process: what another thread makes at that moment is private too, and its owner can use it.
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
