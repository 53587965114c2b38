import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { anError, startAnthropicServer } from '../../../testing/servers/anthropic-server.ts'
import { startOpenAiServer } from '../../../testing/servers/openai-server.ts'
import type { ServerCheck } from '../../shared/contract/models/model.ts'
import { OfflineError, unlockFix } from '../lib/network/offline.ts'
import { tryServer, type TriedServer } from './try-server.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const KEY = 'sk-a-secret-key-0123456789'
const reported: unknown[] = []
const subjects: unknown[] = []

async function check(server: Partial<TriedServer>, send: typeof fetch = fetch): Promise<ServerCheck> {
  const tried: TriedServer = { protocol: 'openai', baseUrl: '', apiKey: '', model: '', ...server }
  const fetchFor = (reason: object) => {
    subjects.push(reason)
    return send
  }
  return tryServer(tried, { fetchFor, report: error => reported.push(error), patienceMs: 300 })
}

async function anOpenAi(models: unknown[]) {
  const server = await startOpenAiServer({ models })
  closers.push(() => server.close())
  return server
}

/** A server that answers every request the same way. */
async function answering(status: number, body: unknown, type = 'application/json', headers = {}) {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': type, ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

/** A `fetch` that simulates internet hosts. */
const faking =
  (answer: (url: URL, headers: Headers) => { status?: number; body: unknown }): typeof fetch =>
  async (input, init) => {
    const { status = 200, body } = answer(
      new URL(input instanceof Request ? input.url : input),
      new Headers(init?.headers),
    )
    return Response.json(body, { status })
  }

test('a server is recognised, and its chat models are listed with their context windows', async () => {
  const server = await anOpenAi([
    { id: 'qwen3:8b', owned_by: 'library', max_model_len: 32_768 },
    { id: 'nomic-embed-text', owned_by: 'library' },
    { id: 'gemma3:4b', owned_by: 'library' },
  ])
  expect(await check({ baseUrl: server.baseUrl, apiKey: KEY })).toEqual({
    ok: true,
    text: 'Ollama answers, with 2 models.',
    fix: '',
    models: [
      { id: 'qwen3:8b', contextTokens: 32_768 },
      { id: 'gemma3:4b', contextTokens: null },
    ],
    ms: expect.any(Number),
  })
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  expect(server.chats()).toEqual([])
  expect(subjects.at(-1)).toEqual({ purpose: 'server_check', subject: new URL(server.baseUrl).host })
})

test.for([
  ['vLLM', [{ id: 'm', owned_by: 'vllm' }], {}],
  ['llama-server', [{ id: 'm', owned_by: 'llamacpp' }], {}],
  ['LM Studio', [{ id: 'm', owned_by: 'organization_owner' }], {}],
  ['LiteLLM', [{ id: 'm', owned_by: 'openai' }], { 'x-litellm-version': '1' }],
] as const)('%s is recognised by its response', async ([name, data, headers]) => {
  const baseUrl = await answering(200, { data }, 'application/json', headers)
  expect((await check({ baseUrl })).text).toBe(`${name} answers, with one model.`)
})

test.for([
  ['the very name', 'a-model', true],
  ['a name without the tag that Ollama adds', 'tagged', true],
  ['a variant of a name', 'a-model:free', true],
  ['a name without its date', 'dated-model', true],
  ['the newest of a name', 'dated-model-latest', true],
  ['what a pattern of a gateway allows', 'openai/anything', true],
  ['another name', 'b-model', false],
  ['a part of a name', 'dated', false],
] as const)('%s names a listed model or not', async ([, model, ok]) => {
  const models = ['a-model', 'tagged:latest', 'dated-model-20250929', 'openai/*'].map(id => ({ id }))
  const { baseUrl } = await anOpenAi(models)
  const found = await check({ baseUrl, model })
  expect(found.ok).toBe(ok)
  expect(found.models).toHaveLength(4)
  if (!ok) expect(found.text).toMatch(/has 4 models, but not “/)
})

test('a server without models is reported as not usable yet', async () => {
  const { baseUrl } = await anOpenAi([])
  expect(await check({ baseUrl })).toMatchObject({ ok: false, fix: 'Load or pull a model there.' })
})

test('Anthropic is asked in its own protocol', async () => {
  const server = await startAnthropicServer({
    models: [{ id: 'claude-x-20250101', max_input_tokens: 200_000 }],
  })
  closers.push(() => server.close())
  const found = await check({
    protocol: 'anthropic',
    baseUrl: `${server.baseUrl}/v1/messages`,
    apiKey: KEY,
    model: 'claude-x',
  })
  expect(found).toMatchObject({ ok: true, models: [{ id: 'claude-x-20250101', contextTokens: 200_000 }] })
  const { headers } = server.requests[0]!
  expect([headers['x-api-key'], headers['anthropic-version']]).toEqual([KEY, '2023-06-01'])
})

test.for([
  [
    401,
    { error: { message: `Incorrect API key provided: ${KEY}` } },
    /did not accept the API key\.$/,
    /^Check the key/,
  ],
  [404, { detail: 'Not Found' }, /^There are no chat completions at /, /ends in \/v1\.$/],
  [429, { error: 'slow down' }, /gets too many requests\.$/, /^Wait/],
  [500, 'broken', /has an internal problem \(error 500\)/, /log/],
] as const)('status %d is explained in plain words', async ([status, body, text, fix]) => {
  const found = await check({ baseUrl: await answering(status, body), apiKey: KEY })
  expect(found).toMatchObject({ ok: false, models: [] })
  expect(found.text).toMatch(text)
  expect(found.fix).toMatch(fix)
  expect(JSON.stringify(found)).not.toContain(KEY)
})

test('a web page, invalid JSON and silence are distinguished', async () => {
  const page = await answering(200, '<!doctype html><title>Router</title>', 'text/html')
  const garbage = await answering(200, '{"data": [')
  const silent = createServer(() => undefined)
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    silent.closeAllConnections()
    silent.close()
  })
  const { port } = silent.address() as { port: number }
  const texts = []
  for (const baseUrl of [page, garbage, `http://127.0.0.1:${port}`])
    texts.push((await check({ baseUrl })).text)
  expect(texts).toEqual([
    expect.stringMatching(/answers with a web page instead of a model\.$/),
    expect.stringMatching(/sent something that is not an answer from a model\.$/),
    expect.stringMatching(/did not start to answer within a second\.$/),
  ])
  expect(reported).toEqual([])
})

