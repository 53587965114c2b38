import { describe, expect, test } from 'vitest'
import { McpServer } from '../../../shared/contract/connections/mcp.ts'
import { readPasted, takeSecrets } from './added-servers.ts'
import { identityOf, shownServer, warningsOf } from './known-servers.ts'

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
    [
      'a single one with a telling name',
      '{"command": "npx", "args": ["-y", "@a/server-files@1.0.0"]}',
      'server-files',
    ],
    ['an address alone', '{"type": "http", "url": "https://mcp.example.com/mcp"}', 'example'],
    [
      'a file with comments',
      '{ // mine\n "servers": { /* one */ "files": {"command": "node", "args": ["//x", "a,]"],}, },\n}',
      'files',
    ],
  ])('is understood as %s', (_, text, name) => {
    expect(readPasted(text)).toMatchObject([{ name, server: { name } }])
  })

  test('that is none, or holds what is no server, says so', () => {
    expect(readPasted('node server.js')).toMatchObject({
      refused: expect.stringContaining('not a JSON object'),
    })
    expect(readPasted('{"a": {"command": "node"\n "args": []}}')).toMatchObject({
      refused:
        'This JSON has a mistake. It is in line 2, at character 2. Look for a missing comma, quote or brace there.',
    })
    expect(readPasted('{"a": {')).toMatchObject({ refused: expect.stringContaining('has a mistake') })
    expect(readPasted('{}')).toEqual({ refused: 'There is no server in this text.' })
    expect(readPasted('{"a": {"args": []}, "b": 3}')).toMatchObject([
      { name: 'a', problem: 'It has neither a command nor an address (url).' },
      { name: 'b', problem: 'It is not an object.' },
    ])
  })
})

test('values that other programs ask for become keys', () => {
  const text =
    '{"servers": {"a": {"command": "node", "env": {"TOKEN": "${input:my-token}", "P": "${env:P}"}}}}'
  expect(readPasted(text)).toMatchObject([{ server: { env: { TOKEN: '${my_token}', P: '${P}' } } }])
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

describe('secrets of a server', () => {
  const local = (given: object) => McpServer.parse({ name: 'git', command: 'node', ...given })

  test('behind a flag go to the vault, and are black on the card before that', () => {
    const given = local({
      args: ['a.js', '--api-key', 'abc', '--token=xyz', '--token-file', 'a.txt', '--verbose'],
    })
    expect(shownServer(given)).toBe('node a.js --api-key … --token=… --token-file a.txt --verbose')
    const { server, secrets } = takeSecrets(given)
    expect(server).toMatchObject({
      args: [
        'a.js',
        '--api-key',
        '${GIT_ARGUMENT_2}',
        '--token=${GIT_ARGUMENT_3}',
        '--token-file',
        'a.txt',
        '--verbose',
      ],
    })
    expect([...secrets.values()]).toEqual(['abc', 'xyz'])
  })

  test('that would have one name have two', () => {
    const { server, secrets } = takeSecrets(local({ env: { 'A-KEY': '1', A_KEY: '2' } }), ['GIT_A_KEY'])
    expect(server).toMatchObject({ env: { 'A-KEY': '${GIT_A_KEY_2}', A_KEY: '${GIT_A_KEY_3}' } })
    expect([...secrets.values()]).toEqual(['1', '2'])
  })

  test('are black, and other values are shown as they are', () => {
    const env = { NODE_OPTIONS: '--require ./x.js', API_KEY: 'x', MODE: 'fast', TOKEN: '${OPENAI_API_KEY}' }
    expect(shownServer(local({ env, args: ['a b.js'] }))).toBe(
      'NODE_OPTIONS="--require ./x.js" API_KEY=… MODE=fast TOKEN=${OPENAI_API_KEY} node "a b.js"',
    )
    const remote = McpServer.parse({
      name: 'docs',
      url: 'https://a.b/mcp',
      headers: { Authorization: 'x', Team: 'b' },
    })
    expect(shownServer(remote)).toBe('https://a.b/mcp\nAuthorization: …\nTeam: b')
  })

  test('of something else that a server wants are told', () => {
    expect(warningsOf(local({ env: { KEY: '${OPENAI_API_KEY}', OWN: '${GIT_OWN}' } }))).toEqual([
      'It gets OPENAI_API_KEY from your keys.',
    ])
    expect(
      warningsOf(local({ args: ['${HOME}/x'], env: { KEY: '${OPENAI_API_KEY}', P: '${PATH}' } })),
    ).toEqual(['It gets OPENAI_API_KEY from your keys.', 'It gets HOME and PATH of this computer.'])
  })
})

describe('what the person agrees to', () => {
  const same = (one: object, other: object) => {
    const identity = (given: object) => identityOf(McpServer.parse({ name: 'a', ...given }))
    return identity(one) === identity(other)
  }
  const base = { command: 'node', args: ['x'], env: { MODE: 'a' } }

  test.each([
    ['the value of a variable', { ...base, env: { MODE: 'b' } }, true],
    ['switches and pins', { ...base, enabled: false, pinned: ['t'], off: ['u'], description: 'x' }, true],
    ['the command', { ...base, command: 'bun' }, false],
    ['an argument', { ...base, args: ['y'] }, false],
    ['the folder', { ...base, cwd: '/' }, false],
    ['the network', { ...base, network: true }, false],
    ['the name of a variable', { ...base, env: { OTHER: 'a' } }, false],
    ['the key that a variable stands for', { ...base, env: { MODE: '${OPENAI_API_KEY}' } }, false],
  ])('%s: the same server is %s', (_, other, isSame) => {
    expect(same(base, other)).toBe(isSame)
  })

  test('holds the value of a variable that decides which code runs', () => {
    const env = (NODE_OPTIONS: string) => ({ ...base, env: { NODE_OPTIONS } })
    expect(same(env('--a'), env('--b'))).toBe(false)
  })

  test('holds the address and the names of headers, without their values', () => {
    const url = 'https://a.b/mcp'
    expect(same({ url, headers: { A: '1' } }, { url, headers: { a: '2' } })).toBe(true)
    expect(same({ url }, { url: 'https://a.c/mcp' })).toBe(false)
    expect(same({ url, headers: { A: '1' } }, { url })).toBe(false)
    expect(same({ url, headers: { A: '${X}' } }, { url, headers: { A: '${Y}' } })).toBe(false)
  })
})
