import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  aHome,
  aHost,
  slowly,
  smallTools,
  transcript,
  turn,
  endOf,
  type TestHost,
} from '../../../testing/host/a-host.ts'
import { anApi, rawRequest, sendRaw, somePort } from '../../../testing/host/an-api.ts'
import { until } from '../../../testing/until.ts'

// The agent behind the API with tools, and the API beside the user's chats.

const home = aHome()
const trace: string[] = []
let host: TestHost
let api: Awaited<ReturnType<typeof anApi>>

beforeAll(async () => {
  host = await aHost(home.path, { tools: smallTools(trace) })
  api = await anApi(host)
})
afterAll(async () => {
  await host.close()
  await api.server.close()
  home[Symbol.dispose]()
})
beforeEach(() => {
  trace.splice(0)
  api.server.reply({ text: 'Hello.' })
})

type Told = {
  choices: { message: { content: string } }[]
  error?: { code: string; message: string; param: string }
}
const askAgent = async (content: string, more: object = {}): Promise<Told> => {
  const answer = await api.ask('/chat/completions', {
    model: 'talaria',
    messages: [{ role: 'user', content }],
    ...more,
  })
  return (await answer.json()) as Told
}
const setTools = (value: boolean) => host.client['settings.set']({ path: 'api.agent_tools', value })
const newest = async () =>
  (await host.client['session.list']({})).sessions.find(({ origin }) => origin === 'api')!

test('without tools the agent is given none, and a call that it writes all the same does nothing', async () => {
  api.server.reply({ toolCalls: [{ name: 'look', arguments: { what: 'sky' } }] }, { text: 'I cannot look.' })
  const told = await askAgent('What colour is the sky?')
  expect(api.server.chats()[0]?.body.tools).toBeUndefined()
  expect(trace).toEqual([])
  expect(JSON.stringify(told)).not.toContain('sky is blue')
})

test('with tools it reads; what would ask is denied at once, the model is told why, and the program hears the end of it', async () => {
  await setTools(true)
  api.server.reply(
    { text: 'I look.', toolCalls: [{ name: 'look', arguments: { what: 'sky' } }] },
    { toolCalls: [{ name: 'note', arguments: { text: 'blue' } }] },
    { text: 'The sky is blue. I could not note it.' },
  )
  const told = await askAgent('What colour is the sky? Note it.')
  expect(told.choices[0]?.message.content).toBe('I look.\n\nThe sky is blue. I could not note it.')
  expect(trace).toEqual(['look sky'])
  const { id, approval } = await newest()
  const lines = await transcript(host, id)
  expect(approval).toBe('none')
  expect(lines).toContain('result: sky is blue.')
  // No user can be asked: the denial says so, and no question is left open.
  expect(lines.find(line => line.startsWith('result: ') && !line.includes('blue'))).toMatch(
    /nobody|no one|asked/i,
  )
  expect((await newest()).waiting).toBe(false)
})

test('streamed, the program is told only what stands, and nothing of the tools', async () => {
  api.server.reply(
    { toolCalls: [{ name: 'look', arguments: { what: 'sea' } }] },
    { text: ['The sea ', 'is blue.'] },
  )
  const answer = await api.ask('/chat/completions', {
    model: 'talaria',
    stream: true,
    messages: [{ role: 'user', content: 'And the sea?' }],
  })
  const text = await answer.text()
  expect(text).toContain('The sea is blue.')
  expect(text).not.toContain('tool_calls')
  expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true)
})

test('a flood of 500 connections and long bodies leaves the chat of the person alone', async () => {
  const session = await host.client['session.create']({ modelId: api.server.modelId })
  const body = JSON.stringify({ model: 'nobody', messages: [{ role: 'user', content: 'x'.repeat(100_000) }] })
  const flood = rawRequest(api.port, {
    key: api.key,
    method: 'POST',
    path: '/v1/chat/completions',
    body,
    lines: ['Connection: close'],
  })
  api.server.reply(slowly(300, 2))
  const events = turn(host, session.id, 'Talk on')
  const answers = await Promise.all(Array.from({ length: 500 }, () => sendRaw(api.port, flood)))
  const ended = endOf(await events)
  expect(ended).toBe('done')
  expect((await transcript(host, session.id)).at(-1)).toContain('w299')
  expect(
    [...new Set(answers.map(({ status }) => status))].filter(each => ![0, 404, 429].includes(each)),
  ).toEqual([])
})

test('another port ends what is being answered, and the new address answers', async () => {
  api.server.reply(slowly(5_000, 5))
  const answer = await api.ask('/chat/completions', {
    stream: true,
    messages: [{ role: 'user', content: 'Talk' }],
  })
  const { cut } = api.last()
  const port = somePort()
  await host.client['settings.set']({ path: 'api.port', value: port })
  expect(await cut).toBe(true)
  await expect(answer.text()).rejects.toThrow()
  await until(async () => (await host.client['api.state']({})).address === `http://127.0.0.1:${port}/v1`)
  await expect(fetch(`${api.base}/models`)).rejects.toThrow()
  const models = rawRequest(port, { key: api.key, lines: ['Connection: close'] })
  expect((await sendRaw(port, models)).status).toBe(200)
})

test('a second Talaria with the same port says so, and answers once it has another one', async () => {
  using otherHome = aHome()
  await using other = await aHost(otherHome.path)
  const { port } = await host.client['api.state']({})
  await other.client['settings.set']({ path: 'api.port', value: port })
  await other.client['settings.set']({ path: 'api.enabled', value: true })
  expect(await other.client['api.state']({})).toMatchObject({
    state: 'failed',
    text: expect.stringContaining(`Port ${port} is in use`) as string,
  })
  await other.client['settings.set']({ path: 'api.port', value: somePort() })
  await until(async () => (await other.client['api.state']({})).state === 'running')
  // Each host has its own key.
  const { address } = await other.client['api.state']({})
  expect((await fetch(`${address}/models`, { headers: { authorization: `Bearer ${api.key}` } })).status).toBe(
    401,
  )
  expect([host.mistakes(), other.mistakes()]).toEqual([[], []])
})
