import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { maxMessageBytes } from '../../shared/connect.ts'
import { Fault, type Contract, type Handlers } from '../../shared/rpc.ts'
import { within } from '../lib/within.ts'
import { serve } from '../rpc/serve.ts'
import { keepWatch } from './keep-watch.ts'
import { overServerSocket } from './over-server-socket.ts'
import { answerWithFile } from './static-files.ts'
import { isUpload, takeUpload, type ReceiveUpload } from './take-upload.ts'
import { refuse, refusalOf } from './who-may-enter.ts'

type Options<C extends Contract> = {
  /** The folder of the built window. */
  root: string
  contract: C
  handlers: Handlers<C>
  report: (error: unknown) => void
  /** Takes the files that a page sends; without it none are taken. */
  receiveUpload?: ReceiveUpload
  /** Default: any that is free. */
  port?: number
  /** How often peers are asked whether they still live; one that does not answer in time is dropped. */
  pingMs?: number
}

/** The window's host for browsers. `url` carries the token, so whoever has it may do everything that the user may. */
export type WebHost = { url: string; port: number; token: string; close(): Promise<void> }

/**
 * Serve the built window and its socket at `/rpc` on the loopback address, to pages that this host served and that know the
 * token of this launch. A port that is taken is a `busy` fault.
 */
export async function startWebHost<C extends Contract>(options: Options<C>): Promise<WebHost> {
  const { root, contract, handlers, report, receiveUpload } = options
  const token = randomBytes(32).toString('base64url')
  const http = createServer((request, response) => {
    if (receiveUpload && isUpload(request))
      void takeUpload({ port, token, receive: receiveUpload, report }, request, response)
    else void answerWithFile({ root, port, report }, request, response)
  })
  // A file may take as long as it takes; one that stops coming is noticed where it is taken.
  http.requestTimeout = 0
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    // Compression costs memory for every peer and gains nothing on the way to ourselves.
    perMessageDeflate: false,
    handleProtocols: () => 'rpc.v1',
  })
  http.on('upgrade', (request, socket, head) => {
    const refusal = refusalOf(request, { port, token })
    if (refusal) return refuse(socket, refusal)
    sockets.handleUpgrade(request, socket, head, peer => {
      sockets.emit('connection', peer, request)
      serve(contract, handlers, overServerSocket(peer, report), report)
    })
  })
  const stopWatch = keepWatch(sockets, options.pingMs ?? 15_000)
  const port = await listen(http, options.port ?? 0)
  http.on('error', report)

  let closing: Promise<void> | undefined
  async function close() {
    stopWatch()
    const closed = new Promise<void>(resolve => http.close(() => resolve()))
    for (const peer of sockets.clients) peer.close(1001)
    http.closeAllConnections()
    if (await within(250, closed)) return
    for (const peer of sockets.clients) peer.terminate()
    await closed
  }

  return {
    url: `http://127.0.0.1:${port}/#token=${token}`,
    port,
    token,
    close: () => (closing ??= close()),
  }
}

async function listen(http: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const failed = (error: NodeJS.ErrnoException) => {
    const taken = error.code === 'EADDRINUSE'
    reject(
      taken ? new Fault('busy', `Port ${port} is in use by another program. Choose another one.`) : error,
    )
  }
  http.once('error', failed)
  http.listen({ host: '127.0.0.1', port }, resolve)
  await promise
  http.off('error', failed)
  return (http.address() as AddressInfo).port
}
