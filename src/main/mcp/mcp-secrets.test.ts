import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { McpServer } from '../../shared/contract/connections/mcp.ts'
import { aHome, aHost } from '../../../testing/host/a-host.ts'
import { aHostWith, aMisbehaving, unconfined } from '../../../testing/mcp/chats-with-servers.ts'
import { acceptServer, putServer, switchServer } from '../../../testing/mcp/agree.ts'

const read = (home: string, name: string) =>
  existsSync(join(home, name)) ? readFileSync(join(home, name), 'utf8') : ''

test('the keys of a server are kept apart from its entry, blackened in what it says, and removed with it', async () => {
  using home = aHome()
  await using host = await aHost(home.path, { coreTools: true, ...unconfined })
  const key = 'green-river-17-stones'
  const server = { ...aMisbehaving('echoes'), env: { API_KEY: key, MODE: 'fast' } }
  const state = await putServer(host.client, { server })
  expect(state.shown).toContain('API_KEY=${ECHOES_API_KEY} MODE=fast')
  expect(read(home.path, 'config.yaml')).not.toContain(key)
  expect(read(home.path, '.env')).toContain(`MCP_ECHOES_API_KEY=${key}`)
  const said = await host.client['mcp.call']({
    name: 'echoes',
    tool: 'echo',
    args: { text: `It is ${key}.` },
  })
  expect(said.text).toBe('It is [redacted].')
  const { keys, problems } = await host.client['settings.list']({})
  expect(keys.find(each => each.name === 'MCP_ECHOES_API_KEY')).toMatchObject({ value: null, masked: true })
  expect(problems).toEqual([])
  await host.client['mcp.remove']({ name: 'echoes', forGood: true })
  expect(read(home.path, '.env')).not.toContain('ECHOES')
})

test('the keys of a server follow its name, so that none is left when it is removed', async () => {
  using home = aHome()
  await using host = await aHost(home.path, { coreTools: true, ...unconfined })
  const server = { ...aMisbehaving('echoes'), env: { API_KEY: 'green-river-17-stones' } }
  await putServer(host.client, { server })
  await host.client['mcp.test']({ name: 'echoes' })
  await switchServer(host.client, { name: 'echoes', tool: 'echo', unasked: true })
  const entry = await host.client['mcp.entry']({ name: 'echoes' })
  const renamed = { ...entry.server, name: 'papers' }
  const state = await putServer(host.client, { server: renamed, was: 'echoes' })
  expect(state.shown).toContain('API_KEY=${PAPERS_API_KEY}')
  expect(state.warnings).toEqual([])
  // It is the same server, so what was agreed to stays.
  expect(state.tools.find(({ name }) => name === 'echo')).toMatchObject({ state: 'on', unasked: true })
  expect(read(home.path, '.env')).toContain('MCP_PAPERS_API_KEY=green-river-17-stones')
  expect(read(home.path, '.env')).not.toContain('ECHOES')
  expect(await host.client['mcp.test']({ name: 'papers' })).toMatchObject({ ok: true })
  await host.client['mcp.remove']({ name: 'papers', forGood: true })
  expect(read(home.path, '.env')).not.toContain('green-river')
})

test('a removed server comes back with its keys and what was agreed to, and is gone for good after a minute', async () => {
  using home = aHome()
  let time = 1_000
  const start = () => aHost(home.path, { coreTools: true, now: () => time, ...unconfined })
  {
    await using host = await start()
    for (const name of ['first', 'echoes', 'last']) {
      const server = { ...aMisbehaving(name), env: { API_KEY: `green-river-${name}` } }
      await putServer(host.client, { server })
    }
    await host.client['mcp.test']({ name: 'echoes' })
    await switchServer(host.client, { name: 'echoes', tool: 'echo', unasked: true })
    const names = async () => (await host.client['mcp.list']({})).servers.map(({ name }) => name)
    await host.client['mcp.remove']({ name: 'echoes' })
    expect(await names()).toEqual(['first', 'last'])
    expect(read(home.path, '.env')).toContain('MCP_ECHOES_API_KEY=green-river-echoes')
    // An entry written into the file under its name is a new server, not yet agreed to.
    const { servers: two } = await host.client['mcp.list']({})
    expect(two.map(({ state }) => state)).toEqual(['off', 'off'])
    const back = await host.client['mcp.restore']({ name: 'echoes' })
    expect(back.tools.find(({ name }) => name === 'echo')).toMatchObject({ state: 'on', unasked: true })
    expect(await names()).toEqual(['first', 'echoes', 'last'])
    await host.client['mcp.remove']({ name: 'echoes' })
    await putServer(host.client, { server: { ...aMisbehaving('echoes'), env: { API_KEY: 'blue-sky' } } })
    await expect(host.client['mcp.restore']({ name: 'echoes' })).rejects.toThrow(
      'Another server is now named echoes.',
    )
    expect(read(home.path, '.env')).toContain('green-river-echoes')
  }
  time += 120_000
  await using host = await start()
  await expect.poll(() => read(home.path, '.env')).not.toContain('green-river-echoes')
  expect(read(home.path, '.env')).toContain('blue-sky')
  expect(await host.client['mcp.test']({ name: 'echoes' })).toMatchObject({ ok: true })
})

