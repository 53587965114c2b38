import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { maxMessageBytes } from '../../shared/connect-client.ts'
import { Fault, type Contract, type Handlers } from '../../shared/rpc.ts'
import { withinTime } from '../lib/timing.ts'
import { serveContract } from '../rpc/serve.ts'
import { answerWithFile } from './static-files.ts'
import { answerEntry, createEntryCodes, isEntry, isOtherUser } from './entry-codes.ts'
import { answerProof, isProof } from './host-proof.ts'
import { newToken } from './kept-entry.ts'
import { isUpload, takeUpload, type ReceiveUpload } from './take-upload.ts'
import { refuseSocket, refusalOf } from './access.ts'
import { overServerSocket } from './server-socket.ts'

type Options<C extends Contract> = {
  /** The folder of the built window. */
  root: string
  contract: C
  handlers: Handlers<C>
  report: (error: unknown) => void
  /** Receives uploads; if absent, they are refused. */
  receiveUpload?: ReceiveUpload
  /** Default: any free port. */
  port?: number
  /** Ports of earlier launches to serve too, if free, so that pages opened there reconnect on their own. */
  formerPorts?: readonly number[]
  /** Default: a new one for this launch. */
  token?: string
  /** Interval of pings in ms; a peer that does not answer is dropped. */
  pingMs?: number
}

/** The web server. The token gives all rights of the user. */
export type WebHost = {
  /** Return a new address for one window, valid for `lifeMs` (default: a day), with a one-time code. */
  address(lifeMs?: number): string
  port: number
  token: string
  close(): Promise<void>
}

/**
 * Serve the built window and its socket at `/rpc` on the loopback address. The socket accepts only our pages
 * with the token, and on Linux only those of the same user. A port in use is a `busy` Fault.
 */
export async function startWebHost<C extends Contract>(options: Options<C>): Promise<WebHost> {
  const { root, contract, handlers, report, receiveUpload } = options
  const token = options.token ?? newToken()
  const codes = createEntryCodes()
  const answer: RequestListener = (request, response) => {
    const port = request.socket.localPort ?? 0
    if (isEntry(request)) void answerEntry({ port, token, codes, report }, request, response)
    else if (isProof(request)) void answerProof({ port, token, codes, report }, request, response)
    else if (receiveUpload && isUpload(request))
      void takeUpload({ port, token, receive: receiveUpload, report }, request, response)
    else void answerWithFile({ root, port, report }, request, response)
  }
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    // Compression costs memory per peer and gains nothing on loopback.
    perMessageDeflate: false,
    handleProtocols: () => 'rpc.v1',
  })
  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
    const refusal = refusalOf(request, { port: request.socket.localPort ?? 0, token })
    if (refusal) return refuseSocket(socket, refusal)
    // Without a listener an error would be thrown, and a page may leave at any time.
    const ignore = () => {}
    socket.on('error', ignore)
    // The token outlives a launch, so another user who found it must not get in.
    if (await isOtherUser(request.socket)) return refuseSocket(socket, 403)
    if (socket.destroyed) return
    socket.off('error', ignore)
    sockets.handleUpgrade(request, socket, head, peer => {
      sockets.emit('connection', peer, request)
      serveContract(contract, handlers, overServerSocket(peer, report), report)
    })
  }
  async function serveAt(wanted: number) {
    const http = createServer(answer)
    // Uploads have no time limit; `takeUpload` aborts the ones that stall.
    http.requestTimeout = 0
    http.on('upgrade', (request, socket, head) => void upgrade(request, socket, head).catch(report))
    const port = await listen(http, wanted)
    http.on('error', report)
    return { http, port }
  }
  const { http, port } = await serveAt(options.port ?? 0)
  const stopWatch = keepWatch(sockets, options.pingMs ?? 15_000)
  const servers = [http]
  for (const former of options.formerPorts ?? []) {
    if (former === port) continue
    // Another program may have taken the port; the page there then stays as it is.
    const served = await serveAt(former).catch(() => undefined)
    if (served) servers.push(served.http)
  }

  let closing: Promise<void> | undefined
  async function close() {
    stopWatch()
    const closed = Promise.all(servers.map(each => new Promise<void>(resolve => each.close(() => resolve()))))
    for (const peer of sockets.clients) peer.close(1001)
    for (const each of servers) each.closeAllConnections()
    if (await withinTime(250, closed)) return
    for (const peer of sockets.clients) peer.terminate()
    await closed
  }

  return {
    address: lifeMs => `http://127.0.0.1:${port}/#code=${codes.make(lifeMs)}`,
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

/**
 * Drop peers that vanished without closing: ping each every `ms`, and terminate it after two unanswered
 * pings. One is not enough, because after a sleep of this process the pongs are late. Returns a function that
 * stops it.
 */
function keepWatch(sockets: WebSocketServer, ms: number): () => void {
  const unanswered = new WeakMap<WebSocket, number>()
  sockets.on('connection', peer => peer.on('pong', () => unanswered.delete(peer)))
  const timer = setInterval(() => {
    for (const peer of sockets.clients) {
      const pings = unanswered.get(peer) ?? 0
      if (pings === 2) {
        peer.terminate()
        continue
      }
      unanswered.set(peer, pings + 1)
      peer.ping()
    }
  }, ms)
  timer.unref()
  return () => clearInterval(timer)
}
