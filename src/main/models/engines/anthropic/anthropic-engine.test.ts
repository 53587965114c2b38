import { expect, test } from 'vitest'
import { anError, type ServedMessage } from '../../../../../testing/servers/anthropic-server.ts'
import { OfflineError, unlockFix } from '../../../lib/network/offline.ts'
import type { EngineFailure, WireMessage } from '../../interface/engine.ts'
import {
  aPrompt,
  failureOf,
  KEY,
  never,
  setUpServer,
  textOf,
  TOOL,
  usageOf,
  user,
} from '../../../../../testing/models/anthropic.ts'

const given = setUpServer()
const { answer } = given

test('an answer streams text and thoughts separately, then whole calls, and ends with its usage', async () => {
  const events = await answer(
    {
      content: [
        { thinking: 'Let me think.', signature: 's', pieces: 2 },
        { text: 'Looking at both.', pieces: 2 },
        { tool: 'read_file', input: { path: 'a "quoted" name' }, pieces: 7 },
        { tool: 'list_files', input: '' },
      ],
    },
    {},
    { messages: [{ role: 'system', text: 'S'.repeat(400) }, user('Look.')] },
  )
  expect(events).toEqual([
    { type: 'reasoning', text: 'Let me ' },
    { type: 'reasoning', text: 'think.' },
    { type: 'text', text: 'Looking ' },
    { type: 'text', text: 'at both.' },
    { type: 'call', id: 'toolu_2', name: 'read_file', argumentsText: '{"path":"a \\"quoted\\" name"}' },
    { type: 'call', id: 'toolu_3', name: 'list_files', argumentsText: '{}' },
    {
      type: 'done',
      stop: 'end',
      usage: {
        promptTokens: expect.any(Number),
        reusedTokens: 0,
        evaluatedTokens: expect.any(Number),
        outputTokens: 20,
        contextTokens: 100_000,
        firstTokenMs: expect.any(Number),
        prefillPerSecond: 0,
        tokensPerSecond: expect.any(Number),
      },
    },
  ])
  expect(usageOf(events).evaluatedTokens).toBe(usageOf(events).promptTokens)
})

test('tools and results are sent in the protocol’s format', async () => {
  await answer(
    {},
    {},
    {
      messages: [
        { role: 'system', text: 'Be brief.' },
        user('Read both.'),
        {
          role: 'assistant',
          text: 'Reading.',
          calls: [
            { id: 'aaaaaaaaa', name: 'read_file', arguments: { path: 'a' } },
            { id: 'bbbbbbbbb', name: 'read_file', arguments: { path: 'b' } },
          ],
        },
        { role: 'tool', text: 'A', callId: 'aaaaaaaaa' },
        { role: 'tool', text: '', callId: 'bbbbbbbbb' },
      ],
      tools: [TOOL],
      maxTokens: 100,
      sampling: { temperature: 0.5, topK: 20, minP: 0.1, seed: 7 },
    },
  )
  const mark = { cache_control: { type: 'ephemeral' } }
  expect(given.server.bodies()).toEqual([
    {
      model: 'claude-test',
      stream: true,
      max_tokens: 100,
      temperature: 0.5,
      top_k: 20,
      tools: [{ name: 'read_file', description: 'Read a file.', input_schema: TOOL.parameters }],
      system: [{ type: 'text', text: 'Be brief.', ...mark }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Read both.', ...mark }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Reading.' },
            { type: 'tool_use', id: 'aaaaaaaaa', name: 'read_file', input: { path: 'a' } },
            { type: 'tool_use', id: 'bbbbbbbbb', name: 'read_file', input: { path: 'b' }, ...mark },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'aaaaaaaaa', content: 'A', ...mark },
            { type: 'tool_result', tool_use_id: 'bbbbbbbbb' },
          ],
        },
      ],
    },
  ])
})

test('a request contains the configured key and nothing about this computer or its environment', async () => {
  const env = { ANTHROPIC_API_KEY: 'sk-ant-of-somebody', ANTHROPIC_CUSTOM_HEADERS: 'X-Private: yes' }
  Object.assign(process.env, env)
  await answer({}, { apiKey: '' })
  await answer({})
  for (const name of Object.keys(env)) delete process.env[name]
  const [without, withKey] = given.server.requests.map(({ headers }) => headers)
  const { host: _, connection: __, ...said } = without ?? {}
  expect(Object.keys(said).toSorted()).toEqual([
    'accept',
    'accept-encoding',
    'accept-language',
    'anthropic-version',
    'content-length',
    'content-type',
    'sec-fetch-mode',
    'user-agent',
  ])
  expect([withKey?.['x-api-key'], withKey?.['user-agent']]).toEqual([KEY, 'Talaria'])
})

/** A turn in which the model called a tool, as it is sent back to the server. */
const afterTheCall = (path = 'a'): WireMessage[] => [
  user('Read it.'),
  {
    role: 'assistant',
    text: '',
    calls: [{ id: 'ours12345', name: 'read_file', arguments: { path } }],
  },
  { role: 'tool', text: 'Content.', callId: 'ours12345' },
]

