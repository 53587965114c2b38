import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { scriptedModel } from '../../../testing/gguf/cached.ts'
import type { ServedReply } from '../../../testing/servers/openai-server.ts'
import { until } from '../../../testing/until.ts'
import type { AppEvent } from '../../shared/contract/app.ts'
import type { RunEvent } from '../../shared/contract/runs/run.ts'
import { Fault } from '../../shared/rpc.ts'
import { createHost } from '../host.ts'
import {
  aBareServer,
  aChat,
  aHome,
  aHomeForModels,
  aHost,
  aServer,
  endOf,
  slowly,
  transcript,
  turn,
  type TestHost,
} from '../../../testing/host/a-host.ts'

test('after a restart chats, messages and drafts are there, and the same prompt is sent', async () => {
  using home = aHome()
  await using server = await aBareServer()
  const first = await aHost(home.path)
  const { id: modelId } = await first.client['model.addServer']({
    name: 'S',
    baseUrl: server.baseUrl,
    model: 'plain',
  })
  await first.client['model.setDefault']({ id: modelId })
  server.reply({ text: 'One.' }, { text: 'Two.' })
  const chat = await first.client['session.create']({})
  await turn(first, chat.id, 'First?')
  await first.client['session.update']({
    id: chat.id,
    title: 'Mine',
    draft: 'Second',
    pinned: true,
    approval: 'reads',
  })
  await first.client['app.setSettings']({ theme: 'dark' })
  const before = await first.client['session.get']({ id: chat.id })
  await first.close()

  await using second = await aHost(home.path)
  expect((await second.client['session.list']({})).sessions).toEqual([before])
  expect(await transcript(second, chat.id)).toEqual(['user: First?', 'assistant: One.'])
  const [hello] = await take(second.client['app.watch']({}), 1)
  expect(hello).toMatchObject({ defaultModelId: modelId, settings: { theme: 'dark' } })
  expect(endOf(await turn(second, chat.id, 'Second?'))).toBe('done')
  const [asked, askedAgain] = server.chats().map(({ body }) => body.messages)
  expect(askedAgain.slice(0, 2)).toEqual(asked)
})

test('temporary folders of commands are deleted with their chat, and leftovers at the next start', async () => {
  using home = aHome()
  await using server = await aBareServer()
  const temporary = (id: string) => join(home.path, 'cache/tmp', id)
  mkdirSync(temporary('ses_gone'), { recursive: true })
  const first = await aHost(home.path)
  const { id: modelId } = await first.client['model.addServer']({
    name: 'S',
    baseUrl: server.baseUrl,
    model: 'plain',
  })
  const [kept, removed] = [
    await first.client['session.create']({ modelId }),
    await first.client['session.create']({ modelId }),
  ]
  for (const { id } of [kept, removed]) mkdirSync(temporary(id))
  await first.client['session.remove']({ id: removed.id })
  await until(() => !existsSync(temporary(removed.id)) && !existsSync(temporary('ses_gone')))
  await first.close()
  await using _second = await aHost(home.path)
  expect(existsSync(temporary(kept.id))).toBe(true)
})

test('closing during an answer ends the run as stopped and leaves nothing running', async () => {
  using home = aHome()
  const host = await aHost(home.path)
  await using server = await aServer(host.client)
  server.reply(slowly(500))
  const chat = await aChat(host, server)
  const { runId } = await host.client['chat.send']({ sessionId: chat.id, text: 'Count.' })
  const watching = Array.fromAsync(host.client['run.watch']({ runId }))
  await until(() => server.chats().length > 0)
  await Promise.all([host.host.close(), host.host.close()])
  expect(endOf(await watching)).toBe('stopped')
  expect(await server.chats()[0]?.cut).toBe(true)
  await expect(
    host.host.handlers['chat.send']({ sessionId: chat.id, text: 'x' }, AbortSignal.abort()),
  ).rejects.toThrow(new Fault('not_ready', 'Talaria is closing.'))
  expect(existsSync(join(home.path, 'host.sock'))).toBe(false)
  await host.close()

  await using again = await aHost(home.path)
  expect((await again.client['session.get']({ id: chat.id })).activeRunId).toBeNull()
  const log = await Array.fromAsync(again.client['run.watch']({ runId }))
  expect(endOf(log)).toBe('stopped')
})

