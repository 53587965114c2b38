import { expect, test } from 'vitest'
import { scriptedEngine, type Script } from '../../../../../testing/models/scripted.ts'
import { auxiliaryOf } from '../../../config/sections/model-settings.ts'
import { isFailure, type WireMessage } from '../../interface/engine.ts'
import { createRouting } from './routing.ts'

const fail = { code: 'rate_limited', text: 'Main is busy.', fix: 'Wait.', elsewhere: true } as const
const isDown: Partial<Script> = { replies: () => [{ fail }] }
const long: WireMessage[] = [
  { role: 'user', text: 'word '.repeat(2_000) },
  { role: 'assistant', text: 'Old answer.' },
  { role: 'user', text: 'And now?' },
]

test.for<[string, WireMessage[], Partial<Script>, string]>([
  ['a model that can take all of it, though a small one stands before it', long, {}, 'Large'],
  ['the small one while the larger one is down as well', long, isDown, 'Small'],
  ['the first one where both can take it', long.slice(2), {}, 'Small'],
])('of the fallback models a chat is answered by %s', async ([, messages, large, expected]) => {
  const scripts: Record<string, Partial<Script>> = {
    'server:main': isDown,
    'server:small': { name: 'Small', replies: () => ['Small'], contextTokens: 1_000 },
    'server:large': { name: 'Large', replies: () => ['Large'], ...large },
  }
  const routing = createRouting({
    settings: () => ({
      fallback: ['server:small', 'server:large'],
      routing: 'off',
      fast: '',
      auxiliary: auxiliaryOf('chat'),
    }),
    engineFor: async modelId =>
      scriptedEngine({ modelId, strategy: 'structured', replies: [], ...scripts[modelId] }),
    servers: { fromEnvironment: async () => undefined },
    now: () => 0,
  })
  const main = await routing.engineFor('server:main')
  if (isFailure(main)) throw new Error(main.text)
  const prompt = { sessionId: 's', messages, tools: [] }
  const events = await Array.fromAsync(main.complete(prompt, new AbortController().signal))
  expect(events.flatMap(event => (event.type === 'text' ? [event.text] : [])).join('')).toBe(expected)
})
