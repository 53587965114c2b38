import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedModel } from '../../../testing/gguf/cached.ts'
import { startOpenAiServer } from '../../../testing/servers/openai-server.ts'
import { objection } from '../../../testing/agent/messages.ts'
import type { EngineChild, SpawnEngine } from './interface/engine-child.ts'
import type { WireMessage } from './interface/engine.ts'
import { forkEngine } from './engines/local/process/start-engine.ts'
import {
  aChat,
  aHome,
  aHomeForModels,
  aHost,
  aServer,
  endOf,
  transcript,
  turn,
} from '../../../testing/host/a-host.ts'

const look = (what: string) => ({ toolCalls: [{ name: 'look', arguments: { what } }] })
const REFUSAL = { status: 400, body: { error: { message: 'This model does not support tools' } } }

test('a chat can switch between models with tools as data and tools as text', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using structured = await aServer(host.client, 'qwen3')
  await using plain = await aServer(host.client, 'plain')
  const chat = await aChat(host, structured)

  structured.reply(look('sky'), { text: 'Blue.' })
  await turn(host, chat.id, 'The sky?')
  await host.client['session.update']({ id: chat.id, modelId: plain.modelId })
  const call = '<tool_call>\n{"name": "look", "arguments": {"what": "sea"}}\n</tool_call>'
  plain.reply({ text: ['Looking.\n', call] }, { text: 'Blue too.' })
  await turn(host, chat.id, 'The sea?')
  await host.client['session.update']({ id: chat.id, modelId: structured.modelId })
  structured.reply({ text: 'All blue.' })
  expect(endOf(await turn(host, chat.id, 'So?'))).toBe('done')

  expect(await transcript(host, chat.id)).toEqual([
    'user: The sky?',
    'assistant: look(sky)',
    'result: sky is blue.',
    'assistant: Blue.',
    'user: The sea?',
    'assistant: Looking. look(sea)',
    'result: sea is blue.',
    'assistant: Blue too.',
    'user: So?',
    'assistant: All blue.',
  ])
  const [asText, asData] = [plain.chats().at(-1)?.body, structured.chats().at(-1)?.body]
  expect(asText.tools).toBeUndefined()
  expect(asText.messages.slice(1)).toEqual([
    { role: 'user', content: 'The sky?' },
    {
      role: 'assistant',
      content: '<tool_call>\n{"name": "look", "arguments": {"what": "sky"}}\n</tool_call>',
    },
    { role: 'user', content: '[Tool Result: look] sky is blue.' },
    { role: 'assistant', content: 'Blue.' },
    { role: 'user', content: 'The sea?' },
    { role: 'assistant', content: `Looking.\n${call}` },
    { role: 'user', content: '[Tool Result: look] sea is blue.' },
  ])
  expect(asData.tools).toHaveLength(2)
  expect(objection(wireOf(asData.messages))).toBeUndefined()
})

/** The messages of a request in the form that `objection` judges. */
const wireOf = (messages: any[]): WireMessage[] =>
  messages.map(({ role, content, tool_calls = [], tool_call_id }) => ({
    role,
    text: content ?? '',
    calls: tool_calls.map((call: any) => ({ id: call.id, name: call.function.name, arguments: {} })),
    callId: tool_call_id,
  }))

test('a server that refuses tools gets them as text; the user is told once, and it is remembered', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  server.reply(({ body }) => (body.tools ? REFUSAL : { text: 'Hello.' }))
  const chat = await aChat(host, server)
  const first = await turn(host, chat.id, 'Hello?')
  const second = await turn(host, chat.id, 'Again?')
  const other = await turn(host, (await aChat(host, server)).id, 'And here?')

  expect([first, second, other].map(endOf)).toEqual(['done', 'done', 'done'])
  const warnings = [first, second, other].map(
    events => events.filter(event => event.type === 'warning').length,
  )
  expect(warnings).toEqual([1, 0, 0])
  expect(server.chats().map(({ body }) => body.tools !== undefined)).toEqual([true, false, false, false])
  expect(server.chats()[1]?.body.messages[0].content).toContain(
    '{"name": "look", "description": "Look something up."',
  )
  expect(await transcript(host, chat.id)).toHaveLength(4)
})

