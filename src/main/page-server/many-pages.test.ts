import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { aHome, aHost } from '../../../testing/host/a-host.ts'
import { until } from '../../../testing/until.ts'
import { overSocket } from '../../renderer/rpc/page-channels.ts'
import { connectClient } from '../../shared/connect-client.ts'
import { contract } from '../../shared/contract/index.ts'
import { startWebHost, type WebHost } from './web-host.ts'

const PAGES = 200

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const openSockets = () => process.getActiveResourcesInfo().filter(each => each === 'TCPSocketWrap').length

/** Return the bytes in use. */
const heldBytes = () => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** A page like the window's: it follows the events of the host. */
async function aPage({ port, token }: WebHost) {
  const origin = `http://127.0.0.1:${port}`
  const socket = new WebSocket(`ws://127.0.0.1:${port}/rpc`, ['rpc.v1', `token.${token}`], { origin })
  await once(socket, 'open')
  const client = connectClient(contract, overSocket(socket as unknown as globalThis.WebSocket))
  const seen: string[] = []
  const ended = follow()
  async function follow() {
    try {
      for await (const event of client['app.watch']({})) seen.push(JSON.stringify(event))
    } catch {
      // Closing the page ends it.
    }
  }
  return { client, socket, seen, ended }
}

test('200 windows of one home all hear what happens, and closing them leaves nothing in the host', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  const { handlers, report } = host.host
  const web = await startWebHost({ root: tmpdir(), contract, handlers, report })
  const before = openSockets()
  const held: number[] = []
  for (let round = 0; round < 3; round++) {
    const pages = await Promise.all(Array.from({ length: PAGES }, () => aPage(web)))
    const { id } = await pages[0]!.client['session.create']({})
    // Not `expect.poll`: the test would keep references to the pages.
    await until(() => pages.every(({ seen }) => seen.some(event => event.includes(id))))
    const lists = await Promise.all(pages.map(({ client }) => client['session.list']({})))
    expect(lists.filter(({ sessions }) => sessions.some(each => each.id === id))).toHaveLength(PAGES)
    // Some are closed, others vanish, as in a browser crash.
    for (const [at, { socket }] of pages.entries())
      if (at % 2 === 0) socket.close()
      else socket.terminate()
    await Promise.all(pages.map(({ ended }) => ended))
    await until(() => openSockets() === before)
    held.push(heldBytes())
  }
  // 200 windows, if kept, would hold more than this in two rounds.
  expect(held[2]! - held[0]!).toBeLessThan(8 << 20)
  expect(host.mistakes()).toEqual([])
  await web.close()
})
