import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedModel } from '../../../../testing/gguf/cached.ts'
import { scriptedEngineChild } from '../../../../testing/golden/scripted-engine-child.ts'
import { aHome, aHost, turn, type TestHost } from '../../../../testing/host/a-host.ts'
import { sayRecord } from '../../../shared/words/call-words.ts'
import type { RunEvent } from '../../../shared/contract/runs/run.ts'

let said = 0
/** A model that says something else each time, and calls nothing on its own. */
const dull = scriptedEngineChild(() => `I say what I always say, ${(said += 1)}.`, {
  contextTokens: 8_192,
})

async function aChat(
  home: string,
  { decider = 'off', spawnEngine = dull }: { decider?: 'on' | 'off'; spawnEngine?: typeof dull } = {},
) {
  const workspace = join(home, 'workspace')
  const host = await aHost(home, { coreTools: true, spawnEngine })
  const { id: modelId } = await host.client['model.add']({ path: scriptedModel() })
  const { id } = await host.client['session.create']({ modelId, decider })
  writeFileSync(join(workspace, 'notes.txt'), 'Buy blue paint.')
  return { host, id, workspace }
}

const messagesOf = async ({ client }: TestHost, id: string) =>
  (await client['session.messages']({ id })).messages
const results = async (host: TestHost, id: string) =>
  (await messagesOf(host, id)).filter(message => message.role === 'tool')
const newest = async (host: TestHost, id: string) => {
  const message = (await messagesOf(host, id)).at(-1)
  if (message?.role !== 'assistant') throw new Error('There is no answer.')
  return message
}
/** Answer each question with these words, and record the choices. */
const answering =
  ({ client }: TestHost, words: string, asked: (readonly string[])[] = []) =>
  async (event: RunEvent, runId: string) => {
    if (event.type !== 'approval_request') return
    asked.push(event.approval.question?.choices ?? [])
    const decision = words === 'deny' ? ('deny' as const) : ('once' as const)
    await client['run.approve']({ runId, approvalId: event.approval.id, decision, note: words })
  }
const press = async (host: TestHost, id: string, choice = 0, onEvent?: ReturnType<typeof answering>) => {
  const { runId } = await host.client['chat.pick']({
    sessionId: id,
    messageId: (await newest(host, id)).id,
    choice,
  })
  for await (const event of host.client['run.watch']({ runId })) await onEvent?.(event, runId)
}

const DOUBTFUL = 'you should know that I work night shifts'

test('where it is not sure, the decider asks, and what the person chooses is done', async () => {
  using home = aHome()
  const { host, id } = await aChat(home.path, { decider: 'on' })
  await using _ = host
  const asked: (readonly string[])[] = []
  await turn(host, id, DOUBTFUL, answering(host, 'Just answer', asked))
  expect(asked).toEqual([[expect.stringMatching(/^Save “.*night shifts/), 'Just answer']])
  expect(await results(host, id)).toEqual([])
  expect(await newest(host, id)).not.toHaveProperty('offer')
  await turn(host, id, DOUBTFUL, answering(host, asked[0]![0]!))
  const [result] = await results(host, id)
  expect(result?.record).toMatchObject({ begunBy: 'person', decision: 'ran' })
  expect(sayRecord(result!.record)).toMatch(/^chosen by you; /)
  expect((await host.client['memory.view']({})).entries).toHaveLength(1)
  expect(host.mistakes()).toEqual([])
})

test('words of their own go to the model, and three times “Just answer” end the questions in a chat', async () => {
  using home = aHome()
  const { host, id } = await aChat(home.path, { decider: 'on' })
  await using _ = host
  const asked: (readonly string[])[] = []
  await turn(host, id, DOUBTFUL, answering(host, 'I only wanted to talk', asked))
  expect((await messagesOf(host, id)).filter(({ role }) => role === 'user').at(-1)).toMatchObject({
    text: 'I only wanted to talk',
    steered: true,
  })
  for (let n = 0; n < 4; n++) await turn(host, id, DOUBTFUL, answering(host, 'Just answer', asked))
  expect(asked).toHaveLength(4)
})

test('where nobody is there, nobody is asked and nothing is begun', async () => {
  using home = aHome()
  const { host, id } = await aChat(home.path, { decider: 'on' })
  await using _ = host
  await host.client['session.update']({ id, approval: 'none' })
  const events = await turn(host, id, DOUBTFUL)
  expect(events.filter(({ type }) => type === 'approval_request')).toEqual([])
  expect(await results(host, id)).toEqual([])
})

test('an answer for which nothing was looked at says so, and its button reads the file', async () => {
  using home = aHome()
  const { host, id } = await aChat(home.path)
  await using _ = host
  const events = await turn(host, id, 'read notes.txt')
  const offer = {
    why: 'not_looked',
    choices: [{ tool: 'read_file', arguments: { path: 'notes.txt' }, label: 'Read notes.txt' }],
  }
  expect(await newest(host, id)).toMatchObject({ offer })
  expect(events.findLast(({ type }) => type === 'message')).toMatchObject({ message: { offer } })
  const before = await newest(host, id)
  await press(host, id)
  const [result] = await results(host, id)
  expect(result).toMatchObject({ ok: true, text: expect.stringContaining('Buy blue paint.') })
  expect(sayRecord(result!.record)).toBe('chosen by you; reading in its folder')
  expect(await newest(host, id)).not.toHaveProperty('offer')
  await expect(host.client['chat.pick']({ sessionId: id, messageId: before.id, choice: 0 })).rejects.toThrow(
    'The chat has continued since',
  )
  expect(host.mistakes()).toEqual([])
})

