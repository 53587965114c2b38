import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from 'vitest'
import {
  aPrompt,
  anError,
  collect,
  never,
  setUpServer,
  textOf,
  TOOL,
} from '../../../../testing/models/openai.ts'
import type { ServedReply, ServedRequest } from '../../../../testing/servers/openai-server.ts'
import type { CompletionEvent, Prompt } from '../interface/engine.ts'
import { createModelIds } from '../files/model-ids.ts'
import { openStandings } from './standings.ts'

// oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern what a fixture needs
const test = base.extend('home', async ({}, { onCleanup }) => {
  const home = mkdtempSync(join(tmpdir(), 'talaria-refused-'))
  onCleanup(() => rmSync(home, { recursive: true, force: true }))
  return home
})

const given = setUpServer()
const DAY = 86_400_000
const aTool = (name: string, more: object = {}) => ({
  ...TOOL,
  name,
  parameters: { ...TOOL.parameters, ...more },
})
const [map, mail, post] = ['mcp__maps__find', 'mcp__mail__send', 'mcp__mail__post'].map(name =>
  aTool(name),
) as [typeof TOOL, typeof TOOL, typeof TOOL]
const all = [TOOL, aTool('find_tool'), map, mail, post]

/** The engine as a host has it, with a clock to set. */
function followed(home: string, clock = { now: 1 }) {
  const current = {
    models: {
      servers: [{ id: 'test', name: 'Test server', base_url: given.server.baseUrl, model: 'test-model' }],
      options: {},
    },
  }
  const report = (error: unknown) => void given.reported.push(error)
  return openStandings({
    home,
    ids: createModelIds(home),
    config: { current },
    now: () => clock.now,
    report,
  }).follow(given.anEngine({ strategy: 'structured' }))
}

const ask = (engine: ReturnType<typeof followed>, more: Partial<Prompt> = {}) =>
  collect(engine.complete(aPrompt({ tools: all, ...more }), never))
const toolsOf = ({ body }: ServedRequest): string[] =>
  (body.tools ?? []).map((tool: { function: { name: string } }) => tool.function.name)
const sentNow = () => toolsOf(given.server.chats().at(-1)!)
const noticesOf = (events: readonly CompletionEvent[]) =>
  events.flatMap(event => (event.type === 'notice' ? [event.text] : []))
/** A server that refuses these tools, one after the other, in the words of `say`. */
const refusing =
  (names: readonly string[], say: (name: string) => string) =>
  (request: ServedRequest): ServedReply => {
    const bad = toolsOf(request).find(name => names.includes(name))
    return bad === undefined ? { text: 'Hello.' } : { status: 400, body: anError(say(bad)) }
  }
const schemaOf = (name: string) => `Invalid schema for function '${name}': no`

test('a tool that a server refuses is left out, and the user is told once', async ({ home, expect }) => {
  given.server.reply(refusing([mail.name], schemaOf))
  const events = await ask(followed(home))
  expect(textOf(events)).toBe('Hello.')
  expect(noticesOf(events)).toEqual([
    `Test server does not accept the tool mcp__mail__send: “Invalid schema for function 'mcp__mail__send': no”. It is not sent to this model any more. find_tool and use_tool still reach it.`,
  ])
  expect(events.some(({ type }) => type === 'failed')).toBe(false)
  expect(sentNow()).toEqual(['list_files', 'find_tool', 'mcp__maps__find', 'mcp__mail__post'])
  // A new host reads the refusal from the file, sends one request, and gives no notice.
  const before = given.server.chats().length
  const again = followed(home)
  expect(noticesOf(await ask(again))).toEqual([])
  expect(given.server.chats()).toHaveLength(before + 1)
  expect(again.leavesOut?.(all)).toEqual([
    {
      name: mail.name,
      why: expect.stringContaining('mcp__mail__send, because Test server does not accept it'),
    },
  ])
  expect(JSON.stringify(again.toolsAsSent?.(all))).not.toContain(mail.name)
})

