import { afterEach, expect, test } from 'vitest'
import { startOpenAiServer, type OpenAiServer } from './openai-server.ts'

let server: OpenAiServer | undefined
afterEach(() => server?.close())

const ask = (baseUrl: string, body: object) =>
  fetch(`${baseUrl}/chat/completions`, { method: 'POST', body: JSON.stringify(body) })

test('it lists its models and answers in one piece or as a stream, as the protocol has it', async () => {
  server = await startOpenAiServer({ models: [{ id: 'a' }] })
  server.reply({ text: ['Good ', 'day.'], toolCalls: [{ name: 'f', arguments: { x: 1 } }] })
  const models = await (await fetch(`${server.baseUrl}/models`)).json()
  const whole = (await (await ask(server.baseUrl, { model: 'a' })).json()) as { choices: object[] }
  const stream = await (await ask(server.baseUrl, { model: 'a', stream: true })).text()
  expect(models).toEqual({ object: 'list', data: [{ id: 'a' }] })
  expect(whole.choices[0]).toEqual({
    index: 0,
    finish_reason: 'tool_calls',
    message: {
      role: 'assistant',
      content: 'Good day.',
      tool_calls: [{ id: 'call_0', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }],
    },
  })
  const events = stream.split('\n\n').filter(Boolean)
  expect(events.map(each => each.slice(0, 6))).toEqual(events.map(() => 'data: '))
  expect([events.length, events.at(-1)]).toEqual([5, 'data: [DONE]'])
})

test('it gives its replies in order, repeats the last one, and remembers what it was asked', async () => {
  server = await startOpenAiServer()
  server.reply({ status: 429, headers: { 'retry-after': '7' } }, request => ({
    text: `You asked ${request.body.model}.`,
  }))
  const first = await ask(server.baseUrl, { model: 'a' })
  const texts: string[] = []
  for (const model of ['b', 'c']) texts.push(await (await ask(server.baseUrl, { model })).text())
  expect([first.status, first.headers.get('retry-after')]).toEqual([429, '7'])
  expect(texts.map(text => JSON.parse(text).choices[0].message.content)).toEqual([
    'You asked b.',
    'You asked c.',
  ])
  expect(server.chats().map(each => each.body.model)).toEqual(['a', 'b', 'c'])
})
