import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aHome, aHost } from '../../../testing/host/a-host.ts'
import { aHostWith, aMisbehaving, unconfined } from '../../../testing/mcp/chats-with-servers.ts'

const read = (home: string, name: string) =>
  existsSync(join(home, name)) ? readFileSync(join(home, name), 'utf8') : ''

test('the keys of a server are kept apart from its entry, blackened in what it says, and removed with it', async () => {
  using home = aHome()
  await using host = await aHost(home.path, { coreTools: true, ...unconfined })
  const key = 'green-river-17-stones'
  const server = { ...aMisbehaving('echoes'), env: { API_KEY: key, MODE: 'fast' } }
  const state = await host.client['mcp.put']({ server })
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
  await host.client['mcp.remove']({ name: 'echoes' })
  expect(read(home.path, '.env')).not.toContain('ECHOES')
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
    'The MCP server extra was added or changed in config.yaml, so it is off.',
    'The MCP server keyed was added or changed in config.yaml, so it is off.',
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
  await host.client['mcp.accept']({ name: 'extra' })
  await host.client['mcp.test']({ name: 'extra' })
  expect(existsSync(started)).toBe(true)
})
