import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedModel } from '../../../../testing/gguf/cached.ts'
import { enginesByModel } from '../../../../testing/golden/engines-by-model.ts'
import { scriptedEngineChild } from '../../../../testing/golden/scripted-engine-child.ts'
import { aHome, aHost, endOf, transcript, turn, type TestHost } from '../../../../testing/host/a-host.ts'
import { sayRecord } from '../../../shared/words/call-words.ts'
import type { RunEvent } from '../../../shared/contract/runs/run.ts'
import type { EngineChild, SpawnEngine } from '../../models/interface/engine-child.ts'
import { EXAMPLES } from '../guide/request-examples.ts'

/** A model that begins no call on its own, and reads a file if a call is begun for it. */
const dull = scriptedEngineChild(({ begin }) =>
  begin === undefined
    ? `I say what I always say, ${(said += 1)}.`
    : `${begin}{"name": "read_file", "arguments": {"path": "notes.txt"}}\n</tool_call>`,
)
let said = 0

async function aDullChat(home: string, { isTried = true, spawnEngine = dull } = {}) {
  const workspace = join(home, 'workspace')
  const host = await aHost(home, { coreTools: true, spawnEngine })
  const { id: modelId } = await host.client['model.add']({ path: scriptedModel() })
  if (isTried) for await (const _ of host.client['model.test']({ id: modelId }));
  const { id } = await host.client['session.create']({ modelId })
  writeFileSync(join(workspace, 'notes.txt'), 'Buy blue paint.')
  return { host, id }
}

const results = async ({ client }: TestHost, id: string) =>
  (await client['session.messages']({ id })).messages.filter(message => message.role === 'tool')

/** Deny every approval request and record it. */
const sayNo =
  ({ client }: TestHost, asked: string[]) =>
  async (event: RunEvent, runId: string) => {
    if (event.type !== 'approval_request') return
    asked.push(event.approval.reason)
    await client['run.approve']({ runId, approvalId: event.approval.id, decision: 'deny', note: '' })
  }

test('a model that calls nothing by itself gets the call that a message wants, and words its result', async () => {
  using home = aHome()
  const { host, id } = await aDullChat(home.path)
  await using _ = host
  expect(endOf(await turn(host, id, 'read notes.txt'))).toBe('done')
  expect((await transcript(host, id)).slice(0, 3)).toEqual([
    'user: read notes.txt',
    'assistant: read_file(notes.txt)',
    expect.stringContaining('Buy blue paint.'),
  ])
  const [result] = await results(host, id)
  expect(result?.record).toMatchObject({ begunBy: 'decider', decision: 'ran', how: 'reads_folder' })
  expect(sayRecord(result!.record)).toBe('chosen by the decider; reading in its folder')
  await turn(host, id, 'what is the capital of Norway?')
  await turn(host, id, 'and the other one?')
  await turn(host, id, 'Lies notes.txt')
  expect(await results(host, id)).toHaveLength(1)
  expect(host.mistakes()).toEqual([])
})

test('what decides has a process of its own; when it is killed in mid-turn the turn goes on, and later it decides again', async () => {
  using home = aHome()
  const started: EngineChild[] = []
  let isDying = false
  const listing = '<tool_call>\n{"name": "list_files", "arguments": {}}\n</tool_call>'
  const near = (text: string) =>
    text.startsWith('I wonder') || EXAMPLES['list_files']?.includes(text)
      ? Float32Array.of(1, 0)
      : Float32Array.of(0, 1)
  const small: SpawnEngine = (...given) => {
    const child = scriptedEngineChild(() => listing, { vectorOf: near })(...given)
    started.push(child)
    return { ...child, post: message => (isDying ? child.kill() : child.post(message)) }
  }
  const { host, id } = await aDullChat(home.path, {
    spawnEngine: enginesByModel({ small, others: dull }),
  })
  await using _ = host
  const called = async () => (await results(host, id)).map(({ name }) => name)
  const stateOf = async () => {
    for await (const event of host.client['app.watch']({}))
      if (event.type === 'hello') return event.engine.modelId
  }
  // No rule is sure of these, so the encoder and the built-in model are asked. On a busy machine they may
  // take longer than the message's time limit.
  const untilCalled = async (times: number) => {
    for (let tries = 0; tries < 10 && (await called()).length < times; tries++)
      await turn(host, id, `I wonder what may lie around ${tries}`)
  }
  await untilCalled(1)
  const { modelId } = await host.client['session.get']({ id })
  expect([await called(), started.length, await stateOf()]).toEqual([['list_files'], 1, modelId])
  isDying = true
  expect(endOf(await turn(host, id, 'I wonder what else may lie around'))).toBe('done')
  expect(await called()).toEqual(['list_files'])
  isDying = false
  await untilCalled(2)
  expect(await called()).toEqual(['list_files', 'list_files'])
  expect(started.length).toBeGreaterThan(1)
  expect(await stateOf()).toBe(modelId)
})