test('thoughts are sent back in place with their signature, during the turn and later', async () => {
  const engine = given.anEngine({ thinkingTokens: 1_024 })
  const ask = (messages: WireMessage[]) =>
    Array.fromAsync(engine.complete(aPrompt({ messages, tools: [TOOL] }), never))
  given.server.reply(
    {
      content: [
        { thinking: 'First I look.', signature: 'sig-1' },
        { redacted: 'hidden' },
        { tool: 'read_file', input: { path: 'a' } },
      ],
    },
    { content: [{ thinking: 'Then I say.', signature: 'sig-2' }, { text: 'It says: Content.' }] },
    {},
  )
  await ask([user('Read it.')])
  await ask(afterTheCall())
  await ask([...afterTheCall(), { role: 'assistant', text: 'It says: Content.' }, user('Thanks.')])
  const bodies = given.server.bodies()
  const thinking = { type: 'enabled', budget_tokens: 1_024 }
  expect(bodies.map(body => body.thinking)).toEqual([thinking, thinking, thinking])
  const kept = [
    { type: 'thinking', thinking: 'First I look.', signature: 'sig-1' },
    { type: 'redacted_thinking', data: 'hidden' },
    { type: 'tool_use', id: 'ours12345', name: 'read_file', input: { path: 'a' } },
  ]
  expect(bodies[1].messages[1].content).toMatchObject(kept)
  expect(bodies[2].messages[1].content).toMatchObject(kept)
  expect(bodies[2].messages[3].content).toMatchObject([
    { type: 'thinking', thinking: 'Then I say.', signature: 'sig-2' },
    { type: 'text', text: 'It says: Content.' },
  ])
})

test('a turn that lost its thoughts in a restart continues without thinking, and the next one thinks again', async () => {
  const options = { thinkingTokens: 1_024 }
  expect(textOf(await answer({}, options, { messages: afterTheCall(), tools: [TOOL] }))).toBe('Hello.')
  await answer({}, options, {
    messages: [...afterTheCall(), { role: 'assistant', text: 'So.' }, user('Go on.')],
  })
  const [lost, next] = given.server.bodies()
  expect([lost.thinking, next.thinking]).toEqual([undefined, { type: 'enabled', budget_tokens: 1_024 }])
})

test('a model that refuses thinking or the output limit is asked again without it', async () => {
  const engine = given.anEngine({ thinkingTokens: 2_000, model: 'claude-3-5-haiku-latest' })
  given.server.reply(
    { status: 400, body: anError('invalid_request_error', 'thinking: this model does not support thinking') },
    {
      status: 400,
      body: anError('invalid_request_error', 'max_tokens: 8192 > 4096, which is the maximum allowed number'),
    },
    {},
  )
  for (let n = 0; n < 2; n++) await Array.fromAsync(engine.complete(aPrompt(), never))
  expect(given.server.bodies().map(body => [body.max_tokens, 'thinking' in body])).toEqual([
    [8_192, true],
    [8_192, false],
    [4_096, false],
    [4_096, false],
  ])
})

test.for([
  ['claude-sonnet-4-5', { type: 'enabled', budget_tokens: 2_000 }],
  ['claude-opus-4-20250514', { type: 'enabled', budget_tokens: 2_000 }],
  ['claude-opus-4-6', { type: 'adaptive', display: 'summarized' }],
  ['claude-haiku-5-5', { type: 'adaptive', display: 'summarized' }],
] as const)('%s gets its own form of the thinking option', async ([model, thinking]) => {
  await answer({}, { model, thinkingTokens: 2_000 })
  expect(given.server.bodies()[0].thinking).toEqual(thinking)
})

test('a short limited request uses no thinking, and with thinking the sampling settings are not sent', async () => {
  const sampling = { temperature: 0, topP: 0.5 }
  await answer({}, { thinkingTokens: 1_024 }, { maxTokens: 50, sampling })
  await answer({}, { thinkingTokens: 1_024 }, { sampling })
  const [small, large] = given.server.bodies()
  expect([small.thinking, small.temperature, large.temperature, large.top_p]).toEqual([
    undefined,
    0,
    undefined,
    undefined,
  ])
})

test.for([
  ['529 once', [{ status: 529, body: anError('overloaded_error', 'Overloaded') }, {}], 2],
  [
    'overload in the stream, before any text',
    [{ errorAfter: 1, error: { type: 'overloaded_error', message: 'Overloaded' } }, {}],
    2,
  ],
  ['500 twice', [{ status: 500 }, { status: 500 }, {}], 3],
  ['a connection cut before the answer began', [{ breakAfter: 1 }, {}], 2],
] satisfies [string, ServedMessage[], number][])(
  '%s is retried, unseen by the user',
  async ([, replies, requests]) => {
    expect(textOf(await answer(replies))).toBe('Hello.')
    expect(given.server.bodies()).toHaveLength(requests)
  },
)

