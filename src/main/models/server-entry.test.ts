import { expect, test } from 'vitest'
import { Fault } from '../../shared/rpc.ts'
import { keyNameOf, newServerEntry, type ServerEntry } from './server-entry.ts'

const anEntry = (typed: Partial<Parameters<typeof newServerEntry>[0]> = {}, others: ServerEntry[] = []) =>
  newServerEntry({ name: 'Home', baseUrl: 'http://nas:11434', model: 'm', ...typed }, others)

test.for([
  ['http://localhost:11434', 'http://localhost:11434/v1'],
  ['http://localhost:1234/v1/', 'http://localhost:1234/v1'],
  ['https://openrouter.ai/api/v1/chat/completions', 'https://openrouter.ai/api/v1'],
  ['https://api.example.org/v1/models', 'https://api.example.org/v1'],
] satisfies [string, string][])('the address %s means %s', ([typed, meant]) => {
  expect(anEntry({ baseUrl: typed }).base_url).toBe(meant)
})

test.for([
  'https://api.anthropic.com',
  'https://api.anthropic.com/',
  'https://api.anthropic.com/v1',
  'https://api.anthropic.com/v1/messages',
  'https://api.anthropic.com/v1/models/',
])('for Anthropic, %s means the address before the version', baseUrl => {
  expect(anEntry({ baseUrl, protocol: 'anthropic' })).toMatchObject({
    protocol: 'anthropic',
    base_url: 'https://api.anthropic.com',
  })
})

test.for([
  [
    'https://me:secret@host/v1',
    'Leave name and password out of the address, and put the key into its own field.',
  ],
  ['ftp://host', 'The address must begin with http:// or https://.'],
  ['localhost:1234', 'The address must begin with http:// or https://.'],
] satisfies [string, string][])('the address %s is refused with a reason', ([typed, reason]) => {
  expect(() => anEntry({ baseUrl: typed })).toThrow(new Fault('bad_input', reason))
})

test('names become ids that differ and that can stand in the name of a key', () => {
  const entries: ServerEntry[] = []
  for (const name of ['Büro 2', 'büro-2', '家里', '家里', '  --  ']) entries.push(anEntry({ name }, entries))
  expect(entries.map(each => each.id)).toEqual(['buro-2', 'buro-2-2', 'server', 'server-2', 'server-3'])
  expect(entries.map(each => keyNameOf(each.id))).toEqual([
    'TALARIA_SERVER_BURO_2_KEY',
    'TALARIA_SERVER_BURO_2_2_KEY',
    'TALARIA_SERVER_SERVER_KEY',
    'TALARIA_SERVER_SERVER_2_KEY',
    'TALARIA_SERVER_SERVER_3_KEY',
  ])
})
