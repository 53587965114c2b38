import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { aBareServer, aHome, aHost, endOf, turn, type TestHost } from '../../../../testing/host/a-host.ts'
import { wordsIn } from '../../../../testing/purge/plant-chat.ts'
import type { ServedReply, ServedRequest } from '../../../../testing/servers/openai-server.ts'
import { aChat, aStore } from '../../../../testing/db/a-store.ts'
import { TEMPORARY_IDLE_MS } from '../../../shared/text/temporary-chats.ts'
import { openTemporaryChats } from './temporary-chats.ts'
import { until } from '../../../../testing/until.ts'

/** A word that is only said in the temporary chat, and is in no file that the user keeps. */
const WORD = 'quagmirezebra'
const KNOWN = 'Lives in Reykjavik.'
const call = (name: string, args: Record<string, unknown>) => ({ name, arguments: args })
const isDone = async ({ client }: TestHost) => (await client['session.deleted']({})).removing === 0

const SETTINGS = `learning:
  mode: save
  trajectories: true
  memory_nudge: 1
  skill_nudge: 1
  turn_calls: 1
  end_turns: 1
  idle_seconds: 1
`

/** A model that runs a command with a long output, starts a process and a sub-agent, then says it is done. */
function reply({ body }: ServedRequest): ServedReply {
  const asked = JSON.stringify(body.messages.findLast((each: { role: string }) => each.role === 'user'))
  const last = body.messages.at(-1).role as string
  if (last === 'tool') return { text: `Done with ${asked.includes(WORD) ? WORD : 'it'}.` }
  if (!asked.includes('Run it')) return { text: `I have looked at ${asked.includes(WORD) ? WORD : 'it'}.` }
  return {
    toolCalls: [
      call('terminal', { command: `for n in $(seq 4000); do echo ${WORD} $n; done` }),
      call('terminal', { command: `echo ${WORD}; sleep 600`, action: 'start' }),
      call('delegate', { goal: `Look at ${WORD}.` }),
    ],
  }
}

async function aTalk(home: string) {
  writeFileSync(join(home, 'config.yaml'), SETTINGS)
  const server = await aBareServer()
  server.reply(reply)
  const host = await aHost(home, { coreTools: true })
  const model = { name: 'S', baseUrl: server.baseUrl, model: 'qwen3' }
  const { id: modelId } = await host.client['model.addServer'](model)
  await host.client['memory.add']({ target: 'user', text: KNOWN })
  return { server, host, modelId }
}

/** Leave every possible trace in a temporary chat. */
async function fill(host: TestHost, modelId: string): Promise<string> {
  const { client } = host
  const { id } = await client['session.create']({ modelId, approval: 'full', temporary: true })
  const base64 = Buffer.from(`${WORD} in a file`).toString('base64')
  for (const name of ['sent.txt', 'unsent.txt']) {
    const content = Buffer.from(`${name} ${base64}`).toString('base64')
    await client['attachment.add']({ sessionId: id, from: { kind: 'bytes', name, base64: content } })
  }
  expect(endOf(await turn(host, id, `Run it: ${WORD}`))).toBe('done')
  await client['session.update']({ id, draft: `${WORD} is typed`, title: `About ${WORD}` })
  await client['branch.fork']({ sessionId: id, messageId: await newestOf(host, id) })
  return id
}

const isAbout = (body: unknown, text: string) => JSON.stringify(body).includes(text)
const newestOf = async ({ client }: TestHost, id: string) =>
  (await client['session.messages']({ id })).messages.at(-1)!.id

test(
  'a temporary chat knows nothing of others, is known to nothing, and leaves no byte',
  { timeout: 240_000 },
  async () => {
    using home = aHome()
    const { server, host, modelId } = await aTalk(home.path)
    await using _server = { [Symbol.asyncDispose]: () => server.close() }
    await using _host = host
    const { client } = host
    const ordinary = await client['session.create']({ modelId })
    await turn(host, ordinary.id, 'Good morning.')
    expect(isAbout(server.chats()[0]!.body, KNOWN)).toBe(true)

    const before = server.chats().length
    const id = await fill(host, modelId)
    // The ordinary chat is reviewed in the meantime.
    const sent = server
      .chats()
      .slice(before)
      .map(({ body }) => body)
      .filter(({ messages }) => isAbout(messages, WORD))
    expect(sent.length).toBeGreaterThanOrEqual(3)
    expect(sent.some(body => isAbout(body, KNOWN))).toBe(false)
    const offered = new Set(
      sent.flatMap(({ tools }) =>
        (tools ?? []).map((tool: { function: { name: string } }) => tool.function.name),
      ),
    )
    expect([...offered]).toContain('terminal')
    for (const name of ['memory', 'session_search', 'skill_manage', 'schedule'])
      expect([...offered]).not.toContain(name)

    // All of its traces exist, but only the list of chats knows it.
    expect(await wordsIn(home.path, [WORD])).not.toEqual({})
    expect(readdirSync(join(home.path, 'cache', 'outputs')).length).toBeGreaterThan(0)
    const { processes } = await client['process.list']({})
    expect(processes.filter(each => each.state === 'running')).toHaveLength(1)
    const { sessions } = await client['session.list']({})
    expect(sessions.filter(each => each.temporary).length).toBe(3)
    expect((await client['session.list']({ query: WORD })).sessions).toEqual([])
    expect((await client['recall.search']({ query: WORD })).hits).toEqual([])
    expect((await client['session.titles']({})).chats.map(each => each.id)).toEqual([ordinary.id])
    expect(
      (await client['learning.activity']({ filter: 'all' })).reviews.filter(
        each => each.sessionId !== ordinary.id,
      ),
    ).toEqual([])

    await using elsewhere = aFolderFor(aHome())
    const zip = join(elsewhere.path, 'backup.zip')
    for await (const _ of client['data.backup']({ path: zip, keys: false, files: true }));
    for await (const _ of client['data.export']({ path: join(elsewhere.path, 'all.json'), format: 'json' }));
    expect(await wordsIn(elsewhere.path, [WORD, 'Good morning'])).toEqual({
      'Good morning': expect.any(String),
    })

    await expect(client['session.update']({ id, pinned: true })).rejects.toThrow('Keep it first')
    await expect(client['session.update']({ id, archived: true })).rejects.toThrow('Keep it first')
    await expect(
      client['memory.add']({ target: 'user', text: 'x y', source: { sessionId: id } }),
    ).rejects.toThrow('temporary')
    await expect(client['learning.review']({ sessionId: id })).rejects.toThrow('temporary')

    for (const each of sessions)
      if (each.temporary && !each.parentId) await client['session.end']({ id: each.id })
    for (const each of (await client['session.list']({})).sessions)
      if (each.temporary) await client['session.end']({ id: each.id })
    await until(() => isDone(host))
    expect(await wordsIn(home.path, [WORD])).toEqual({})
    expect((await client['session.list']({})).sessions.map(each => each.id)).toEqual([ordinary.id])
    expect((await client['process.list']({})).processes).toEqual([])
    await expect(client['session.restore']({ id })).rejects.toThrow('no longer exists')
    expect(host.mistakes()).toEqual([])
  },
)

