import { describe, expect, test } from 'vitest'
import { McpServer } from '../../../shared/contract/connections/mcp.ts'
import { fieldsOf, NO_FIELDS, serverOf } from './server-fields.ts'

describe('a command', () => {
  test.each([
    ['npx -y a@1.0.0', ['npx', '-y', 'a@1.0.0']],
    [`node 'a b.js' "c \\"d\\"" e\\ f ''`, ['node', 'a b.js', 'c "d"', 'e f', '']],
    [`sh -c 'x | y'"z"`, ['sh', '-c', 'x | yz']],
  ])('%s is split into its words', (command, words) => {
    const [program, ...args] = words
    expect(serverOf({ ...NO_FIELDS, name: 'x', command })).toMatchObject({ command: program, args })
  })
})

describe('the fields of a server', () => {
  test('give the same server again', () => {
    const servers = [
      {
        name: 'files',
        command: '/bin/my node',
        args: ["it's", '', '$HOME', 'a"b', 'c\\d'],
        env: { MODE: 'a=b', TOKEN: '${KEY}' },
        cwd: '/tmp',
        network: true,
        pinned: ['read'],
        description: 'Files.',
      },
      { name: 'docs', url: 'https://example.com/mcp', headers: { Authorization: 'Bearer ${KEY}' } },
    ].map(each => McpServer.parse(each))
    for (const server of servers) expect(serverOf(fieldsOf(server), server)).toEqual(server)
  })

  test.each([
    [{ name: 'My files', command: 'node' }, 'name'],
    [{ name: 'files', command: ' ' }, 'command'],
    [{ name: 'files', kind: 'address', url: 'example.com' }, 'url'],
    [{ name: 'files', command: 'node', values: 'A=1\nB 2' }, 'values'],
  ] as const)('that are wrong say which: %j', (given, field) => {
    expect(serverOf({ ...NO_FIELDS, ...given })).toMatchObject({ field })
  })
})
