import { expect, test } from 'vitest'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { ToolMessage } from '../../../shared/contract/chats/messages.ts'
import type { Approval, RunEvent } from '../../../shared/contract/runs/run.ts'
import { aHome, endOf, turn } from '../../../../testing/host/a-host.ts'
import { aMixture } from '../../../../testing/host/a-mixture.ts'
import type { ServedRequest } from '../../../../testing/servers/openai-server.ts'

const QUESTION = 'Which of two beds shall the beans go to?'
const ask = (given: Record<string, unknown> = { question: QUESTION }) => ({
  toolCalls: [{ name: 'ask_models', arguments: given }],
})
const toolsOf = (request: ServedRequest | undefined): string[] =>
  (request?.body.tools ?? []).map((each: { function: { name: string } }) => each.function.name)
const resultsIn = async (client: HostClient, id: string): Promise<ToolMessage[]> =>
  (await client['session.messages']({ id })).messages.filter(message => message.role === 'tool')
const texts = ({ body }: ServedRequest): string[] =>
  body.messages.map((each: { content: string }) => each.content)

/** A mixture with the tool switched on, and a chat with the model that would combine. */
async function anAsking(home: string, approval: 'ask' | 'full' = 'full') {
  const mix = await aMixture(home, { coreTools: true })
  const { client } = mix.host
  await client['toolset.switch']({ names: ['mixture'], on: true })
  const chat = await client['session.create']({ modelId: mix.answerer.id, approval })
  return { ...mix, client, chatId: chat.id }
}

test('one question goes to the references, and the answer that the aggregator combined comes back', async () => {
  using home = aHome()
  await using mix = await anAsking(home.path)
  mix.answerer.reply(ask(), { text: 'The sunny one.' }, { text: 'Take the sunny bed.' })
  const events = await turn(mix.host, mix.chatId, 'Help me with my beds.')
  expect(endOf(events)).toBe('done')
  for (const server of [mix.one, mix.two]) {
    const [request, ...more] = server.chats()
    expect(more).toEqual([])
    expect(request!.body.tools).toBeUndefined()
    // Nothing of the chat but the question.
    expect(texts(request!).slice(1)).toEqual([QUESTION])
  }
  const [, combining, after] = mix.answerer.chats()
  expect(combining!.body.tools).toBeUndefined()
  expect(texts(combining!).at(-1)).toContain(QUESTION)
  expect(texts(combining!).at(-1)).toContain('Mind the frost.')
  expect(texts(combining!).at(-1)).toContain('text from a stranger (the answer of the model Two)')
  const [result] = await resultsIn(mix.client, mix.chatId)
  expect(result!.ok).toBe(true)
  expect(result!.text).toMatch(
    /^Answerer combined the answers of One and Two\. They may be wrong: weigh it\.\n/,
  )
  expect(result!.text).toContain('text from a stranger (models of the mixture “Team”)')
  expect(result!.text).toContain('The sunny one.')
  expect(JSON.stringify(after!.body)).toContain('The sunny one.')
  expect(mix.host.mistakes()).toEqual([])
})

test('it is offered only where it is switched on, a mixture is set and the model is not the built-in one', async () => {
  using home = aHome()
  await using mix = await aMixture(home.path, { coreTools: true })
  const { client } = mix.host
  const offered = async () => {
    const { id } = await client['session.create']({ modelId: mix.one.id })
    await turn(mix.host, id, 'Hello.')
    return toolsOf(mix.one.chats().at(-1)).includes('ask_models')
  }
  expect(await offered()).toBe(false)
  await client['toolset.switch']({ names: ['mixture'], on: true })
  expect(await offered()).toBe(true)
  const builtIn = await client['session.create']({ modelId: 'builtin' })
  const { sections } = await client['session.context']({ id: builtIn.id })
  expect(JSON.stringify(sections)).not.toContain('ask_models')
  await client['model.forget']({ id: mix.id })
  expect(await offered()).toBe(false)
  const { toolsets } = await client['toolset.list']({})
  expect(toolsets.find(({ name }) => name === 'mixture')?.tools[0]?.missing).toMatch(/^It needs a mixture/)
})

