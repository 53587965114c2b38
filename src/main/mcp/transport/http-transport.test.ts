import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createNetwork } from '../../net/create-network.ts'
import { McpServer } from '../../../shared/contract/connections/mcp.ts'
import { OfflineError } from '../../lib/network/offline.ts'
import type { Connections } from '../connections/connection-types.ts'
import { openConnections } from '../connections/open-connections.ts'

type Json = Record<string, any>
type Answer = (request: IncomingMessage, response: ServerResponse, message: Json) => void

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** An HTTP server of the older era that answers as usual, except for the methods in `odd`. */
async function aServer(odd: Record<string, Answer>): Promise<{ url: URL; asked: string[]; server: Server }> {
  const asked: string[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const message: Json = request.method === 'POST' ? ((await json(request)) as Json) : {}
    const method = message['method'] ?? request.method
    asked.push(method)
    const answer = odd[method] ?? usual[method] ?? ((_, refusing) => refusing.writeHead(405).end())
    answer(request, response, message)
  }
  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`), asked, server }
}

const send = (response: ServerResponse, { id }: Json, result: unknown, headers = {}) =>
  response
    .writeHead(200, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
const events = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' })
const noted: Answer = (_, response) => response.writeHead(202).end()
const usual: Record<string, Answer> = {
  initialize: (_, response, message) =>
    send(
      response,
      message,
      {
        protocolVersion: message['params'].protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'http', version: '1' },
      },
      { 'mcp-session-id': 'one' },
    ),
  'server/discover': (_, response, { id }) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })),
  'tools/list': (_, response, message) =>
    send(response, message, { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }),
  'tools/call': (_, response, message) => send(response, message, { content: [{ type: 'text', text: 'x' }] }),
  'notifications/initialized': noted,
  'notifications/cancelled': noted,
  DELETE: (_, response) => response.writeHead(200).end(),
}

/** Write the same text endlessly, as fast as it is read. */
function forEver(response: ServerResponse, text: string): void {
  const more = () => {
    while (!response.destroyed && response.write(text));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}

function connect(url: URL, { locked = false, start_timeout_s = 60, clock = { now: 0 } } = {}) {
  const seen: string[] = []
  const store = {
    begin: ({ host, state, purpose }: Json) => seen.push(`${purpose} ${host} ${state}`),
    end: () => undefined,
  }
  const network = createNetwork({ store: store as never, locked: () => locked, now: () => 0 })
  const connections: Connections = openConnections({
    home: '/nowhere',
    commands: {} as never,
    keyOf: () => undefined,
    loginPath: () => Promise.resolve(''),
    entryOf: name =>
      McpServer.parse({ name, url: url.href, headers: { 'x-key': 'secret' }, start_timeout_s }),
    fetchFor: name => network.fetchFor({ purpose: 'mcp', subject: name }),
    version: '1.0.0',
    now: () => clock.now,
  })
  ends.push(() => connections.close())
  const call = (timeoutMs = 60_000) =>
    connections.call('one', 'echo', {}, { signal: new AbortController().signal, timeoutMs })
  return { connections, call, seen }
}

const answer = { answered: { content: [{ type: 'text', text: 'x' }] } }

describe('a server at an address', () => {
  test('is asked through the ledger, and hears that its session is over', async () => {
    const { url, asked } = await aServer({})
    const { call, connections, seen } = connect(url)
    expect(await call()).toEqual(answer)
    expect(new Set(seen)).toEqual(new Set([`mcp ${url.host} running`]))
    await connections.close()
    expect(asked.at(-1)).toBe('DELETE')
  })

  test('is not asked while the offline lock is on, unless it is this computer', async () => {
    const far = connect(new URL('https://example.com/mcp'), { locked: true })
    const failed = new OfflineError('example.com').message
    expect(await far.call()).toEqual({ failed, mayHaveActed: false })
    expect(far.seen).toEqual(['mcp example.com blocked'])
    const { url } = await aServer({})
    expect(await connect(url, { locked: true }).call()).toEqual(answer)
  })

  test.each<[string, Record<string, Answer>, RegExp]>([
    [
      'a body without end',
      {
        'tools/call': (_, to) =>
          forEver(to.writeHead(200, { 'content-type': 'application/json' }), ' '.repeat(100_000)),
      },
      /^The connection ended: it sent more than 32 MB without a message\.$/,
    ],
    [
      'a refusal without end',
      { 'tools/call': (_, to) => forEver(to.writeHead(500, { 'content-length': 1e9 }), 'x'.repeat(100_000)) },
      /more than 32 MB without a message/,
    ],
    [
      'a line without end',
      { 'tools/call': (_, to) => forEver(events(to).write('data: ') ? to : to, 'y'.repeat(100_000)) },
      /more than 32 MB without a message/,
    ],
    [
      'a stream that says nothing',
      { 'tools/call': (_, to) => forEver(events(to), ': x\n\n'.repeat(20_000)) },
      /more than 32 MB without a message/,
    ],
    [
      'notifications without end',
      {
        'tools/call': (_, to) =>
          forEver(
            events(to),
            `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x' })}\n\n`.repeat(100),
          ),
      },
      /more than 5000 messages in a second that nobody asked for/,
    ],
    [
      'replies to nothing',
      {
        'tools/call': (_, to) =>
          events(to).write(
            Array.from(
              { length: 30 },
              (_each, id) => `data: {"jsonrpc":"2.0","id":${1_000 + id},"result":{}}\n\n`,
            ).join(''),
          ),
      },
      /more than 20 replies to requests that were never sent/,
    ],
  ])('is ended when it sends %s', async (_what, odd, reason) => {
    const { url } = await aServer(odd)
    const { call, connections } = connect(url)
    expect(await call()).toEqual({ failed: expect.stringMatching(reason), mayHaveActed: true })
    expect(connections.activity('one').problem).toMatch(reason)
  })

  test('that sends headers without end is refused', async () => {
    const { url } = await aServer({
      'tools/call': (_, to, message) => send(to, message, {}, { 'x-long': 'y'.repeat(200_000) }),
    })
    expect(await connect(url).call()).toEqual({ failed: 'Headers Overflow Error', mayHaveActed: true })
  })

  test.each(['another', 'file:///etc/passwd', 'ftp://127.0.0.1/x'])(
    'that leads elsewhere is not followed (%s)',
    async to => {
      const other = await aServer({})
      const location = to === 'another' ? other.url.href : to
      const { url } = await aServer({
        'tools/call': (_, response) => response.writeHead(307, { location }).end(),
      })
      const { failed, mayHaveActed } = (await connect(url).call()) as {
        failed: string
        mayHaveActed: boolean
      }
      expect(failed).toContain(`Redirect to ${location} not followed`)
      expect(mayHaveActed).toBe(false)
      expect(other.asked).toEqual([])
    },
  )

  test('that leads elsewhere at once is refused before it gets a key', async () => {
    const other = await aServer({})
    const { server, url } = await aServer({})
    server.removeAllListeners('request')
    server.on('request', (_, response) => response.writeHead(308, { location: other.url.href }).end())
    expect(await connect(url).call()).toMatchObject({
      failed: expect.stringContaining('not followed'),
      mayHaveActed: false,
    })
    expect(other.asked).toEqual([])
  })

  test.for([
    [1, 404, 'No such session'],
    [1, 404, '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}'],
    [1, 400, 'Bad Request: No valid session ID provided'],
    [5, 404, '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}'],
    [5, 400, 'No such tool'],
  ] as const)(
    'that forgot its session %s times (%s) gets the call once more in a new one',
    async ([times, status, said]) => {
      let forgot = 0
      const { url, asked } = await aServer({
        'tools/call': (request, response, message) => {
          if (forgot++ >= times) return usual['tools/call']!(request, response, message)
          response.writeHead(status).end(said)
        },
      })
      const { call } = connect(url)
      const outcome = await call()
      const isSession = /session/i.test(said)
      expect(asked.filter(each => each === 'tools/call')).toHaveLength(isSession ? 2 : 1)
      expect(asked.filter(each => each === 'initialize')).toHaveLength(isSession ? 2 : 1)
      if (times === 1) return expect(outcome).toEqual(answer)
      const sentence = status === 404 ? 'Session not found' : said
      return expect(outcome).toMatchObject({
        failed: `It answered with the status ${status}: ${sentence}`,
        mayHaveActed: false,
      })
    },
  )

  test('that says in an answer that it forgot the session gets the call once more', async () => {
    let asks = 0
    const { url, asked } = await aServer({
      'tools/call': (request, to, message) =>
        asks++ > 0
          ? usual['tools/call']!(request, to, message)
          : to
              .writeHead(200, { 'content-type': 'application/json' })
              .end(
                `{"jsonrpc":"2.0","id":${message['id']},"error":{"code":-32001,"message":"Session not found"}}`,
              ),
    })
    expect(await connect(url).call()).toEqual(answer)
    expect(asked.filter(each => each === 'initialize')).toHaveLength(2)
  })

  test('that takes a notification and never answers does not start', async () => {
    const { url } = await aServer({ 'notifications/initialized': () => undefined })
    const { call } = connect(url, { start_timeout_s: 1 })
    expect(await call()).toEqual({ failed: 'It did not answer in time.', mayHaveActed: false })
  })

  test('that never answers a call is hung up on when its time is over, and the next call runs', async () => {
    let times = 0
    const hungUp = Promise.withResolvers<void>()
    const { url, asked } = await aServer({
      'tools/call'(_, to, message) {
        if (++times > 1) return send(to, message, answer.answered)
        to.on('close', () => hungUp.resolve())
      },
    })
    const { call } = connect(url)
    expect(await call(300)).toMatchObject({ failed: 'It did not answer in time.', mayHaveActed: true })
    await hungUp.promise
    expect(asked).toContain('notifications/cancelled')
    expect(await call()).toEqual(answer)
  })

  test('that answers a call with null, or with nothing, is not waited for', async () => {
    const { url } = await aServer({ 'tools/call': (_, to, message) => send(to, message, null) })
    expect(await connect(url).call()).toMatchObject({ answered: { isError: true } })
    const mute = await aServer({ 'tools/call': (_, to) => to.writeHead(404).end() })
    expect(await connect(mute.url).call()).toMatchObject({ failed: 'It answered with the status 404.' })
  })

  test.each([{ nextCursor: 0 }, { nextCursor: 'always' }, { nextCursor: false }])(
    'lists each tool once, whatever its cursor says: %j',
    async more => {
      const greeting = { protocolVersion: '2025-06-18', capabilities: null, serverInfo: null }
      const { url } = await aServer({
        initialize: (_, to, message) => send(to, message, greeting),
        'tools/list': (_, to, message) =>
          send(to, message, { tools: [{ name: 'echo', inputSchema: { type: 'object' } }], ...more }),
      })
      const { connections } = connect(url)
      expect(await connections.listTools('one')).toMatchObject({
        tools: [{ name: 'echo' }],
        refused: [],
      })
    },
  )

  test('that is not there is named', async () => {
    const { url, server } = await aServer({})
    await new Promise(resolve => server.close(resolve))
    const failed = expect.stringMatching(`(ECONNREFUSED|nothing answers at) ${url.host}`)
    expect(await connect(url).call()).toEqual({ failed, mayHaveActed: false })
  })

  test('that ends its stream at once is not asked for ever', async () => {
    const { url, asked } = await aServer({ GET: (_, to) => events(to).end('retry: 0\n\n') })
    const { call, connections } = connect(url)
    expect(await call()).toEqual(answer)
    const streams = () => asked.filter(each => each === 'GET').length
    await expect.poll(streams).toBe(30)
    expect(await call()).toEqual(answer)
    expect([streams(), connections.activity('one').state]).toEqual([30, 'running'])
  })
})