test('two chats that meet such a server at the same time are both answered', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  server.reply(({ body }) => (body.tools ? { ...REFUSAL, stallMs: 30 } : { text: 'Hello.' }))
  const chats = [await aChat(host, server), await aChat(host, server), await aChat(host, server)]
  const ends = await Promise.all(chats.map(chat => turn(host, chat.id, 'Hello?')))
  expect(ends.map(endOf)).toEqual(['done', 'done', 'done'])
  expect(ends.flat().filter(event => event.type === 'warning')).toHaveLength(1)
})

test('a server that is down fails with a fix, and the next message works', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  const server = await aServer(host.client)
  const chat = await aChat(host, server)
  const port = Number(new URL(server.baseUrl).port)
  await server.close()
  const events = await turn(host, chat.id, 'Hello?')
  expect(events.slice(-2)).toMatchObject([
    {
      type: 'error',
      text: `Nothing answers at 127.0.0.1:${port}.`,
      fix: 'Start Test server, or correct its address.',
    },
    { type: 'turn_end', reason: 'failed' },
  ])
  const again = await startOpenAiServer({ port })
  again.reply({ text: 'Here I am.' })
  expect(endOf(await turn(host, chat.id, 'Hello again?'))).toBe('done')
  expect(again.chats()[0]?.body.messages.at(-1)).toEqual({ role: 'user', content: 'Hello?\n\nHello again?' })
  expect(await transcript(host, chat.id)).toEqual([
    'user: Hello?',
    'user: Hello again?',
    'assistant: Here I am.',
  ])
  await again.close()
})

test.for([
  [
    { status: 429, headers: { 'retry-after': '60' }, body: { error: { message: 'slow down' } } },
    /too many requests/,
  ],
  [{ status: 401, body: { error: { message: 'no key' } } }, /API key/],
  [{ text: 'Half an ans', breakAfter: 1 }, /broke|lost|connection|ended/i],
  [{ html: '<h1>Hello</h1>' }, /web page/],
] as const)('a server error ends the turn with one sentence: %j', async ([reply, sentence]) => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  server.reply(reply)
  const chat = await aChat(host, server)
  const events = await turn(host, chat.id, 'Hello?')
  expect(events.at(-2)).toMatchObject({
    type: 'error',
    text: expect.stringMatching(sentence),
    fix: expect.stringMatching(/./),
  })
  expect(endOf(events)).toBe('failed')
  expect((await transcript(host, chat.id)).slice(1)).toEqual(
    'text' in reply ? ['interrupted: Half an ans'] : [],
  )
  server.reply({ text: 'Better now.' })
  expect(endOf(await turn(host, chat.id, 'And now?'))).toBe('done')
})

test('a single server error is retried unnoticed', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  server.reply({ status: 500, body: { error: { message: 'oops' } } }, { text: 'Hello.' })
  const chat = await aChat(host, server)
  const events = await turn(host, chat.id, 'Hello?')
  expect([endOf(events), events.some(event => event.type === 'error')]).toEqual(['done', false])
})

test('a missing model is reported, and the chat can use another one', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  const chat = await aChat(host, server)
  await host.client['model.forget']({ id: server.modelId })
  const events = await turn(host, chat.id, 'Hello?')
  expect([endOf(events), events.at(-2)]).toEqual([
    'failed',
    expect.objectContaining({ fix: 'Choose another model for this chat.' }),
  ])
  await using other = await aServer(host.client)
  await host.client['session.update']({ id: chat.id, modelId: other.modelId })
  expect(endOf(await turn(host, chat.id, 'And now?'))).toBe('done')
})

test('a real model in its own process calls a tool and answers, turn after turn', async () => {
  using home = aHomeForModels()
  await using host = await aHost(home.path)
  const path = scriptedModel({
    reply: 'Let me see. <tool_call>\n{"name": "look", "arguments": {"what": "sky"}}\n</tool_call>',
    rules: [{ when: 'is blue.', reply: 'The sky is blue today.' }],
  })
  const chat = await host.client['session.create']({ modelId: `file:${path}` })
  const events = await turn(host, chat.id, 'What colour is the sky?')
  expect(await transcript(host, chat.id)).toEqual([
    'user: What colour is the sky?',
    'assistant: Let me see. look(sky)',
    'result: sky is blue.',
    'assistant: The sky is blue today.',
  ])
  expect(endOf(events)).toBe('done')
  const usages = events.flatMap(event => (event.type === 'context_usage' ? [event.usage] : []))
  expect(usages[1]!.reusedTokens).toBeGreaterThan(usages[0]!.promptTokens * 0.9)
  const again = await turn(host, chat.id, 'Are you sure?')
  const [third] = again.flatMap(event => (event.type === 'context_usage' ? [event.usage] : []))
  expect(third!.evaluatedTokens).toBeLessThan(60)
  await host.client['model.unload']({})
  const missing = await host.client['session.create']({ modelId: `file:${join(home.path, 'gone.gguf')}` })
  expect(endOf(await turn(host, missing.id, 'Hello?'))).toBe('failed')
  expect(host.mistakes()).toEqual([])
})

