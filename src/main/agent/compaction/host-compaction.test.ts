import { cpSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ServedReply, ServedRequest } from '../../../../testing/servers/openai-server.ts'
import type { RunEvent } from '../../../shared/contract/runs/run.ts'
import { aChatGptChat } from '../../../../testing/chats/an-export.ts'
import { until } from '../../../../testing/until.ts'
import { aChat, aHome, aHost, aServer, endOf, turn, type TestHost } from '../../../../testing/host/a-host.ts'

const NAMES =
  'Alder Birch Cedar Dahlia Elm Fern Ginkgo Hazel Iris Juniper Kapok Laurel Maple Nettle Oak Poplar Quince Rowan Sorrel Tulip'.split(
    ' ',
  )
type Fact = { name: string; thing: string; text: string }
/** Forty facts, each with a number that occurs nowhere else. */
const facts: Fact[] = NAMES.flatMap((name, n) => [
  { name, thing: 'warehouse', text: `The code of the ${name} warehouse is ${4_100 + n}` },
  { name, thing: 'garden', text: `The gate of the ${name} garden opens with ${7_300 + n}` },
])
const padding = 'We talk about the weather of the day and of nothing that matters much. '.repeat(24)
/** Varied words, so that no text counts as repeating. */
const chatter = (n: number) =>
  Array.from(
    { length: 30 },
    (_, at) => `Part ${n * 30 + at}: ${aWord(at + n)} ${aWord(at * 7)} ${aWord(at * 13 + n)} little.`,
  ).join(' ')
const aWord = (n: number) =>
  `${'bdfgklmnprstv'[n % 13]}${'aeiou'[n % 5]}${'lmnrst'[n % 6]}${'aeiou'[(n >> 2) % 5]}`

type Sent = { role: string; content: string | null }
const messagesOf = ({ body }: ServedRequest): Sent[] => body.messages
const textOf = (request: ServedRequest) =>
  messagesOf(request)
    .map(({ content }) => content ?? '')
    .join('\n')
const asksForSummary = (request: ServedRequest) =>
  messagesOf(request).at(-1)?.content?.includes('[Summary]') ?? false
/** A review before a summary. */
const asksForReview = (request: ServedRequest) =>
  messagesOf(request).at(-1)?.content?.includes('[Review]') ?? false
const known = (text: string) => facts.filter(fact => text.includes(fact.text))

const compactionsOf = async ({ client }: Pick<TestHost, 'client'>, id: string) =>
  (await client['session.compactions']({ id })).compactions

async function run({ client }: Pick<TestHost, 'client'>, runId: string): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for await (const event of client['run.watch']({ runId })) events.push(event)
  return events
}

/** A home with a low trigger, so that fewer turns fill the window. */
function configured(home: string) {
  writeFileSync(join(home, 'config.yaml'), 'config_version: 1\ncompaction:\n  trigger: 0.3\n')
}

test('after eight compactions each of forty facts can be read or found, and no summarised one is lost', async () => {
  using home = aHome()
  const workspace = join(home.path, 'work')
  mkdirSync(workspace)
  // Summaries that follow each other within minutes are followed by a pause.
  let hours = 0
  const now = () => Date.now() + hours * 3_600_000
  await using host = await aHost(home.path, { coreTools: true, now })
  await using server = await aServer(host.client)
  const session = await host.client['session.create']({
    modelId: server.modelId,
    workspace,
    approval: 'reads',
  })
  const passed: number[] = []
  let calls: ServedReply['toolCalls'] = []
  let answer = 'Fine.'
  server.reply(request => {
    if (asksForReview(request)) return { text: 'Nothing to save.' }
    if (asksForSummary(request)) {
      passed.push(passed.length)
      // Half of the facts that it could have named, a different half each time.
      const told = known(textOf(request)).filter((_, n) => (n + passed.length) % 2 === 0)
      return {
        text: `## Goal\nTo run the gardens\n## Decisions\n${told.map(({ text }) => `- ${text}`).join('\n')}`,
      }
    }
    const toolCalls = calls
    calls = []
    return toolCalls?.length ? { toolCalls } : { text: answer }
  })

  const summaries: string[] = []
  const warnings: string[] = []
  for (let n = 0; passed.length < 8 || n < facts.length; n++) {
    const fact = facts[n]
    // Said by the user, said by the model, or read in a file.
    const where = ['user', 'assistant', 'file'][n % 3]
    answer = where === 'assistant' && fact ? `Noted: ${fact.text}. ${chatter(n)}` : `Fine. ${chatter(n)}`
    if (where === 'file' && fact) {
      writeFileSync(join(workspace, `${n}.txt`), `${fact.text}.\n${padding}`)
      calls = [{ name: 'read_file', arguments: { path: `${n}.txt` } }]
    }
    const events = await turn(
      host,
      session.id,
      `${where === 'user' && fact ? `${fact.text}.` : `Go on (${n}).`} ${padding}`,
    )
    expect(endOf(events)).toBe('done')
    for (const event of events) {
      if (event.type === 'compacted') hours++
      if (event.type === 'compacted') summaries.push(event.compaction.summary)
      if (event.type === 'warning') warnings.push(event.text)
    }
    expect(n).toBeLessThan(120)
  }

  expect(warnings).toEqual([expect.stringContaining('fills much of what the model can hold')])
  const compactions = await compactionsOf(host, session.id)
  expect(compactions.map(({ summary }) => summary)).toEqual(summaries)
  expect(compactions.filter(({ by }) => by === 'model').length).toBeGreaterThanOrEqual(8)
  for (const { tokensBefore, tokensAfter } of compactions)
    expect(tokensAfter).toBeLessThan(tokensBefore * 0.9)
  for (const [n, summary] of summaries.entries())
    expect(known(summary)).toEqual(expect.arrayContaining(known(summaries[n - 1] ?? '')))

  // Ask the search tool itself for the facts that the model no longer reads.
  const read = textOf(server.chats().at(-1)!)
  const missing = facts.filter(({ text }) => !read.includes(text))
  expect(missing.length).toBeGreaterThan(0)
  expect(missing.length).toBeLessThan(facts.length)
  for (const { name, thing, text } of missing) {
    calls = [{ name: 'session_search', arguments: { query: `${name} ${thing}` } }]
    const events = await turn(host, session.id, 'Do you remember?')
    const results = events.flatMap(event =>
      event.type === 'message' && event.message.role === 'tool' ? [event.message.text] : [],
    )
    expect(results.join('\n')).toContain(text)
  }

  const { sections } = await host.client['session.context']({ id: session.id })
  expect(sections.find(({ name }) => name === 'history')?.text).toContain(
    (await compactionsOf(host, session.id)).at(-1)!.summary,
  )
  const { messageCount } = await host.client['session.get']({ id: session.id })
  const { messages } = await host.client['session.messages']({ id: session.id, limit: 500 })
  expect(messages).toHaveLength(messageCount)
  expect(host.mistakes()).toEqual([])
})

