import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startAnthropicServer } from '../../../testing/servers/anthropic-server.ts'
import { scriptedModel } from '../../../testing/gguf/cached.ts'
import { scriptedEngineChild } from '../../../testing/golden/scripted-engine-child.ts'
import { aHome, aHost, aServer, endOf, turn, type TestHost } from '../../../testing/host/a-host.ts'
import type { Prompt } from '../models/interface/engine.ts'

/** The next request of a chat: its texts, and its tools as data in the form in which they were sent. */
type Sent = { texts: string[]; tools: readonly object[] }

/** The last question of a chat. */
const LAST = 'And that?'

const REFUSAL = { status: 400, body: { error: { message: 'This model does not support tools' } } }
const ANSWER = 'It is a folder.'

/** A host with instructions, notes and a chat long enough to fill every part of a prompt. */
async function aTalk(
  host: TestHost,
  modelId: string,
  approval: 'ask' | 'chat_only' | 'none',
  sent: () => Sent,
): Promise<{ name: string; text: string; parts: string[]; tools: readonly object[]; before: Sent }[]> {
  const { id } = await host.client['session.create']({ modelId, approval })
  await host.client['memory.add']({ target: 'user', text: 'The user is named Ada.' })
  await turn(host, id, 'What is this?')
  const { sections } = await host.client['session.context']({ id })
  expect(endOf(await turn(host, id, LAST))).toBe('done')
  const before = sent()
  return sections
    .filter(({ text }) => text !== '')
    .map(({ name, title, text }) => {
      const asData = title.includes('beside the text')
      return {
        name: asData ? 'tools as data' : name,
        text,
        parts: name === 'history' ? text.split(/\n\n(?=(?:user|assistant|tool): )/) : [text],
        tools: asData ? (JSON.parse(text) as object[]) : [],
        before,
      }
    })
}

/** Check that everything shown is sent, and that exactly the shown tools are sent. */
function expectSame(shown: Awaited<ReturnType<typeof aTalk>>, wanted: 'data' | 'text' | 'none'): void {
  const { before } = shown[0]!
  const all = before.texts.join('\n')
  for (const { name, parts } of shown) {
    if (name === 'tools as data') continue
    for (const part of parts) {
      const text = name === 'history' ? part.replace(/^(?:user|assistant|tool): /, '') : part
      expect({ name, part: all.includes(text) ? 'sent' : text }).toEqual({ name, part: 'sent' })
    }
  }
  const data = shown.find(({ name }) => name === 'tools as data')
  expect(JSON.stringify(data?.tools ?? [])).toBe(JSON.stringify(before.tools))
  const asText = shown.some(({ name, text }) => name === 'tools' && text.includes('read_file'))
  expect({ asData: before.tools.length > 0, asText }).toEqual({
    asData: wanted === 'data',
    asText: wanted === 'text',
  })
  expect(shown.some(({ name }) => name === 'history')).toBe(true)
}

const bodyOf = (body: any): Sent => ({
  texts: [...[body.system ?? []].flat(), ...body.messages.flatMap((each: any) => each.content)].map(
    (part: any) => (typeof part === 'string' ? part : (part.text ?? '')),
  ),
  tools: body.tools ?? [],
})

const promptOf = ({ messages, tools }: Prompt): Sent => ({ texts: messages.map(({ text }) => text), tools })

/** The request with the last question. Questions beside the chat, such as for its title, may follow it. */
const askedLast = (all: readonly Sent[]): Sent => all.findLast(({ texts }) => texts.at(-1)?.includes(LAST))!

test.each([
  ['takes tools as data', 'qwen3', 'ask', 'data'],
  ['gets tools as text', 'plain', 'ask', 'text'],
  ['gets none in the mode chat only', 'qwen3', 'chat_only', 'none'],
] as const)('what is shown of a chat is what is sent: a server that %s', async (_, model, mode, wanted) => {
  using home = aHome()
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aServer(host.client, model)
  server.reply({ text: ANSWER })
  const sent = () => askedLast(server.chats().map(({ body }) => bodyOf(body)))
  expectSame(await aTalk(host, server.modelId, mode, sent), wanted)
})

