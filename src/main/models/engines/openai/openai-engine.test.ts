import { expect, test } from 'vitest'
import type { CompletionEvent } from '../../interface/engine.ts'
import {
  anError,
  aPrompt,
  callsOf,
  collect,
  KEY,
  never,
  setUpServer,
  textOf,
  TOOL,
} from '../../../../../testing/models/openai.ts'

const given = setUpServer()
const { answer } = given

const usageOf = (events: CompletionEvent[]) => {
  const last = events.at(-1)
  return last?.type === 'done' ? last.usage : undefined
}

test('an answer streams text and thoughts separately, and ends with its usage', async () => {
  const events = await answer({
    reasoning: ['Let me ', 'think.'],
    text: ['Good ', 'morning.'],
    usage: { prompt_tokens: 40, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 30 } },
  })
  expect(events).toEqual([
    { type: 'reasoning', text: 'Let me ' },
    { type: 'reasoning', text: 'think.' },
    { type: 'text', text: 'Good ' },
    { type: 'text', text: 'morning.' },
    {
      type: 'done',
      stop: 'end',
      usage: {
        promptTokens: 40,
        reusedTokens: 30,
        evaluatedTokens: 10,
        outputTokens: 9,
        contextTokens: 4_096,
        firstTokenMs: expect.any(Number),
        prefillPerSecond: 0,
        tokensPerSecond: expect.any(Number),
      },
    },
  ])
})

test('thoughts are also read from the field that other servers use', async () => {
  expect((await answer({ reasoning: 'Hm.', reasoningField: 'reasoning' }))[0]).toEqual({
    type: 'reasoning',
    text: 'Hm.',
  })
})

test('content that comes as parts is separated into thoughts and text', async () => {
  const parts = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
    { type: 'text', text: 'Yes.' },
  ]
  const events = await answer({ chunks: [{ choices: [{ delta: { content: parts } }] }] })
  expect(events.slice(0, 2)).toEqual([
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'Yes.' },
  ])
})

test('messages, tools and sampling are sent in the protocol’s format', async () => {
  await answer(
    {},
    {},
    {
      messages: [
        { role: 'system', text: 'Be brief.' },
        { role: 'user', text: 'List it.' },
        { role: 'assistant', text: '', calls: [{ id: 'c1', name: 'list_files', arguments: { path: '.' } }] },
        { role: 'tool', text: 'a.txt', callId: 'c1' },
        { role: 'assistant', text: 'One file.' },
      ],
      tools: [TOOL],
      maxTokens: 100,
      sampling: { temperature: 0.5, topK: 20 },
    },
  )
  const [request] = given.server.chats()
  expect(request?.headers.authorization).toBe(`Bearer ${KEY}`)
  expect(request?.body).toEqual({
    model: 'test-model',
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 100,
    temperature: 0.5,
    top_k: 20,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'List it.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'list_files', arguments: '{"path":"."}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'a.txt' },
      { role: 'assistant', content: 'One file.' },
    ],
    tools: [{ type: 'function', function: TOOL }],
  })
})

test('a request contains nothing about this computer, and no key if there is none', async () => {
  process.env['OPENAI_ORG_ID'] = 'org-of-somebody'
  process.env['OPENAI_CUSTOM_HEADERS'] = 'X-Private: yes'
  await answer({}, { apiKey: '' })
  delete process.env['OPENAI_ORG_ID']
  delete process.env['OPENAI_CUSTOM_HEADERS']
  const { host: _, connection: __, ...headers } = given.server.chats()[0]?.headers ?? {}
  expect(Object.keys(headers).toSorted()).toEqual([
    'accept',
    'accept-encoding',
    'accept-language',
    'content-length',
    'content-type',
    'sec-fetch-mode',
    'user-agent',
  ])
})

