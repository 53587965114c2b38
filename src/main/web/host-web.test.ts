import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { startOpenAiServer, type ServedRequest } from '../../../testing/servers/openai-server.ts'
import { aChat, aHome, aHost, turn } from '../../../testing/host/a-host.ts'
import { namesIn } from '../lib/expected-errors.ts'
import { duckDuckGoPage } from '../../../testing/web/search-answers.ts'
import { startWeb } from '../../../testing/web/web-on-this-computer.ts'

const RESULTS = [
  {
    title: 'Blue whale',
    address: 'https://whales.example/blue?utm_source=x',
    snippet: 'The largest animal.',
  },
  { title: 'Whales', address: 'https://sea.example/whales', snippet: 'All of them.' },
]
/** A key-like text that the page's author left on the page. */
const KEY = `ghp_${'a1B2'.repeat(9)}`
const WHALES = { body: `<title>Blue whale</title>${KEY} ${'It is large. '.repeat(1_500)}` }
const toolsOf = (request: ServedRequest | undefined): string[] =>
  (request?.body.tools ?? []).map((each: { function: { name: string } }) => each.function.name)
const promptOf = (request: ServedRequest | undefined) => String(request?.body.messages[0].content)

async function aWeb(window = 16_000, model = 'qwen3') {
  const web = await startWeb({
    'html.duckduckgo.com': () => duckDuckGoPage(RESULTS),
    'whales.example': async ({ path }) => (path === '/slow' ? new Promise(() => {}) : WHALES),
  })
  const home = aHome()
  const host = await aHost(home.path, { coreTools: true, web })
  const server = await startOpenAiServer({ models: [{ id: model, max_model_len: window }] })
  const { id: modelId } = await host.client['model.addServer']({
    name: 'A',
    baseUrl: server.baseUrl,
    model,
  })
  return {
    web,
    host,
    server,
    modelId,
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]()
      home[Symbol.dispose]()
    },
  }
}

test('the web is off, the model reads so in a line, and once it is on it counts from the next message in a chat with a prompt', async () => {
  await using given = await aWeb()
  const { host, server, modelId } = given
  const { client } = host
  const chat = await aChat(host, { modelId })
  await client['session.update']({ id: chat.id, approval: 'full' })
  server.reply({ text: 'Fine.' })
  await turn(host, chat.id, 'Hello.')
  expect(toolsOf(server.chats().at(-1))).not.toContain('web_search')
  expect(promptOf(server.chats().at(-1))).toMatch(/cannot search the web/)

  await client['toolset.switch']({ names: ['web'], on: true, sessionId: chat.id })
  server.reply(
    { toolCalls: [{ name: 'web_search', arguments: { query: 'blue whale' } }] },
    { toolCalls: [{ name: 'web_read', arguments: { address: 'whales.example/blue', page: 2 } }] },
    { text: 'It is large [1].' },
  )
  await turn(host, chat.id, 'How large is a blue whale?')
  expect(toolsOf(server.chats().at(-1))).toContain('web_read')
  expect(promptOf(server.chats().at(-1))).not.toMatch(/cannot search the web/)
  const results = (await client['session.messages']({ id: chat.id, limit: 50 })).messages.filter(
    each => each.role === 'tool',
  )
  expect(results.map(each => each.record.web)).toEqual([
    {
      answeredBy: 'DuckDuckGo',
      pages: [
        { title: 'Blue whale', address: 'https://whales.example/blue', n: 1 },
        { title: 'Whales', address: 'https://sea.example/whales', n: 2 },
      ],
    },
    {
      pages: [
        {
          title: 'Blue whale',
          address: 'https://whales.example/blue',
          n: 1,
          date: '2026-05-01',
          pageId: expect.any(String),
        },
      ],
    },
  ])
  expect(results[0]!.text).toMatch(/text from a stranger \(search results of DuckDuckGo\)/)
  expect(results[1]!.text).toMatch(/^\[1\] whales\.example, page 2 of \d\./)
  expect(results.flatMap(each => each.marks ?? []).map(each => each.source)).toEqual(
    expect.arrayContaining(['search results of DuckDuckGo', 'the page whales.example']),
  )

  await client['toolset.switch']({ names: ['web'], on: false, sessionId: chat.id })
  server.reply({ text: 'Fine.' })
  await turn(host, chat.id, 'And now?')
  expect(toolsOf(server.chats().at(-1))).not.toContain('web_read')
})