test.for([
  [
    'a wrong key',
    { status: 401, body: anError('authentication_error', 'invalid x-api-key') },
    'refused',
    'Claude did not accept the API key.',
  ],
  [
    'an empty account',
    {
      status: 400,
      body: anError('invalid_request_error', 'Your credit balance is too low to access the API.'),
    },
    'refused',
    'The account at Claude has no credit left.',
  ],
  [
    'a model that is not there',
    { status: 404, body: anError('not_found_error', 'model: claude-test') },
    'model_missing',
    'Claude does not have the model “claude-test”.',
  ],
  [
    'a long chat',
    {
      status: 400,
      body: anError('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
    },
    'context_full',
    'The conversation no longer fits into what claude-test can read at once.',
  ],
  [
    'overload that stays',
    { status: 529, body: anError('overloaded_error', 'Overloaded') },
    'internal',
    'Claude is overloaded.',
  ],
  [
    'too many requests',
    { status: 429, headers: { 'retry-after': '120' }, body: anError('rate_limit_error', 'Slow down') },
    'rate_limited',
    'Claude gets too many requests and asks to wait 2 minutes.',
  ],
  ['a refusal', { stop: 'refusal' }, 'refused', 'Claude declined to answer.'],
  [
    'a web page',
    { html: '<!doctype html><title>Router</title>' },
    'unreachable',
    'The address of Claude answers with a web page instead of a model.',
  ],
  [
    'an error in the middle',
    { errorAfter: 4, error: { type: 'api_error', message: 'worker died' } },
    'engine_gone',
    'Claude broke off with an error: “worker died”.',
  ],
  [
    'a break in the middle',
    { breakAfter: 4 },
    'engine_gone',
    'The connection to Claude broke in the middle of the answer.',
  ],
] satisfies [string, ServedMessage, EngineFailure['code'], string][])(
  '%s is explained in plain words with a fix',
  async ([, reply, code, text]) => {
    const failure = failureOf(await answer(reply))
    expect(failure).toEqual({ code, text, fix: expect.stringMatching(/^[A-Z].*\.$/) })
    expect([JSON.stringify(failure).includes(KEY), given.reported]).toEqual([false, []])
  },
)

test('a wrong address is reported as such', async () => {
  const failure = failureOf(await answer({}, { baseUrl: `${given.server.baseUrl}/nowhere` }))
  expect(failure.text).toMatch(/^There are no messages of a model at 127\.0\.0\.1:\d+ under this address\.$/)
})

test('under the offline lock nothing is retried, and the fix is to unlock it', async () => {
  let asked = 0
  const fetchFor = () => () => {
    asked++
    return Promise.reject(new OfflineError('api.example.org'))
  }
  expect([failureOf(await answer({}, { fetchFor })), asked]).toEqual([
    {
      code: 'refused',
      text: 'The offline lock is on, so nothing was sent to api.example.org.',
      fix: unlockFix,
    },
    1,
  ])
})

test('an answer that is not streamed is read, and a truncated one says so', async () => {
  const content = [
    { type: 'text', text: 'All at once.' },
    { type: 'tool_use', id: 't', name: 'read_file', input: { path: 'a' } },
  ]
  const whole = await answer({
    status: 200,
    body: { content, stop_reason: 'tool_use', usage: { input_tokens: 5 } },
  })
  expect([textOf(whole), whole.at(-2)]).toEqual([
    'All at once.',
    { type: 'call', id: 't', name: 'read_file', argumentsText: '{"path":"a"}' },
  ])
  const cut = await answer({
    stop: 'max_tokens',
    content: [
      { tool: 'write', input: '{"path":"hal' },
      { tool: 'read_file', input: '' },
    ],
  })
  expect(cut.map(each => (each.type === 'call' ? each.argumentsText : each.type))).toEqual([
    '{"path":"hal',
    'done',
  ])
  expect(cut.at(-1)).toMatchObject({ stop: 'length' })
})

test('stopping ends the answer without further events', async () => {
  given.server.reply({ stallMs: 60_000 })
  const stop = new AbortController()
  const run = Array.fromAsync(given.anEngine().complete(aPrompt(), stop.signal))
  await expect.poll(() => given.server.bodies().length).toBe(1)
  stop.abort()
  expect(await run).toEqual([])
})

test('the context window is known by model name or else requested, and background work is labelled as such', async () => {
  const profileOf = (model: string) => {
    const { contextTokens: _, ...rest } = { contextTokens: 0, model }
    return given.anEngine({ ...rest, contextTokens: undefined as never }).profile()
  }
  expect(await profileOf('claude-sonnet-4-5')).toMatchObject({
    strategy: 'structured',
    contextTokens: 200_000,
  })
  expect(given.asked).toEqual([])
  expect(await profileOf('claude-opus-5')).toMatchObject({ contextTokens: 123_456 })
  await answer({}, {}, { purpose: 'learning' })
  await answer({})
  expect(given.asked.map(each => each.purpose)).toEqual(['server_check', 'learning', 'chat'])
})
