import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { aStore, aChat as aStoredChat, assistant, user } from '../../../testing/db/a-store.ts'
import {
  aChat,
  aHome,
  aHost,
  aServer,
  endOf,
  slowly,
  transcript,
  turn,
} from '../../../testing/host/a-host.ts'
import { moments } from '../../../testing/moments.ts'
import type { RunEvent } from '../../shared/contract/runs/run.ts'

test('of a tree of 2,000 branches each is listed and reached', () => {
  using store = aStore()
  const { id } = aStoredChat(store)
  const ids = [store.messages.append(user(id, 'said 0')).id]
  // Wide in one place and deep in another: every second branch starts in the previous one.
  for (let n = 1; n <= 2_000; n++) {
    const before = n % 2 === 0 ? ids.at(-1)! : ids[0]!
    store.branches.goTo(id, before)
    ids.push(store.branches.putBeside(before, user(id, `said ${n}`)).id)
    store.messages.append(assistant(id, `answered ${n}`))
  }
  const listed = new Set(store.branches.list(id, 5_000).map(branch => branch.id))
  expect(ids.filter(each => !listed.has(each))).toEqual([])
  expect(store.branches.list(id, 200)).toHaveLength(200)
  for (const each of ids.filter((_, at) => at % 97 === 0)) {
    store.branches.goTo(id, each)
    expect(store.branches.get(id, each)?.isOnPath).toBe(true)
  }
})

test('a message that a summary covers is edited, and the model reads the new one and no summary', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  const { id: sessionId } = await aChat(host, server)
  for (const n of [1, 2, 3, 4, 5]) {
    server.reply({ text: `Answer ${n}.` })
    await turn(host, sessionId, `Question ${n}?`)
  }
  const before = await host.client['session.messages']({ id: sessionId })
  server.reply(() => ({ text: 'Goal: questions were asked.' }))
  const { runId } = await host.client['chat.compact']({ sessionId })
  const events: RunEvent[] = []
  for await (const event of host.client['run.watch']({ runId })) events.push(event)
  expect(endOf(events)).toBe('done')
  expect((await host.client['session.compactions']({ id: sessionId })).compactions).toHaveLength(1)
  server.reply(() => ({ text: 'Answered anew.' }))
  const edit = { sessionId, messageId: before.messages[2]!.id, text: 'Question 2, said better?' }
  const edited = await host.client['branch.edit'](edit)
  for await (const _ of host.client['run.watch']({ runId: edited.runId! }));
  const sent = server
    .chats()
    .at(-1)!
    .body.messages.slice(1)
    .map(({ content }: any) => content)
  expect(sent).toEqual(['Question 1?', 'Answer 1.', 'Question 2, said better?'])
  expect((await host.client['session.compactions']({ id: sessionId })).compactions).toEqual([])
  await host.client['branch.switch']({ sessionId, messageId: before.messages[2]!.id })
  expect(await transcript(host, sessionId)).toHaveLength(10)
  expect((await host.client['session.compactions']({ id: sessionId })).compactions).toHaveLength(1)
})

test('a branch whose model is gone is gone to, and asked says why in plain words', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  const { id: sessionId } = await aChat(host, server)
  await turn(host, sessionId, 'One?')
  await host.client['session.update']({ id: sessionId, modelId: 'server:gone' })
  const [asked] = (await host.client['session.messages']({ id: sessionId })).messages
  const edited = await host.client['branch.edit']({ sessionId, messageId: asked!.id, text: 'Two?' })
  const events = await Array.fromAsync(host.client['run.watch']({ runId: edited.runId! }))
  expect(endOf(events)).toBe('failed')
  expect(events.find(event => event.type === 'error')).toMatchObject({ text: expect.stringMatching(/gone/) })
  await host.client['branch.switch']({ sessionId, messageId: asked!.id })
  expect((await transcript(host, sessionId))[0]).toBe('user: One?')
})

const states = moments({
  every: ['ready', 'edited', 'turn_start user', 'tool_call', 'message tool', 'text_delta', 'turn_end'],
  some: ['edited', 'tool_call', 'text_delta'],
})

test.for(states)(
  'a host that is killed in an edit at “%s” has lost nothing',
  { timeout: 60_000 },
  async state => {
    using home = aHome()
    const folder = join(home.path, 'workspace', 'desk')
    mkdirSync(folder, { recursive: true })
    const file = join(folder, 'a.md')
    writeFileSync(file, 'old\n')
    const setup = await aHost(home.path, { coreTools: true })
    await using server = await aServer(setup.client)
    const { id: sessionId } = await aChat(setup, server, { approval: 'full' })
    await setup.client['session.update']({ id: sessionId, workspace: folder })
    server.reply({ text: 'Answered.' })
    await turn(setup, sessionId, 'The first wording.')
    const [asked] = (await setup.client['session.messages']({ id: sessionId })).messages
    await setup.close()

    const call = { name: 'write_file', arguments: { path: 'a.md', content: 'new\n' } }
    server.reply({ toolCalls: [call] }, state === 'text_delta' ? slowly(10_000) : { text: 'Written.' })
    const script = fileURLToPath(
      new URL('../../../testing/host/killed/edit-in-host-until-killed.ts', import.meta.url),
    )
    const given = [script, home.path, sessionId, String(asked!.id), 'The second wording.']
    const child = spawn(process.execPath, given, { stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const line of createInterface(child.stdout)) if (line === state) child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')

    await using host = await aHost(home.path, { coreTools: true })
    const lines = await transcript(host, sessionId)
    const isEdited = lines[0] === 'user: The second wording.'
    if (!isEdited)
      expect([state, lines]).toEqual(['ready', ['user: The first wording.', 'assistant: Answered.']])
    // Each call has its result, whatever its outcome.
    const { messages } = await host.client['session.messages']({ id: sessionId })
    const calls = messages.flatMap(each => (each.role === 'assistant' ? each.calls.map(({ id }) => id) : []))
    expect(messages.flatMap(each => (each.role === 'tool' ? [each.callId] : []))).toEqual(calls)
    const { branches } = await host.client['branch.list']({ sessionId })
    expect(branches.map(({ text }) => text)).toEqual(
      isEdited ? ['The first wording.', 'The second wording.'] : [],
    )
    // The file has one of the two contents, and going back offers the earlier one.
    const isWritten = readFileSync(file, 'utf8') === 'new\n'
    if (!isWritten) expect(readFileSync(file, 'utf8')).toBe('old\n')
    const { files } = await host.client['branch.leaving']({ sessionId, move: { how: 'undo' } })
    expect(files.map(({ diff }) => diff)).toEqual(isWritten ? ['@@ -1 +1 @@\n-new\n+old'] : [])
    await host.client['branch.switch']({ sessionId, messageId: asked!.id })
    expect(await transcript(host, sessionId)).toEqual(['user: The first wording.', 'assistant: Answered.'])
    expect(existsSync(join(home.path, 'file-copies')) || !isWritten).toBe(true)
    server.reply({ text: 'I am back.' })
    expect(endOf(await turn(host, sessionId, 'Go on.'))).toBe('done')
    expect(host.mistakes()).toEqual([])
  },
)
