import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { randomModel, scriptedModel } from '../../../testing/gguf/cached.ts'
import { aHome, aHomeForModels, aHost, aServer, turn, type TestHost } from '../../../testing/host/a-host.ts'
import { startAnthropicServer } from '../../../testing/servers/anthropic-server.ts'
import type { ServedReply, ServedRequest } from '../../../testing/servers/openai-server.ts'
import type { ToolsTest } from '../../shared/contract/models/model.ts'
import { keepExamined } from './examine-model.ts'
import type { CallReport } from './model-report.ts'

const bare = (name: string, given: object) => JSON.stringify({ name, arguments: given })
const written = (name: string, given: object) => `<tool_call>\n${bare(name, given)}\n</tool_call>`

/** A model that calls all three tools on its own. */
const calling = () =>
  scriptedModel({
    reply: written('read_file', { path: 'notes.txt' }),
    // A marker is a token of its own, and each token of a scripted model belongs to one reply.
    rules: [
      { when: 'Which files', reply: bare('list_files', { depth: 1 }) },
      { when: 'Run the command', reply: bare('terminal', { command: 'date' }) },
    ],
  })

const helpedBy = (model: ServedRequest['body'], call: (tool: string) => ServedReply): ServedReply => {
  const question: string = model.messages.at(-1).content
  const [, tool] = /Use the tool (\w+)/.exec(question) ?? []
  return tool === undefined ? { text: 'I would look at the folder.' } : call(tool)
}

const ARGUMENTS: Record<string, object> = {
  read_file: { path: 'notes.txt' },
  list_files: {},
  terminal: { command: 'date' },
}

/** The tool that a question is about. */
const wantedIn = ({ messages }: ServedRequest['body']): string => {
  const question: string = messages.at(-1).content
  return /notes/.test(question) ? 'read_file' : /date/.test(question) ? 'terminal' : 'list_files'
}

async function testing({ client }: Pick<TestHost, 'client'>, id: string): Promise<ToolsTest[]> {
  const steps: ToolsTest[] = []
  for await (const step of client['model.test']({ id })) steps.push(step)
  return steps
}

const toolsOf = async ({ client }: TestHost, id: string) =>
  (await client['model.list']({})).models.find(each => each.id === id)?.tools

async function engineOf({ client }: TestHost) {
  for await (const event of client['app.watch']({})) if (event.type === 'hello') return event.engine
  throw new Error('The host did not say hello.')
}

const copied = (source: string, home: string) => {
  const path = join(home, 'models', 'tried.gguf')
  copyFileSync(source, path)
  return { path, id: 'file:models/tried.gguf' }
}

test('a file is tried step by step, the verdict is kept, and the memory is free again', async () => {
  using home = aHomeForModels()
  await using host = await aHost(home.path)
  const { id } = copied(calling(), home.path)
  expect(await toolsOf(host, id)).toBe(null)
  const steps = await testing(host, id)
  const asked = (tool: string, number: number) => [
    { step: 'asking', tool, number, of: 3 },
    { step: 'answered', tool, how: 'by itself', problem: null },
  ]
  expect(steps.slice(0, -1)).toEqual([
    { step: 'loading' },
    ...asked('read_file', 1),
    ...asked('list_files', 2),
    ...asked('terminal', 3),
  ])
  expect(steps.at(-1)).toMatchObject({
    step: 'verdict',
    verdict: { tools: 'work', byItself: 3, of: 3 },
    text: expect.stringMatching(/^Works: /),
  })
  expect(await toolsOf(host, id)).toMatchObject({ tools: 'work' })
  expect((await engineOf(host)).phase).toBe('stopped')
  const kept = readFileSync(join(home.path, 'cache', 'tool-verdicts.json'), 'utf8')
  expect(JSON.parse(kept)).toMatchObject({ version: 1, verdicts: [{ verdict: { tools: 'work' } }] })
  expect(host.mistakes()).toEqual([])
})

test('a file that calls only when its call is begun works with help, and another file under its name was not tried', async () => {
  using home = aHomeForModels()
  await using host = await aHost(home.path)
  const { id } = copied(randomModel(), home.path)
  expect((await testing(host, id)).at(-1)).toMatchObject({
    step: 'verdict',
    verdict: { tools: 'helped', byItself: 0, of: 3 },
    text: expect.stringContaining('when Talaria started the call for it'),
  })
  const other = copied(calling(), home.path)
  // Another file under the same name has no verdict.
  expect(await toolsOf(host, other.id)).toBe(null)
})