test('what is shown of a chat is what is sent: a server that refuses tools as data', async () => {
  using home = aHome()
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aServer(host.client, 'qwen3')
  server.reply(({ body }) => (body.tools ? REFUSAL : { text: ANSWER }))
  const sent = () => askedLast(server.chats().map(({ body }) => bodyOf(body)))
  const shown = await aTalk(host, server.modelId, 'ask', sent)
  expectSame(shown, 'text')
  // The server was asked once with tools as data and never again, not even for the view.
  expect(server.chats().filter(({ body }) => body.tools)).toHaveLength(1)
  // A changed setting causes a new attempt.
  await host.client['model.setOptions']({ id: server.modelId, options: { strategy: 'structured' } })
  const { id } = await host.client['session.create']({ modelId: server.modelId })
  const { sections } = await host.client['session.context']({ id })
  expect(sections.some(({ title }) => title.includes('beside the text'))).toBe(true)
})

test('what is shown of a chat is what is sent: a server of the other protocol', async () => {
  using home = aHome()
  await using host = await aHost(home.path, { coreTools: true })
  const server = await startAnthropicServer()
  try {
    server.reply({ content: [{ text: ANSWER }] })
    const { id } = await host.client['model.addServer']({
      name: 'Claude',
      protocol: 'anthropic',
      baseUrl: server.baseUrl,
      model: 'claude-test',
    })
    expectSame(await aTalk(host, id, 'ask', () => askedLast(server.bodies().map(bodyOf))), 'data')
  } finally {
    await server.close()
  }
})

test.each([
  ['a local model', 'file', 'ask', 'text'],
  ['a local model in the mode chat only', 'file', 'chat_only', 'none'],
  ['the built-in model', 'builtin', 'none', 'text'],
] as const)('what is shown of a chat is what is sent: %s', async (_, kind, mode, wanted) => {
  using home = aHome()
  const prompts: Prompt[] = []
  await using host = await aHost(home.path, {
    coreTools: true,
    spawnEngine: scriptedEngineChild(prompt => {
      prompts.push(prompt)
      return ANSWER
    }),
  })
  const id = kind === 'builtin' ? 'builtin' : (await host.client['model.add']({ path: scriptedModel() })).id
  expectSame(await aTalk(host, id, mode, () => askedLast(prompts.map(promptOf))), wanted)
})

test('of a chat that has outgrown its window only what is still sent is shown, and the rest is named', async () => {
  using home = aHome()
  writeFileSync(join(home.path, 'config.yaml'), 'compaction:\n  trigger: 1\n')
  await using host = await aHost(home.path)
  await using server = await aServer(host.client, 'qwen3')
  await host.client['model.setOptions']({ id: server.modelId, options: { contextTokens: 4_096 } })
  const { id } = await host.client['session.create']({ modelId: server.modelId })
  for (let at = 1; at <= 6; at++) {
    server.reply({ text: `That was number ${at}.` })
    await turn(host, id, `Question ${at}? ${'It is a long one. '.repeat(150)}`)
  }
  const { sections } = await host.client['session.context']({ id })
  server.reply({ text: ANSWER })
  await turn(host, id, 'And now?')
  const sent = bodyOf(server.chats().at(-1)!.body).texts.join('\n')
  const history = sections.find(({ name }) => name === 'history')
  const numbersIn = (text: string) => [...text.matchAll(/Question (\d)\?/g)].map(([, number]) => number)
  expect(numbersIn(sent)).not.toContain('1')
  expect(numbersIn(history?.text ?? '')).toEqual(numbersIn(sent))
  expect(history?.leftOut?.text).toContain('the beginning of the chat')
})