/** A chat of many turns without a compaction pass. */
async function aLongChat(
  host: TestHost,
  server: { modelId: string; reply: (reply: ServedReply) => void },
  turns = 12,
) {
  const session = await aChat(host, server)
  server.reply({ text: `Fine. ${chatter(1)}` })
  for (let n = 0; n < turns; n++) await turn(host, session.id, `We must use port ${4_300 + n}.`)
  return session
}

test('a chat can be compacted by hand with a focus, as a run, and keeps the summary after a restart', async () => {
  using home = aHome()
  let id: string
  {
    await using host = await aHost(home.path, { coreTools: true })
    await using server = await aServer(host.client)
    const session = await aLongChat(host, server)
    id = session.id
    server.reply({ text: '## Decisions\n- The gateway uses port 4301, then 4302 and 4308' })
    const { runId } = await host.client['chat.compact']({ sessionId: id, focus: 'the ports' })
    await expect(host.client['chat.send']({ sessionId: id, text: 'Now?' })).rejects.toMatchObject({
      code: 'busy',
    })
    const events = await run(host, runId)
    expect(events.map(({ type }) => type)).toEqual([
      'flushing',
      'flushed',
      'compacting',
      'compacted',
      'turn_end',
    ])
    expect(textOf(server.chats().at(-1)!)).toContain('What must not be lost: the ports')
    const [compaction] = await compactionsOf(host, id)
    expect(compaction).toMatchObject({
      by: 'model',
      focus: 'the ports',
      summary: '## Decisions\n- The gateway uses port 4301, then 4302 and 4308',
    })
    expect(host.mistakes()).toEqual([])
  }
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aServer(host.client)
  await host.client['session.update']({ id, modelId: server.modelId })
  expect(await compactionsOf(host, id)).toHaveLength(1)
  await turn(host, id, 'Which port?')
  const sent = messagesOf(server.chats().at(-1)!)
  expect(
    sent.filter(({ content }) => content?.includes('The gateway uses port 4301, then 4302 and 4308')),
  ).toHaveLength(1)
  expect(sent.length).toBeLessThan(15)
  expect(host.mistakes()).toEqual([])
})

test('the prompt is rebuilt with the summary, including memory saved since', async () => {
  using home = aHome()
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aServer(host.client)
  const { id } = await aLongChat(host, server)
  await host.client['memory.add']({ target: 'user', text: 'Lives in Bergen.' })
  server.reply({ text: '## Goal\n- Ship it' })
  const prompt = async () => {
    await turn(host, id, 'And now?')
    return messagesOf(server.chats().at(-1)!)[0]?.content
  }
  expect(await prompt()).not.toContain('Lives in Bergen.')
  const { runId } = await host.client['chat.compact']({ sessionId: id })
  expect(endOf(await run(host, runId))).toBe('done')
  expect(await prompt()).toContain('Lives in Bergen.')
})

