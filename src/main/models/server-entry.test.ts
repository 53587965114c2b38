import { expect, test } from 'vitest'
import { Fault } from '../../shared/rpc.ts'
import { environmentKey, keyNameOf } from '../config/known-keys.ts'
import { newServerEntry, type ServerEntry, environmentServer } from './server-entry.ts'

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
    'Do not put a name and password in the address. Enter the key in its own field.',
  ],
  ['ftp://host', 'The address must start with http:// or https://.'],
  ['localhost:1234', 'The address must start with http:// or https://.'],
] satisfies [string, string][])('the address %s is refused with a reason', ([typed, reason]) => {
  expect(() => anEntry({ baseUrl: typed })).toThrow(new Fault('bad_input', reason))
})

test('ids made from names are unique and can be part of a key’s name', () => {
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

const reading = (env: Record<string, string>) => (name: string) => env[name]

test.for([
  ['https://api.openai.com/v1', { OPENAI_API_KEY: 'o' }, 'o'],
  ['https://api.anthropic.com', { ANTHROPIC_API_KEY: ' a ' }, 'a'],
  ['https://openrouter.ai/api/v1', { OPENROUTER_API_KEY: 'r', OPENAI_API_KEY: 'o' }, 'r'],
  ['http://gateway:4000/v1', { LITELLM_BASE_URL: 'http://gateway:4000', LITELLM_API_KEY: 'l' }, 'l'],
  ['http://own:8000/v1', { OPENAI_BASE_URL: 'http://own:8000/v1', OPENAI_API_KEY: 'o' }, 'o'],
] as const)('%s gets the key that belongs to it', ([baseUrl, env, key]) => {
  expect(environmentKey(baseUrl, reading(env))).toBe(key)
})

test.for([
  ['another host', 'https://llm.example.org/v1', { OPENAI_API_KEY: 'o', ANTHROPIC_API_KEY: 'a' }],
  ['a host that only looks like it', 'https://api.openai.com.example.org/v1', { OPENAI_API_KEY: 'o' }],
  ['the host without encryption', 'http://api.openai.com/v1', { OPENAI_API_KEY: 'o' }],
  ['another port', 'https://api.openai.com:8443/v1', { OPENAI_API_KEY: 'o' }],
  [
    'the usual host when the key is for another one',
    'https://api.openai.com/v1',
    { OPENAI_BASE_URL: 'http://own:8000/v1', OPENAI_API_KEY: 'o' },
  ],
  ['a gateway that is not named', 'http://gateway:4000/v1', { LITELLM_API_KEY: 'l' }],
  ['no address', 'somewhere', { OPENAI_API_KEY: 'o', OPENAI_BASE_URL: 'nowhere' }],
  ['an empty key', 'https://api.openai.com/v1', { OPENAI_API_KEY: ' ' }],
] as const)('%s gets no key', ([, baseUrl, env]) => {
  expect(environmentKey(baseUrl, reading(env))).toBeUndefined()
})

test('a gateway precedes keys, Anthropic precedes OpenAI, and a model can be named', () => {
  const env: Record<string, string> = {
    LITELLM_BASE_URL: 'http://gateway:4000',
    ANTHROPIC_API_KEY: 'a',
    OPENAI_API_KEY: 'o',
    OPENAI_MODEL: 'gpt-x',
  }
  const named = []
  for (const name of ['LITELLM_BASE_URL', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY']) {
    named.push(environmentServer(reading(env)))
    delete env[name]
  }
  expect(named.map(each => [each?.id, each?.baseUrl, each?.model])).toEqual([
    ['litellm', 'http://gateway:4000', ''],
    ['anthropic', 'https://api.anthropic.com', 'claude-haiku-4-5'],
    ['openai', 'https://api.openai.com', 'gpt-x'],
  ])
  expect(environmentServer(reading(env))).toBeUndefined()
})