test('a button that writes asks as usual', async () => {
  using home = aHome()
  const { host, id, workspace } = await aChat(home.path)
  await using _ = host
  await turn(host, id, 'write hello into greeting.txt')
  expect(await newest(host, id)).toMatchObject({ offer: { why: 'not_done' } })
  await press(host, id, 0, answering(host, 'deny'))
  expect(sayRecord((await results(host, id))[0]!.record)).toBe('chosen by you; denied by you')
  expect(existsSync(join(workspace, 'greeting.txt'))).toBe(false)
  await turn(host, id, 'write hello into greeting.txt')
  await press(host, id, 0, answering(host, ''))
  expect(readFileSync(join(workspace, 'greeting.txt'), 'utf8').trim()).toBe('hello')
})

test('a call that cannot run says who chose it, too', async () => {
  using home = aHome()
  const { host, id } = await aChat(home.path)
  await using _ = host
  await turn(host, id, 'read gone.txt')
  await press(host, id)
  const [result] = await results(host, id)
  expect(result).toMatchObject({ ok: false, record: { decision: 'not_run' } })
  expect(sayRecord(result!.record)).toBe('chosen by you; not run')
})

test('a wish to remember offers to save, but not beside a claim that it was saved', async () => {
  using home = aHome()
  const { host, id } = await aChat(home.path)
  await using _ = host
  await turn(host, id, 'Remember that I use pnpm')
  expect(await newest(host, id)).toMatchObject({
    offer: { why: 'not_saved', choices: [{ label: expect.stringMatching(/^Save “.*pnpm.*”$/) }] },
  })
  await press(host, id)
  expect((await host.client['memory.view']({})).entries).toMatchObject([
    { text: expect.stringContaining('pnpm') },
  ])
})

test('what is off is not offered, and chats that only talk, small talk and follow-ups carry nothing', async () => {
  using home = aHome()
  const { host, id } = await aChat(home.path)
  await using _ = host
  for (const text of ['What is the capital of Norway?', 'and the other one?', 'Lies notes.txt', 'hi']) {
    await turn(host, id, text)
    expect(await newest(host, id), text).not.toHaveProperty('offer')
  }
  await host.client['toolset.switch']({ sessionId: id, names: ['files'], on: false })
  await turn(host, id, 'read notes.txt')
  expect(await newest(host, id)).toMatchObject({ offer: { why: 'not_looked', choices: [] } })
  await host.client['session.update']({ id, approval: 'chat_only' })
  await turn(host, id, 'read notes.txt')
  expect(await newest(host, id)).not.toHaveProperty('offer')
})

test('of two things that a message asks for, the second is offered', async () => {
  using home = aHome()
  const { host, id, workspace } = await aChat(home.path, { decider: 'on' })
  await using _ = host
  await turn(host, id, 'Read notes.txt, then write hello into b.txt')
  expect((await results(host, id)).map(({ name }) => name)).toEqual(['read_file'])
  expect(await newest(host, id)).toMatchObject({
    offer: { why: 'rest', choices: [{ tool: 'write_file', label: 'Write hello into b.txt' }] },
  })
  await press(host, id, 0, answering(host, ''))
  expect(readFileSync(join(workspace, 'b.txt'), 'utf8').trim()).toBe('hello')
  expect(await newest(host, id)).not.toHaveProperty('offer')
})

test('after a call of the model nothing is offered', async () => {
  using home = aHome()
  let asked = 0
  const calls = scriptedEngineChild(() =>
    (asked += 1) === 1
      ? '<tool_call>\n{"name": "list_files", "arguments": {}}\n</tool_call>'
      : 'It has notes.txt.',
  )
  const { host, id } = await aChat(home.path, { spawnEngine: calls })
  await using _ = host
  await turn(host, id, 'read notes.txt')
  expect(await results(host, id)).toHaveLength(1)
  expect(await newest(host, id)).not.toHaveProperty('offer')
})

test('a line for the end of a file that is there: the file is read, and the change is offered in the words of the person', async () => {
  using home = aHome()
  const { host, id, workspace } = await aChat(home.path, { decider: 'on' })
  await using _ = host
  await turn(host, id, 'append "and brushes" to notes.txt')
  expect(await results(host, id)).toMatchObject([{ name: 'read_file', ok: true }])
  expect((await newest(host, id)).offer).toMatchObject({
    why: 'rest',
    choices: [{ tool: 'patch_file', label: 'append "and brushes" to notes.txt' }],
  })
  await press(host, id, 0, answering(host, ''))
  expect(readFileSync(join(workspace, 'notes.txt'), 'utf8').trim()).toBe('Buy blue paint.\nand brushes')
})

test('an answer that tells of a file at which nobody looked says so, though the message asks for none', async () => {
  using home = aHome()
  const spawnEngine = scriptedEngineChild(() => 'The one that you mean is /srv/data/plan.txt.', {
    contextTokens: 8_192,
  })
  const { host, id } = await aChat(home.path, { decider: 'on', spawnEngine })
  await using _ = host
  await turn(host, id, 'which of them is it, then?')
  expect((await newest(host, id)).offer).toMatchObject({
    why: 'not_looked',
    choices: [{ tool: 'list_files' }],
  })
})
