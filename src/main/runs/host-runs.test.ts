import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, expect, test, vi } from 'vitest'
import { until } from '../../../testing/until.ts'
import type { RunEvent } from '../../shared/contract/runs/run.ts'
import {
  aChat,
  aHome,
  aHost,
  aServer,
  endOf,
  slowly,
  smallTools,
  transcript,
  turn,
} from '../../../testing/host/a-host.ts'

const look = (what: string) => ({ toolCalls: [{ name: 'look', arguments: { what } }] })
const note = (text: string) => ({ toolCalls: [{ name: 'note', arguments: { text } }] })

/** Events without their text deltas, by name. */
const steps = (events: readonly RunEvent[]) =>
  events.map(event => event.type).filter(type => type !== 'text_delta' && type !== 'progress')

afterEach(() => void vi.restoreAllMocks())

test('a message is answered, streamed and stored', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  server.reply({ text: 'I will look.', ...look('sky') }, { text: ['It is ', 'blue.'] })
  const chat = await aChat(host, server)

  const events = await turn(host, chat.id, 'What colour is the sky?')
  expect(steps(events)).toEqual([
    'turn_start',
    'message',
    'context_usage',
    'tool_call',
    'message',
    'message',
    'context_usage',
    'turn_end',
  ])
  expect(events.map(event => event.seq)).toEqual(events.map((_, at) => at + 1))
  expect(await transcript(host, chat.id)).toEqual([
    'user: What colour is the sky?',
    'assistant: I will look. look(sky)',
    'result: sky is blue.',
    'assistant: It is blue.',
  ])
  const after = await host.client['session.get']({ id: chat.id })
  expect(after).toMatchObject({
    title: 'What colour is the sky?',
    preview: 'It is blue.',
    messageCount: 4,
    activeRunId: null,
  })
  expect(host.mistakes()).toEqual([])
})

test('every watcher gets each event once and in order, and one that leaves stops nothing', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  server.reply(slowly(60))
  const chat = await aChat(host, server)
  const { runId } = await host.client['chat.send']({ sessionId: chat.id, text: 'Count.' })
  const watch = (after: number) => Array.fromAsync(host.connectAgain()['run.watch']({ runId, after }))

  const watching = [watch(0)]
  let seen = 0
  for await (const event of host.client['run.watch']({ runId })) {
    seen = event.seq
    if (seen % 3 === 0) watching.push(watch(seen))
    if (seen === 10) break
  }
  const [whole, ...parts] = await Promise.all(watching)
  expect(endOf(whole!)).toBe('done')
  expect(parts.map(part => part[0]?.seq)).toEqual([4, 7, 10])
  for (const part of parts) expect(part).toEqual(whole!.slice(part[0]!.seq - 1))
  expect(await watch(0)).toEqual(whole)
  expect(await watch(whole!.length)).toEqual([])
  expect(await transcript(host, chat.id)).toHaveLength(2)
})

test('a watcher that aborts leaves no listener', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  server.reply({ text: 'Hm', stallMs: 5_000, after: 1 })
  const chat = await aChat(host, server)
  const { runId } = await host.client['chat.send']({ sessionId: chat.id, text: 'Wait.' })
  for (let n = 0; n < 20; n++) {
    const leaving = new AbortController()
    const events = host.client['run.watch']({ runId }, { signal: leaving.signal })
    await events.next()
    leaving.abort()
    await expect(events.next()).rejects.toMatchObject({ code: 'cancelled' })
  }
  await host.client['run.stop']({ runId })
  expect(endOf(await Array.fromAsync(host.client['run.watch']({ runId })))).toBe('stopped')
})

test('a stop keeps the text so far; a second stop, and one after the end, are not errors', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  server.reply(slowly(500), { text: 'Again.' })
  const chat = await aChat(host, server)
  const events = await turn(host, chat.id, 'Count.', async (event, runId) => {
    if (event.type !== 'text_delta' || event.seq < 6) return
    await Promise.all([host.client['run.stop']({ runId }), host.client['run.stop']({ runId })])
  })
  expect(endOf(events)).toBe('stopped')
  const [, reply] = await transcript(host, chat.id)
  expect(reply).toMatch(/^interrupted: w0 w1 w2 w3/)
  expect(await server.chats()[0]?.cut).toBe(true)
  await host.client['run.stop']({ runId: 'run_unknown' })

  expect(endOf(await turn(host, chat.id, 'And?'))).toBe('done')
  expect(server.chats()[1]?.body.messages.map((each: { role: string }) => each.role)).toEqual([
    'system',
    'user',
    'assistant',
    'user',
  ])
})

test('a stop that coincides with the end is not an error, in either order', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  server.reply(slowly(4, 1))
  const chat = await aChat(host, server)
  for (let wait = 1; wait <= 12; wait++) {
    const events = await turn(host, chat.id, 'Count.', ({ seq }, runId) => {
      if (seq === wait) void host.client['run.stop']({ runId })
    })
    expect(['done', 'stopped']).toContain(endOf(events))
    expect((await host.client['session.get']({ id: chat.id })).activeRunId).toBeNull()
  }
  expect(host.mistakes()).toEqual([])
})