test('ten wrong decisions in a row do nothing that was not allowed, and stop after three times No', async () => {
  using home = aHome()
  const { host, id } = await aDullChat(home.path)
  await using _ = host
  const asked: string[] = []
  for (let n = 1; n <= 10; n++)
    expect(endOf(await turn(host, id, `run the command touch wrong${n}`, sayNo(host, asked)))).toBe('done')
  expect(asked).toHaveLength(3)
  expect(readdirSync(join(home.path, 'workspace')).filter(name => name.startsWith('wrong'))).toEqual([])
})

test('a model that was not tried has no decider until it is switched on, and one that is off decides nothing', async () => {
  using home = aHome()
  const { host, id } = await aDullChat(home.path, { isTried: false })
  await using _ = host
  await turn(host, id, 'read notes.txt')
  expect(await results(host, id)).toEqual([])
  await host.client['session.update']({ id, decider: 'on' })
  await turn(host, id, 'read notes.txt')
  expect(await results(host, id)).toHaveLength(1)
  await host.client['session.update']({ id, decider: 'off' })
  await turn(host, id, 'read notes.txt')
  expect(await results(host, id)).toHaveLength(1)
})

test.for(['ask', 'reads', 'full'] as const)('in mode %s a command that was decided asks', async approval => {
  using home = aHome()
  const { host, id } = await aDullChat(home.path)
  await using _ = host
  await host.client['session.update']({ id, approval })
  const asked: string[] = []
  await turn(host, id, 'run the command date', sayNo(host, asked))
  expect(asked).toEqual([
    expect.stringMatching(/The decider chose this call by your message, not the model\.$/),
  ])
  const [result] = await results(host, id)
  expect(sayRecord(result!.record)).toBe('chosen by the decider; denied by you')
})

test('where nobody is there, what writes or runs is refused', async () => {
  using home = aHome()
  const { host, id } = await aDullChat(home.path)
  await using _ = host
  await host.client['session.update']({ id, approval: 'none' })
  for (const text of ['run the command date', 'Remember that I use pnpm', 'write hello into greeting.txt']) {
    await turn(host, id, text)
    expect((await results(host, id)).at(-1)?.record).toMatchObject({
      begunBy: 'decider',
      decision: 'denied',
      by: 'nobody',
    })
  }
  expect((await host.client['memory.view']({})).entries).toEqual([])
})

test('three times No switch it off in the chat, and it can be switched on again', async () => {
  using home = aHome()
  const { host, id } = await aDullChat(home.path)
  await using _ = host
  const asked: string[] = []
  const warned: string[] = []
  const send = async (text: string) => {
    const events = await turn(host, id, text, sayNo(host, asked))
    warned.push(...events.flatMap(event => (event.type === 'warning' ? [event.text] : [])))
  }
  for (let n = 1; n <= 5; n++) await send(`write hello into greeting${n}.txt`)
  expect(asked).toHaveLength(3)
  expect(warned.filter(text => !text.startsWith('The beginning of this chat'))).toEqual([
    expect.stringContaining('You said no 3 times to what the decider chose'),
  ])
  expect(await host.client['session.get']({ id })).toMatchObject({ decider: 'off' })
  await host.client['session.update']({ id, decider: 'on' })
  await send('write hello into greeting6.txt')
  expect(asked).toHaveLength(4)
  expect(await host.client['session.get']({ id })).toMatchObject({ decider: 'on' })
})

test('what decides is started when a chat with a decider is written into, and not for other chats', async () => {
  using home = aHome()
  let started = 0
  const small: SpawnEngine = (...given) => {
    started += 1
    return scriptedEngineChild(() => 'Hello.')(...given)
  }
  const { host, id } = await aDullChat(home.path, {
    isTried: false,
    spawnEngine: enginesByModel({ small, others: dull }),
  })
  await using _ = host
  await host.client['session.update']({ id, draft: 'wh' })
  await host.client['session.get']({ id })
  await host.client['session.list']({ query: '' })
  expect(started).toBe(0)
  await host.client['session.update']({ id, decider: 'on' })
  await host.client['session.update']({ id, draft: 'what' })
  await expect.poll(() => started).toBe(1)
})
