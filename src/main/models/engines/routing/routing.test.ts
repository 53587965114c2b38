import { expect, test } from 'vitest'
import {
  isFailure,
  type CompletionEvent,
  type EngineFailure,
  type LlmEngine,
  type Prompt,
} from '../../interface/engine.ts'
import { scriptedEngine, type Script } from '../../../../../testing/models/scripted.ts'
import { auxiliaryOf } from '../../../config/sections/model-settings.ts'
import { createRouting } from './routing.ts'

type RoutingSettings = ReturnType<Parameters<typeof createRouting>[0]['settings']>

const never = new AbortController().signal
const down: EngineFailure = { code: 'rate_limited', text: 'Main is busy.', fix: 'Wait.', elsewhere: true }
const refused: EngineFailure = { code: 'refused', text: 'Main declined.', fix: 'Ask in other words.' }

/** Models by their replies, each named after its id. A question outside the script gets the name. */
function given(scripts: Record<string, Partial<Script>>, settings: Partial<RoutingSettings> = {}) {
  let time = 0
  const engines = new Map(
    Object.entries(scripts).map(([modelId, script]) => {
      const name = modelId.replace(/^server:/, '').replace(/^./, first => first.toUpperCase())
      return [
        modelId,
        scriptedEngine({ modelId, name, replies: () => [name], strategy: 'structured', ...script }),
      ]
    }),
  )
  const environment = { engine: undefined as LlmEngine | undefined, prepared: 0 }
  const all: RoutingSettings = {
    fallback: [],
    routing: 'off',
    fast: '',
    auxiliary: auxiliaryOf('chat'),
    ...settings,
  }
  const gone: EngineFailure = { code: 'model_missing', text: 'Gone.', fix: '' }
  const routing = createRouting({
    settings: () => all,
    engineFor: async id => engines.get(id) ?? gone,
    servers: { fromEnvironment: async () => environment.engine },
    prepare: engine => {
      environment.prepared++
      return engine
    },
    now: () => time,
  })
  const ask = async (prompt: Partial<Prompt> = {}, engine = routing.engineFor('server:main')) => {
    const found = await engine
    if (isFailure(found)) throw new Error(found.text)
    const whole: Prompt = {
      sessionId: 's',
      messages: [{ role: 'user', text: 'Please plan it.' }],
      tools: [],
      ...prompt,
    }
    return Array.fromAsync(found.complete(whole, never))
  }
  const asked = (id: string) => engines.get(id)?.prompts.length ?? 0
  const lastPrompt = (id: string) => engines.get(id)?.prompts.at(-1)
  return {
    routing,
    ask,
    asked,
    lastPrompt,
    settings: all,
    environment,
    engines,
    pass: (ms: number) => (time += ms),
  }
}

/** The received events, with text joined. */
const told = (events: CompletionEvent[]) => {
  const text = events.map(each => (each.type === 'text' ? each.text : '')).join('')
  const rest = events.flatMap(each =>
    each.type === 'notice'
      ? [`notice: ${each.text}`]
      : each.type === 'failed'
        ? [`failed: ${each.text}`]
        : [],
  )
  return [...rest, text].filter(Boolean)
}

const failing = (failure: EngineFailure) => ({ replies: () => [{ fail: failure }] })

test('if a model fails the next one answers, with one notice per chat', async () => {
  const { ask, asked } = given(
    { 'server:main': failing(down), 'server:one': {}, 'server:two': {} },
    { fallback: ['server:main', 'server:gone', 'server:one', 'server:two'] },
  )
  expect(told(await ask())).toEqual(['notice: Main is busy. One answers instead.', 'One'])
  expect(told(await ask())).toEqual(['One'])
  expect(told(await ask({ sessionId: 'another' }))).toEqual([
    'notice: Main is busy. One answers instead.',
    'One',
  ])
  expect([asked('server:main'), asked('server:one'), asked('server:two')]).toEqual([1, 3, 0])
})

test('an answer of another model is preceded by the name of that model, and one of the chat’s own is not', async () => {
  const scripts = { 'server:main': {}, 'server:quick': {}, 'server:one': {} }
  const writersOf = (events: CompletionEvent[]) =>
    events.flatMap(each => (each.type === 'writer' ? [each.name] : []))
  const routed = given(scripts, { routing: 'auto', fast: 'server:quick' })
  const greeting = { messages: [{ role: 'user' as const, text: 'Hi there' }] }
  expect(writersOf(await routed.ask(greeting))).toEqual(['Quick'])
  expect(writersOf(await routed.ask())).toEqual([])
  const fallen = given({ ...scripts, 'server:main': failing(down) }, { fallback: ['server:one'] })
  expect(writersOf(await fallen.ask())).toEqual(['One'])
})

