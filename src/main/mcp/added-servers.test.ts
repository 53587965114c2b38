import { describe, expect, test } from 'vitest'
import { McpServer } from '../../shared/contract/mcp.ts'
import { readPasted, takeSecrets } from './added-servers.ts'

describe('a pasted text', () => {
  test.each([
    [
      'the entries of most programs',
      '{"mcpServers": {"My Files": {"command": "node", "args": ["a.js"]}}}',
      'my-files',
    ],
    ['those of VS Code', '{"servers": {"files": {"type": "stdio", "command": "node"}}}', 'files'],
    ['entries alone', '{"docs": {"url": "https://example.com/mcp", "headers": {"X": "1"}}}', 'docs'],
    ['an entry without the outer braces', '"files": {"command": "node"}', 'files'],
    ['a single server', '{"command": "node", "args": []}', 'server'],
  ])('is understood as %s', (_, text, name) => {
    expect(readPasted(text)).toMatchObject([{ name, server: { name } }])
  })

  test('that is none, or holds what is no server, says so', () => {
    expect(readPasted('node server.js')).toMatchObject({ refused: expect.stringContaining('no JSON object') })
    expect(readPasted('{}')).toEqual({ refused: 'There is no server in this text.' })
    expect(readPasted('{"a": {"args": []}, "b": 3}')).toMatchObject([
      { name: 'a', problem: expect.stringContaining('needs a command') },
      { name: 'b', problem: 'It is no object.' },
    ])
  })
})

test('secrets of a server go to the vault, and the rest stays as it was', () => {
  const key = `ghp_${'a1B2'.repeat(9)}`
  const { server, secrets } = takeSecrets(
    McpServer.parse({
      name: 'git',
      command: 'node',
      args: ['a.js', key],
      env: { API_KEY: 'x', MODE: 'fast', TOKEN: '${OTHER}' },
    }),
  )
  expect(server).toMatchObject({
    args: ['a.js', '${GIT_ARGUMENT_1}'],
    env: { API_KEY: '${GIT_API_KEY}', MODE: 'fast', TOKEN: '${OTHER}' },
  })
  expect([...secrets]).toEqual([
    ['GIT_API_KEY', 'x'],
    ['GIT_ARGUMENT_1', key],
  ])
  const remote = takeSecrets(
    McpServer.parse({
      name: 'docs',
      url: 'https://example.com/mcp',
      headers: { Authorization: 'Bearer abc' },
    }),
  )
  expect(remote.server).toMatchObject({ headers: { Authorization: '${DOCS_AUTHORIZATION}' } })
})