test('a stop reaches a run that is still asking its server for its abilities', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  const silent = await import('node:http').then(http => http.createServer(() => {}))
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as { port: number }
  const model = await host.client['model.addServer']({
    name: 'Silent',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    model: 'plain',
  })
  const chat = await aChat(host, { modelId: model.id })
  // There is no timeout for the server, so only the stop ends the run.
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal)
  const events = await turn(host, chat.id, 'Hello?', (event, runId) => {
    if (event.type === 'turn_start') return host.client['run.stop']({ runId })
  })
  silent.closeAllConnections()
  silent.close()
  expect(endOf(events)).toBe('stopped')
})

test('a second message during a run is refused and nothing of it is stored', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  server.reply(slowly(50))
  const chat = await aChat(host, server)
  const other = await aChat(host, server)
  const send = (id: string, text: string) => host.client['chat.send']({ sessionId: id, text })
  const events = await turn(host, chat.id, 'One.', async event => {
    if (event.type !== 'turn_start') return
    expect((await host.client['session.get']({ id: chat.id })).activeRunId).toMatch(/^run_/)
    await expect(send(chat.id, 'Two.')).rejects.toMatchObject({ code: 'busy' })
    await send(other.id, 'Another chat is free.')
  })
  expect(endOf(events)).toBe('done')
  expect((await transcript(host, chat.id))[0]).toBe('user: One.')
  expect(await transcript(host, chat.id)).toHaveLength(2)
  await until(async () => (await host.client['session.get']({ id: other.id })).activeRunId === null)
})