test.runIf(process.platform === 'linux')(
  'closing after a local model’s answer ends its process',
  async () => {
    using home = aHomeForModels()
    const host = await aHost(home.path)
    const modelId = `file:${scriptedModel({ reply: 'one two three four five six seven eight nine ten' })}`
    const chat = await host.client['session.create']({ modelId })
    await turn(host, chat.id, 'Count.')
    const before = childrenOf(process.pid)
    await host.close()
    await until(() => childrenOf(process.pid).length < before.length)
  },
)

/** The running child processes of a process. */
const childrenOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)

test('a home has one host; a second one is refused until the first has closed', async () => {
  using home = aHome()
  const host = await aHost(home.path)
  await expect(createHost({ hosting: 'cli', home: home.path })).rejects.toMatchObject({
    name: 'Fault',
    code: 'busy',
  })
  expect(await host.client['setup.finish']({})).toEqual({})
  await host.close()
  await using next = await aHost(home.path)
  expect(await next.client['setup.again']({})).toEqual({})
})

test('a host that cannot start leaves nothing behind', async () => {
  using home = aHome()
  const workspace = join(home.path, 'nowhere')
  await expect(aHost(home.path, { workspace })).rejects.toMatchObject({ code: 'bad_input' })
  await using host = await aHost(home.path)
  expect(host.mistakes()).toEqual([])
})

test('a broken configuration and a broken database give notices, and the host works', async () => {
  using home = aHome()
  writeFileSync(join(home.path, 'config.yaml'), 'ui: {theme: dark\nagent: [')
  writeFileSync(join(home.path, 'state.db'), 'This is no database. '.repeat(500))
  await using host = await aHost(home.path)
  const [hello] = await take(host.client['app.watch']({}), 1)
  const notices = hello?.type === 'hello' ? hello.notices : []
  expect(notices.map(notice => [notice.level, notice.text.length > 20, notice.fix.length > 20])).toEqual([
    ['error', true, true],
    ['error', true, true],
  ])
  expect(readFileSync(join(home.path, 'state.db'), 'utf8')).toMatch(/^This is no database/)
  expect(readdirSync(join(home.path, 'backups')).length).toBeGreaterThan(0)

  const chat = await host.client['session.create']({})
  expect((await host.client['session.list']({})).sessions.map(each => each.id)).toEqual([chat.id])
  await expect(host.client['app.setSettings']({ theme: 'light' })).rejects.toMatchObject({
    code: 'not_ready',
  })
  await host.client['app.dismissNotice']({ id: notices[0]!.id })
  await host.client['app.dismissNotice']({ id: 'no such notice' })
  const [again] = await take(host.client['app.watch']({}), 1)
  expect(again).toMatchObject({ type: 'hello', notices: [notices[1]] })
  expect(host.mistakes()).toEqual([])
})

