import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { connectPipe } from '../../src/main/rpc/pipe.ts'
import { serveContract } from '../../src/main/rpc/serve.ts'
import { overServerSocket } from '../../src/main/page-server/server-socket.ts'
import { contract } from '../../src/shared/contract/index.ts'
import type { Channel } from '../../src/shared/rpc.ts'
import { startFileServer } from '../servers/file-server.ts'
import { randomModel } from '../gguf/cached.ts'
import { keepHost, type KeptHost } from './keep-host.ts'
import { read, type Served } from './place.ts'
import type { FromKeeper, HostKeeper, ModelRequest, ToKeeper } from './protocol.ts'
import { startServedModel } from './served-model.ts'

// A process that keeps real hosts for browser tests: a page opens one over `/control` and talks to it over
// `/rpc/<id>` like a window, or over `/terminal/<id>` like a terminal. It ends with its parent process.

const hosts = new Map<string, KeptHost>()
/** The page that opened a host receives the requests to its model. */
const pages = new Map<string, WebSocket>()
let lastId = 0

const tell = (page: WebSocket | undefined, message: FromKeeper) => {
  if (page?.readyState === page?.OPEN) page?.send(JSON.stringify(message))
}
const model = await startServedModel({
  asked: request => tell(pages.get(request.hostId), { asked: request }),
  cut: ({ hostId, id }: ModelRequest) => tell(pages.get(hostId), { cut: id }),
})
const files = await startFileServer()
/** The contents of the servers of a host. */
const servedFor = (id: string): Served => ({
  modelUrl: model.baseUrl(id),
  filesUrl: `${files.origin}/${id}`,
  listModels: models => model.list(id, models),
  putFile({ name, answers = [] }) {
    files.put(`/${id}/${name}`, readFileSync(randomModel()))
    files.replies.set(`/${id}/${name}`, [...answers])
  },
})
const found = (id: string): KeptHost => {
  const kept = hosts.get(id)
  if (!kept) throw new Error(`There is no host ${id}.`)
  return kept
}
async function close(id: string): Promise<void> {
  const kept = hosts.get(id)
  hosts.delete(id)
  pages.delete(id)
  await kept?.close()
}

type Keeping = { [K in keyof HostKeeper]: (input: Parameters<HostKeeper[K]>[0], page: WebSocket) => unknown }
const keeper: Keeping = {
  async open(start, page) {
    const id = `host-${++lastId}`
    pages.set(id, page)
    const kept = await keepHost(start, servedFor(id))
    hosts.set(id, kept)
    const { home, workspace, served } = kept.place
    return { id, home, workspace, modelUrl: served.modelUrl, filesUrl: served.filesUrl }
  },
  seed: ({ hostId, seeding }) => found(hostId).seed(seeding),
  answer: ({ requestId, steps }) => model.answer(requestId, steps),
  read: ({ hostId, folder, path }) => read(found(hostId).place[folder], path),
  async upload({ hostId, transferId, text }) {
    const bytes = Buffer.from(text)
    const received = await found(hostId).host.receiveUpload(transferId, Readable.from([bytes]), bytes.length)
    return received.ok
  },
  phone: ({ hostId, use }) => found(hostId).usePhone(use),
  close: ({ hostId }) => close(hostId),
}

async function answer(page: WebSocket, { id, ask, input }: ToKeeper): Promise<void> {
  try {
    const value = await (keeper[ask] as (given: unknown, page: WebSocket) => unknown)(input, page)
    tell(page, { id, value: value ?? null })
  } catch (error) {
    tell(page, { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

/** Join a page with the local socket of a host, through which terminals speak. */
async function connectTerminal(home: string, page: Channel): Promise<void> {
  const early: unknown[] = []
  let post = (message: unknown): void => void early.push(message)
  page.onMessage(message => post(message))
  const pipe = await connectPipe(home)
  if (!pipe) return page.close()
  pipe.onMessage(page.post)
  pipe.onClose(page.close)
  page.onClose(pipe.close)
  post = pipe.post
  for (const message of early) post(message)
}

const http = createServer((_request, response) => response.writeHead(404).end())
const control = new WebSocketServer({ noServer: true })
const rpc = new WebSocketServer({ noServer: true, maxPayload: 64 << 20 })
http.on('upgrade', (request, socket, head) => {
  const [, kind, hostId] = /^\/(rpc|terminal)\/([\w-]+)$/.exec(request.url ?? '') ?? []
  if (request.url === '/control')
    control.handleUpgrade(request, socket, head, page => {
      page.on('message', data => void answer(page, JSON.parse((data as Buffer).toString()) as ToKeeper))
      // A page that reloads or closes leaves no host behind.
      page.on('close', () => {
        for (const [id, owner] of pages) if (owner === page) void close(id)
      })
    })
  else if (hostId !== undefined && hosts.has(hostId))
    rpc.handleUpgrade(request, socket, head, window => {
      const { host } = found(hostId)
      const channel = overServerSocket(window, host.report)
      if (kind === 'rpc') serveContract(contract, host.handlers, channel, host.report)
      else void connectTerminal(host.home, channel)
    })
  else socket.end('HTTP/1.1 404 Not Found\r\n\r\n')
})
http.listen(0, '127.0.0.1', () => process.send?.({ port: (http.address() as AddressInfo).port }))
process.on('disconnect', () => {
  void Promise.allSettled([...hosts.keys()].map(close)).then(() => process.exit(0))
})
