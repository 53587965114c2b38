import { afterAll, beforeAll, expect, test } from 'vitest'
import { API_KEY, apiAlone, someUsage } from '../../../testing/host/api-alone.ts'
import type { CompletionEvent } from '../models/interface/engine.ts'

// Requests of programs made for LM Studio, Ollama, llama.cpp, Open WebUI, Continue, Cline, LangChain and n8n
// to a local server, beyond the published API.

let api: Awaited<ReturnType<typeof apiAlone>>
let text = 'Good day.'
beforeAll(async () => {
  api = await apiAlone({
    write: (): CompletionEvent[] => [
      { type: 'text', text },
      { type: 'done', stop: 'end', usage: someUsage },
    ],
  })
})
afterAll(() => api.close())

const at = (path: string) => `http://127.0.0.1:${api.port}${path}`
const headers = { authorization: `Bearer ${API_KEY}` }
const get = (path: string, method = 'GET') => fetch(at(path), { method, headers })
const post = (path: string, body: string | object, more: Record<string, string> = {}) =>
  fetch(at(path), {
    method: 'POST',
    headers: { ...headers, ...more },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const messages = [{ role: 'user', content: 'Hi' }]
const tools = [{ type: 'function', function: { name: 'look' } }]
const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }

test.each<[string, object]>([
  ['no model', { model: undefined }],
  ['an empty model', { model: '' }],
  ['the model in other letters', { model: 'a' }],
  ['the kind of server before the name', { model: 'openai/A' }],
  ['max_tokens of -1, as LM Studio writes it', { max_tokens: -1 }],
  ['more tokens than any model writes', { max_tokens: 2 ** 31 - 1 }],
  ['max_completion_tokens', { max_completion_tokens: 5 }],
  ['sampling left to the model with -1', { top_k: -1, seed: -1 }],
  [
    'every field there is, with nothing in it',
    {
      functions: [],
      logit_bias: {},
      logprobs: false,
      n: 1,
      stop: null,
      tools: [],
      presence_penalty: 0,
      user: '',
    },
  ],
  ['a developer who speaks', { messages: [{ role: 'developer', content: 'Be kind.' }, ...messages] }],
  ['content in parts', { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] }],
  [
    'a call without a text, and its result in parts',
    {
      tools,
      messages: [
        ...messages,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'blue' }] },
      ],
    },
  ],
  [
    'a call with an empty text and arguments as an object',
    {
      tools,
      messages: [
        ...messages,
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ ...call, function: { name: 'look', arguments: {} } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'blue' },
      ],
    },
  ],
  ['parallel_tool_calls', { tools, parallel_tool_calls: true }],
])('%s is understood', async (_what, given) => {
  const answer = await post('/v1/chat/completions', { model: 'A', messages, ...given })
  expect(await answer.json()).toMatchObject({ model: 'A', choices: [{ message: { content: 'Good day.' } }] })
  expect(answer.headers.get('x-talaria-unused')).toBeNull()
})

test.each<[string, object, string]>([
  ['two answers', { n: 2 }, 'n'],
  ['probabilities', { logprobs: true }, 'logprobs'],
  ['a bias', { logit_bias: { 5: 1 } }, 'logit_bias'],
  ['no tokens', { max_tokens: 0 }, 'max_tokens'],
  ['content that is a number', { messages: [{ role: 'user', content: 1 }] }, 'messages.0.content'],
  [
    'a part without a type',
    { messages: [{ role: 'user', content: [{ text: 'Hi' }] }] },
    'messages.0.content.0.type',
  ],
  ['two tools of one name', { tools: [...tools, ...tools] }, 'tools'],
  [
    'a choice that is no tool',
    { tools, tool_choice: { type: 'function', function: { name: 'x' } } },
    'tool_choice',
  ],
  ['a model that is not there', { model: 'gpt-9' }, 'model'],
])('%s is refused by the name of the field', async (_what, given, param) => {
  const answer = await post('/v1/chat/completions', { model: 'A', messages, ...given })
  expect([400, 404]).toContain(answer.status)
  expect(await answer.json()).toMatchObject({ error: { param } })
})

test('fields inside of fields that change nothing are named too', async () => {
  const told = async (path: string, body: object) =>
    (await post(path, { model: 'A', ...body })).headers.get('x-talaria-unused')
  expect(
    await told('/v1/responses', { input: 'Hi', text: { verbosity: 'low' }, tools: [{ type: 'web_search' }] }),
  ).toBe('text.verbosity, tools: web_search')
  expect(
    await told('/v1/messages', { max_tokens: 5, messages, thinking: { type: 'enabled', budget_tokens: 9 } }),
  ).toBe('thinking.budget_tokens')
})