test('an approval waits for its answer, is shown in the list of chats, and accepts one answer', async () => {
  using home = aHome()
  const trace: string[] = []
  await using host = await aHost(home.path, { tools: smallTools(trace) })
  await using server = await aServer(host.client)
  server.reply(note('milk'), { text: 'Noted.' })
  const chat = await aChat(host, server)
  let question: { runId: string; approvalId: string } | undefined
  const events = await turn(host, chat.id, 'Note milk.', async (event, runId) => {
    if (event.type !== 'approval_request') return
    question = { runId, approvalId: event.approval.id }
    expect((await host.client['session.get']({ id: chat.id })).waiting).toBe(true)
    expect(trace).toEqual([])
    await host.client['run.approve']({ ...question, decision: 'once' })
    await expect(host.client['run.approve']({ ...question, decision: 'deny' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
  expect([endOf(events), trace]).toEqual(['done', ['note milk']])
  expect((await host.client['session.get']({ id: chat.id })).waiting).toBe(false)
  await expect(host.client['run.approve']({ ...question!, decision: 'once' })).rejects.toMatchObject({
    code: 'not_found',
    message: 'This run has already ended.',
  })
})

test('a denial with a reason reaches the model', async () => {
  using home = aHome()
  const trace: string[] = []
  await using host = await aHost(home.path, { tools: smallTools(trace) })
  await using server = await aServer(host.client)
  server.reply(note('milk'), { text: 'As you wish.' })
  const chat = await aChat(host, server)
  await turn(host, chat.id, 'Note milk.', (event, runId) => {
    if (event.type !== 'approval_request') return
    const answer = { decision: 'deny', note: 'We have milk.' } as const
    return host.client['run.approve']({ runId, approvalId: event.approval.id, ...answer })
  })
  expect(trace).toEqual([])
  expect(server.chats()[1]?.body.messages.at(-1)).toMatchObject({
    role: 'tool',
    content: 'Error: The user denied this call and says: “We have milk.”',
  })
})

test('a permission for a chat holds only there, while the host runs', async () => {
  using home = aHome()
  const trace: string[] = []
  await using host = await aHost(home.path, { tools: smallTools(trace) })
  await using server = await aServer(host.client)
  const chats = [await aChat(host, server), await aChat(host, server)]
  let asked = 0
  const ask = async (id: string) => {
    server.reply(note('milk'), { text: 'Noted.' })
    await turn(host, id, 'Note milk.', (event, runId) => {
      if (event.type !== 'approval_request') return
      asked++
      return host.client['run.approve']({ runId, approvalId: event.approval.id, decision: 'chat' })
    })
  }
  await ask(chats[0]!.id)
  await ask(chats[0]!.id)
  expect(asked).toBe(1)
  await ask(chats[1]!.id)
  expect([asked, trace.length]).toEqual([2, 3])
})

test('a stop during an approval ends the turn without the call', async () => {
  using home = aHome()
  const trace: string[] = []
  await using host = await aHost(home.path, { tools: smallTools(trace) })
  await using server = await aServer(host.client)
  server.reply({ toolCalls: [...note('a').toolCalls, ...look('b').toolCalls, ...note('c').toolCalls] })
  const chat = await aChat(host, server)
  const events = await turn(host, chat.id, 'Go.', (event, runId) => {
    if (event.type === 'approval_request') return host.client['run.stop']({ runId })
  })
  expect([endOf(events), trace]).toEqual(['stopped', []])
  expect((await transcript(host, chat.id)).slice(2)).toEqual(
    Array.from({ length: 3 }, () => 'result: Error: Stopped by the user before it ran.'),
  )
})

test.skipIf(process.platform === 'win32')(
  'a stop ends a running command, keeps its output, and gives the other calls a result',
  async () => {
    using home = aHome()
    await using host = await aHost(home.path, { coreTools: true })
    await using server = await aServer(host.client)
    const command = 'echo $$; sleep 60 & sleep 60'
    server.reply({
      toolCalls: [
        { name: 'terminal', arguments: { command } },
        { name: 'list_files', arguments: {} },
      ],
    })
    const chat = await aChat(host, server, { approval: 'full' })
    const events = await turn(host, chat.id, 'Go.', (event, runId) => {
      if (event.type === 'tool_output') return host.client['run.stop']({ runId })
    })
    expect(endOf(events)).toBe('stopped')
    const [, , ran, listed] = await transcript(host, chat.id)
    const group = Number(/\d+/.exec(ran!)?.[0])
    expect([ran, listed]).toEqual([
      `result: Error: stopped by the user\n${group}`,
      'result: Error: Stopped by the user before it ran.',
    ])
    await until(() => !isRunning(-group))
  },
)

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a mode changed during a run applies from the next call', async () => {
  using home = aHome()
  const trace: string[] = []
  await using host = await aHost(home.path, { tools: smallTools(trace) })
  await using server = await aServer(host.client)
  const changed = Promise.withResolvers<void>()
  const afterwards = { ...note('c'), halts: [{ after: 0, until: changed.promise }] }
  server.reply(note('a'), note('b'), afterwards, { text: 'Done.' })
  const chat = await aChat(host, server)
  const events = await turn(host, chat.id, 'Go.', async (event, runId) => {
    if (event.type === 'approval_request') {
      await host.client['session.update']({ id: chat.id, approval: 'full' })
      await host.client['run.approve']({ runId, approvalId: event.approval.id, decision: 'once' })
    }
    if (event.type === 'message' && event.message.role === 'tool' && trace.length === 2) {
      await host.client['session.update']({ id: chat.id, approval: 'none' })
      changed.resolve()
    }
  })
  expect(steps(events).filter(type => type === 'approval_request')).toHaveLength(1)
  expect(trace).toEqual(['note a', 'note b'])
  expect((await transcript(host, chat.id)).at(-2)).toMatch(/^result: Error: Denied: .*nobody is here/)
})

test('a chat without tools offers none, and a call made anyway does not run', async () => {
  using home = aHome()
  const trace: string[] = []
  await using host = await aHost(home.path, { tools: smallTools(trace) })
  for (const model of ['qwen3', 'plain'] as const) {
    await using server = await aServer(host.client, model)
    const call = '<tool_call>{"name":"look","arguments":{"what":"sky"}}</tool_call>'
    server.reply(model === 'qwen3' ? look('sky') : { text: call }, { text: 'I cannot look.' })
    const chat = await aChat(host, server, { approval: 'chat_only' })
    expect(endOf(await turn(host, chat.id, 'The sky?'))).toBe('done')
    expect(server.chats()[0]?.body.tools).toBeUndefined()
    expect((await transcript(host, chat.id)).slice(2)).toEqual([
      'result: Error: This chat has no tools, because its mode is chat only. Answer without them.',
      'assistant: I cannot look.',
    ])
  }
  expect(trace).toEqual([])
})

test('removing a chat stops its run, and the chat can be restored', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  server.reply(slowly(500))
  const chat = await aChat(host, server)
  const events = await turn(host, chat.id, 'Count.', (event, runId) => {
    if (event.type === 'text_delta' && runId)
      return host.client['session.remove']({ id: chat.id }).catch(() => {})
  })
  expect(endOf(events)).toBe('stopped')
  await expect(host.client['session.get']({ id: chat.id })).rejects.toMatchObject({ code: 'not_found' })
  await expect(host.client['chat.send']({ sessionId: chat.id, text: 'x' })).rejects.toMatchObject({
    code: 'not_found',
  })
  const back = await host.client['session.restore']({ id: chat.id })
  expect([back.activeRunId, (await transcript(host, chat.id))[1]]).toEqual([
    null,
    expect.stringMatching(/^interrupted: w0/),
  ])
  expect(host.mistakes()).toEqual([])
})

test('an answer whose usage cannot be booked is kept', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await using server = await aServer(host.client)
  server.reply({ text: 'It is blue.' })
  const chat = await aChat(host, server)
  new Database(join(home.path, 'state.db')).exec('drop table usage').close()
  expect(endOf(await turn(host, chat.id, 'What colour is the sky?'))).toBe('done')
  expect(await transcript(host, chat.id)).toEqual(['user: What colour is the sky?', 'assistant: It is blue.'])
  expect(host.mistakes().map(String)).toEqual([expect.stringContaining('no such table')])
})