const aFolderFor = (home: ReturnType<typeof aHome>) => ({
  path: home.path,
  [Symbol.asyncDispose]: async () => home[Symbol.dispose](),
})

test(
  'a host that stops ends its temporary chats, and leaves no byte of them',
  { timeout: 240_000 },
  async () => {
    using home = aHome()
    const { server, host, modelId } = await aTalk(home.path)
    await using _ = { [Symbol.asyncDispose]: () => server.close() }
    await fill(host, modelId)
    expect(await wordsIn(home.path, [WORD])).not.toEqual({})
    await host.close()
    expect(await wordsIn(home.path, [WORD])).toEqual({})
  },
)

test(
  'after a kill -9 everything of a temporary chat goes at the next start',
  { timeout: 240_000 },
  async () => {
    using home = aHome()
    const { server, host: setup, modelId } = await aTalk(home.path)
    await using _ = { [Symbol.asyncDispose]: () => server.close() }
    const kept = await setup.client['session.create']({ modelId })
    await turn(setup, kept.id, 'Good morning.')
    await setup.close()
    const program = fileURLToPath(
      new URL('../../../../testing/purge/temporary-until-killed.ts', import.meta.url),
    )
    const child = spawn(process.execPath, [program, home.path, modelId, WORD], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const lines: string[] = []
    createInterface(child.stdout).on('line', line => lines.push(line))
    await until(() => lines.length > 0)
    expect(JSON.parse(lines[0]!)).toMatchObject({ reason: 'done' })
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    expect(await wordsIn(home.path, [WORD])).not.toEqual({})

    await using host = await aHost(home.path, { coreTools: true })
    // It is hidden before anything is removed.
    expect((await host.client['session.list']({})).sessions.map(each => each.id)).toEqual([kept.id])
    await until(() => isDone(host))
    expect(await wordsIn(home.path, [WORD])).toEqual({})
    expect(host.mistakes()).toEqual([])
  },
)

test('a temporary chat that is kept is an ordinary one', { timeout: 240_000 }, async () => {
  using home = aHome()
  const { server, host, modelId } = await aTalk(home.path)
  await using _server = { [Symbol.asyncDispose]: () => server.close() }
  await using _host = host
  const { client } = host
  const { id } = await client['session.create']({ modelId, temporary: true })
  await turn(host, id, `Tell me of ${WORD}.`)
  expect((await client['recall.search']({ query: WORD })).hits).toEqual([])
  expect(await client['session.keep']({ id })).not.toHaveProperty('temporary')
  await until(async () => (await client['recall.search']({ query: WORD })).hits.length === 1)
  expect((await client['session.list']({ query: WORD })).sessions).toHaveLength(1)
  expect((await client['session.update']({ id, pinned: true })).pinned).toBe(true)
  await turn(host, id, 'And now?')
  expect(server.chats().some(({ body }) => isAbout(body, KNOWN) && isAbout(body, 'And now?'))).toBe(true)
  await expect(client['session.end']({ id })).rejects.toThrow('not temporary')
})

test('a temporary chat ends after a day without a message, unless it works on one', () => {
  let now = 1_000_000_000
  using store = aStore(() => now)
  const make = (temporary?: true) => aChat(store, { temporary }).id
  const [idle, working, ordinary] = [make(true), make(true), make()]
  const removed: string[] = []
  const chats = openTemporaryChats({
    store: store.sessions,
    purge: { remove: ids => void removed.push(...ids) },
    isRunning: id => id === working,
    now: () => now,
  })
  now += TEMPORARY_IDLE_MS
  chats.endIdle()
  expect(removed).toEqual([])
  const fresh = make(true)
  now += 1
  chats.endIdle()
  chats.close()
  expect(removed).toEqual([idle])
  expect([idle, working, ordinary, fresh].map(id => store.sessions.get(id)?.id)).toEqual([
    undefined,
    working,
    ordinary,
    fresh,
  ])
  expect(store.purge.pending()).toMatchObject([{ sessionId: idle, asked: true }])
})
