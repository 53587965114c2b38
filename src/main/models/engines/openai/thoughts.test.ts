import { expect, test } from 'vitest'
import type { ServedReply } from '../../../../../testing/servers/openai-server.ts'
import { OfflineError, unlockFix } from '../../../lib/network/offline.ts'
import type { CompletionEvent, WireMessage } from '../../interface/engine.ts'
import {
  anError,
  aPrompt,
  collect,
  failureOf,
  never,
  setUpServer,
  textOf,
  TOOL,
} from '../../../../../testing/models/openai.ts'

const given = setUpServer()
const { answer } = given

const question: WireMessage = { role: 'user', text: 'What is there?' }
/** The turn after the model called a tool, with our own ids. */
const afterTheCall: WireMessage[] = [
  question,
  { role: 'assistant', text: '', calls: [{ id: 'ours12345', name: 'list_files', arguments: { path: '.' } }] },
  { role: 'tool', text: 'a.txt', callId: 'ours12345' },
]
const theCall = { name: 'list_files', arguments: { path: '.' } }
const delta = (fields: object) => ({ choices: [{ delta: fields }] })

/** The model's reply as sent back: while its tool runs, and after the next question. */
async function sentBack(reply: ServedReply, options: Parameters<typeof given.anEngine>[0] = {}) {
  const engine = given.anEngine(options)
  const ask = (messages: WireMessage[]) =>
    collect(engine.complete(aPrompt({ messages, tools: [TOOL] }), never))
  given.server.reply(reply, { text: 'Done.' })
  const events = await ask([question])
  await ask(afterTheCall)
  await ask([...afterTheCall, { role: 'assistant', text: 'Done.' }, { role: 'user', text: 'Thanks.' }])
  const [during, after] = given.server
    .chats()
    .slice(1)
    .map(({ body }) => body.messages[1])
  return { events, during, after }
}

const thoughtsIn = (events: CompletionEvent[]) =>
  events.map(each => (each.type === 'reasoning' ? each.text : '')).join('')

test.for(['reasoning_content', 'reasoning'] as const)(
  'thoughts received as %s are sent back under that name during the tools of a turn, not later',
  async reasoningField => {
    const { during, after } = await sentBack({
      reasoning: ['Let me ', 'look.'],
      reasoningField,
      toolCalls: [theCall],
    })
    const sent = {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'ours12345', type: 'function', function: { name: 'list_files', arguments: '{"path":"."}' } },
      ],
    }
    expect([during, after]).toEqual([{ ...sent, [reasoningField]: 'Let me look.' }, sent])
  },
)

test('a model that reads its thoughts of earlier turns gets them back then too, also those of plain answers', async () => {
  const reply = { reasoning: 'Let me look.', toolCalls: [theCall] }
  const { during, after } = await sentBack(reply, { pastReasoning: true })
  expect(after).toEqual(during)
  expect(after).toMatchObject({ reasoning_content: 'Let me look.' })

  const engine = given.anEngine({ pastReasoning: true })
  const ask = (messages: WireMessage[]) => collect(engine.complete(aPrompt({ messages }), never))
  given.server.reply({ reasoning: 'A greeting.', text: 'Hello.' }, { text: 'Bye.' })
  await ask([question])
  await ask([question, { role: 'assistant', text: 'Hello.' }, { role: 'user', text: 'Bye.' }])
  expect(given.server.chats().at(-1)!.body.messages[1]).toEqual({
    role: 'assistant',
    content: 'Hello.',
    reasoning_content: 'A greeting.',
  })
})

test('detailed thoughts are shown once, and sent back whole with their signature', async () => {
  const detail = (fields: object) =>
    delta({ reasoning_details: [{ type: 'reasoning.text', index: 0, format: 'x-v1', ...fields }] })
  const { events, during } = await sentBack({
    chunks: [
      { choices: [{ delta: { reasoning: 'Let me ', ...detail({ text: 'Let me ' }).choices[0]?.delta } }] },
      detail({ text: 'look.' }),
      detail({ signature: 'sig' }),
      delta({
        tool_calls: [{ index: 0, id: 'x', function: { name: 'list_files', arguments: '{"path":"."}' } }],
      }),
    ],
    finish: 'tool_calls',
  })
  expect(thoughtsIn(events)).toBe('Let me look.')
  expect(during).toMatchObject({
    reasoning_details: [
      { type: 'reasoning.text', index: 0, format: 'x-v1', text: 'Let me look.', signature: 'sig' },
    ],
  })
  expect(during).not.toHaveProperty('reasoning')
})