test('after a minute the model is tried again, and a later failure gives a new notice', async () => {
  const replies = [[{ fail: down }], ['Main'], [{ fail: down }]] as const
  const { ask, pass } = given({ 'server:main': { replies }, 'server:one': {} }, { fallback: ['server:one'] })
  const heard = []
  for (let n = 0; n < 3; n++) {
    heard.push(told(await ask()))
    pass(60_000)
  }
  const changed = ['notice: Main is busy. One answers instead.', 'One']
  expect(heard).toEqual([changed, ['Main'], changed])
})

test.for([
  ['a failure that lies in the question', [{ fail: refused }], 'failed: Main declined.'],
  ['a failure in the middle of an answer', ['Half', { fail: down }], 'failed: Main is busy.'],
] as const)('%s is not passed to another model', async ([, reply, failure]) => {
  const { ask, asked } = given(
    { 'server:main': { replies: [reply] }, 'server:one': {} },
    { fallback: ['server:one'] },
  )
  expect([told(await ask())[0], asked('server:one')]).toEqual([failure, 0])
})

test('if all fail, the error is that of the chosen model and names the others tried', async () => {
  const { ask, asked } = given(
    { 'server:main': failing(down), 'server:one': failing({ ...down, text: 'One is down.' }) },
    { fallback: ['server:one'] },
  )
  expect((await ask()).at(-1)).toMatchObject({
    code: 'rate_limited',
    text: 'Main is busy. One did not answer either.',
  })
  // Both are marked as unavailable, but one of them must be asked.
  expect(told(await ask())).toEqual(['failed: Main is busy.'])
  expect([asked('server:main'), asked('server:one')]).toEqual([2, 1])
})

test('a model without fallback fails as it is, every time', async () => {
  const { ask, asked } = given({ 'server:main': failing(down) })
  const failed = { type: 'failed', ...down }
  expect([await ask(), await ask()].flat()).toEqual([failed, failed])
  expect(asked('server:main')).toBe(2)
})

test('stopping ends the attempts', async () => {
  const { routing, asked } = given(
    { 'server:main': { replies: [[{ hang: true }]] }, 'server:one': {} },
    { fallback: ['server:one'] },
  )
  const engine = await routing.engineFor('server:main')
  const stop = new AbortController()
  if (isFailure(engine)) throw new Error(engine.text)
  const run = Array.fromAsync(engine.complete({ sessionId: 's', messages: [], tools: [] }, stop.signal))
  await expect.poll(() => asked('server:main')).toBe(1)
  stop.abort()
  expect([await run, asked('server:one')]).toEqual([[], 0])
})

const TOOL = { name: 'look', description: 'Look.', parameters: { type: 'object', properties: {} } }
const withTools: Partial<Prompt> = {
  tools: [TOOL],
  messages: [
    { role: 'system', text: 'Be good.' },
    { role: 'user', text: 'Look twice.' },
    {
      role: 'assistant',
      text: 'Looking.',
      calls: [
        { id: 'a', name: 'look', arguments: { at: 1 } },
        { id: 'b', name: 'look', arguments: { at: 2 } },
      ],
    },
    { role: 'tool', callId: 'a', text: 'One.' },
    { role: 'tool', callId: 'b', text: 'Two.' },
  ],
}

