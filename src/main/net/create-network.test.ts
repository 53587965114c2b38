import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { NetworkEntry } from '../../shared/contract/connections/network.ts'
import { OfflineError } from '../lib/network/offline.ts'
import type { Store } from '../db/store.ts'
import { createNetwork } from './create-network.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

/** A ledger in memory. */
function aLedger() {
  const entries: NetworkEntry[] = []
  const store: Store['network'] = {
    begin(entry) {
      entries.push({ id: entries.length + 1, sentBytes: null, receivedBytes: null, ms: null, ...entry })
      return entries.length
    },
    again(id, subject) {
      const entry = entries[id - 1]
      return entry !== undefined && Object.assign(entry, { subject, state: 'running' }).id === id
    },
    end: (id, outcome) => void Object.assign(entries[id - 1]!, outcome),
    list: () => entries,
    hosts: () => [],
    clear() {},
  }
  return { entries, store }
}

async function aServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function aNetwork({ locked = false, send }: { locked?: boolean; send?: typeof fetch } = {}) {
  const { entries, store } = aLedger()
  let at = 0
  const network = createNetwork({
    store,
    locked: () => locked,
    now: () => (at += 5),
    ...(send && { send }),
  })
  return { entries, network, go: network.fetchFor({ purpose: 'chat', subject: 'Qwen' }) }
}

/** A `fetch` that would reach the world, and never does. */
const world = (answer: (url: URL, init: RequestInit) => Response) => {
  const asked: { url: string; init: RequestInit }[] = []
  const send = (async (url: URL, init: RequestInit) => {
    asked.push({ url: url.href, init })
    return answer(url, init)
  }) as typeof fetch
  return { asked, send }
}

test('a request is recorded before it is sent, with its purpose and the bytes in both directions', async () => {
  const { entries, go } = aNetwork()
  let during: string | undefined
  const url = await aServer((request, response) => {
    during = entries[0]?.state
    request.resume().on('end', () => response.end('12345'))
  })
  const response = await go(`${url}/v1/models`, { method: 'POST', body: 'äb' })
  expect(entries[0]?.state).toBe('running')
  expect(await response.text()).toBe('12345')
  expect(during).toBe('running')
  expect(entries).toEqual([
    {
      id: 1,
      at: 5,
      host: new URL(url).host,
      purpose: 'chat',
      subject: 'Qwen',
      nearby: true,
      state: 'done',
      sentBytes: 3,
      receivedBytes: 5,
      ms: 5,
    },
  ])
})

test('an hour of requests that are made all the time is one line, which counts them; what fails has its own', async () => {
  const { entries, network } = aNetwork()
  let isCut = false
  const url = await aServer((_request, response) => (isCut ? response.destroy() : response.end('12345')))
  const isPoll = ({ pathname }: URL) => pathname.endsWith('/poll')
  const go = network.fetchFor({ purpose: 'messenger', subject: 'A bot', isPoll })
  for (const path of ['/poll', '/send', '/poll', '/poll']) await (await go(url + path)).text()
  const line = { subject: 'A bot (3 times)', state: 'done', receivedBytes: 15 }
  expect(entries).toMatchObject([line, { subject: 'A bot', receivedBytes: 5 }])
  isCut = true
  await expect(go(`${url}/poll`)).rejects.toThrow()
  isCut = false
  await (await go(`${url}/poll`)).text()
  expect(entries.map(({ subject, state }) => [subject, state])).toEqual([
    ['A bot (4 times)', 'failed'],
    ['A bot', 'done'],
    ['A bot', 'done'],
  ])
})

test('a connection that fails or breaks off is recorded as failed', async () => {
  const { entries, go } = aNetwork()
  const cut = await aServer((_request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('1234', () => response.destroy())
  })
  await expect((await go(cut)).text()).rejects.toThrow()
  await expect(go('http://127.0.0.1:1')).rejects.toThrow()
  expect(entries.map(({ state, receivedBytes }) => [state, receivedBytes])).toEqual([
    ['failed', 4],
    ['failed', 0],
  ])
})

test('a request stopped by its caller is not recorded as failed', async () => {
  const { entries, go } = aNetwork()
  const url = await aServer((request, response) => {
    if (request.url === '/slow') return
    response.write('1234')
  })
  const stop = new AbortController()
  const begun = await go(url, { signal: stop.signal })
  const waiting = go(`${url}/slow`, { signal: stop.signal })
  stop.abort()
  await expect(begun.text()).rejects.toThrow()
  await expect(waiting).rejects.toThrow()
  expect(entries.map(each => each.state)).toEqual(['done', 'done'])
})

test('a response that nobody reads to its end is closed', async () => {
  const { entries, go } = aNetwork()
  const url = await aServer((_request, response) => void response.write('1234'))
  const response = await go(url)
  await response.body!.cancel()
  expect(entries[0]?.state).toBe('done')
})

