import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aHome, aHost, aServer, slowly, type TestHost } from '../../../testing/host/a-host.ts'
import { until } from '../../../testing/until.ts'

// One host for all tests, which check what other programs see of it.
const home = aHome()
let host: TestHost
let server: Awaited<ReturnType<typeof aServer>>
let base = ''
let key = ''
let openai: OpenAI
let anthropic: Anthropic

beforeAll(async () => {
  host = await aHost(home.path)
  server = await aServer(host.client)
  await host.client['model.setDefault']({ id: server.modelId })
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  await host.client['settings.set']({ path: 'api.port', value: port })
  await host.client['settings.set']({ path: 'api.enabled', value: true })
  const state = await host.client['api.state']({})
  expect(state).toMatchObject({ state: 'running', text: '', isCarried: true })
  base = state.address
  key = (await host.client['api.key']({})).key
  openai = new OpenAI({ baseURL: base, apiKey: key, maxRetries: 0 })
  anthropic = new Anthropic({ baseURL: base.replace(/\/v1$/, ''), apiKey: key, maxRetries: 0 })
})
afterAll(async () => {
  await host.close()
  await server.close()
  home[Symbol.dispose]()
})
beforeEach(() => server.reply({ text: 'Hello.' }))

const WEATHER = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const user = (content: string) => ({ role: 'user' as const, content })
const last = () => server.requests.filter(({ path }) => path === '/v1/chat/completions').at(-1)!
const post = (path: string, body: string | object, headers: Record<string, string> = {}) =>
  fetch(`${base}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

test('models are listed by name, with the whole agent', async () => {
  const ids = (await Array.fromAsync(await openai.models.list())).map(({ id }) => id)
  expect(ids).toEqual(['talaria', 'Test server', 'talaria-encoder'])
  expect((await anthropic.models.list()).data.map(({ id }) => id)).toEqual(ids)
  expect((await openai.models.retrieve('talaria')).id).toBe('talaria')
})

test('OpenAI: an answer, its thoughts and its usage, whole and streamed', async () => {
  server.reply({
    reasoning: 'Hm.',
    text: ['Good ', 'day.'],
    usage: { prompt_tokens: 7, completion_tokens: 3 },
  })
  const asked = {
    model: 'Test server',
    messages: [{ role: 'system' as const, content: 'Be kind.' }, user('Hi')],
    temperature: 0.5,
    max_tokens: 50,
  }
  const whole = await openai.chat.completions.create(asked)
  expect(whole.choices[0]).toMatchObject({
    finish_reason: 'stop',
    message: { content: 'Good day.', reasoning_content: 'Hm.' },
  })
  expect(whole.usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 })
  expect(last().body).toMatchObject({
    temperature: 0.5,
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hi' },
    ],
  })
  server.reply({ text: ['Good ', 'day.'], usage: { prompt_tokens: 7, completion_tokens: 3 } })
  const stream = await openai.chat.completions.create({
    ...asked,
    stream: true,
    stream_options: { include_usage: true },
  })
  const chunks = await Array.fromAsync(stream)
  expect(chunks.map(each => each.choices[0]?.delta.content ?? '').join('')).toBe('Good day.')
  expect(chunks.at(-1)?.usage?.total_tokens).toBe(10)
  expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop')
})

test('OpenAI: tools of the program are called, and their results go back', async () => {
  server.reply({ toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' } }] })
  const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: WEATHER } }]
  const called = await openai.chat.completions.create({
    model: 'Test server',
    messages: [user('Rain?')],
    tools,
  })
  const [call] = called.choices[0]!.message.tool_calls!
  expect(called.choices[0]!.finish_reason).toBe('tool_calls')
  expect(call).toMatchObject({ function: { name: 'weather', arguments: '{"city":"Oslo"}' } })
  server.reply({ text: 'It rains.' })
  const messages = [
    user('Rain?'),
    called.choices[0]!.message,
    { role: 'tool' as const, tool_call_id: call!.id, content: 'wet' },
  ]
  const runner = openai.chat.completions.stream({ model: 'Test server', messages, tools })
  expect(await runner.finalContent()).toBe('It rains.')
  expect(last().body.messages.slice(-2)).toMatchObject([
    { role: 'assistant', tool_calls: [{ function: { name: 'weather' } }] },
    { role: 'tool', content: 'wet' },
  ])
  await openai.chat.completions.create({
    model: 'Test server',
    messages: [user('Rain?')],
    tools,
    tool_choice: 'none',
  })
  expect(last().body.tools).toBeUndefined()
})

test('JSON of a schema: asked again once, and refused where it is never met', async () => {
  const response_format = { type: 'json_schema' as const, json_schema: { name: 'city', schema: WEATHER } }
  const asked = { model: 'Test server', messages: [user('Where?')], response_format }
  server.reply({ text: 'In Oslo.' }, { text: '```json\n{"city":"Oslo"}\n```' })
  const answer = await openai.chat.completions.create(asked)
  expect(answer.choices[0]!.message.content).toBe('{"city":"Oslo"}')
  expect(last().body.messages.at(-1).content).toContain('It is not JSON')
  server.reply({ text: '{"town":1}' })
  await expect(openai.chat.completions.create(asked)).rejects.toMatchObject({
    status: 422,
    code: 'schema_not_met',
  })
})

test('pictures reach a model that sees, and nothing is fetched', async () => {
  server.reply({ text: 'A cat.' })
  const picture = (url: string) => ({
    model: 'Test server',
    messages: [
      {
        role: 'user' as const,
        content: [
          { type: 'text' as const, text: 'What?' },
          { type: 'image_url' as const, image_url: { url } },
        ],
      },
    ],
  })
  const address = 'data:image/png;base64,iVBORw0KGgo='
  await openai.chat.completions.create(picture(address))
  expect(JSON.stringify(last().body.messages)).toContain(address)
  await expect(openai.chat.completions.create(picture('https://example.com/a.png'))).rejects.toMatchObject({
    status: 400,
    param: 'messages.0.content.1',
  })
})

test('an answer ends before a stop word, and the model with it', async () => {
  server.reply({ text: ['one two EN', 'D three'], delayMs: 1 })
  const { choices } = await openai.chat.completions.create({
    model: 'Test server',
    messages: [user('Count')],
    stop: ['END'],
  })
  expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'one two ' } })
})

test('responses: texts, thoughts, calls and the final object', async () => {
  server.reply({ reasoning: 'Hm.', text: ['Good ', 'day.'] })
  const whole = await openai.responses.create({ model: 'Test server', instructions: 'Be kind.', input: 'Hi' })
  expect(whole).toMatchObject({ status: 'completed', output_text: 'Good day.' })
  const stream = openai.responses.stream({ model: 'Test server', input: [user('Hi')] })
  const types = new Set<string>()
  for await (const event of stream) types.add(event.type)
  expect((await stream.finalResponse()).output_text).toBe('Good day.')
  expect([...types]).toEqual(
    expect.arrayContaining([
      'response.created',
      'response.output_text.delta',
      'response.reasoning_text.delta',
      'response.completed',
    ]),
  )
  server.reply({ toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' } }] })
  const tools = [{ type: 'function' as const, name: 'weather', parameters: WEATHER, strict: false }]
  const called = await openai.responses.create({ model: 'Test server', input: 'Rain?', tools })
  const call = called.output.find(({ type }) => type === 'function_call')
  expect(call).toMatchObject({ name: 'weather', arguments: '{"city":"Oslo"}' })
  server.reply({ text: 'Wet.' })
  const result = {
    type: 'function_call_output' as const,
    call_id: call?.type === 'function_call' ? call.call_id : '',
    output: 'rain',
  }
  const input = [user('Rain?'), ...(call?.type === 'function_call' ? [call] : []), result]
  expect((await openai.responses.create({ model: 'Test server', input, tools })).output_text).toBe('Wet.')
  await expect(
    openai.responses.create({ model: 'Test server', input: 'Hi', previous_response_id: 'x' }),
  ).rejects.toMatchObject({ status: 400, param: 'previous_response_id' })
})

test('Anthropic: messages, whole and streamed, with tools and counts', async () => {
  server.reply({
    reasoning: 'Hm.',
    text: ['Good ', 'day.'],
    usage: { prompt_tokens: 7, completion_tokens: 3 },
  })
  const asked = { model: 'Test server', max_tokens: 100, system: 'Be kind.', messages: [user('Hi')] }
  const whole = await anthropic.messages.create(asked)
  expect(whole.content).toMatchObject([
    { type: 'thinking', thinking: 'Hm.', signature: '' },
    { type: 'text', text: 'Good day.' },
  ])
  expect([whole.stop_reason, whole.usage.input_tokens, whole.usage.output_tokens]).toEqual(['end_turn', 7, 3])
  const tools = [{ name: 'weather', input_schema: { ...WEATHER, type: 'object' as const } }]
  server.reply({ text: 'I look.', toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' } }] })
  const called = await anthropic.messages.stream({ ...asked, tools }).finalMessage()
  expect(called.stop_reason).toBe('tool_use')
  expect(called.content).toMatchObject([
    { type: 'text', text: 'I look.' },
    { type: 'tool_use', name: 'weather', input: { city: 'Oslo' } },
  ])
  const call = called.content.find(({ type }) => type === 'tool_use')
  server.reply({ text: 'Wet.' })
  const result = {
    type: 'tool_result' as const,
    tool_use_id: call?.type === 'tool_use' ? call.id : '',
    content: 'rain',
  }
  const messages = [
    user('Rain?'),
    { role: 'assistant' as const, content: called.content },
    { role: 'user' as const, content: [result] },
  ]
  expect((await anthropic.messages.create({ ...asked, messages, tools })).content).toMatchObject([
    { text: 'Wet.' },
  ])
  expect(
    (await anthropic.messages.countTokens({ model: 'Test server', messages: [user('Hi there')] }))
      .input_tokens,
  ).toBeGreaterThan(1)
  expect(
    (await anthropic.messages.countTokens({ model: 'talaria', messages: [user('Hi there')] })).input_tokens,
  ).toBeGreaterThan(1)
  await expect(anthropic.messages.create({ ...asked, model: 'nobody' })).rejects.toMatchObject({
    status: 404,
    error: { error: { type: 'not_found_error' } },
  })
})

test('the agent answers in a chat of its own, which goes on with the conversation', async () => {
  server.reply({ text: 'I am Talaria.' })
  const first = await openai.chat.completions.create({ model: 'talaria', messages: [user('Who are you?')] })
  expect(first.choices[0]!.message.content).toBe('I am Talaria.')
  expect(last().body.tools).toBeUndefined()
  server.reply({ text: 'Yes.' })
  const messages = [
    user('Who are you?'),
    { role: 'assistant' as const, content: 'I am Talaria.' },
    user('Sure?'),
  ]
  const stream = await openai.chat.completions.create({ model: 'talaria', messages, stream: true })
  expect((await Array.fromAsync(stream)).map(each => each.choices[0]?.delta.content ?? '').join('')).toBe(
    'Yes.',
  )
  const { sessions } = await host.client['session.list']({})
  const own = sessions.filter(({ origin }) => origin === 'api')
  expect(own.map(({ turnCount, approval }) => [turnCount, approval])).toEqual([[2, 'chat_only']])
  const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: WEATHER } }]
  await expect(openai.chat.completions.create({ model: 'talaria', messages, tools })).rejects.toMatchObject({
    status: 400,
    param: 'tools',
  })
})

test('a program that leaves stops the model', async () => {
  server.reply(slowly(5_000, 5))
  const stream = await openai.chat.completions.create({
    model: 'Test server',
    messages: [user('Talk')],
    stream: true,
  })
  for await (const _ of stream) break
  expect(await last().cut).toBe(true)
  server.reply(slowly(5_000, 5))
  const agent = await openai.chat.completions.create({
    model: 'Test server',
    messages: [user('Talk')],
    stream: true,
  })
  const gone = last()
  agent.controller.abort()
  await gone.cut
})

test('fields that change nothing are named, and those that would are refused', async () => {
  server.reply({ text: 'Hi.' })
  const named = await post('/chat/completions', {
    model: 'test SERVER',
    messages: [user('Hi')],
    presence_penalty: 1,
    user: 'me',
    odd: true,
  })
  expect([named.status, named.headers.get('x-talaria-unused')]).toEqual([200, 'presence_penalty, odd'])
  expect((await host.client['api.state']({})).unused).toEqual(
    expect.arrayContaining(['odd', 'presence_penalty']),
  )
  const two = await post('/chat/completions', { model: 'Test server', messages: [user('Hi')], n: 2 })
  expect([two.status, await two.json()]).toMatchObject([400, { error: { param: 'n' } }])
})

test.each([
  ['no key', { authorization: '' }, 401],
  ['a wrong key', { authorization: 'Bearer x' }, 401],
  ['a page elsewhere', { origin: 'https://evil.example' }, 403],
])('%s is refused', async (_what, headers, status) => {
  const answer = await post('/chat/completions', { model: 'talaria', messages: [user('Hi')] }, headers)
  expect(answer.status).toBe(status)
  expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  expect(JSON.stringify(await answer.json())).not.toContain(key)
})

test.each([
  ['no JSON', '{"model":', 400],
  ['no messages', { model: 'Test server', messages: [] }, 400],
  [
    'a result without its call',
    { model: 'Test server', messages: [{ role: 'tool', tool_call_id: 'x', content: '' }] },
    400,
  ],
  ['an odd part', { model: 'Test server', messages: [{ role: 'user', content: [{ type: 'video' }] }] }, 400],
  ['a body of 50 MB', 'x'.repeat(50 << 20), 413],
])('%s is refused with a sentence', async (_what, body, status) => {
  const answer = await post('/chat/completions', body).catch((error: unknown) => error)
  // A body that is too long may be cut off while it is still being sent.
  if (!(answer instanceof Response)) return expect(status).toBe(413)
  expect(answer.status).toBe(status)
  expect(await answer.json()).toMatchObject({ error: { message: expect.stringMatching(/\.$/) as string } })
})

test('another key ends the old one at once, with what was asked by it', async () => {
  server.reply(slowly(5_000, 5))
  const stream = await openai.chat.completions.create({
    model: 'Test server',
    messages: [user('Talk')],
    stream: true,
  })
  const cut = last().cut
  const { key: other } = await host.client['api.newKey']({})
  expect(await cut).toBe(true)
  await expect(Array.fromAsync(stream)).rejects.toThrow()
  await expect(openai.models.list()).rejects.toMatchObject({ status: 401 })
  key = other
  openai = new OpenAI({ baseURL: base, apiKey: key, maxRetries: 0 })
  expect((await openai.models.list()).data.length).toBe(3)
})

test('what programs ask stands in the usage, apart from chats', async () => {
  const { kinds, chats } = await host.client['usage.read']({})
  expect(kinds.find(({ kind }) => kind === 'api')?.answers).toBeGreaterThan(5)
  expect(chats.some(({ sessionId }) => sessionId === 'api')).toBe(false)
  await until(async () =>
    (await host.client['api.state']({})).today.some(
      ({ model, requests }) => model === 'Test server' && requests > 5,
    ),
  )
  expect(host.mistakes()).toEqual([])
})
