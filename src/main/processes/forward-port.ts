import { once } from 'node:events'
import { accessSync, closeSync, constants, fstatSync, openSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { delimiter, join } from 'node:path'
import { fileErrorCode, type Refusal } from '../lib/expected-errors.ts'
import { tidyUp } from '../lib/processes/tidy-up.ts'

/**
 * Runs inside the confinement, where the network has no other way in: socat connects a Unix socket to the
 * port, by IPv4 or IPv6. `$1` is the socket, `$2` the port; the command follows.
 */
const RELAY = String.raw`(exec socat -t 60 UNIX-LISTEN:"$1",fork,unlink-early,mode=600,max-children=32 SYSTEM:"socat -t 60 - TCP4\:127.0.0.1\:$2 || socat -t 60 - TCP6\:[\:\:1]\:$2") </dev/null >/dev/null 2>&1 &
shift 2; exec "$@"`

/** Wrap a shell command with the relay for its port. The socket path is the one seen inside. */
export const shellWithRelay = (shell: readonly string[], socket: string, port: number): string[] => [
  '/bin/bash',
  '--norc',
  '-c',
  RELAY,
  'bash',
  socket,
  String(port),
  ...shell,
]

/** Whether the relay can work here, which needs socat. */
export function canForward(path = process.env['PATH'] ?? ''): boolean {
  return (
    process.platform === 'linux' &&
    path.split(delimiter).some(folder => {
      try {
        accessSync(join(folder, 'socat'), constants.X_OK)
        return true
      } catch {
        return false
      }
    })
  )
}

/** A loopback port of this computer that is forwarded to a confined server. */
export type Forward = { port: number; close(): void }

const MOST_CONNECTIONS = 64
/** Flag for Linux, see open(2); Node has no constant for it. */
const O_PATH = 0o10000000

/**
 * Forward a loopback port to the socket of a relay: the same port number if it is free, else another. The
 * command may replace the socket or close its folder at any time.
 */
export async function forwardPort(wanted: number, socket: string): Promise<Forward | Refusal> {
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, incoming => {
    const outgoing = tidyUp('connect to a forwarded port', () => connectSafely(socket))
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      one?.on('error', () => other?.destroy())
      one?.on('close', () => open.delete(one))
      if (one) open.add(one)
    }
    if (!outgoing) return void incoming.destroy()
    incoming.pipe(outgoing).pipe(incoming)
  })
  server.maxConnections = MOST_CONNECTIONS
  const port = (await listen(server, wanted)) ?? (await listen(server, 0))
  if (port === undefined) return { refused: 'There is no free port for it on this computer.' }
  // Accepting a connection may fail, for instance if there are no free descriptors.
  server.on('error', () => undefined)
  return {
    port,
    close() {
      server.close()
      for (const each of open) each.destroy()
      tidyUp('remove the socket of a forwarded port', () => rmSync(socket, { force: true }))
    },
  }
}

/**
 * Connect to the socket and nothing else, because a confined command could replace it by a link to a system
 * socket. Using the descriptor also allows paths that are too long for a socket address.
 */
function connectSafely(path: string): Socket | undefined {
  const descriptor = openSocket(path)
  if (descriptor === undefined) return undefined
  const socket = connect({ path: `/proc/self/fd/${descriptor}`, allowHalfOpen: true })
  socket.once('close', () => tidyUp('close a forwarded connection', () => closeSync(descriptor)))
  return socket
}

/** Open a socket without following a link. */
function openSocket(path: string): number | undefined {
  let descriptor
  try {
    descriptor = openSync(path, O_PATH | constants.O_NOFOLLOW)
  } catch (error) {
    // The relay has not started, or has ended.
    fileErrorCode(error)
    return undefined
  }
  const opened = descriptor
  if (tidyUp('look at a forwarded socket', () => fstatSync(opened).isSocket())) return descriptor
  closeSync(descriptor)
  return undefined
}

/** Listen on loopback only; undefined if the port is taken. */
async function listen(server: Server, port: number): Promise<number | undefined> {
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  } catch (error) {
    // The port is in use, or reserved for the system.
    fileErrorCode(error)
    return undefined
  }
}