test.for([
  'https://api.example.com/v1',
  'http://192.168.1.4:8080',
  'http://10.0.0.1',
  'http://localhost.example.com',
  'http://127.0.0.1.example.com',
  'http://[fd00::1]',
  'http://[::ffff:8.8.8.8]',
  'http://2130706433.example.com',
  'http://0.0.0.0.example.com',
])('under the offline lock nothing is sent to %s, and that is recorded', async url => {
  const { asked, send } = world(() => new Response('ok'))
  const { entries, network, go } = aNetwork({ locked: true, send })
  await expect(go(url)).rejects.toThrow(OfflineError)
  expect(() => network.begin(new URL(url).hostname, { purpose: 'skill_import', subject: 'x' })).toThrow(
    OfflineError,
  )
  expect([asked, entries.map(each => each.state)]).toEqual([[], ['blocked', 'blocked']])
})

test.for(['http://127.0.0.1:11434', 'http://localhost:1234', 'http://[::1]:8080', 'http://LOCALHOST'])(
  'under the offline lock this computer is still reachable: %s',
  async url => {
    const { asked, send } = world(() => new Response('ok'))
    await aNetwork({ locked: true, send }).go(url)
    expect(asked).toHaveLength(1)
  },
)

test('under the offline lock a local server’s redirect to another host is not followed', async () => {
  const { asked, send } = world(
    () => new Response(null, { status: 302, headers: { location: 'https://api.example.com/' } }),
  )
  const { entries, go } = aNetwork({ locked: true, send })
  await expect(go('http://127.0.0.1:9/')).rejects.toThrow('api.example.com')
  expect([asked.map(each => each.url), entries.map(({ host, state }) => [host, state])]).toEqual([
    ['http://127.0.0.1:9/'],
    [
      ['127.0.0.1:9', 'done'],
      ['api.example.com', 'blocked'],
    ],
  ])
})

test('each redirect is a request of its own, and another host gets no key', async () => {
  const { asked, send } = world(url =>
    url.host === 'a.example'
      ? new Response(null, { status: 302, headers: { location: 'https://b.example/file' } })
      : new Response('data'),
  )
  const { entries, go } = aNetwork({ send })
  const headers = { authorization: 'Bearer sk', range: 'bytes=5-' }
  expect(await (await go('https://a.example/', { headers })).text()).toBe('data')
  const sent = new Headers(asked[1]!.init.headers)
  expect([sent.get('authorization'), sent.get('range')]).toEqual([null, 'bytes=5-'])
  expect(entries.map(each => each.host)).toEqual(['a.example', 'b.example'])
})

test('circular redirects, and redirects to other schemes, end the request', async () => {
  const circle = world(() => new Response(null, { status: 307, headers: { location: '/again' } }))
  const { entries, go } = aNetwork({ send: circle.send })
  await expect(go('https://a.example/')).rejects.toThrow('leads from one address to the next')
  expect(entries).toHaveLength(6)
  const out = world(() => new Response('no', { status: 302, headers: { location: 'file:///etc/passwd' } }))
  expect((await aNetwork({ send: out.send }).go('https://a.example/')).status).toBe(302)
})

test('a transfer by another program is recorded at its start and its end', () => {
  const { entries, network } = aNetwork()
  network.begin('git.example', { purpose: 'skill_import', subject: 'skills' }).end(true)
  expect(entries).toMatchObject([{ host: 'git.example', state: 'done', sentBytes: null }])
})

test('a secret in the name of what a request is for is not written down', () => {
  const { entries, network } = aNetwork()
  network
    .begin('git.example', { purpose: 'skill_import', subject: 'https://ada:hunter2@git.example' })
    .end(true)
  expect(entries).toMatchObject([{ subject: 'https://ada:[redacted]@git.example' }])
})

test('the ledger names the host that was asked and the proxy on the way, and the lock holds before it', async () => {
  const { entries, store } = aLedger()
  let locked = false
  const { send, asked } = world(() => new Response('fine'))
  const network = createNetwork({
    store,
    locked: () => locked,
    now: () => 1,
    send,
    via: url => (url.hostname === 'far.example' ? 'proxy.example:3128' : undefined),
  })
  const go = network.fetchFor({ purpose: 'chat', subject: 'Qwen' })
  await (await go('https://far.example/v1')).text()
  locked = true
  await expect(go('https://far.example/v1')).rejects.toThrow(OfflineError)
  expect(asked.length).toBe(1)
  expect(entries.map(({ host, subject, state }) => [host, subject, state])).toEqual([
    ['far.example', 'Qwen, through the proxy proxy.example:3128', 'done'],
    ['far.example', 'Qwen, through the proxy proxy.example:3128', 'blocked'],
  ])
})

test('only requests to models and tools go without the limits of time of Node', async () => {
  const { store } = aLedger()
  const patient: boolean[] = []
  const network = createNetwork({
    store,
    locked: () => false,
    now: () => 1,
    send: async (_url, _init, isPatient) => {
      patient.push(isPatient)
      return new Response('')
    },
  })
  for (const purpose of ['chat', 'schedule', 'learning', 'server_check', 'download', 'mcp'] as const)
    await network.fetchFor({ purpose, subject: 'x' })('http://127.0.0.1:9/')
  expect(patient).toEqual([true, true, true, false, false, true])
})