test('the built-in model takes over after a tool call, with what its window holds', async () => {
  using home = aHomeForModels()
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aServer(host.client, 'qwen3')
  await host.client['settings.set']({ path: 'models.fallback', value: ['builtin'] })
  const chat = await aChat(host, server)
  writeFileSync(join(home.path, 'workspace', 'notes.txt'), 'The port is 8123.\n')
  const busy = { status: 503, body: { error: { message: 'busy' } } }
  const read = { toolCalls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }] }
  server.reply(read, ...Array.from({ length: 20 }, () => busy))
  const events = await turn(host, chat.id, 'Read notes.txt and tell me the port.')
  expect(endOf(events)).toBe('done')
  const [, call, result, answer] = await transcript(host, chat.id)
  expect([call, result]).toEqual([
    'assistant: read_file(notes.txt)',
    'result: notes.txt, lines 1-1 of 1\nThe port is 8123.',
  ])
  expect(answer).toMatch(/^assistant: ./)
  expect(answer).not.toContain('no tools')
  expect(host.mistakes()).toEqual([])
})

test('an engine process that dies during an answer ends the run with the reason, and the next message works', async () => {
  using home = aHomeForModels()
  const engines: EngineChild[] = []
  const spawnEngine: SpawnEngine = (...how) => {
    const engine = forkEngine(...how)
    engines.push(engine)
    return engine
  }
  await using host = await aHost(home.path, { spawnEngine })
  // Long enough that it is still being written when a busy machine finally kills the engine.
  const reply = Array.from({ length: 6_000 }, (_, index) => `w${index}`).join(' ')
  const path = scriptedModel({ reply, rules: [{ when: 'Still there?', reply: 'Here I am.' }] })
  const chat = await host.client['session.create']({ modelId: `file:${path}` })
  const events = await turn(host, chat.id, 'Count.', event => {
    if (event.type === 'text_delta') engines.at(-1)?.kill()
  })
  expect(events.at(-2)).toMatchObject({
    type: 'error',
    text: expect.stringMatching(/^The engine for local models stopped while it was answering/),
    fix: expect.stringMatching(/^Try again/),
  })
  expect(endOf(events)).toBe('failed')
  expect((await transcript(host, chat.id))[1]).toMatch(/^interrupted: w0/)

  const before = engines.length
  const next = await turn(host, chat.id, 'Still there?')
  expect([endOf(next), engines.length - before]).toEqual(['done', 1])
  expect((await transcript(host, chat.id)).at(-1)).toBe('assistant: Here I am.')
})

test('a real model that repeats itself is stopped, asked once more, and answers the next message', async () => {
  using home = aHomeForModels()
  await using host = await aHost(home.path)
  const circle = 'I am sorry, but I cannot tell you more about that, because I am a model. '
  const path = scriptedModel({
    reply: circle.repeat(40),
    rules: [{ when: 'Then what?', reply: 'All is well.' }],
  })
  const chat = await host.client['session.create']({ modelId: `file:${path}` })
  const events = await turn(host, chat.id, 'Tell me.')
  expect(events.filter(event => event.type === 'retry')).toMatchObject([{ reason: 'looping' }])
  expect(events.filter(event => event.type === 'warning')).toHaveLength(1)
  expect(await transcript(host, chat.id)).toEqual(['user: Tell me.', `interrupted: ${circle.trim()}`])
  await turn(host, chat.id, 'Then what?')
  expect((await transcript(host, chat.id)).at(-1)).toBe('assistant: All is well.')
  expect(host.mistakes()).toEqual([])
})
