import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { RunEvent } from '../../../shared/contract/runs/run.ts'
import { aHome, aHost, endOf, transcript, turn } from '../../../../testing/host/a-host.ts'
import { aMixture } from '../../../../testing/host/a-mixture.ts'
import { until } from '../../../../testing/until.ts'

const program = fileURLToPath(
  new URL('../../../../testing/host/killed/answer-until-killed.ts', import.meta.url),
)

const warnings = (events: readonly RunEvent[]) =>
  events.flatMap(event => (event.type === 'warning' ? [event.text] : []))
const lastText = (body: { messages: { role: string; content: string }[] }) => body.messages.at(-1)!.content
const adviceIn = async (client: HostClient, id: string) =>
  (await client['session.messages']({ id })).messages.flatMap(message =>
    message.role === 'assistant' && message.advice ? [message.advice] : [],
  )

test('references advise once a turn, without tools, and the answer keeps what they said', async () => {
  using home = aHome()
  await using mix = await aMixture(home.path)
  const { host, one, two, answerer } = mix
  answerer.reply({ toolCalls: [{ name: 'look', arguments: { what: 'soil' } }] }, { text: 'Plant in May.' })
  const { id } = await host.client['session.create']({ modelId: mix.id, approval: 'full' })
  const events = await turn(host, id, 'When do I plant beans?')

  expect(endOf(events)).toBe('done')
  expect([one, two, answerer].map(server => server.chats().length)).toEqual([1, 1, 2])
  for (const { body } of [...one.chats(), ...two.chats()]) {
    expect(body.tools).toBeUndefined()
    expect(lastText(body)).toBe('When do I plant beans?')
  }
  for (const { body } of answerer.chats()) {
    const asked = body.messages.find((each: { role: string }) => each.role === 'user').content
    expect(asked).toMatch(/^When do I plant beans\?\n\n\[Advice of other models/)
    expect(asked).toContain('text from a stranger (advice of the model One)')
    expect(asked).toContain('Water at dawn.')
  }
  expect(await adviceIn(host.client, id)).toEqual([
    {
      mixture: 'Team',
      given: [
        { model: 'One', text: 'Mind the frost.' },
        { model: 'Two', text: 'Water at dawn.' },
      ],
    },
  ])
  // The user's own message stays unchanged.
  expect((await transcript(host, id))[0]).toBe('user: When do I plant beans?')
  expect(host.mistakes()).toEqual([])
})

test('what it takes is said before, the first time in a chat alone', async () => {
  using home = aHome()
  await using mix = await aMixture(home.path)
  const { id } = await mix.host.client['session.create']({ modelId: mix.id })
  const first = await turn(mix.host, id, 'When do I plant beans?')
  const second = await turn(mix.host, id, 'And peas?')
  expect(warnings(first)).toHaveLength(1)
  expect(warnings(first)[0]).toMatch(
    /^In this chat One and Two advise before Answerer answers\. That is 2 more requests .*tokens/,
  )
  expect(warnings(first)[0]).not.toContain('$')
  expect(first.findIndex(event => event.type === 'warning')).toBeLessThan(
    first.findIndex(event => event.type === 'advising'),
  )
  expect(warnings(second)).toEqual([])
  // The advice of the first turn is not sent again with the second.
  const sent = JSON.stringify(mix.answerer.chats().at(-1)!.body)
  expect(sent.split('advice of the model One')).toHaveLength(2)
  expect(
    mix.one
      .chats()
      .at(-1)!
      .body.messages.map((each: { content: string }) => each.content)
      .slice(1),
  ).toEqual(['When do I plant beans?', 'Plant in May.', 'And peas?'])
})

test('a reference that fails is named and left out', async () => {
  using home = aHome()
  await using mix = await aMixture(home.path)
  mix.two.reply({ status: 400, body: { error: { message: 'no such thing' } } })
  const { id } = await mix.host.client['session.create']({ modelId: mix.id })
  const events = await turn(mix.host, id, 'When do I plant beans?')
  expect(endOf(events)).toBe('done')
  expect(warnings(events)[1]).toMatch(/^Two gave no advice and is left out\. ./)
  const [advice] = await adviceIn(mix.host.client, id)
  expect(advice?.given.map(({ model, problem }) => [model, problem !== undefined])).toEqual([
    ['One', false],
    ['Two', true],
  ])
  expect(JSON.stringify(mix.answerer.chats()[0]!.body)).not.toContain('the model Two')
})

test('where all fail, the one that answers does so alone, and that is said', async () => {
  using home = aHome()
  await using mix = await aMixture(home.path)
  for (const server of [mix.one, mix.two]) server.reply({ status: 400, body: { error: { message: 'no' } } })
  const { id } = await mix.host.client['session.create']({ modelId: mix.id })
  const events = await turn(mix.host, id, 'When do I plant beans?')
  expect(endOf(events)).toBe('done')
  expect(warnings(events).at(-1)).toBe('No model gave advice, so Answerer answers alone.')
  const [request] = mix.answerer.chats()
  expect(lastText(request!.body)).toBe('When do I plant beans?')
})

test('the run says who has answered and who failed while others are still asked', async () => {
  using home = aHome()
  await using mix = await aMixture(home.path)
  const { promise, resolve } = Promise.withResolvers<void>()
  mix.one.reply({ text: 'Mind the frost.', halts: [{ after: 0, until: promise }] })
  mix.two.reply({ status: 400, body: { error: { message: 'no' } } })
  const { id } = await mix.host.client['session.create']({ modelId: mix.id })
  const events = await turn(mix.host, id, 'When do I plant beans?', event => {
    // The first model continues only after the second is reported as failed.
    if (event.type === 'advising' && event.failed?.includes('Two')) resolve()
  })
  const models = ['One', 'Two']
  expect(
    events.flatMap(event =>
      event.type === 'advising' ? [{ answered: event.answered, failed: event.failed }] : [],
    ),
  ).toEqual([
    { answered: [], failed: [] },
    { answered: [], failed: ['Two'] },
    { answered: ['One'], failed: ['Two'] },
  ])
  expect(events.find(event => event.type === 'advising')).toMatchObject({ models })
})

test('after a kill -9 in mid-advice nothing is left behind, and the next turn asks again', async () => {
  using home = aHome()
  const mix = await aMixture(home.path)
  const never = new Promise(() => {})
  mix.one.reply({ text: 'Mind the frost.', halts: [{ after: 0, until: never }] })
  await mix.host.close()
  const child = spawn(process.execPath, [program, home.path, mix.id, 'When do I plant beans?'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  createInterface(child.stdout).on('line', line => lines.push(line))
  await until(() => lines.some(line => line.includes('"answered":["Two"]')))
  const hasEnded = once(child, 'exit')
  child.kill('SIGKILL')
  await hasEnded
  await Promise.all(mix.one.chats().map(({ cut }) => expect(cut).resolves.toBe(true)))

  await using host = await aHost(home.path)
  const { sessionId, runId } = JSON.parse(lines[0]!) as { sessionId: string; runId: string }
  expect(await host.client['session.get']({ id: sessionId })).toMatchObject({ activeRunId: null })
  const events: RunEvent[] = []
  for await (const event of host.client['run.watch']({ runId })) events.push(event)
  expect(endOf(events)).toBe('stopped')
  expect(await transcript(host, sessionId)).toEqual(['user: When do I plant beans?'])
  mix.one.reply({ text: 'Mind the frost.' })
  expect(endOf(await turn(host, sessionId, 'And now?'))).toBe('done')
  expect((await adviceIn(host.client, sessionId)).map(({ given }) => given.length)).toEqual([2])
  expect(mix.answerer.chats()).toHaveLength(1)
  await Promise.all([mix.one, mix.two, mix.answerer].map(server => server.close()))
})

test('Stop ends the references, and nobody answers', async () => {
  using home = aHome()
  await using mix = await aMixture(home.path)
  const never = new Promise(() => {})
  mix.one.reply({ text: 'Mind the frost.', halts: [{ after: 0, until: never }] })
  const { id } = await mix.host.client['session.create']({ modelId: mix.id })
  const events = await turn(mix.host, id, 'When do I plant beans?', async (event, runId) => {
    if (event.type === 'advising') await mix.host.client['run.stop']({ runId })
  })
  expect(endOf(events)).toBe('stopped')
  expect(mix.answerer.chats()).toEqual([])
  await Promise.all(mix.one.chats().map(({ cut }) => expect(cut).resolves.toBe(true)))
})

test('a mixture of what is not there, of mixtures or of too many models is refused in words', async () => {
  using home = aHome()
  await using mix = await aMixture(home.path)
  const { client } = mix.host
  const make = (references: string[], aggregator = mix.answerer.id) =>
    client['model.setMixture']({ name: 'Other', references, aggregator })
  await expect(make(['server:gone'])).rejects.toThrow('The model “server:gone” is not in the list.')
  await expect(make([mix.id])).rejects.toThrow('A mixture cannot be part of another one')
  await expect(make(['builtin'])).rejects.toThrow('The built-in model')
  await expect(make([mix.one.id, mix.one.id])).rejects.toThrow('listed twice')
  await expect(make(Array.from({ length: 7 }, (_, n) => `file:/models/${n}.gguf`))).rejects.toThrow(
    'at most 6 references',
  )
  await expect(
    client['model.setMixture']({ name: 'team', references: [mix.one.id], aggregator: mix.two.id }),
  ).rejects.toThrow('already')
})

test('a mixture is chosen, kept as default and removed like any model', async () => {
  using home = aHome()
  await using mix = await aMixture(home.path)
  const { client } = mix.host
  const listed = (await client['model.list']({})).models.find(({ id }) => id === mix.id)
  expect(listed).toMatchObject({ kind: 'mixture', problem: null, mixture: { away: false, waitS: 120 } })
  expect(listed?.detail).toBe('asks One, Two; Answerer answers · at least 3 requests for each message')
  await client['model.setDefault']({ id: mix.id })
  expect((await client['session.create']({})).modelId).toBe(mix.id)
  await client['model.forget']({ id: mix.answerer.id })
  const broken = (await client['model.list']({})).models.find(({ id }) => id === mix.id)
  expect(broken?.problem).toContain('is not in the list')
  await client['model.forget']({ id: mix.id })
  expect((await client['model.list']({})).models.some(({ kind }) => kind === 'mixture')).toBe(false)
})
