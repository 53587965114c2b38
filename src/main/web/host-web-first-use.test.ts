import { expect, test } from 'vitest'
import { aChat, aHome, aHost, aServer, endOf, turn, type TestHost } from '../../../testing/host/a-host.ts'
import type { RunEvent } from '../../shared/contract/runs/run.ts'
import { duckDuckGoPage } from '../../../testing/web/search-answers.ts'
import { startWeb } from '../../../testing/web/web-on-this-computer.ts'

const WHALES = [{ title: 'Blue whale', address: 'https://whales.example/blue', snippet: 'Large.' }]
const search = { toolCalls: [{ name: 'web_search', arguments: { query: 'blue whale' } }] }

async function aWeb() {
  const web = await startWeb({ 'html.duckduckgo.com': () => duckDuckGoPage(WHALES) })
  const home = aHome()
  const host = await aHost(home.path, { coreTools: true, web })
  const server = await aServer(host.client)
  const toolsAsked = () =>
    (server.chats().at(-1)?.body['tools'] ?? []).map(
      (each: { function: { name: string } }) => each.function.name,
    )
  return {
    web,
    host,
    server,
    toolsAsked,
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]()
      home[Symbol.dispose]()
    },
  }
}

/** Send a message, and answer each question of the run with these words. */
async function answered({ client }: TestHost, sessionId: string, words: string) {
  const asked: string[] = []
  const events = await turn(
    { client },
    sessionId,
    'How large is a blue whale?',
    async (event: RunEvent, runId: string) => {
      if (event.type !== 'approval_request') return
      asked.push(event.approval.question?.text ?? event.approval.title)
      await client['run.approve']({ runId, approvalId: event.approval.id, decision: 'once', note: words })
    },
  )
  return { asked, end: endOf(events) }
}
const results = async ({ client }: TestHost, id: string) =>
  (await client['session.messages']({ id })).messages.flatMap(each => (each.role === 'tool' ? [each] : []))
const webAt = async ({ client }: TestHost, sessionId?: string) =>
  (await client['toolset.list'](sessionId === undefined ? {} : { sessionId })).toolsets.find(
    ({ name }) => name === 'web',
  )?.state

test('the first call to the web asks whether it should be on; yes lets it run, and the model has it from then on', async () => {
  await using given = await aWeb()
  const { host, server } = given
  const chat = await aChat(host, server)
  server.reply(search, { text: 'It is large [1].' })
  const { asked, end } = await answered(host, chat.id, 'Yes, in this chat')
  expect(asked).toEqual(['The web is off. Switch it on? The model wants to search for: blue whale'])
  expect(end).toBe('done')
  expect(await results(host, chat.id)).toMatchObject([
    { ok: true, record: { web: { answeredBy: 'DuckDuckGo' } } },
  ])
  expect(given.toolsAsked()).toContain('web_read')
  expect(JSON.stringify(server.chats().at(-1)?.body)).not.toContain('You cannot search the web')
  expect(await webAt(host, chat.id)).toBe('on')
  expect(await webAt(host)).toBe('off')
})

test('it can be switched on for every chat', async () => {
  await using given = await aWeb()
  const { host, server } = given
  const chat = await aChat(host, server)
  server.reply(search, { text: 'Fine.' })
  await answered(host, chat.id, 'Yes, in every chat')
  expect(await webAt(host)).toBe('on')
})

test('no is no: nothing leaves, it asks once a turn, and the model reads what the person said', async () => {
  await using given = await aWeb()
  const { host, server } = given
  const chat = await aChat(host, server)
  server.reply(search, search, { text: 'Fine.' })
  const { asked } = await answered(host, chat.id, 'Use the file instead.')
  expect(asked).toHaveLength(1)
  const [first, second] = await results(host, chat.id)
  expect(first).toMatchObject({ ok: false, text: expect.stringContaining('Use the file instead.') })
  expect(second).toMatchObject({ ok: false, text: expect.stringContaining('is switched off') })
  expect(given.web.asked).toEqual([])
  expect(given.toolsAsked()).not.toContain('web_search')
})

test('who switched it off is not asked, and where nobody is there the model reads why not', async () => {
  await using given = await aWeb()
  const { host, server } = given
  const { client } = host
  const off = await aChat(host, server)
  await client['toolset.switch']({ names: ['web'], on: false, sessionId: off.id })
  server.reply(search, { text: 'Fine.' })
  expect((await answered(host, off.id, 'Yes, in this chat')).asked).toEqual([])
  const alone = await aChat(host, server)
  await client['session.update']({ id: alone.id, approval: 'none' })
  server.reply(search, { text: 'Fine.' })
  expect((await answered(host, alone.id, 'Yes, in this chat')).asked).toEqual([])
  expect(await results(host, alone.id)).toMatchObject([
    { ok: false, text: expect.stringContaining('switched off') },
  ])
})