test('a thought’s signature on a call is always sent back with that call', async () => {
  const extra = { extra_content: { google: { thought_signature: 'sig' } } }
  const { during, after } = await sentBack({
    chunks: [
      delta({
        tool_calls: [{ index: 0, ...extra, function: { name: 'list_files', arguments: '{"path":"."}' } }],
      }),
    ],
    finish: 'tool_calls',
  })
  for (const message of [during, after])
    expect(message.tool_calls).toMatchObject([{ id: 'ours12345', ...extra }])
})

test('a server that refuses its own thoughts gets none from then on', async () => {
  const engine = given.anEngine()
  const ask = (messages: WireMessage[]) =>
    collect(engine.complete(aPrompt({ messages, tools: [TOOL] }), never))
  const refusal = { status: 400, body: anError("property 'reasoning_content' is unsupported") }
  given.server.reply({ reasoning: 'Hm.', toolCalls: [theCall] }, refusal, { text: 'Done.' })
  await ask([question])
  expect(textOf(await ask(afterTheCall))).toBe('Done.')
  const sent = given.server.chats().map(({ body }) => JSON.stringify(body).includes('reasoning_content'))
  expect(sent).toEqual([false, true, false])
})

test.for([
  ['OpenAI', { prompt_tokens_details: { cached_tokens: 30 } }],
  ['DeepSeek', { prompt_cache_hit_tokens: 30, prompt_cache_miss_tokens: 10 }],
  ['Moonshot', { cached_tokens: 30 }],
  ['LiteLLM before Anthropic', { cache_read_input_tokens: 30, cache_creation_input_tokens: 5 }],
] as const)('tokens that %s read from a cache count as reused', async ([, counts]) => {
  const events = await answer({ text: 'Hi.', usage: { prompt_tokens: 40, completion_tokens: 2, ...counts } })
  expect(events.at(-1)).toMatchObject({ usage: { promptTokens: 40, reusedTokens: 30, evaluatedTokens: 10 } })
})

test('the cost reported by the server is passed on, and never made up', async () => {
  const costs = []
  for (const cost of [0.00042, 0, undefined]) {
    const last = (await answer({ text: 'Hi.', usage: { prompt_tokens: 4, completion_tokens: 2, cost } })).at(
      -1,
    )
    costs.push(last?.type === 'done' && last.usage.costUsd)
  }
  expect(costs).toEqual([0.00042, 0, undefined])
})

test('every request states its purpose: a chat, learning or a schedule', async () => {
  const engine = given.anEngine({ contextTokens: undefined as never, model: 'nobody-knows' })
  await engine.profile()
  await collect(engine.complete(aPrompt(), never))
  await collect(engine.complete(aPrompt({ purpose: 'learning' }), never))
  await collect(engine.complete(aPrompt({ purpose: 'schedule' }), never))
  const subject = 'Test server'
  expect(given.asked).toEqual([
    { purpose: 'server_check', subject },
    { purpose: 'chat', subject },
    { purpose: 'learning', subject },
    { purpose: 'schedule', subject },
  ])
})

test('under the offline lock nothing is retried, and the fix is to unlock it', async () => {
  let asked = 0
  const fetchFor = () => () => {
    asked++
    return Promise.reject(new OfflineError('llm.example.org'))
  }
  const failure = failureOf(await answer({}, { fetchFor }))
  expect([failure, asked, given.reported]).toEqual([
    {
      code: 'refused',
      text: 'The offline lock is on, so nothing was sent to llm.example.org.',
      fix: unlockFix,
    },
    1,
    [],
  ])
})