test('a new window gets the whole state first, and then changes', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  const heard: AppEvent[] = []
  const leaving = new AbortController()
  const watching = (async () => {
    for await (const event of host.connectAgain()['app.watch']({}, { signal: leaving.signal }))
      heard.push(event)
  })()
  await until(() => heard.length === 1)
  expect(heard[0]).toEqual({
    type: 'hello',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    hosting: 'headless',
    platform: process.platform,
    home: home.path,
    workspace: join(home.path, 'workspace'),
    defaultModelId: 'builtin',
    settings: {
      theme: 'system',
      codeTheme: 'window',
      textSize: 'normal',
      sendWith: 'enter',
      keys: {},
      expert: false,
    },
    engine: expect.objectContaining({ phase: 'stopped', modelId: null }),
    notices: [],
    locked: false,
    setupDone: false,
  })

  await host.client['app.setSettings']({ sendWith: 'mod_enter' })
  await using server = await aServer(host.client)
  // Events about the engine, messengers and requests may come at any time.
  const told = () =>
    heard
      .slice(1)
      .map(event => (event.type === 'session' ? stateOf(event) : event.type))
      .filter(type => !['engine', 'changed'].includes(type))
  const chat = await aChat(host, server)
  await until(() => told().includes('idle'))
  await turn(host, chat.id, 'Hello?')
  await host.client['session.update']({ id: chat.id, draft: 'not told' })
  await host.client['session.update']({ id: chat.id, title: 'Told' })
  await until(() => told().includes('Told'))
  await host.client['session.remove']({ id: chat.id })
  await until(() => told().includes('session_removed'))
  await host.client['session.restore']({ id: chat.id })
  await host.client['model.load']({ id: `file:${scriptedModel()}` })
  await host.client['model.unload']({})
  // Other events may follow.
  const phases = () => heard.flatMap(event => (event.type === 'engine' ? [phaseOf(event)] : []))
  await until(() => phases().includes('ready') && phases().at(-1) === 'stopped')
  leaving.abort()
  await expect(watching).rejects.toMatchObject({ code: 'cancelled' })

  expect(new Set(told())).toEqual(new Set(['settings', 'idle', 'busy', 'Told', 'session_removed']))
  // Fast changes are announced together, so the number of events depends on timing.
  expect(told().filter((type, at, all) => type !== all[at - 1])).toEqual([
    'settings',
    'idle',
    'busy',
    'idle',
    'Told',
    'session_removed',
    'Told',
  ])
  expect([phases()[0], phases().includes('ready'), phases().at(-1)]).toEqual(['starting', true, 'stopped'])
})

test('a mistake that appears in the file during the first run does not block the first run', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  const heard: AppEvent[] = []
  const leaving = new AbortController()
  const watching = (async () => {
    for await (const event of host.client['app.watch']({}, { signal: leaving.signal })) heard.push(event)
  })()
  await until(() => heard.length === 1)
  expect(heard[0]).toMatchObject({ type: 'hello', setupDone: false })
  const mistaken = 'ui: [not closed'
  writeFileSync(join(home.path, 'config.yaml'), mistaken)
  await host.client['setup.finish']({})
  await until(() => heard.some(event => event.type === 'setup'))
  expect(heard.find(event => event.type === 'setup')).toEqual({ type: 'setup', done: true })
  expect(readFileSync(join(home.path, 'config.yaml'), 'utf8')).toBe(mistaken)
  leaving.abort()
  await expect(watching).rejects.toMatchObject({ code: 'cancelled' })
})

const phaseOf = (event: AppEvent) => (event.type === 'engine' ? event.engine.phase : '')
const stateOf = ({ session }: Extract<AppEvent, { type: 'session' }>) =>
  session.title === 'Told' ? 'Told' : session.activeRunId === null ? 'idle' : 'busy'

test('short runs leave no timers and no open runs', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client, 'plain')
  server.reply({ text: 'Yes.' })
  const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
  const before = timers()
  for (let n = 0; n < 5; n++) {
    const chats = await Promise.all([1, 2, 3].map(() => aChat(host, server)))
    await Promise.all(chats.map(chat => turn(host, chat.id, 'Yes?')))
  }
  const { sessions } = await host.client['session.list']({ limit: 200 })
  expect(sessions.filter(session => session.activeRunId !== null || session.waiting)).toEqual([])
  await until(() => timers() <= before + 2)
  expect(host.mistakes()).toEqual([])
})