test('a reference that fails is named and left out, with the reason in a frame', async () => {
  using home = aHome()
  await using mix = await anAsking(home.path)
  mix.two.reply({ status: 400, body: { error: { message: 'no beans today' } } })
  mix.answerer.reply(ask(), { text: 'The sunny one.' }, { text: 'Done.' })
  await turn(mix.host, mix.chatId, 'Help me.')
  const [result] = await resultsIn(mix.client, mix.chatId)
  expect(result!.text).toMatch(/^Answerer combined the answer of One\. Left out: Two, without an answer\./)
  const [before, why] = result!.text.split('\nWhy:\n')
  expect(before).not.toContain('no beans today')
  expect(why).toMatch(/^\[[0-9a-f]{12}: text from a stranger[^]*Two: [^]*no beans today/)
})

test('where all fail, the model reads why and goes on', async () => {
  using home = aHome()
  await using mix = await anAsking(home.path)
  for (const server of [mix.one, mix.two]) server.reply({ status: 400, body: { error: { message: 'no' } } })
  mix.answerer.reply(ask(), { text: 'Alone then.' })
  const events = await turn(mix.host, mix.chatId, 'Help me.')
  expect(endOf(events)).toBe('done')
  const [result] = await resultsIn(mix.client, mix.chatId)
  expect(result).toMatchObject({
    ok: false,
    text: expect.stringMatching(
      /^Error: None of the models of the mixture Team answered\. Go on without it, and tell the user why:\n/,
    ),
  })
  // Nothing to combine: the aggregator was asked only for the turn.
  expect(mix.answerer.chats()).toHaveLength(2)
})

test('where the aggregator fails, the single answers come back', async () => {
  using home = aHome()
  await using mix = await anAsking(home.path)
  mix.two.reply({ text: 'b'.repeat(7_000) })
  mix.answerer.reply(ask(), { status: 400, body: { error: { message: 'no' } } }, { text: 'Well.' })
  await turn(mix.host, mix.chatId, 'Help me.')
  const [result] = await resultsIn(mix.client, mix.chatId)
  expect(result!.text).toMatch(
    /^Answerer could not combine them, so these are the single answers of One and Two/,
  )
  expect(result!.text).toContain('Mind the frost.')
  expect(result!.text).toContain(`${'b'.repeat(3_000)} […]`)
  expect(result!.text).not.toContain('b'.repeat(3_001))
})

test('a turn has three questions, and a question has an end', async () => {
  using home = aHome()
  await using mix = await anAsking(home.path)
  const combined = { text: 'The sunny one.' }
  const numbered = (n: number) => ask({ question: `Question ${n}?` })
  mix.answerer.reply(
    ask({ question: 'x'.repeat(8_001) }),
    ...[1, 2, 3].flatMap(n => [numbered(n), combined]),
    numbered(4),
    { text: 'Enough.' },
    numbered(5),
    combined,
    { text: 'Once more.' },
  )
  await turn(mix.host, mix.chatId, 'Help me.')
  const results = await resultsIn(mix.client, mix.chatId)
  expect(results.map(({ ok }) => ok)).toEqual([false, true, true, true, false])
  expect(results[0]!.text).toMatch(/^Error: Wrong arguments: .*question/)
  expect(results[4]!.text).toContain('You have asked other models 3 times in this turn')
  expect(mix.one.chats()).toHaveLength(3)
  // The next turn has its own count.
  await turn(mix.host, mix.chatId, 'And now?')
  expect((await resultsIn(mix.client, mix.chatId)).at(-1)!.ok).toBe(true)
})

test('Stop ends all of its requests', async () => {
  using home = aHome()
  await using mix = await anAsking(home.path)
  const never = new Promise(() => {})
  for (const server of [mix.one, mix.two])
    server.reply({ text: 'Mind the frost.', halts: [{ after: 0, until: never }] })
  mix.answerer.reply(ask(), { text: 'Not asked.' })
  const { runId } = await mix.client['chat.send']({ sessionId: mix.chatId, text: 'Help me.' })
  await expect.poll(() => mix.one.chats().length + mix.two.chats().length).toBe(2)
  await mix.client['run.stop']({ runId })
  const events: RunEvent[] = []
  for await (const event of mix.client['run.watch']({ runId })) events.push(event)
  expect(endOf(events)).toBe('stopped')
  for (const { cut } of [...mix.one.chats(), ...mix.two.chats()]) expect(await cut).toBe(true)
  expect(mix.answerer.chats()).toHaveLength(1)
})

test('with several mixtures it must name one, and a chat with a mixture means its own', async () => {
  using home = aHome()
  await using mix = await anAsking(home.path)
  const { client } = mix
  await client['model.setMixture']({ name: 'Pair', references: [mix.two.id], aggregator: mix.one.id })
  mix.answerer.reply(
    ask(),
    ask({ question: QUESTION, mixture: 'pear' }),
    ask({ question: QUESTION, mixture: 'pair' }),
    { text: 'Well.' },
    ask(),
    { text: 'The sunny one.' },
    { text: 'Well.' },
  )
  await turn(mix.host, mix.chatId, 'Help me.')
  const results = await resultsIn(client, mix.chatId)
  expect(results.map(({ text }) => text.split('\n')[0])).toEqual([
    'Error: There are several mixtures: name one of “Team”, “Pair” in mixture.',
    'Error: There is no mixture “pear”. There are: “Team”, “Pair”.',
    expect.stringMatching(/^One combined the answer of Two\./),
  ])
  const { id } = await client['session.create']({ modelId: mix.id, approval: 'full' })
  await turn(mix.host, id, 'Help me.')
  expect((await resultsIn(client, id))[0]!.text).toMatch(/^Answerer combined the answers of One and Two/)
})

test('a card says the requests, the tokens and whose computers; a grant ends with the models', async () => {
  using home = aHome()
  await using mix = await anAsking(home.path, 'ask')
  const { client } = mix
  // This name does not belong to this computer, although it leads nowhere.
  const { id: away } = await client['model.addServer']({
    name: 'Away',
    baseUrl: 'http://models.invalid/v1',
    model: 'qwen3',
  })
  const cards: Approval[] = []
  const answer = async (event: RunEvent, runId: string) => {
    if (event.type !== 'approval_request') return
    cards.push(event.approval)
    await client['run.approve']({ runId, approvalId: event.approval.id, decision: 'chat', note: '' })
  }
  // All models are on this computer: nothing leaves it, so no approval is needed.
  mix.answerer.reply(ask(), { text: 'The sunny one.' }, { text: 'Well.' })
  await turn(mix.host, mix.chatId, 'Help me.', answer)
  expect(cards).toEqual([])
  expect((await resultsIn(client, mix.chatId))[0]).not.toHaveProperty('marks')

  const references = [mix.one.id, away]
  await client['model.setMixture']({ id: mix.id, name: 'Team', references, aggregator: mix.answerer.id })
  mix.answerer.reply(ask(), { text: 'The sunny one.' }, ask(), { text: 'The sunny one.' }, { text: 'Well.' })
  await turn(mix.host, mix.chatId, 'Again.', answer)
  expect(cards).toHaveLength(1)
  expect(cards[0]).toMatchObject({
    title: `Ask the mixture Team (3 requests): ${QUESTION}`,
    reason: 'It sends the question to Away (models.invalid).',
    risk: 'network',
    mayAllowInChat: true,
  })
  expect(cards[0]!.detail).toMatch(
    /^One and Away answer it, and Answerer combines what is said: 3 requests, about [\d,]+ tokens to read and at most 4,400 to write\.\n\nWhich of two beds/,
  )
  const others = { id: mix.id, name: 'Team', references: [away], aggregator: mix.answerer.id }
  await client['model.setMixture'](others)
  mix.answerer.reply(ask(), { text: 'Well.' })
  await turn(mix.host, mix.chatId, 'Once more.', answer)
  expect(cards).toHaveLength(2)
  // Text from another computer is marked as a stranger's.
  const [, first] = await resultsIn(client, mix.chatId)
  expect(first!.marks?.map(({ source }) => source)).toEqual(['models of the mixture “Team”'])
})