test('a model that does not accept tools as data gets them as text', async () => {
  const unsupported: EngineFailure = { code: 'tools_unsupported', text: 'No tools.', fix: '' }
  const replies = [[{ fail: unsupported }], ['One']] as const
  for (const one of [{ strategy: 'text' as const }, { replies }]) {
    const { ask, lastPrompt } = given(
      { 'server:main': failing(down), 'server:one': one },
      { fallback: ['server:one'] },
    )
    expect(told(await ask(withTools))).toEqual(['notice: Main is busy. One answers instead.', 'One'])
    const prompt = lastPrompt('server:one')!
    expect(prompt.tools).toEqual([])
    expect(prompt.constraints).toHaveLength(1)
    expect(prompt.messages.map(({ role, text }) => [role, text])).toEqual([
      ['system', expect.stringMatching(/^Be good\.\n\n## Tools\n[^]*look/)],
      ['user', 'Look twice.'],
      ['assistant', expect.stringMatching(/^Looking\.\n<tool_call>[^]*"at": 2[^]*<\/tool_call>$/)],
      ['user', '[Tool Result: look] One.\n\n[Tool Result: look] Two.'],
    ])
    const { text, markup } = prompt.messages[2]!
    expect(markup!.map(([from, to]) => text.slice(from, to))).toContain('<tool_call>')
  }
})

test('a text prompt is passed on unchanged, without what only its own engine understands', async () => {
  const { ask, lastPrompt } = given(
    { 'server:main': failing(down), 'server:one': {} },
    { fallback: ['server:one'] },
  )
  await ask({
    messages: [
      { role: 'user', text: 'Hello', markup: [[0, 2]] },
      { role: 'assistant', text: 'Hi', generated: true },
      { role: 'user', text: 'And?' },
    ],
    constraints: [],
    begin: '<tool_call>',
  })
  expect(lastPrompt('server:one')).toEqual({
    sessionId: 's',
    tools: [],
    messages: [
      { role: 'user', text: 'Hello', markup: [] },
      { role: 'assistant', text: 'Hi', markup: [] },
      { role: 'user', text: 'And?', markup: [] },
    ],
  })
})

test('a model too small for the chat is skipped', async () => {
  const { ask, asked } = given(
    { 'server:main': failing(down), 'server:small': { contextTokens: 1_000 }, 'server:large': {} },
    { fallback: ['server:small', 'server:large'] },
  )
  const long = { messages: [{ role: 'user' as const, text: 'word '.repeat(2_000) }] }
  expect(told(await ask(long)).at(-1)).toBe('Large')
  expect(asked('server:small')).toBe(0)
})

const aLongChat = (system: string, tools: Prompt['tools'] = [TOOL]): Partial<Prompt> => ({
  tools,
  messages: [
    { role: 'system', text: system },
    { role: 'user', text: 'word '.repeat(1_000) },
    { role: 'assistant', text: 'Old answer.' },
    { role: 'user', text: 'Look once more.' },
    { role: 'assistant', text: '', calls: [{ id: 'a', name: 'look', arguments: {} }] },
    { role: 'tool', callId: 'a', text: 'Nothing.' },
  ],
})
const knowing = (words: number) =>
  `You are good.\n\nUse tools.\n\n## Notes\n${'note '.repeat(words)}\n\n## Skills\nsort`
const aLargeTool = { ...TOOL, description: 'Look. '.repeat(1_500) }

test.for<[string, Partial<Prompt>, string, RegExp]>([
  [
    'older turns are left out first',
    aLongChat(knowing(10)),
    'so it sees only your newest message.',
    /^You are good\.[^]*## Skills[^]*look/,
  ],
  [
    'then memory and skills',
    aLongChat(knowing(2_000)),
    'so it sees only your newest message, without memory and skills.',
    /^You are good\.\n\nUse tools\.\n\n## Tools[^]*look/,
  ],
  [
    'then the tools that were not used',
    aLongChat(knowing(2_000), [
      TOOL,
      ...Array.from({ length: 9 }, (_, n) => ({ ...aLargeTool, name: `other_${n}` })),
    ]),
    'so it sees only your newest message, and has only the tools that were used for it.',
    /^You are good\.\n\n## Tools[^]*look(?![^]*other_)/,
  ],
  [
    'then the tools',
    aLongChat(
      knowing(2_000),
      Array.from({ length: 9 }, () => aLargeTool),
    ),
    'so it sees only your newest message, and has no tools.',
    /^You are good\.$/,
  ],
])('for a small window that stands in, %s', async ([, prompt, told_, system]) => {
  const { ask, lastPrompt } = given(
    { 'server:main': failing(down), builtin: { contextTokens: 1_400, strategy: 'text' } },
    { fallback: ['builtin'] },
  )
  expect(told(await ask(prompt))).toEqual([
    `notice: Main is busy. Builtin answers instead. It has little room, ${told_}`,
    'Builtin',
  ])
  const { messages, tools } = lastPrompt('builtin')!
  expect([tools, messages[0]!.text]).toEqual([[], expect.stringMatching(system)])
  expect(messages.map(({ text }) => text).join('\n')).not.toContain('Old answer.')
  expect(messages[1]!.text).toBe('Look once more.')
  expect(messages.at(-1)!.text).toContain('Nothing.')
})

test('when even the newest message does not fit, the failure says so with both sizes', async () => {
  const { ask } = given(
    { 'server:main': failing(down), builtin: { contextTokens: 1_400, strategy: 'text' } },
    { fallback: ['builtin'] },
  )
  const messages = [{ role: 'user' as const, text: 'word '.repeat(2_000) }]
  expect(told(await ask({ messages }))[0]).toMatch(
    /^failed: Main is busy\. Builtin cannot take this chat over: even the newest message alone needs about [\d,]+ tokens, and it holds 1,400\.$/,
  )
})

const quick = { routing: 'auto', fast: 'server:quick' } as const
const hello: Partial<Prompt> = { messages: [{ role: 'user', text: 'Good morning!' }] }

test.for<[string, Partial<Prompt>, Partial<RoutingSettings>, string]>([
  ['a short message goes to the quick model', hello, quick, 'Quick'],
  ['work does not', {}, quick, 'Main'],
  ['nothing does when it is switched off', hello, { ...quick, routing: 'off' }, 'Main'],
  ['nothing does when there is none', hello, { ...quick, fast: '' }, 'Main'],
  ['nothing does when it is gone', hello, { ...quick, fast: 'server:gone' }, 'Main'],
  ['work in the background does not', { ...hello, priority: 'background' }, quick, 'Main'],
  ['a step after a tool does not', withTools, quick, 'Main'],
  [
    'a result in text does not',
    { messages: [{ role: 'user', text: '[Tool Result: look] Good morning!' }] },
    quick,
    'Main',
  ],
])('%s', async ([, prompt, settings, answer]) => {
  const { ask } = given({ 'server:main': {}, 'server:quick': {} }, settings)
  expect(told(await ask(prompt))).toEqual([answer])
})

test('a failing quick model gives no notice', async () => {
  const { ask, asked } = given({ 'server:main': {}, 'server:quick': failing(down) }, quick)
  expect([told(await ask(hello)), told(await ask(hello))]).toEqual([['Main'], ['Main']])
  expect(asked('server:quick')).toBe(1)
})

test('messages to a local model are not sent anywhere else', async () => {
  const { routing, engines } = given(
    { 'file:/m.gguf': {}, 'server:quick': {} },
    { ...quick, fallback: ['server:quick'] },
  )
  expect(await routing.engineFor('file:/m.gguf')).toBe(engines.get('file:/m.gguf'))
})

test.for<[string, string, boolean, string]>([
  ['the model of the chat unless something else is set', 'chat', true, 'Main'],
  ['the model that is set', 'server:other', true, 'Other'],
  ['the model of the chat when that one is gone', 'server:gone', true, 'Main'],
  ['the one of the environment when that is wanted', 'auto', true, 'Environment'],
  ['the model of the chat when the environment names none', 'auto', false, 'Main'],
])('summaries come from %s', async ([, auxiliary, named, answer]) => {
  const { routing, ask, environment } = given(
    { 'server:main': {}, 'server:other': {} },
    { auxiliary: { ...auxiliaryOf('server:main'), summary: auxiliary } },
  )
  if (named)
    environment.engine = scriptedEngine({
      name: 'Environment',
      modelId: 'environment:x',
      replies: ['Environment'],
    })
  expect(told(await ask({}, routing.auxiliaryFor('server:main', 'summary')))).toEqual([answer])
  expect(told(await ask({}, routing.auxiliaryFor('server:main', 'draft')))).toEqual(['Main'])
  expect(environment.prepared).toBe(answer === 'Environment' ? 1 : 0)
})

test('the chat’s model replaces another one that fails', async () => {
  const { routing, ask } = given(
    { 'file:/m.gguf': {}, 'server:other': failing(down) },
    { auxiliary: auxiliaryOf('server:other') },
  )
  expect(told(await ask({}, routing.auxiliaryFor('file:/m.gguf', 'recap'))).at(-1)).toBe('File:/m.gguf')
})

test('a missing model is reported as missing', async () => {
  const { routing } = given({})
  expect([
    await routing.engineFor('server:main'),
    await routing.auxiliaryFor('server:main', 'summary'),
  ]).toMatchObject([{ code: 'model_missing' }, { code: 'model_missing' }])
})
