import { cpSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  aChat,
  aHome,
  aHost,
  aServer,
  endOf,
  slowly,
  transcript,
  turn,
  type TestHost,
} from '../../../testing/host/a-host.ts'
import { scriptedModel } from '../../../testing/gguf/cached.ts'
import { until } from '../../../testing/until.ts'
import type { RunEvent } from '../../shared/contract/runs/run.ts'

type Host = Pick<TestHost, 'client'>

/** Send a message to two models and follow both to their ends. */
async function compare(
  { client }: Host,
  sessionId: string,
  modelIds: [string, string],
  onEvent: (event: RunEvent, runId: string) => unknown = () => {},
) {
  const { runId } = await client['compare.start']({ sessionId, text: 'Which is better?', modelIds })
  const events: RunEvent[] = []
  for await (const event of client['run.watch']({ runId })) {
    events.push(event)
    await onEvent(event, runId)
  }
  return events
}

const laneEnds = (events: readonly RunEvent[]) =>
  events
    .flatMap(event => (event.type === 'compare_end' ? [event] : []))
    .toSorted((a, b) => a.lane - b.lane)
    .map(({ reason, text }) => [reason, text])
const waiting = async ({ client }: Host, sessionId: string) =>
  (await client['compare.open']({ sessionId })).answers.map(({ text, interrupted }) => [text, interrupted])

async function twoModels() {
  const home = aHome()
  const host = await aHost(home.path, { coreTools: true })
  const first = await aServer(host.client)
  const second = await aServer(host.client, 'plain')
  const { id: sessionId } = await aChat(host, first, { approval: 'full' })
  first.reply(() => ({ text: 'The first.' }))
  second.reply(() => ({ text: 'The second.' }))
  const both: [string, string] = [first.modelId, second.modelId]
  return {
    home,
    host,
    first,
    second,
    sessionId,
    both,
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]()
      await first[Symbol.asyncDispose]()
      await second[Symbol.asyncDispose]()
      home[Symbol.dispose]()
    },
  }
}

test('two models answer one message without tools, one is kept, and the other stays as a branch', async () => {
  await using made = await twoModels()
  const { host, first, second, sessionId, both } = made
  await turn(host, sessionId, 'Hello.')
  const events = await compare(host, sessionId, both)
  expect([endOf(events), laneEnds(events)]).toEqual([
    'done',
    [
      ['done', ''],
      ['done', ''],
    ],
  ])
  for (const server of [first, second]) {
    const { body } = server.chats().at(-1)!
    expect(body.tools).toBeUndefined()
    expect(JSON.stringify(body.messages[0])).not.toContain('write_file')
    expect(body.messages.slice(1).map(({ content }: any) => content)).toEqual([
      'Hello.',
      'The first.',
      'Which is better?',
    ])
  }
  expect(await transcript(host, sessionId)).toEqual([
    'user: Hello.',
    'assistant: The first.',
    'user: Which is better?',
  ])
  const { question, answers } = await host.client['compare.open']({ sessionId })
  expect(question?.text).toBe('Which is better?')
  expect(answers.map(({ text }) => text).toSorted()).toEqual(['The first.', 'The second.'])
  await expect(turn(host, sessionId, 'And now?')).rejects.toMatchObject({ code: 'bad_input' })
  const kept = answers.find(({ text }) => text === 'The second.')!
  await host.client['branch.switch']({ sessionId, messageId: kept.id })
  expect((await host.client['compare.open']({ sessionId })).question).toBeNull()
  expect((await transcript(host, sessionId)).at(-1)).toBe('assistant: The second.')
  first.reply(() => ({ text: 'Because.' }))
  await turn(host, sessionId, 'Why?')
  expect(
    first
      .chats()
      .at(-1)
      ?.body.messages.slice(-2)
      .map(({ content }: any) => content),
  ).toEqual(['The second.', 'Why?'])
  const lines: string[] = []
  for await (const { line } of host.client['learning.trajectories']({ outcome: 'all', sessionId }))
    lines.push(line)
  expect(lines.join()).toContain('The second.')
  expect(lines.join().split('The first.')).toHaveLength(2)
  expect((await host.client['branch.list']({ sessionId })).branches.map(({ text }) => text)).toContain(
    'The first.',
  )
  expect(host.mistakes()).toEqual([])
})