test('several are left out in turn, and with another schema or after a month a tool is sent again', async ({
  home,
  expect,
}) => {
  const clock = { now: 1 }
  const engine = followed(home, clock)
  given.server.reply(refusing([map.name, post.name], schemaOf))
  const events = await ask(engine)
  expect([textOf(events), noticesOf(events).length]).toEqual(['Hello.', 2])
  expect(sentNow()).toEqual(['list_files', 'find_tool', mail.name])
  given.server.reply({ text: 'Yes.' })
  const changed = aTool(map.name, { required: [] })
  await ask(engine, { tools: [changed, post] })
  expect(sentNow()).toEqual([map.name])
  clock.now += 31 * DAY
  await ask(engine)
  expect(sentNow()).toHaveLength(5)
})

test('a refusal that names none is tried once without all of them, and they come back after a day', async ({
  home,
  expect,
}) => {
  const clock = { now: 1 }
  const engine = followed(home, clock)
  given.server.reply(refusing([mail.name], () => 'Grammar error: unimplemented keys'))
  const events = await ask(engine)
  expect(textOf(events)).toBe('Hello.')
  expect(noticesOf(events)).toEqual([
    expect.stringContaining('did not accept a request with the tools mcp__maps'),
  ])
  expect(sentNow()).toEqual(['list_files', 'find_tool'])
  clock.now += 2 * DAY
  given.server.reply({ text: 'Yes.' })
  await ask(engine)
  expect(sentNow()).toHaveLength(5)
})

test('what the tools are not to blame for is as it was, and nothing is kept of it', async ({
  home,
  expect,
}) => {
  const engine = followed(home)
  given.server.reply({ status: 400, body: anError(schemaOf('list_files')) })
  expect((await ask(engine)).at(-1)).toMatchObject({ type: 'failed', code: 'internal' })
  expect(given.server.chats()).toHaveLength(1)
  // The refusal names a tool but has another cause: it is the same without the tool.
  given.server.reply({ status: 400, body: anError('function call mcp__mail__send lacks a signature') })
  const failed = (await ask(engine)).at(-1)
  expect(failed).toMatchObject({ type: 'failed', text: expect.stringContaining('lacks a signature') })
  expect(failed).not.toHaveProperty('refusedTools')
  expect(given.server.chats().length).toBeLessThanOrEqual(4)
  given.server.reply({ text: 'Hello.' })
  expect(noticesOf(await ask(engine))).toEqual([])
  expect(sentNow()).toHaveLength(5)
})

test('a server that takes no tools at all is known as such, and one schema never makes it one', async ({
  home,
  expect,
}) => {
  const engine = followed(home)
  given.server.reply(refusing([mail.name], () => 'this tool is not supported by the model'))
  expect(textOf(await ask(engine))).toBe('Hello.')
  expect(await engine.profile()).toMatchObject({ strategy: 'structured' })
  const other = followed(`${home}/other`)
  given.server.reply({ status: 400, body: anError('test-model does not support tools') })
  expect((await ask(other)).at(-1)).toMatchObject({ type: 'failed', code: 'tools_unsupported' })
  expect(await other.profile()).toMatchObject({ strategy: 'text' })
})

test('a server that names one tool after the other has an end', async ({ home, expect }) => {
  const names = Array.from({ length: 30 }, (_, at) => `mcp__many__tool_${at}`)
  given.server.reply(refusing(names, schemaOf))
  expect(textOf(await ask(followed(home), { tools: [TOOL, ...names.map(name => aTool(name))] }))).toBe(
    'Hello.',
  )
  expect(given.server.chats()).toHaveLength(10)
  expect(sentNow()).toEqual(['list_files'])
})

test('in the background a tool is left out without a word, and the next chat says so', async ({
  home,
  expect,
}) => {
  const engine = followed(home)
  given.server.reply(refusing([mail.name], schemaOf))
  expect(noticesOf(await ask(engine, { priority: 'background', purpose: 'learning' }))).toEqual([])
  expect(noticesOf(await ask(engine))).toHaveLength(1)
})