test('an invalid address is not requested', async () => {
  const before = subjects.length
  expect(await check({ baseUrl: 'https://me:secret@host/v1' })).toMatchObject({
    ok: false,
    text: 'Do not put a name and password in the address. Enter the key in its own field.',
  })
  expect(subjects).toHaveLength(before)
})

test('under the offline lock the test says so, with the fix', async () => {
  const send = () => Promise.reject(new OfflineError('api.openai.com'))
  expect(await check({ baseUrl: 'https://api.openai.com' }, send)).toMatchObject({
    ok: false,
    text: 'The offline lock is on, so nothing was sent to api.openai.com.',
    fix: unlockFix,
  })
})

test('OpenRouter lists its models without a key, so the key is tested separately', async () => {
  const send = faking(url =>
    url.pathname === '/api/v1/key'
      ? { status: 401, body: { error: { message: 'No auth credentials found' } } }
      : { body: { data: [{ id: 'a/b', context_length: 100_000 }] } },
  )
  const server = { baseUrl: 'https://openrouter.ai/api/v1', model: 'a/b' }
  expect(await check(server, send)).toMatchObject({ ok: false, text: 'openrouter.ai requires an API key.' })
  const good = faking(() => ({ body: { data: [{ id: 'a/b', context_length: 100_000 }] } }))
  expect(await check(server, good)).toMatchObject({ ok: true, text: 'OpenRouter answers, with one model.' })
})

test('the wrong protocol is recognised', async () => {
  const refusing = faking(() => ({
    status: 401,
    body: anError('authentication_error', 'x-api-key header is required'),
  }))
  const asOpenAi = await check({ baseUrl: 'https://api.anthropic.com/v1' }, refusing)
  const { baseUrl } = await anOpenAi([{ id: 'm' }])
  const asAnthropic = await check({ protocol: 'anthropic', baseUrl: `${baseUrl}/other` })
  expect([asOpenAi.fix, asAnthropic.fix]).toEqual([
    'Choose “Anthropic” as the kind of server.',
    'Choose “OpenAI-compatible” as the kind of server, or correct the address.',
  ])
})
