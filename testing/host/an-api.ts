import { once } from 'node:events'
import { connect } from 'node:net'
import { aServer, type TestHost } from './a-host.ts'

/** A random port that is probably free. */
export const somePort = (): number => 20_000 + Math.floor(Math.random() * 20_000)

/** A host whose server for other programs runs, with a scripted model as its default. */
export async function anApi(host: TestHost) {
  const server = await aServer(host.client)
  await host.client['model.setDefault']({ id: server.modelId })
  await host.client['settings.set']({ path: 'api.port', value: somePort() })
  await host.client['settings.set']({ path: 'api.enabled', value: true })
  const { address: base, port, state, text } = await host.client['api.state']({})
  if (state !== 'running') throw new Error(`The server for other programs does not run: ${text}`)
  const { key } = await host.client['api.key']({})
  const ask = (path: string, given: string | object, headers: Record<string, string> = {}) =>
    fetch(`${base}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: typeof given === 'string' ? given : JSON.stringify(given),
    })
  return {
    server,
    base,
    port,
    key,
    /** POST a body. */
    ask,
    get: (path: string, init: RequestInit = {}) =>
      fetch(`${base.replace(/\/v1$/, '')}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) },
      }),
    /** The last request that reached the model. */
    last: () => server.chats().at(-1)!,
  }
}

/** One answer as sent on the wire. */
export type RawAnswer = { status: number; head: string; body: string }

/** A raw connection, for requests that no client would send. */
export async function rawConnection(port: number) {
  const socket = connect({ port, host: '127.0.0.1' })
  let text = ''
  let isClosed = false
  socket.on('error', () => {})
  socket.setEncoding('latin1').on('data', piece => (text += piece))
  // Not `once`, which also ends with the error of a connection that is reset.
  const closed = new Promise<void>(resolve => socket.on('close', () => resolve()))
  void closed.then(() => (isClosed = true))
  await once(socket, 'connect')
  return {
    socket,
    /** Everything that arrived so far. */
    text: () => text,
    isClosed: () => isClosed,
    closed,
    write: (piece: string) => void socket.write(piece, 'latin1'),
    close: () => void socket.destroy(),
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

/** An HTTP/1.1 request as text, with these header lines. */
export function rawRequest(
  port: number,
  {
    key = '',
    path = '/v1/models',
    method = 'GET',
    body = '',
    lines = [] as string[],
    host = `127.0.0.1:${port}`,
  },
): string {
  const head = [
    `${method} ${path} HTTP/1.1`,
    ...(host === '' ? [] : [`Host: ${host}`]),
    ...(key === '' ? [] : [`Authorization: Bearer ${key}`]),
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ...lines,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** Send a text and read until the server closes the connection. */
export async function sendRaw(port: number, text: string): Promise<RawAnswer> {
  using connection = await rawConnection(port)
  connection.write(text)
  await connection.closed
  return readAnswer(connection.text())
}

/** The parts of the first answer in a text. */
export function readAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), head, body: rest.join('\r\n\r\n') }
}
