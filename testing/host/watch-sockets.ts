import { appendFileSync } from 'node:fs'
import dns from 'node:dns'
import net from 'node:net'
import { isThisComputer } from '../../src/main/lib/network/offline.ts'

// Loaded first in a watched process (`--import`): records and blocks every connection to another computer, by
// any library.
const ledger = process.env['WATCH_SOCKETS']!

function wrote(what: string): Error {
  appendFileSync(ledger, `${what}\n`)
  return Object.assign(new Error(`Kept from ${what}`), { code: 'ENETUNREACH' })
}

type Connect = (...args: unknown[]) => net.Socket
const { connect } = net.Socket.prototype as unknown as { connect: Connect }
net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
  const [first] = args.flat()
  const { host, port, path } = (typeof first === 'object' && first !== null ? first : {}) as {
    host?: string
    port?: number
    path?: string
  }
  // Pipes and Unix sockets stay on this computer.
  if (path !== undefined || host === undefined || isThisComputer(host)) return connect.apply(this, args)
  const error = wrote(`connect ${host}:${port}`)
  queueMicrotask(() => this.destroy(error))
  return this
}

const { lookup } = dns
dns.lookup = ((name: string, ...rest: unknown[]) => {
  if (isThisComputer(name)) return (lookup as (...all: unknown[]) => void)(name, ...rest)
  const error = wrote(`lookup ${name}`)
  queueMicrotask(() => (rest.at(-1) as (error: Error) => void)(error))
}) as typeof dns.lookup
