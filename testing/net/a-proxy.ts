import { createServer, request, type Server } from 'node:http'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'

/** A proxy on loopback that forwards everything to the servers that the test names. */
export type Proxy = AsyncDisposable & {
  address: string
  port: number
  /** The requests: `CONNECT host:443` or `GET http://host/path`. */
  asked: string[]
  /** The credentials of each request. */
  credentials: (string | undefined)[]
}

type Behaviour = {
  /** The port on loopback behind each host, such as `{ 'models.example.test': 4711 }`. */
  hosts?: Record<string, number>
  /** The required header. */
  wants?: string
  /** Answer every request with this status. */
  refuses?: number
}

/** Start a proxy. */
export async function startProxy({ hosts = {}, wants, refuses }: Behaviour = {}): Promise<Proxy> {
  const asked: string[] = []
  const credentials: (string | undefined)[] = []
  const refusal = (given: string | undefined): number | undefined => {
    credentials.push(given)
    if (refuses !== undefined) return refuses
    return wants !== undefined && given !== wants ? 407 : undefined
  }
  const server: Server = createServer((message, response) => {
    asked.push(`${message.method} ${message.url}`)
    const status = refusal(message.headers['proxy-authorization'])
    const url = URL.parse(message.url ?? '')
    const port = url ? hosts[url.hostname] : undefined
    if (status !== undefined || !url || port === undefined) {
      response.writeHead(status ?? 502, { 'content-type': 'text/html', 'proxy-authenticate': 'Basic' })
      response.end('<h1>The proxy says no</h1>')
      return
    }
    const { 'proxy-authorization': _, ...headers } = message.headers
    const onward = request(
      { port, host: '127.0.0.1', method: message.method, path: url.pathname + url.search, headers },
      answer => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      },
    )
    onward.on('error', () => response.destroy())
    message.pipe(onward)
  })
  server.on('connect', (message, socket, head) => {
    asked.push(`CONNECT ${message.url}`)
    const status = refusal(message.headers['proxy-authorization'])
    const port = hosts[(message.url ?? '').replace(/:\d+$/, '')]
    if (status !== undefined || port === undefined) {
      socket.end(`HTTP/1.1 ${status ?? 502} No\r\nproxy-authenticate: Basic\r\ncontent-length: 0\r\n\r\n`)
      return
    }
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    port,
    asked,
    credentials,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
