import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { McpServer } from '../../shared/contract/connections/mcp.ts'
import { aHome, aHost, type TestHost } from '../../../testing/host/a-host.ts'
import { aHostWith, unconfined } from '../../../testing/mcp/chats-with-servers.ts'
import { acceptServer, putServer, switchServer } from '../../../testing/mcp/agree.ts'

const stateOf = async (host: TestHost) => (await host.client['mcp.list']({})).servers[0]!
const toolOf = async (host: TestHost) => (await stateOf(host)).tools.find(({ name }) => name === 'echo')
/** Restart the server and list its tools. */
async function again(host: TestHost) {
  await host.client['mcp.restart']({ name: 'echoes' })
  await host.client['mcp.test']({ name: 'echoes' })
}

describe('a tool whose text changes at every start', () => {
  test('is on with any text once it is held to its name and schema alone, until that is taken back', async () => {
    using home = aHome()
    await using host = await aHostWith(home.path, { echoes: ['changing', join(home.path, 'starts')] })
    await again(host)
    expect(await toolOf(host)).toMatchObject({ state: 'changed', change: { isShapeSame: true } })
    await switchServer(host.client, { name: 'echoes', tool: 'echo', byShape: true })
    await again(host)
    expect(await toolOf(host)).toMatchObject({ state: 'on', byShape: true })
    const called = await host.client['mcp.call']({ name: 'echoes', tool: 'echo', args: { text: 'Hello.' } })
    expect(called).toMatchObject({ ok: true, text: 'Hello.' })
    await host.client['mcp.switch']({ name: 'echoes', tool: 'echo', byShape: false })
    expect(await toolOf(host)).toMatchObject({ state: 'changed', byShape: false })
  })
})

describe('the exact version of a server', () => {
  test('is looked for through the one way out, which the offline lock closes', async () => {
    using home = aHome()
    await using host = await aHost(home.path, { coreTools: true, ...unconfined })
    await host.client['settings.set']({ path: 'network.offline', value: true })
    const env = { npm_config_cache: home.path, npm_config_registry: 'http://registry.example' }
    const server = McpServer.parse({ name: 'tool', command: 'npx', args: ['-y', 'tool'], env })
    expect(await putServer(host.client, { server })).toMatchObject({ isUnpinned: true })
    await expect(host.client['mcp.version']({ name: 'tool' })).rejects.toThrow(
      'The offline lock is on, so nothing was sent to registry.example.',
    )
    const { entries } = await host.client['network.list']({})
    expect(entries).toMatchObject([{ host: 'registry.example', purpose: 'mcp', state: 'blocked' }])
  })
})

describe('a server that changed outside', () => {
  test('says which parts are not as the person agreed to them, until they are agreed to', async () => {
    using home = aHome()
    const script = join(home.path, 'server.js')
    writeFileSync(script, '1')
    await using host = await aHost(home.path, { coreTools: true, ...unconfined })
    const server = McpServer.parse({ name: 'notes', command: 'node', args: [script], enabled: false })
    expect(await putServer(host.client, { server })).toMatchObject({ changes: [] })
    const file = join(home.path, 'config.yaml')
    const text = readFileSync(file, 'utf8')
    writeFileSync(script, '2')
    writeFileSync(
      file,
      text.replace('network: false', 'network: true').replace('env: {}', 'env: {MODE: fast}'),
    )
    const changed = await stateOf(host)
    expect(changed).toMatchObject({ state: 'not accepted' })
    expect(changed.changes).toMatchObject([
      { part: 'Network', before: 'no', after: 'yes' },
      { part: 'Variables', before: '', after: 'MODE' },
      { part: `SHA-256 of ${script}` },
    ])
    expect(await acceptServer(host.client, { name: 'notes' })).toMatchObject({ changes: [] })
    // The user has not agreed to the new name.
    writeFileSync(file, text.replace('name: notes', 'name: others'))
    expect(await stateOf(host)).toMatchObject({ name: 'others', state: 'not accepted', changes: null })
  })

  test('is told by its reason: its program, its entry, or that it is new; and windows read the list again', async () => {
    using home = aHome()
    const script = join(home.path, 'server.js')
    writeFileSync(script, '1')
    await using host = await aHost(home.path, { coreTools: true, ...unconfined })
    const server = McpServer.parse({ name: 'notes', command: 'node', args: [script], enabled: false })
    await putServer(host.client, { server })
    const file = join(home.path, 'config.yaml')
    const text = readFileSync(file, 'utf8')
    const watching = host.client['app.watch']({})
    await watching.next()
    /** Return the notice that a file change causes, once windows have been told to read the list again. */
    const told = async (change: () => void) => {
      change()
      await host.client['mcp.list']({})
      let notice: string | undefined
      for (;;) {
        const { value: event } = await watching.next()
        if (event?.type === 'notice') notice = event.notice.text
        if (notice !== undefined && event?.type === 'changed' && event.areas.includes('mcp')) return notice
      }
    }
    expect(await told(() => writeFileSync(script, '2'))).toBe(
      'The program of the MCP server notes changed since you agreed to it, so it is off.',
    )
    expect(await told(() => writeFileSync(file, text.replace('network: false', 'network: true')))).toBe(
      'The MCP server notes changed in config.yaml since you agreed to it, so it is off.',
    )
    expect(await told(() => writeFileSync(file, text.replace('name: notes', 'name: others')))).toBe(
      'The MCP server others was added in config.yaml, so it is off.',
    )
  })
})
