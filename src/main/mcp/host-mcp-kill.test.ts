import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { confinedTest } from '../../../testing/confinement/can-confine.ts'
import { aFolderToConfine } from '../../../testing/confinement/folder-to-confine.ts'
import { aChat, aHost, aServer, transcript, turn } from '../../../testing/host/a-host.ts'
import { processesWith } from '../../../testing/processes.ts'
import { until } from '../../../testing/until.ts'
import { LocalMcpServer } from '../../shared/contract/connections/mcp.ts'
import { putServer } from '../../../testing/mcp/agree.ts'

const killed = fileURLToPath(new URL('../../../testing/host/killed/answer-until-killed.ts', import.meta.url))
const program = fileURLToPath(new URL('../../../testing/mcp/misbehaving-server.ts', import.meta.url))
const MAYBE = 'It may have acted; the call was not repeated.'
const calls = [
  { toolCalls: [{ name: 'find_tool', arguments: { query: 'mcp__one__echo' } }] },
  { toolCalls: [{ name: 'use_tool', arguments: { name: 'mcp__one__echo', arguments: { text: 'x' } } }] },
]

/** A home whose one server was accepted and listed by an earlier host. `mark` marks its processes. */
async function aHomeWith(mode: string, sandbox: 'on' | 'off', ...more: string[]) {
  const base = aFolderToConfine()
  const used = new AsyncDisposableStack()
  used.defer(() => rmSync(base, { recursive: true, force: true }))
  const home = join(base, 'home')
  mkdirSync(home)
  writeFileSync(join(home, 'config.yaml'), `terminal:\n  sandbox: "${sandbox}"\nlearning:\n  mode: "off"\n`)
  const mark = `TALARIA_TEST_SERVER=${base}`
  const [name = '', value = ''] = mark.split('=')
  const host = await aHost(home, { coreTools: true })
  const server = LocalMcpServer.parse({
    name: 'one',
    command: process.execPath,
    args: [program, mode, ...more],
    env: { [name]: value },
  })
  await putServer(host.client, { server })
  expect(await host.client['mcp.test']({ name: 'one' })).toMatchObject({ ok: true, problem: '' })
  const model = await aServer(host.client)
  used.defer(() => model.close())
  expect(processesWith(mark).length).toBeGreaterThan(0)
  return { home, host, model, mark, [Symbol.asyncDispose]: () => used.disposeAsync() }
}

/** What the server was told, as it notes it in its folder. */
function toldIn(home: string): string {
  const path = join(home, 'connections', 'one', 'told')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** Wait until the process for the chat's folder has received the call. */
const isCalled = (home: string) => until(() => toldIn(home).includes('called'))

/** These tests mostly wait, so they run concurrently. */
const onLinux = process.platform === 'linux' ? test.concurrent : test.concurrent.skip

/** The same for confined and unconfined servers. */
function both(title: string, run: (sandbox: 'on' | 'off') => Promise<void>) {
  onLinux(`${title}, unconfined`, () => run('off'))
  confinedTest(`${title}, confined`, () => run('on'), '', test.concurrent)
}

both('a server that clings to life is gone when the host closes, and after a kill -9', async sandbox => {
  await using place = await aHomeWith('clings', sandbox, 'told')
  const { home, host, model, mark } = place
  await host.close()
  expect(processesWith(mark)).toEqual([])

  model.reply(...calls)
  const child = spawn(process.execPath, [killed, home, model.modelId, 'Go.'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  using _child = { [Symbol.dispose]: () => child.kill('SIGKILL') }
  let told = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (told += text))
  // Wait until the call has reached the server: a process that is just starting might be missed.
  await until(() => told.includes('\n'))
  await isCalled(home)
  const hasEnded = once(child, 'exit')
  child.kill('SIGKILL')
  // The host's lock is free once the host has exited. The server may exit before that.
  await hasEnded
  await until(() => processesWith(mark).length === 0)

  await using next = await aHost(home, { coreTools: true })
  const { sessionId } = JSON.parse(told.split('\n')[0]!) as { sessionId: string }
  expect((await transcript(next, sessionId)).at(-1)).toBe(
    `result: Error: The turn broke off before this call had a result. ${MAYBE}`,
  )
  // The server is not called again automatically.
  expect(processesWith(mark)).toEqual([])
})

onLinux('a call that the end of the host cuts off says so', async () => {
  await using place = await aHomeWith('clings', 'off', 'told')
  const { home, host, model, mark } = place
  const { id } = await aChat(host, model, { approval: 'full' })
  model.reply(...calls)
  let closing: Promise<void> | undefined
  await turn(host, id, 'Go.', async event => {
    if (event.type !== 'tool_call' || event.call.name !== 'use_tool') return
    await isCalled(home)
    closing = host.close()
  }).catch(() => undefined)
  await closing
  expect(processesWith(mark)).toEqual([])
  await using next = await aHost(home, { coreTools: true })
  expect((await transcript(next, id)).at(-1)).toContain(MAYBE)
})

onLinux('Stop reaches the server, and the result says so', async () => {
  await using place = await aHomeWith('hangs', 'off', 'told')
  const { home, host, model, mark } = place
  await using _host = host
  const { id } = await aChat(host, model, { approval: 'full' })
  model.reply(...calls)
  await turn(host, id, 'Go.', async (event, runId) => {
    if (event.type !== 'tool_call' || event.call.name !== 'use_tool') return
    await isCalled(home)
    await host.client['run.stop']({ runId })
  })
  expect((await transcript(host, id)).at(-1)).toContain(MAYBE)
  await until(() => toldIn(home).includes('cancelled'))
  expect(processesWith(mark).length).toBeGreaterThan(0)
})