test('a model that fails, is gone, is slow or is stopped does not touch the other', async () => {
  await using made = await twoModels()
  const { host, first, sessionId, both } = made
  const gone = await compare(host, sessionId, ['file:/gone.gguf', both[1]])
  expect([endOf(gone), laneEnds(gone)]).toEqual([
    'done',
    [
      ['failed', expect.stringContaining('gone.gguf')],
      ['done', ''],
    ],
  ])
  expect(await waiting(host, sessionId)).toEqual([['The second.', false]])
  await host.client['branch.undo']({ sessionId })
  first.reply(() => ({ status: 400, error: 'No.' }))
  const failed = await compare(host, sessionId, both)
  expect(laneEnds(failed).map(([reason]) => reason)).toEqual(['failed', 'done'])
  await host.client['branch.undo']({ sessionId })
  first.reply(() => slowly(10_000))
  let [hasText, otherEnded, isStopped] = [false, false, false]
  const stopped = await compare(host, sessionId, both, async (event, runId) => {
    hasText ||= event.type === 'compare_delta' && event.lane === 0
    otherEnded ||= event.type === 'compare_end' && event.lane === 1
    if (isStopped || !hasText || !otherEnded) return
    isStopped = true
    await host.client['compare.stop']({ runId, lane: 0 })
  })
  expect(laneEnds(stopped).map(([reason]) => reason)).toEqual(['stopped', 'done'])
  expect(
    (await waiting(host, sessionId))
      .map(([, interrupted]) => interrupted)
      .toSorted((a, b) => Number(a) - Number(b)),
  ).toEqual([false, true])
  expect(host.mistakes()).toEqual([])
})

test('a question to twice the same model is refused, and one that is answered is not asked over', async () => {
  await using made = await twoModels()
  const { host, first, sessionId, both } = made
  const ask = (modelIds: [string, string]) =>
    host.client['compare.start']({ sessionId, text: 'Which?', modelIds })
  await expect(ask([both[0], both[0]])).rejects.toMatchObject({ code: 'bad_input' })
  first.reply(() => slowly(10_000))
  const { runId } = await ask(both)
  for await (const event of host.client['run.watch']({ runId })) if (event.type === 'compare_delta') break
  await expect(ask(both)).rejects.toMatchObject({ code: 'busy' })
  await host.client['run.stop']({ runId })
  await until(async () => (await host.client['session.get']({ id: sessionId })).activeRunId === null)
  await expect(ask(both)).rejects.toMatchObject({ code: 'bad_input' })
})

test('a start after a kill in the middle finds what both had written', async () => {
  await using made = await twoModels()
  const { host, home, sessionId, both, first, second } = made
  first.reply(() => slowly(10_000))
  second.reply(() => slowly(10_000))
  const { runId } = await host.client['compare.start']({ sessionId, text: 'Which?', modelIds: both })
  const lanes = new Set<number>()
  for await (const event of host.client['run.watch']({ runId })) {
    if (event.type === 'compare_delta') lanes.add(event.lane)
    if (lanes.size === 2) break
  }
  // A killed host leaves the database as it is now, without the steps that end a run.
  const copy = aHome()
  cpSync(home.path, copy.path, { recursive: true, filter: path => !/\.lock$|host\.sock$/.test(path) })
  await using later = await aHost(copy.path)
  const found = await waiting(later, sessionId)
  expect(found.map(([, interrupted]) => interrupted)).toEqual([true, true])
  expect(found.every(([text]) => /^w0\b/.test(String(text)))).toBe(true)
  expect(await transcript(later, sessionId)).toEqual(['user: Which?'])
  expect(later.mistakes()).toEqual([])
  await host.client['run.stop']({ runId })
  copy[Symbol.dispose]()
})

test('two local models answer one after the other', { timeout: 60_000 }, async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  const paths = ['One says this.', 'The other says that.'].map(reply => `file:${scriptedModel({ reply })}`)
  const { id: sessionId } = await host.client['session.create']({ modelId: paths[0]! })
  const events = await compare(host, sessionId, [paths[0]!, paths[1]!])
  expect(laneEnds(events).map(([reason]) => reason)).toEqual(['done', 'done'])
  expect(
    (await waiting(host, sessionId)).map(([text]) => String(text)).toSorted((a, b) => a.localeCompare(b)),
  ).toEqual(['One says this.', 'The other says that.'])
})