test('a model that reads its tools in the prompt gets those of the web too, and one with a small window does not', async () => {
  await using given = await aWeb(16_000, 'plain')
  const { host, server, modelId } = given
  const { client } = host
  await client['toolset.switch']({ names: ['web'], on: true })
  const chat = await aChat(host, { modelId })
  server.reply({ text: 'Fine.' })
  await turn(host, chat.id, 'Hello.')
  expect(promptOf(server.chats().at(-1))).toContain('web_search')

  const small = await startOpenAiServer({ models: [{ id: 'qwen3', max_model_len: 7_000 }] })
  const { id } = await client['model.addServer']({ name: 'B', baseUrl: small.baseUrl, model: 'qwen3' })
  const other = await aChat(host, { modelId: id })
  small.reply({ text: 'Fine.' })
  await turn(host, other.id, 'Hello.')
  expect(toolsOf(small.chats().at(-1))).not.toContain('web_search')
  expect(promptOf(small.chats().at(-1))).not.toMatch(/search the web/)
  const { sections } = await client['session.context']({ id: other.id })
  const leftOut = sections.find(({ name }) => name === 'tools')?.leftOut?.text
  expect(leftOut).toMatch(/the toolset web, because the context window is too small/)
  const listed = await client['toolset.list']({ sessionId: other.id })
  expect(listed.leftOut).toMatchObject({ names: expect.arrayContaining(['web']), contextTokens: 7_000 })
  await client['toolset.switch']({ names: ['web'], on: false, sessionId: other.id })
  expect((await client['toolset.list']({ sessionId: other.id })).leftOut?.names ?? []).not.toContain('web')
  expect((await client['toolset.list']({ sessionId: chat.id })).leftOut).toBe(null)
})

test('a person searches and reads without a model; what was found is kept for 20 minutes, and goes with a purge', async () => {
  let now = Date.now()
  const web = await startWeb({
    'html.duckduckgo.com': () => duckDuckGoPage(RESULTS),
    'whales.example': () => WHALES,
  })
  using home = aHome()
  await using host = await aHost(home.path, { web, now: () => now })
  const { client } = host
  const kept = () => namesIn(join(home.path, 'cache', 'web'))
  const found = await client['web.search']({ words: 'blue  Whale' })
  expect(found).toMatchObject({ answeredBy: 'DuckDuckGo', passed: [] })
  await client['web.search']({ words: 'Blue whale' })
  const page = await client['web.read']({ address: 'whales.example/blue#part' })
  expect(page).toMatchObject({ title: 'Blue whale', address: 'https://whales.example/blue#part' })
  await client['web.read']({ address: 'https://whales.example/blue' })
  expect(web.asked).toHaveLength(2)
  expect(await client['web.page']({ pageId: page.pageId })).toMatchObject({ title: 'Blue whale' })
  expect(kept()).toHaveLength(2)
  const written = kept().map(name => readFileSync(join(home.path, 'cache', 'web', name), 'utf8'))
  expect(written.join('\n')).not.toContain(KEY)

  now += 20 * 60_000
  await expect(client['web.page']({ pageId: page.pageId })).rejects.toThrow(/no longer stored/)
  await client['web.search']({ words: 'Blue whale' })
  expect(web.asked).toHaveLength(3)

  const { id } = await client['session.create']({ modelId: 'builtin' })
  await client['session.remove']({ id })
  await client['session.purge']({ ids: [id] })
  await vi.waitFor(() => expect(kept()).toEqual([]))
  await client['web.search']({ words: 'Blue whale' })
  expect(web.asked).toHaveLength(4)

  await client['network.lock']({ locked: true })
  await expect(client['web.search']({ words: 'something else' })).rejects.toThrow(/offline lock is on/)
  const { sources } = await client['web.sources']({})
  expect(sources.map(each => each.name)).toContain('wikipedia')
  await expect(client['web.test']({ source: 'altavista' })).rejects.toThrow(/no source/)
})