test('a model on this computer is never tried in place of another one; the built-in one makes room', async () => {
  using home = aHomeForModels()
  await using host = await aHost(home.path)
  const { id } = copied(calling(), home.path)
  const other = await host.client['model.add']({ path: randomModel({ preset: 'tiny' }) })
  await host.client['model.load']({ id: other.id })
  await expect(testing(host, id)).rejects.toMatchObject({
    code: 'busy',
    message: expect.stringContaining('is in memory, and a test never takes its place'),
  })
  const engine = await engineOf(host)
  expect([engine.phase, engine.modelId]).toEqual(['ready', other.id])
  await host.client['model.load']({ id: 'builtin' })
  expect((await testing(host, id)).at(-1)).toMatchObject({ verdict: { tools: 'work' } })
  await expect(testing(host, 'builtin')).rejects.toMatchObject({ code: 'bad_input' })
  // A loaded model stays loaded.
  await host.client['model.load']({ id })
  await testing(host, id)
  expect(await engineOf(host)).toMatchObject({ phase: 'ready', modelId: id })
})

test('a test is stopped by leaving it, and nothing is kept', async () => {
  using home = aHomeForModels()
  await using host = await aHost(home.path)
  const { id } = copied(calling(), home.path)
  for await (const step of host.client['model.test']({ id })) if (step.step === 'asking') break
  await expect.poll(async () => (await engineOf(host)).phase).toBe('stopped')
  expect(await toolsOf(host, id)).toBe(null)
})

test.each([
  ['calls by itself', 'work'],
  ['calls when it is told which tool to use', 'helped'],
  ['gives only the name of the tool', 'fail'],
  ['only talks', 'fail'],
] as const)('a server whose model %s: %s', async (how, tools) => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client, 'qwen3')
  const call = (tool: string, given = ARGUMENTS[tool]!) => ({
    toolCalls: [{ name: tool, arguments: { ...given } }],
  })
  server.reply(({ body }) => {
    if (how === 'only talks') return { text: 'I cannot.' }
    if (how === 'gives only the name of the tool')
      return call(wantedIn(body), { [wantedIn(body) === 'terminal' ? 'command' : 'path']: wantedIn(body) })
    return how === 'calls by itself' ? call(wantedIn(body)) : helpedBy(body, call)
  })
  expect((await testing(host, server.modelId)).at(-1)).toMatchObject({ verdict: { tools } })
  expect(await toolsOf(host, server.modelId)).toMatchObject({ tools })
  expect(server.chats().every(({ body }) => body.tools.length > 0)).toBe(true)
})

test('a server that refuses tools as data is tried with tools as text, and remembered as one', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client, 'qwen3')
  server.reply(({ body }) =>
    body.tools
      ? { status: 400, body: { error: { message: 'This model does not support tools' } } }
      : { text: written(wantedIn(body), ARGUMENTS[wantedIn(body)]!) },
  )
  expect((await testing(host, server.modelId)).at(-1)).toMatchObject({ verdict: { tools: 'work' } })
  const { id } = await host.client['session.create']({ modelId: server.modelId })
  server.reply({ text: 'Hello.' })
  await turn(host, id, 'Hello.')
  expect(server.chats().filter(({ body }) => body.tools)).toHaveLength(1)
})

test('a server of the other protocol, and one that is down', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  const server = await startAnthropicServer()
  server.reply(
    ...['read_file', 'list_files', 'terminal'].map(tool => ({
      content: [{ tool, input: { ...ARGUMENTS[tool]! } }],
      stop: 'tool_use',
    })),
  )
  const { id } = await host.client['model.addServer']({
    name: 'Claude',
    protocol: 'anthropic',
    baseUrl: server.baseUrl,
    model: 'claude-test',
  })
  expect((await testing(host, id)).at(-1)).toMatchObject({ verdict: { tools: 'work' } })
  await server.close()
  await expect(testing(host, id)).rejects.toMatchObject({ code: 'not_ready' })
  expect(await toolsOf(host, id)).toMatchObject({ tools: 'work' })
})

test('what `doctor model` has found beside a running host is shown, too', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  const { path, id } = copied(randomModel({ preset: 'tiny' }), home.path)
  const call: CallReport = { tool: 'a', question: '', how: 'not', call: null, alone: '', problem: '' }
  const unreported = (error: unknown) => expect(error).toBe(undefined)
  await keepExamined(home.path, path, [call, call], unreported)
  expect(await toolsOf(host, id)).toBe(null)
  await keepExamined(home.path, path, [call, call, { ...call, how: 'by itself' }], unreported)
  expect(await toolsOf(host, id)).toMatchObject({ tools: 'fail', byItself: 1, of: 3 })
})
