import { readFile } from 'node:fs/promises'

/** The ends of a connection, as this process sees them. */
type Ports = { remotePort?: number | undefined; localPort?: number | undefined }

/**
 * Whether another user of this computer is at the other end of a loopback connection. Linux says whose a connection is;
 * elsewhere, and where that cannot be read, the answer is no. The administrator counts as the user: relays of a browser
 * outside a container or of WSL run as root.
 */
export async function isOtherUser(socket: Ports): Promise<boolean> {
  const own = process.getuid?.()
  if (process.platform !== 'linux' || own === undefined) return false
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map(file => readFile(file, 'utf8').catch(() => '')),
  )
  const owner = ownerOf(tables.join('\n'), socket)
  return owner !== undefined && owner !== own && owner !== 0
}

/** The user id of the connection from `remotePort` to `localPort`, out of the kernel's tables of TCP connections. */
export function ownerOf(tables: string, { remotePort = 0, localPort = 0 }: Ports): number | undefined {
  const port = (number: number) => number.toString(16).toUpperCase().padStart(4, '0')
  // Columns: number, local address, remote address, state, queues, timer, retransmits, user id. Seen from the peer.
  const line = new RegExp(
    String.raw`^ *\d+: [\dA-F]+:${port(remotePort)} [\dA-F]+:${port(localPort)} \S+ \S+ \S+ \S+ +(\d+) `,
    'm',
  )
  const found = line.exec(tables)?.[1]
  return found === undefined ? undefined : Number(found)
}
