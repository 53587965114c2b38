import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as immediate } from 'node:timers/promises'

/** How the server answers one request for a file. `{}` is a correct answer. */
export type FileReply = {
  /** A status without the file. */
  status?: number
  headers?: Record<string, string>
  /** Sent instead of the file. */
  body?: string | Buffer
  /** Cut the connection after this many bytes of the body. */
  cutAfter?: number
  /** End the response normally after this many bytes, whatever length was announced. */
  endAfter?: number
  /**
   * Stall after this many bytes, until `release` is called or the client leaves; then continue, or cut the
   * connection.
   */
  holdAfter?: number
  /** Send the whole file although a range was requested. */
  ignoreRange?: boolean
  /** Send a range although the file has changed since. */
  ignoreIfRange?: boolean
  /** Announce this length instead of the real one; `false` announces none. */
  length?: number | false
}

/** A request as it arrived, and the number of body bytes sent. */
type FileRequest = {
  method: string
  path: string
  range: string | undefined
  ifRange: string | undefined
  sentBytes: number
}

/** A local file server; the caller closes it. */
export type FileServer = {
  origin: string
  requests: FileRequest[]
  /** Queued replies by path; after them, the file is served correctly. */
  replies: Map<string, FileReply[]>
  /** Put a file at a path, replacing the existing one. An empty tag is not sent. */
  put(path: string, content: Buffer, tag?: string): void
  /** Continue a stalled response. */
  release(): void
  close(): Promise<void>
}

const chunkBytes = 64 << 10

/** Start a server without files. It supports ranges, tags and HEAD, and misbehaves on request. */
export async function startFileServer(): Promise<FileServer> {
  const files = new Map<string, { content: Buffer; tag: string }>()
  const replies = new Map<string, FileReply[]>()
  const requests: FileRequest[] = []
  let held = Promise.withResolvers<void>()
  const http = createServer((request, response) => {
    // The client may disconnect at any time.
    answer(request, response).catch(() => response.destroy())
  })
  http.listen(0, '127.0.0.1')
  await new Promise(resolve => http.once('listening', resolve))

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const path = request.url ?? ''
    const { range, 'if-range': ifRange } = request.headers
    const noted = { method: request.method ?? '', path, range, ifRange: ifRange as string, sentBytes: 0 }
    requests.push(noted)
    const reply = replies.get(path)?.shift() ?? {}
    const file = files.get(path.split('?')[0]!)
    if (!file || reply.status !== undefined) {
      response.writeHead(reply.status ?? 404, reply.headers).end(reply.body ?? '')
      return
    }
    const content = reply.body === undefined ? file.content : Buffer.from(reply.body)
    const wanted = /^bytes=(\d+)-$/.exec(range ?? '')?.[1]
    const isSame = ifRange === undefined || ifRange === file.tag || reply.ignoreIfRange === true
    const from = wanted !== undefined && isSame && !reply.ignoreRange ? Number(wanted) : 0
    const headers: Record<string, string> = { 'accept-ranges': 'bytes' }
    if (file.tag) headers['etag'] = file.tag
    if (from > 0 && from >= content.length) {
      response.writeHead(416, { ...headers, 'content-range': `bytes */${content.length}` }).end()
      return
    }
    if (from > 0) headers['content-range'] = `bytes ${from}-${content.length - 1}/${content.length}`
    if (reply.length !== false) headers['content-length'] = String(reply.length ?? content.length - from)
    response.writeHead(from > 0 ? 206 : 200, { ...headers, ...reply.headers })
    if (request.method === 'HEAD') {
      response.end()
      return
    }
    await send(response, content.subarray(from), reply, noted)
  }

  async function send(response: ServerResponse, body: Buffer, reply: FileReply, noted: FileRequest) {
    const stops = [reply.cutAfter, reply.endAfter, reply.holdAfter].filter(stop => stop !== undefined)
    const stop = Math.min(body.length, ...stops)
    await write(response, body.subarray(0, stop), noted)
    if (reply.holdAfter !== undefined)
      await Promise.race([held.promise, new Promise(resolve => response.once('close', resolve))])
    if (reply.cutAfter !== undefined) {
      // Flush what was written first.
      await immediate()
      response.socket?.destroySoon()
      return
    }
    if (reply.holdAfter !== undefined) await write(response, body.subarray(stop), noted)
    response.end()
  }

  async function write(response: ServerResponse, bytes: Buffer, noted: FileRequest) {
    response.flushHeaders()
    const gone = new Promise<void>(resolve => response.once('close', resolve))
    for (let at = 0; at < bytes.length && !response.destroyed; at += chunkBytes) {
      const chunk = bytes.subarray(at, at + chunkBytes)
      noted.sentBytes += chunk.length
      const { promise: drained, resolve } = Promise.withResolvers<void>()
      if (response.write(chunk, () => resolve())) continue
      await Promise.race([drained, gone])
    }
  }

  return {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    replies,
    put: (path, content, tag = `"${content.length}"`) => void files.set(path, { content, tag }),
    release() {
      held.resolve()
      held = Promise.withResolvers()
    },
    async close() {
      held.resolve()
      const closed = new Promise(resolve => http.close(resolve))
      http.closeAllConnections()
      await closed
    },
  }
}