test('several calls of one reply come whole, in order, after the text', async () => {
  const events = await answer({
    text: 'Looking.',
    toolCalls: [
      { name: 'read_file', arguments: { path: 'a "quoted" name' }, pieces: 7 },
      { name: 'list_files', arguments: '' },
      { name: 'read_file', arguments: { path: 'b' }, id: null },
    ],
  })
  expect(callsOf(events)).toEqual([
    { type: 'call', id: 'call_0', name: 'read_file', argumentsText: '{"path":"a \\"quoted\\" name"}' },
    { type: 'call', id: 'call_1', name: 'list_files', argumentsText: '{}' },
    {
      type: 'call',
      id: expect.stringMatching(/^[0-9a-f]{9}$/),
      name: 'read_file',
      argumentsText: '{"path":"b"}',
    },
  ])
  expect(events.map(each => each.type)).toEqual(['text', 'call', 'call', 'call', 'done'])
})

test.for([1, 2, 3, 7])('packets of %d bytes, which split characters, change nothing', async packetBytes => {
  const toolCalls = [{ name: 'write_file', arguments: { text: '“ü😀”\n' }, pieces: 4 }]
  const events = await answer({ packetBytes, reasoning: 'Größe', text: ['Prüfung 👩‍👩‍👧', '。'], toolCalls })
  expect([textOf(events), callsOf(events).map(call => call.argumentsText), events.at(-1)?.type]).toEqual([
    'Prüfung 👩‍👩‍👧。',
    ['{"text":"“ü😀”\\n"}'],
    'done',
  ])
})

test('a truncated answer says so, and a call without arguments is dropped', async () => {
  const events = await answer({
    finish: 'length',
    toolCalls: [
      { name: 'write_file', arguments: '{"path":"a","content":"hal' },
      { name: 'list_files', arguments: '' },
    ],
  })
  expect(callsOf(events).map(call => call.argumentsText)).toEqual(['{"path":"a","content":"hal'])
  expect(events.at(-1)).toMatchObject({ type: 'done', stop: 'length' })
})

test('without usage from the server it is estimated, with nothing reused or evaluated', async () => {
  const usage = usageOf(await answer({ text: 'One two three four five.', usage: false }))
  expect(usage).toMatchObject({ reusedTokens: 0, evaluatedTokens: 0, prefillPerSecond: 0 })
  expect(usage?.promptTokens).toBeGreaterThan(0)
  expect(usage?.outputTokens).toBeGreaterThan(4)
})

test('the speeds that llama-server reports are passed on', async () => {
  const timings = { cache_n: 4, prompt_per_second: 812.5, predicted_per_second: 31.25 }
  const usage = usageOf(await answer({ text: 'Hi.', chunks: [{ choices: [], timings }] }))
  expect(usage).toMatchObject({
    reusedTokens: 4,
    evaluatedTokens: 6,
    prefillPerSecond: 812.5,
    tokensPerSecond: 31.25,
  })
})

test('an answer that is not streamed is read', async () => {
  const message = {
    role: 'assistant',
    content: 'All at once.',
    tool_calls: [{ id: 'x', type: 'function', function: { name: 'list_files', arguments: { path: '.' } } }],
  }
  const events = await answer({ status: 200, body: { choices: [{ message, finish_reason: 'tool_calls' }] } })
  expect(textOf(events)).toBe('All at once.')
  expect(callsOf(events)).toEqual([
    { type: 'call', id: 'x', name: 'list_files', argumentsText: '{"path":"."}' },
  ])
})

test('a parameter that the server refuses is left out from then on', async () => {
  const engine = given.anEngine()
  given.server.reply(
    {
      status: 400,
      body: anError("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
    },
    {
      status: 422,
      body: { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] },
    },
    { text: 'Fine.' },
  )
  const prompt = aPrompt({ maxTokens: 7 })
  expect(textOf(await collect(engine.complete(prompt, never)))).toBe('Fine.')
  await collect(engine.complete(prompt, never))
  expect(given.server.chats()).toHaveLength(4)
  expect(given.server.chats().at(-1)?.body).toEqual({
    model: 'test-model',
    stream: true,
    max_completion_tokens: 7,
    messages: [{ role: 'user', content: 'Hello' }],
  })
})