test('secrets in an address are kept apart, black before that, and sent as they were', async () => {
  using home = aHome()
  const asked: (string | undefined)[] = []
  const web = createServer((request, response) => {
    asked.push(`${request.headers.authorization} ${request.url}`)
    response.writeHead(404).end()
  })
  await new Promise<void>(resolve => web.listen(0, '127.0.0.1', resolve))
  const at = `127.0.0.1:${(web.address() as AddressInfo).port}`
  await using host = await aHost(home.path, { coreTools: true, ...unconfined })
  const url = `http://me:green%20river@${at}/mcp?api_key=blue%2Bsky/1&mode=fast`
  const server = McpServer.parse({ name: 'docs', url })
  expect(await host.client['mcp.preview']({ server })).toMatchObject({
    shown: `http://me:…@${at}/mcp?api_key=…&mode=fast`,
  })
  const { shown } = await putServer(host.client, { server })
  expect(shown).toBe(
    `http://me:\${DOCS_ADDRESS_PASSWORD}@${at}/mcp?api_key=\${DOCS_ADDRESS_API_KEY}&mode=fast`,
  )
  expect(read(home.path, 'config.yaml')).not.toMatch(/green|blue/)
  const { problem } = await host.client['mcp.test']({ name: 'docs' })
  expect(problem).not.toMatch(/green|blue/)
  const basic = Buffer.from('me:green river').toString('base64')
  expect(new Set(asked)).toEqual(new Set([`Basic ${basic} /mcp?api_key=blue%2Bsky%2F1&mode=fast`]))
  await host.client['mcp.remove']({ name: 'docs', forGood: true })
  expect(read(home.path, '.env')).not.toContain('DOCS')
  await new Promise<void>(resolve => web.close(() => resolve()))
})

test('a server that is written into config.yaml by hand is told, off, and starts only once it is agreed to', async () => {
  using home = aHome()
  const started = join(home.path, 'started')
  await using host = await aHostWith(home.path, { echoes: ['good'] })
  const file = join(home.path, 'config.yaml')
  const entry = (name: string, more = '') =>
    `    - name: ${name}\n      command: touch\n      args: [${JSON.stringify(started)}]\n${more}`
  const text = `${readFileSync(file, 'utf8').trimEnd()}\n${entry('extra')}${entry('extra')}${entry('keyed', '      env: {KEY: "${NOT_THERE}"}\n')}`
  writeFileSync(file, text)
  const watching = host.client['app.watch']({})
  await watching.next()
  const { servers } = await host.client['mcp.list']({})
  const told: string[] = []
  for await (const event of watching) {
    if (event.type === 'notice') told.push(event.notice.text)
    if (told.length === 2) break
  }
  expect(told).toEqual([
    'The MCP server extra was added in config.yaml, so it is off.',
    'The MCP server keyed was added in config.yaml, so it is off.',
  ])
  expect(servers.map(({ name, state }) => [name, state])).toEqual([
    ['echoes', 'running'],
    ['extra', 'not accepted'],
    ['keyed', 'not accepted'],
  ])
  const tried = await host.client['mcp.test']({ name: 'extra' })
  expect(tried).toMatchObject({ ok: false, problem: expect.stringContaining('you have not agreed to it') })
  expect(existsSync(started)).toBe(false)
  const { problems } = await host.client['settings.list']({})
  expect(problems.map(each => each.text)).toEqual([
    'mcp.servers.2 has the name extra of another server, so it is not used.',
    expect.stringContaining('mcp.servers.3 (keyed) needs the key NOT_THERE.'),
  ])
  // Both are still there after another change.
  await host.client['mcp.switch']({ name: 'echoes', on: false })
  expect(readFileSync(file, 'utf8')).toContain('name: keyed')
  const later = host.client['app.watch']({})
  await later.next()
  await acceptServer(host.client, { name: 'extra' })
  for await (const event of later) {
    if (event.type !== 'notice_ended') continue
    expect(event.id).toBe('mcp-extra')
    break
  }
  await host.client['mcp.test']({ name: 'extra' })
  expect(existsSync(started)).toBe(true)
})
