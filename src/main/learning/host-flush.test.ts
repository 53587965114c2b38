import { cpSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { textOf } from '../../../testing/learning/script.ts'
import type { ServedReply, ServedRequest } from '../../../testing/servers/openai-server.ts'
import { until } from '../../../testing/until.ts'
import { aChat, aHome, aHost, aServer, endOf, turn, type TestHost } from '../../../testing/host/a-host.ts'
import type { RunEvent } from '../../shared/contract/runs/run.ts'
import type { ApprovalMode } from '../../shared/contract/chats/session.ts'

const SUMMARY = '## Decisions\n- The port is 4300'
const last = ({ body }: ServedRequest) => textOf(body.messages.at(-1))
/** The kind of a request, judged by its text. */
function askedFor(request: ServedRequest): 'summary' | 'flush' | 'first look' | 'review' | 'answer' {
  const asked = (text: string) => request.body.messages.some((each: never) => textOf(each).includes(text))
  if (last(request).includes('[Summary]')) return 'summary'
  if (asked('[Review] The user waits')) return 'flush'
  if (asked('[Review] The user is not here now. ')) return 'first look'
  return asked('[Review] ') ? 'review' : 'answer'
}

const saves = (content: string): ServedReply => ({
  toolCalls: [{ name: 'memory', arguments: { target: 'user', action: 'add', content } }],
})
type Script = Partial<Record<ReturnType<typeof askedFor>, ServedReply>>

/** A model that saves in every review that the user lives in Bergen. */
const replies =
  (script: Script = {}) =>
  (request: ServedRequest): ServedReply => {
    const asks = askedFor(request)
    const given = script[asks]
    if (given) return given
    if (asks === 'summary') return { text: SUMMARY }
    if (asks === 'first look')
      return { text: '{"worth": true, "facts": ["Lives in Bergen."], "procedure": ""}' }
    const isAnswered = request.body.messages.at(-1).role === 'tool'
    if (asks === 'flush' || (asks === 'review' && !isAnswered)) return saves('Lives in Bergen.')
    return { text: 'Fine, that is noted.' }
  }

/** A home in which reviews wait until requested, and a context window that a few turns fill. */
function configured(home: string, mode: 'ask' | 'save' | 'off', trigger = 0.15) {
  const learning = { mode, idle_seconds: 3_600, memory_nudge: 0, skill_nudge: 0 }
  writeFileSync(
    join(home, 'config.yaml'),
    JSON.stringify({ config_version: 1, learning, compaction: { trigger } }),
  )
}

const rows = (n: number) => Array.from({ length: 60 }, (_, at) => `Row ${n * 60 + at} holds beds.`).join(' ')
const ofChat = async ({ client }: Pick<TestHost, 'client'>, sessionId: string) => {
  const { reviews, proposals } = await client['learning.ofChat']({ sessionId })
  return { proposals, reviews: reviews.map(({ trigger, kinds, state }) => [trigger, state, kinds.join(' ')]) }
}
const entriesOf = async ({ client }: Pick<TestHost, 'client'>) =>
  (await client['memory.view']({})).entries.map(({ text }) => text)
const types = (events: readonly RunEvent[]) =>
  events.map(({ type }) => type).filter(type => /flush|compact|memory/.test(type))

async function aLongChat(host: TestHost, server: { modelId: string }, approval: ApprovalMode = 'ask') {
  const session = await aChat(host, server, { approval })
  for (let n = 0; n < 6; n++) await turn(host, session.id, `I live in Bergen, and we use port ${4_300 + n}.`)
  return session.id
}

async function compact(
  { client }: Pick<TestHost, 'client'>,
  sessionId: string,
  onEvent: (event: RunEvent, runId: string) => unknown = () => {},
) {
  const { runId } = await client['chat.compact']({ sessionId })
  const events: RunEvent[] = []
  for await (const event of client['run.watch']({ runId })) {
    events.push(event)
    await onEvent(event, runId)
  }
  return events
}

/** Take turns until one compacts the chat, and return its events. */
async function fill(
  host: TestHost,
  sessionId: string,
  onEvent?: (event: RunEvent, runId: string) => unknown,
): Promise<RunEvent[]> {
  for (let n = 0; n < 30; n++) {
    const events = await turn(host, sessionId, `I live in Bergen. ${rows(n)}`, onEvent)
    expect(endOf(events)).toBe('done')
    if (events.some(({ type }) => type === 'compacted')) return events
  }
  throw new Error('This chat was never compacted.')
}

test('“/compact” reviews the messages first, and what is saved is told and not looked for again', async () => {
  using home = aHome()
  configured(home.path, 'save', 0.5)
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aServer(host.client)
  server.reply(replies())
  const id = await aLongChat(host, server)
  const before = server.chats().length
  const events = await compact(host, id)
  expect(types(events)).toEqual(['flushing', 'memory', 'flushed', 'compacting', 'compacted'])
  expect(server.chats().slice(before).map(askedFor)).toEqual(['first look', 'review', 'review', 'summary'])
  expect(await entriesOf(host)).toEqual(['Lives in Bergen.'])
  expect((await ofChat(host, id)).reviews).toEqual([['compaction', 'done', 'memory skills']])
  // The change belongs to the newest turn, where the user sees it.
  const saved = events.find(event => event.type === 'memory')!
  const { messages } = await host.client['session.messages']({ id })
  expect(saved.revisions[0]?.messageId).toBe(messages.at(-1)!.id)
  expect(host.mistakes()).toEqual([])
})

test('in mode “ask” what a review before a summary finds waits for the user', async () => {
  using home = aHome()
  configured(home.path, 'ask', 0.5)
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aServer(host.client)
  server.reply(replies())
  const id = await aLongChat(host, server)
  const events = await compact(host, id)
  expect(types(events)).toEqual(['flushing', 'flushed', 'compacting', 'compacted'])
  expect(events.find(event => event.type === 'flushed')).toMatchObject({
    end: 'done',
    text: 'The older messages led to a proposal that waits for your decision.',
  })
  expect((await ofChat(host, id)).proposals).toMatchObject([
    {
      headline: 'Lives in Bergen.',
      trigger: 'compaction',
      state: 'open',
      evidence: [4301, 4302, 4303].map(port => ({ quote: `I live in Bergen, and we use port ${port}.` })),
    },
  ])
  expect(await entriesOf(host)).toEqual([])
})

test('before a summary that a turn needs, one short question is asked, with the tools of the chat', async () => {
  using home = aHome()
  configured(home.path, 'save')
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aServer(host.client)
  server.reply(replies())
  const { id } = await aChat(host, server)
  const events = await fill(host, id)
  expect(types(events)).toEqual(['flushing', 'memory', 'flushed', 'compacting', 'compacted'])
  const asked = server.chats()
  expect(asked.map(askedFor).filter(each => each !== 'answer')).toEqual(['flush', 'summary'])
  const [flush, summary] = asked.filter(each => askedFor(each) !== 'answer')
  // Both share everything that the server has evaluated of the chat.
  expect(flush!.body.tools).toEqual(summary!.body.tools)
  expect(flush!.body.messages.slice(0, -1)).toEqual(summary!.body.messages.slice(0, -1))
  expect(flush!.body.max_tokens ?? flush!.body.max_completion_tokens).toBe(400)
  expect(await entriesOf(host)).toEqual(['Lives in Bergen.'])
  // Only the review of skills is left for the background.
  expect((await ofChat(host, id)).reviews).toEqual([
    ['compaction', 'done', 'memory'],
    ['compaction', 'queued', 'skills'],
  ])
  expect(host.mistakes()).toEqual([])
})

test('a skipped review leaves the messages to the queue, and the turn goes on at once', async () => {
  using home = aHome()
  configured(home.path, 'save')
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aServer(host.client)
  const never = new Promise(() => {})
  server.reply(replies({ flush: { text: ['Not', 'hing'], halts: [{ after: 1, until: never }] } }))
  const { id } = await aChat(host, server)
  const events = await fill(host, id, (event, runId) =>
    event.type === 'flushing' ? host.client['run.skip']({ runId }) : undefined,
  )
  expect(types(events)).toEqual(['flushing', 'flushed', 'compacting', 'compacted'])
  expect(events.find(event => event.type === 'flushed')).toMatchObject({ end: 'skipped' })
  expect((await ofChat(host, id)).reviews).toEqual([
    ['compaction', 'queued', 'memory'],
    ['compaction', 'queued', 'skills'],
  ])
  server.reply(replies())
  await host.client['learning.review']({})
  await until(async () => (await ofChat(host, id)).reviews.every(([, state]) => state === 'done'))
  expect(await entriesOf(host)).toEqual(['Lives in Bergen.'])
})

test('a review that fails, or says nothing of use, leaves the messages to the queue', async () => {
  using home = aHome()
  configured(home.path, 'save')
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aServer(host.client)
  for (const flush of [
    { status: 400, body: { error: { message: 'no' } } },
    { text: 'You live in Bergen.' },
    { toolCalls: [{ name: 'terminal', arguments: { command: 'ls' } }] },
  ] satisfies ServedReply[]) {
    server.reply(replies({ flush }))
    const { id } = await aChat(host, server)
    const events = await fill(host, id)
    expect(events.find(event => event.type === 'flushed')).toMatchObject({ end: 'failed' })
    expect((await ofChat(host, id)).reviews).toContainEqual(['compaction', 'queued', 'memory'])
  }
  expect(await entriesOf(host)).toEqual([])
  expect(host.mistakes()).toEqual([])
})

test('where nobody could skip it, the review comes from the queue', async () => {
  using home = aHome()
  configured(home.path, 'save')
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aServer(host.client)
  server.reply(replies())
  const unattended = await aChat(host, server, { approval: 'none' })
  expect(types(await fill(host, unattended.id))).toEqual(['compacting', 'compacted'])
  expect((await ofChat(host, unattended.id)).reviews).toEqual([['compaction', 'queued', 'memory skills']])
  expect(server.chats().map(askedFor)).not.toContain('flush')
})

test('when whoever followed the turn has left, the review comes from the queue', async () => {
  using home = aHome()
  configured(home.path, 'save', 1)
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aServer(host.client)
  server.reply(replies())
  const { id } = await aChat(host, server)
  for (let n = 0; n < 16; n++) await turn(host, id, `I live in Bergen. ${rows(n)}`)
  const left = Promise.withResolvers<void>()
  const usage = { prompt_tokens: 11_000, completion_tokens: 5, total_tokens: 11_005 }
  const listing = { name: 'list_files', arguments: { path: '.' } }
  server.reply(request =>
    server.chats().filter(each => last(each) === 'And now?').length === 1 && last(request) === 'And now?'
      ? { toolCalls: [listing], halts: [{ after: 0, until: left.promise }], usage }
      : replies()(request),
  )
  const { runId } = await host.client['chat.send']({ sessionId: id, text: 'And now?' })
  for await (const event of host.client['run.watch']({ runId })) if (event.type === 'turn_start') break
  await until(() => last(server.chats().at(-1)!) === 'And now?')
  await host.client['settings.set']({ path: 'compaction.trigger', value: 0.15 })
  left.resolve()
  await until(async () => (await host.client['session.get']({ id })).activeRunId === null)
  expect(server.chats().map(askedFor)).toContain('summary')
  expect(server.chats().map(askedFor)).not.toContain('flush')
  expect((await ofChat(host, id)).reviews).toEqual([['compaction', 'queued', 'memory skills']])
})

test('while learning is off, nothing is reviewed before a summary', async () => {
  using home = aHome()
  configured(home.path, 'off', 0.5)
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aServer(host.client)
  server.reply(replies())
  const id = await aLongChat(host, server)
  expect(types(await compact(host, id))).toEqual(['compacting', 'compacted'])
  expect((await ofChat(host, id)).reviews).toEqual([])
})

test('a stop before the summary leaves nothing to do', async () => {
  using home = aHome()
  configured(home.path, 'save', 0.5)
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aServer(host.client)
  const never = new Promise(() => {})
  server.reply(replies({ 'first look': { text: ['{', '}'], halts: [{ after: 1, until: never }] } }))
  const id = await aLongChat(host, server)
  const events = await compact(host, id, (event, runId) =>
    event.type === 'flushing' ? host.client['run.stop']({ runId }) : undefined,
  )
  expect(endOf(events)).toBe('stopped')
  expect((await host.client['session.compactions']({ id })).compactions).toEqual([])
  expect((await ofChat(host, id)).reviews).toEqual([['compaction', 'dropped', 'memory skills']])
  server.reply(replies())
  expect(types(await compact(host, id))).toContain('memory')
})

/** The lock and the socket go with their process. */
const isCopied = (path: string) => !path.endsWith('.lock') && !statSync(path).isSocket()

test.for([
  { step: 'first look', saved: [] },
  { step: 'review', saved: [] },
  { step: 'summary', saved: ['Lives in Bergen.'] },
] as const)('a process that dies during the $step loses nothing', async ({ step, saved }) => {
  using home = aHome()
  using copy = aHome()
  configured(home.path, 'save', 0.5)
  let id: string
  {
    await using host = await aHost(home.path, { coreTools: true })
    await using server = await aServer(host.client)
    const never = new Promise(() => {})
    server.reply(replies({ [step]: { text: ['a', 'b'], halts: [{ after: 1, until: never }] } }))
    id = await aLongChat(host, server)
    const { runId } = await host.client['chat.compact']({ sessionId: id })
    await until(() => askedFor(server.chats().at(-1)!) === step)
    // The next process has only what is on the disk at this moment.
    cpSync(home.path, copy.path, { recursive: true, filter: isCopied })
    await host.client['run.stop']({ runId })
  }
  await using host = await aHost(copy.path, { coreTools: true })
  await using server = await aServer(host.client)
  server.reply(replies())
  expect(await entriesOf(host)).toEqual(saved)
  await host.client['session.update']({ id, modelId: server.modelId })
  const { reviews } = await ofChat(host, id)
  expect(reviews).toEqual([['compaction', step === 'summary' ? 'done' : 'queued', 'memory skills']])
  await host.client['learning.review']({})
  await until(async () => (await ofChat(host, id)).reviews.every(([, state]) => state === 'done'))
  expect(await entriesOf(host)).toEqual(['Lives in Bergen.'])
  expect(host.mistakes()).toEqual([])
})
