import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { McpServer } from '../../shared/contract/connections/mcp.ts'
import { aHome, aHost, type TestHost } from '../../../testing/host/a-host.ts'
import { faultOf } from '../../../testing/mcp/agree.ts'
import { aHostWith, misbehaving, unconfined } from '../../../testing/mcp/chats-with-servers.ts'

const serverOf = async (host: TestHost) => (await host.client['mcp.list']({})).servers[0]!
const toolOf = async (host: TestHost) => (await serverOf(host)).tools.find(({ name }) => name === 'echo')!
const CHANGED = { code: 'conflict', message: expect.stringContaining('changed since it was shown') }
/** The hash of a state that was never shown. */
const NEVER = '0'.repeat(64)

describe('a tool whose server says something else at each start', () => {
  /** A host whose tool changed at the second start and is shown as changed. */
  async function aChanged(home: string) {
    const host = await aHostWith(home, { echoes: ['changing', join(home, 'starts')] })
    await host.client['mcp.restart']({ name: 'echoes' })
    await host.client['mcp.test']({ name: 'echoes' })
    return host
  }

  test('is not accepted when the idle server starts anew with a text that nobody was shown', async () => {
    using home = aHome()
    await using host = await aChanged(home.path)
    const { change, seen } = await toolOf(host)
    expect(change?.after).toContain('Say a text again (2).')
    await host.client['mcp.restart']({ name: 'echoes' })
    const accept = (hash: string) => host.client['mcp.accept']({ name: 'echoes', tool: 'echo', seen: hash })
    expect(await faultOf(accept(seen))).toEqual(CHANGED)
    const now = await toolOf(host)
    expect(now).toMatchObject({ state: 'changed', change: { after: expect.stringContaining('(3)') } })
    // The version that is shown now can be accepted, and becomes the accepted one.
    await accept(now.seen)
    expect(await toolOf(host)).toMatchObject({ state: 'on', description: 'Say a text again (3).' })
  })

  test('gets neither any text nor calls without a question for a text that is not there any more', async () => {
    using home = aHome()
    await using host = await aChanged(home.path)
    const { seen } = await toolOf(host)
    await host.client['mcp.restart']({ name: 'echoes' })
    await host.client['mcp.test']({ name: 'echoes' })
    for (const more of [{ byShape: true }, { unasked: true }]) {
      const of = { name: 'echoes', tool: 'echo', ...more }
      expect(await faultOf(host.client['mcp.switch']({ ...of, seen }))).toEqual(CHANGED)
      expect(await faultOf(host.client['mcp.switch'](of))).toMatchObject({ code: 'bad_input' })
      expect(await toolOf(host)).toMatchObject({ state: 'changed', byShape: false, unasked: false })
    }
    const { seen: now } = await toolOf(host)
    await host.client['mcp.switch']({ name: 'echoes', tool: 'echo', byShape: true, seen: now })
    expect(await toolOf(host)).toMatchObject({ state: 'on', byShape: true })
  })
})

describe('a server that the .mcp.json of a project names', () => {
  test('is not accepted with a command that nobody was shown', async () => {
    using home = aHome()
    const folder = join(home.path, 'shop')
    mkdirSync(folder)
    const name = (...args: string[]) =>
      writeFileSync(
        join(folder, '.mcp.json'),
        JSON.stringify({ mcpServers: { db: { command: process.execPath, args } } }),
      )
    name(misbehaving, 'good')
    await using host = await aHost(home.path, { coreTools: true, ...unconfined })
    await host.client['session.create']({ modelId: 'x', workspace: folder })
    await host.client['skills.trust']({ folder: realpathSync(folder), trusted: true })
    const { shown, seen } = await serverOf(host)
    expect(shown).toContain('good')
    name('-e', 'process.exit()')
    expect(await faultOf(host.client['mcp.accept']({ name: 'db', seen }))).toEqual(CHANGED)
    const now = await serverOf(host)
    expect(now).toMatchObject({ state: 'not accepted', shown: expect.stringContaining('-e') })
    // Network access is a further permission, only for the command that was shown.
    await host.client['mcp.accept']({ name: 'db', seen: now.seen })
    const accepted = await serverOf(host)
    expect(accepted).toMatchObject({ state: 'off' })
    name('-e', 'process.exit(1)')
    const network = { name: 'db', network: true, seen: accepted.seen }
    expect(await faultOf(host.client['mcp.switch'](network))).toEqual(CHANGED)
    expect(await serverOf(host)).toMatchObject({ state: 'not accepted', reach: 'program' })
  })
})

describe('a server of the person', () => {
  test.each(['a script that its command names', 'a value that is not shown'])(
    'is not added or accepted with another content of %s',
    async what => {
      using home = aHome()
      const script = join(home.path, 'server.js')
      writeFileSync(script, 'first')
      await using host = await aHost(home.path, { coreTools: true, ...unconfined })
      const server = (key: string) =>
        McpServer.parse({
          name: 'notes',
          command: 'node',
          args: [script],
          env: { API_KEY: key },
          enabled: false,
        })
      const { seen } = await host.client['mcp.preview']({ server: server('one') })
      const isScript = what.startsWith('a script')
      if (isScript) writeFileSync(script, 'second')
      const other = server(isScript ? 'one' : 'two')
      expect(await faultOf(host.client['mcp.put']({ server: other, seen }))).toEqual(CHANGED)
      expect((await host.client['mcp.list']({})).servers).toEqual([])
      const now = await host.client['mcp.preview']({ server: other })
      await host.client['mcp.put']({ server: other, seen: now.seen })
      const before = await serverOf(host)
      writeFileSync(script, 'third')
      expect(await faultOf(host.client['mcp.accept']({ name: 'notes', seen: before.seen }))).toEqual(CHANGED)
      const { state, seen: third } = await serverOf(host)
      expect(state).toBe('not accepted')
      expect(await host.client['mcp.accept']({ name: 'notes', seen: third })).toMatchObject({
        state: 'disabled',
      })
    },
  )

  test('is not accepted by a client that does not say what was shown', async () => {
    using home = aHome()
    await using host = await aHostWith(home.path, { echoes: ['good'] })
    const old = host.client['mcp.accept'] as (input: object) => Promise<unknown>
    expect(await faultOf(old({ name: 'echoes' }))).toEqual({
      code: 'bad_input',
      message: expect.stringContaining('has to carry the hash of what the user was shown'),
    })
    expect(await faultOf(host.client['mcp.accept']({ name: 'echoes', seen: NEVER }))).toEqual(CHANGED)
  })
})