test.each([
  ['a value nested 100,000 deep', `{"messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400, 'nested'],
  ['two million values', `{"a":[${'0,'.repeat(2_000_000)}0]}`, 400, 'values'],
  ['a text that is not UTF-8 and no JSON', '\ud800{', 400, 'JSON'],
  ['a list', '[]', 400, 'object'],
  ['nothing', '', 400, 'JSON'],
])('%s is refused in words', async (_what, body, status, says) => {
  const answer = await post('/v1/chat/completions', body)
  const { error } = (await answer.json()) as { error: { message: string } }
  expect([answer.status, error.message]).toEqual([status, expect.stringContaining(says)])
})

test('arguments of an earlier call that are nested 100,000 deep harm nobody', async () => {
  const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
  const answer = await post('/v1/chat/completions', {
    model: 'A',
    tools,
    messages: [
      ...messages,
      { role: 'assistant', tool_calls: [{ ...call, function: { name: 'look', arguments: deep } }] },
      { role: 'tool', tool_call_id: 'call_1', content: 'x' },
    ],
  })
  expect(answer.status).toBe(200)
})

test.each<[string, unknown, string, number]>([
  ['cannot be met', { not: {} }, 'schema_not_met', 422],
  ['is none', { type: 'banana' }, 'bad_schema', 400],
  ['goes round in a ring', { $ref: '#' }, 'schema_not_met', 422],
  ['is on another computer', { $ref: 'https://evil.example/schema.json' }, 'bad_schema', 400],
])('a schema that %s never gives another answer', async (_what, schema, code, status) => {
  text = '{"a":1}'
  const answer = await post('/v1/chat/completions', {
    model: 'A',
    messages,
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
  })
  text = 'Good day.'
  expect([answer.status, await answer.json()]).toMatchObject([status, { error: { code } }])
})

test('a schema with a pattern that never ends is decided in a moment', async () => {
  text = JSON.stringify({ a: `${'a'.repeat(40)}!` })
  const answer = await post('/v1/chat/completions', {
    model: 'A',
    messages,
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'x', schema: { properties: { a: { pattern: '^(a+)+$' } } } },
    },
  })
  text = 'Good day.'
  expect([400, 422]).toContain(answer.status)
})

test('what body type a program names does not matter, but it is sent plainly', async () => {
  const body = { model: 'A', messages }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1'])
    expect((await post('/v1/chat/completions', body, { 'content-type': type })).status).toBe(200)
  expect((await post('/v1/chat/completions', body, { 'content-encoding': 'gzip' })).status).toBe(415)
})

test('models are read by their ids, with a slash behind, and by HEAD', async () => {
  expect((await get('/v1/models/A')).status).toBe(200)
  expect((await get('/v1/models/')).status).toBe(200)
  const head = await get('/v1/models', 'HEAD')
  expect([head.status, await head.text(), Number(head.headers.get('content-length')) > 100]).toEqual([
    200,
    '',
    true,
  ])
  expect((await get('/v1/models/nobody')).status).toBe(404)
  expect(await (await fetch(at('/health'))).json()).toEqual({ status: 'ok' })
  const options = await get('/v1/models', 'OPTIONS')
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
  const wrong = await get('/v1/chat/completions')
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
})

test.each([
  ['/api/chat', 'Ollama'],
  ['/api/tags', 'Ollama'],
  ['/v1/v1/messages', '/v1 twice'],
  ['/chat/completions', 'ends in /v1'],
  ['/v1/completions', '/v1/chat/completions'],
  ['/nowhere', 'nothing'],
])('what is not at %s is said in words', async (path, says) => {
  const answer = await post(path, { model: 'A', messages })
  const { error } = (await answer.json()) as { error: { message: string; type: string } }
  expect([answer.status, error.type, error.message]).toEqual([
    404,
    'not_found_error',
    expect.stringContaining(says),
  ])
})

test('vectors come as numbers and as base64; tokens and other lengths are refused', async () => {
  const embed = async (more: object) => {
    const answer = await post('/v1/embeddings', { model: 'talaria-encoder', ...more })
    return (await answer.json()) as { data: { embedding: unknown }[]; error?: { param: string } }
  }
  const numbers = (await embed({ input: ['abc', 'a'] })).data.map(({ embedding }) => embedding)
  expect(numbers).toEqual([
    [3, 0.5, -1],
    [1, 0.5, -1],
  ])
  const [{ embedding } = { embedding: '' }] = (await embed({ input: 'abc', encoding_format: 'base64' })).data
  const bytes = Buffer.from(String(embedding), 'base64')
  expect([0, 4, 8].map(offset => bytes.readFloatLE(offset))).toEqual([3, 0.5, -1])
  expect((await embed({ input: 'abc', dimensions: 3 })).data.length).toBe(1)
  for (const [more, param] of [
    [{ input: [1, 2, 3] }, 'input.0'],
    [{ input: [[1, 2]] }, 'input.0'],
    [{ input: ['a', ''] }, 'input.1'],
    [{ input: [] }, 'input'],
    [{ input: 'a', dimensions: 2 }, 'dimensions'],
    [{ input: 'a', model: 'A' }, 'model'],
  ] as const)
    expect((await embed(more)).error?.param).toBe(param)
})