test('a chat too short to be compacted says so', async () => {
  using home = aHome()
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aServer(host.client)
  const { id } = await aChat(host, server)
  await turn(host, id, 'Hello.')
  const { runId } = await host.client['chat.compact']({ sessionId: id })
  const events = await run(host, runId)
  expect(events.map(({ type }) => type)).toEqual(['warning', 'turn_end'])
  expect(await compactionsOf(host, id)).toEqual([])
})

test('if the server refuses to summarise, the summary is made by rules and the turn continues', async () => {
  using home = aHome()
  configured(home.path)
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aServer(host.client)
  const { id } = await aChat(host, server)
  let events: RunEvent[] = []
  for (let n = 0; !events.some(({ type }) => type === 'compacted'); n++) {
    server.reply(request =>
      asksForSummary(request)
        ? { status: 400, body: { error: { message: 'context length exceeded' } } }
        : { text: `Fine. ${chatter(n)}` },
    )
    events = await turn(host, id, `${facts[n]!.text}. ${padding}`)
  }
  expect(endOf(events)).toBe('done')
  const [compaction] = await compactionsOf(host, id)
  expect(compaction?.by).toBe('local')
  expect(compaction?.summary).toContain(facts[2]!.text)
})

const stallsAtSummary = (request: ServedRequest): ServedReply =>
  asksForReview(request)
    ? { text: 'Nothing to save.' }
    : { text: ['## Goal\n', '- Ship it'], stallMs: 60_000, after: 1 }

test('a stop during a summary leaves the chat unchanged', async () => {
  using home = aHome()
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aServer(host.client)
  const { id } = await aLongChat(host, server)
  const before = (await host.client['session.messages']({ id })).messages
  server.reply(stallsAtSummary)
  const { runId } = await host.client['chat.compact']({ sessionId: id })
  await until(() => asksForSummary(server.chats().at(-1)!))
  await host.client['run.stop']({ runId })
  expect(endOf(await run(host, runId))).toBe('stopped')
  expect(await compactionsOf(host, id)).toEqual([])
  server.reply({ text: 'Yes.' })
  await turn(host, id, 'Still here?')
  expect(messagesOf(server.chats().at(-1)!).filter(({ role }) => role === 'user')).toHaveLength(13)
  expect((await host.client['session.messages']({ id })).messages.slice(0, before.length)).toEqual(before)
  expect(host.mistakes()).toEqual([])
})

/** The lock and the socket disappear with their process. */
const isCopied = (path: string) => !path.endsWith('.lock') && !statSync(path).isSocket()

test('a process that dies during a summary loses nothing', async () => {
  using home = aHome()
  using copy = aHome()
  let id: string
  {
    await using host = await aHost(home.path, { coreTools: true })
    await using server = await aServer(host.client)
    id = (await aLongChat(host, server)).id
    server.reply(stallsAtSummary)
    const { runId } = await host.client['chat.compact']({ sessionId: id })
    await until(() => asksForSummary(server.chats().at(-1)!))
    // The next process has only what is on disk at this moment.
    cpSync(home.path, copy.path, { recursive: true, filter: isCopied })
    await host.client['run.stop']({ runId })
  }
  await using host = await aHost(copy.path, { coreTools: true })
  expect(await compactionsOf(host, id)).toEqual([])
  const session = await host.client['session.get']({ id })
  expect([session.messageCount, session.activeRunId]).toEqual([24, null])
  await using server = await aServer(host.client)
  await host.client['session.update']({ id, modelId: server.modelId })
  await turn(host, id, 'Still here?')
  expect(messagesOf(server.chats().at(-1)!).filter(({ role }) => role === 'user')).toHaveLength(13)
})

test('an imported chat longer than the window is compacted before it continues', async () => {
  using home = aHome()
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aServer(host.client)
  const turns = Array.from({ length: 80 }, (_, n) =>
    n % 2 === 0 ? `${facts[n % 40]!.text}. ${padding}` : chatter(n),
  )
  const path = join(home.path, 'conversations.json')
  writeFileSync(path, JSON.stringify([aChatGptChat('long', turns)]))
  const { id: importId } = await host.client['import.preview']({ path })
  for await (const progress of host.client['import.run']({ id: importId })) void progress
  const [imported] = (await host.client['session.list']({})).sessions
  await host.client['session.update']({ id: imported!.id, modelId: server.modelId })
  const events = await turn(host, imported!.id, 'Which code has the Oak warehouse?')
  expect(endOf(events)).toBe('done')
  const compacted = events.find(event => event.type === 'compacted')
  // The chat never fitted, so no model could read it.
  expect(compacted?.type === 'compacted' && compacted.compaction).toMatchObject({ by: 'local' })
  expect(events.some(({ type }) => type === 'context_full')).toBe(false)
  const { messages } = await host.client['session.messages']({ id: imported!.id, limit: 500 })
  expect(messages).toHaveLength(82)
  expect(host.mistakes()).toEqual([])
})