type Killed = { when: string; replies: ServedReply[]; isLast(event: RunEvent): boolean }
const killed: Killed[] = [
  { when: 'in the middle of its answer', replies: [slowly(400, 5)], isLast: ({ seq }) => seq > 8 },
  {
    when: 'while a tool is at work',
    replies: [
      {
        text: 'Working.',
        toolCalls: [
          { name: 'list_files', arguments: {} },
          { name: 'terminal', arguments: { command: 'echo begun; sleep 3' } },
          { name: 'read_file', arguments: { path: 'welcome.md' } },
        ],
      },
    ],
    isLast: ({ type }) => type === 'tool_output',
  },
]

test.for(killed)(
  'a host that is killed $when has lost nothing that it had shown',
  async ({ replies, isLast }) => {
    using home = aHome()
    await using server = await aBareServer()
    server.reply(...replies)
    const setup = await aHost(home.path)
    const { id } = await setup.client['model.addServer']({
      name: 'S',
      baseUrl: server.baseUrl,
      model: 'qwen3',
    })
    await setup.close()

    const script = fileURLToPath(
      new URL('../../../testing/host/killed/answer-until-killed.ts', import.meta.url),
    )
    const child = spawn(process.execPath, [script, home.path, id, 'Count.'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    const read = async () => JSON.parse((await lines.next()).value ?? '')
    const { runId, sessionId } = await read()
    const shown: RunEvent[] = []
    while (!shown.some(isLast)) shown.push(await read())
    child.kill('SIGKILL')
    await once(child, 'exit')
    for await (const line of { [Symbol.asyncIterator]: () => lines }) shown.push(JSON.parse(line))

    await using host = await aHost(home.path)
    const log = await Array.fromAsync(host.client['run.watch']({ runId }))
    expect(log.slice(0, shown.length)).toEqual(shown)
    expect(endOf(log)).toBe('stopped')
    const chat = await host.client['session.get']({ id: sessionId })
    expect(chat).toMatchObject({ activeRunId: null, waiting: false, draft: 'Half a thought' })
    const { messages } = await host.client['session.messages']({ id: sessionId })
    for (const event of shown) if ('message' in event) expect(messages).toContainEqual(event.message)
    const said = shown.map(event => (event.type === 'text_delta' ? event.text : '')).join('')
    expect(messages.map(each => each.text).join('\n')).toContain(said.trim())
    const calls = messages.flatMap(each => (each.role === 'assistant' ? each.calls : []))
    expect(messages.flatMap(each => (each.role === 'tool' ? [each.callId] : []))).toEqual(
      calls.map(call => call.id),
    )

    server.reply({ text: 'I am back.' })
    expect(endOf(await turn(host, sessionId, 'Go on.'))).toBe('done')
  },
)

async function take<T>(items: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = []
  for await (const item of items) if (taken.push(item) === count) break
  return taken
}

test('leaving the program ends its chats, and their review waits for the next start', async () => {
  using home = aHome()
  const learning = '  idle_seconds: 3600\n  memory_nudge: 0\n  end_turns: 2\n'
  writeFileSync(join(home.path, 'config.yaml'), `learning:\n${learning}`)
  const waiting = async ({ client }: TestHost) =>
    (await client['learning.activity']({ filter: 'all' })).reviews
  let ids: string[] = []
  {
    await using host = await aHost(home.path)
    await using server = await aServer(host.client)
    const [first, second, short] = [
      await aChat(host, server),
      await aChat(host, server),
      await aChat(host, server),
    ]
    for (const { id } of [first, second, short, first, second]) await turn(host, id, 'Hello.')
    ids = [first.id, second.id]
    expect(await waiting(host)).toEqual([])
  }
  await using host = await aHost(home.path)
  const reviews = await waiting(host)
  expect(reviews.map(({ sessionId }) => sessionId)).toEqual(ids)
  for (const review of reviews) expect(review).toMatchObject({ trigger: 'session_end', state: 'queued' })
})
