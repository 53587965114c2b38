import { expect, test } from 'vitest'
import { environmentKey, environmentServer } from './environment-keys.ts'

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

test('a gateway comes before the keys, Anthropic before OpenAI, and a model may be named', () => {
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
