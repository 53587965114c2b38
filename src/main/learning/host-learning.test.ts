import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lookingBack, scriptedLearner, textOf, type ReviewScript } from '../../../testing/learning/script.ts'
import type { ServedReply } from '../../../testing/servers/openai-server.ts'
import type { Review } from '../../shared/contract/learned/learning.ts'
import { until } from '../../../testing/until.ts'
import {
  aBareServer,
  aChat,
  aHome,
  aHost,
  slowly,
  turn,
  type TestHost,
} from '../../../testing/host/a-host.ts'
import { keepShown } from '../../../testing/host/seen-now.ts'

// The whole loop: a host, a scripted model on a server, and a user who looks at Activity.

/** Reviews start immediately, and thresholds are low. */
function aLearningHome(learning: Record<string, unknown> = {}) {
  const home = aHome()
  const lines = Object.entries({ idle_seconds: 0, memory_nudge: 1, skill_nudge: 0, ...learning })
  writeFileSync(
    join(home.path, 'config.yaml'),
    ['learning:', ...lines.map(([key, value]) => `  ${key}: ${String(value)}`), ''].join('\n'),
  )
  return home
}

const PNPM: ReviewScript = {
  first: { worth: true, facts: ['The user uses pnpm.'] },
  review: [[remember('Uses pnpm, never npm.')]],
}
function remember(content: string, target = 'user') {
  return { name: 'memory', arguments: { target, action: 'add', content } }
}

/** A model that answers yes, and reports these findings in reviews. */
async function aLearner(
  script: ReviewScript,
  chat: (asked: string) => ServedReply = () => ({ text: 'All right.' }),
) {
  const server = await aBareServer()
  let present = script
  server.reply(
    scriptedLearner(
      ({ body }) => chat(textOf(body.messages.at(-1))),
      () => present,
    ),
  )
  return {
    ...server,
    finds: (next: ReviewScript) => (present = next),
    looks: () => server.chats().filter(request => lookingBack(request) !== undefined),
    async join({ client }: Pick<TestHost, 'client'>) {
      const { id } = await client['model.addServer']({
        name: 'Test',
        baseUrl: server.baseUrl,
        model: 'qwen3',
      })
      return { modelId: id }
    },
  }
}

const activity = ({ client }: Pick<TestHost, 'client'>) => client['learning.activity']({ filter: 'all' })
const entries = async ({ client }: Pick<TestHost, 'client'>) =>
  (await client['memory.view']({})).entries.map(entry => entry.text)

/** Wait until no review is queued or running. Returns the reviews of a chat. */
async function reviewed(
  { client }: Pick<TestHost, 'client'>,
  sessionId: string,
  count = 1,
): Promise<Review[]> {
  let reviews: Review[] = []
  await until(async () => {
    ;({ reviews } = await client['learning.ofChat']({ sessionId }))
    return (
      reviews.length >= count && reviews.every(each => each.state !== 'queued' && each.state !== 'running')
    )
  })
  return reviews
}

test('a chat leads to a proposal with its evidence, and once kept the next chat knows it', async () => {
  using home = aLearningHome()
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aLearner(PNPM)
  const model = await server.join(host)
  const chat = await aChat(host, model)
  await turn(host, chat.id, 'Install the packages. I always use pnpm, never npm.')
  const [review] = await reviewed(host, chat.id)
  expect(review).toMatchObject({
    state: 'done',
    trigger: 'memory_nudge',
    kinds: ['memory'],
    outcome: '1 proposed.',
  })
  expect(review!.cost?.promptTokens).toBeGreaterThan(0)

  const { waiting, held } = await activity(host)
  expect(held).toBeNull()
  expect(waiting).toMatchObject([
    {
      headline: 'Uses pnpm, never npm.',
      place: 'About you',
      op: 'add',
      before: null,
      because: '',
      evidence: [{ quote: 'I always use pnpm, never npm.' }],
    },
  ])
  expect(await host.client['learning.open']({})).toEqual({ open: 1 })
  // The notebook and the chat stay unchanged until the user accepts.
  expect(await entries(host)).toEqual([])
  expect((await host.client['session.messages']({ id: chat.id })).messages).toHaveLength(2)

  const kept = await keepShown(host.client, waiting[0]!)
  expect(kept.memoryRevisions).toHaveLength(1)
  expect(await entries(host)).toEqual(['Uses pnpm, never npm.'])
  const next = await aChat(host, model)
  await turn(host, next.id, 'Add a package.')
  const asked = server.chats().findLast(request => lookingBack(request) === undefined)!
  expect(textOf(asked.body.messages[0])).toContain('Uses pnpm, never npm.')
  expect(host.mistakes()).toEqual([])
})

test('a review has only the memory and skill tools, and sends the same prefix as the chat', async () => {
  using home = aLearningHome({ skill_nudge: 1 })
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aLearner(PNPM, asked =>
    asked === 'Look.' ? { toolCalls: [{ name: 'list_files', arguments: {} }] } : { text: 'Done.' },
  )
  const chat = await aChat(host, await server.join(host))
  await turn(host, chat.id, 'Look.')
  await reviewed(host, chat.id)
  const inChat = server.chats()[1]!.body.messages as unknown[]
  const [first, second, third] = server.looks()
  expect(first!.body.tools ?? []).toEqual([])
  expect(
    (second!.body.tools as { function: { name: string } }[]).map(each => each.function.name).toSorted(),
  ).toEqual(['memory', 'skill_manage', 'skill_view', 'skills_list'])
  expect(third).toBeDefined()
  for (const { body } of [first!, second!]) expect(body.messages.slice(0, inChat.length)).toEqual(inChat)
})

test('a review that finds nothing asks one question and is one line in the activity', async () => {
  using home = aLearningHome()
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aLearner({ first: { worth: false } })
  const chat = await aChat(host, await server.join(host))
  await turn(host, chat.id, 'What is 2 + 2?')
  const [review] = await reviewed(host, chat.id)
  expect(review?.state).toBe('done')
  expect(review?.outcome).toMatch(/ found nothing worth saving\.$/)
  expect(server.looks()).toHaveLength(1)
  const { items, waiting } = await activity(host)
  expect(waiting).toEqual([])
  expect(items).toMatchObject([{ type: 'review', review: { id: review!.id } }])
})

test('in mode “save” findings are saved and reported, and undone with one call', async () => {
  using home = aLearningHome({ mode: 'save' })
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aLearner(PNPM)
  const chat = await aChat(host, await server.join(host))
  await turn(host, chat.id, 'I always use pnpm, never npm.')
  const [review] = await reviewed(host, chat.id)
  expect(review!.outcome).toBe('1 saved.')
  expect(await entries(host)).toEqual(['Uses pnpm, never npm.'])
  const { items, waiting } = await activity(host)
  expect(waiting).toEqual([])
  const { messages } = await host.client['session.messages']({ id: chat.id })
  expect(items).toMatchObject([
    {
      type: 'change',
      change: { by: 'review', reviewId: review!.id, sessionId: chat.id, messageId: messages[0]!.id },
    },
  ])
  const undone = await host.client['learning.undo']({ what: { by: 'review', id: review!.id } })
  expect(undone).toMatchObject({ left: [], memoryRevisions: [expect.any(Number)] })
  expect(await entries(host)).toEqual([])
  // An undone change is not saved again from the same chat, although the model insists.
  await host.client['learning.review']({ sessionId: chat.id })
  await reviewed(host, chat.id, 2)
  expect(await entries(host)).toEqual([])
})

test('changes to the user’s own entries are only proposed, even in mode “save”', async () => {
  using home = aLearningHome({ mode: 'save' })
  await using host = await aHost(home.path, { coreTools: true })
  await host.client['memory.add']({ target: 'user', text: 'Uses npm.' })
  await using server = await aLearner({
    first: { worth: true, facts: ['The user changed to pnpm.'] },
    review: [
      [
        {
          name: 'memory',
          arguments: {
            target: 'user',
            operations: [
              { action: 'replace', old_text: 'Uses npm', content: 'Uses pnpm.' },
              { action: 'add', content: 'Works on Linux.' },
            ],
          },
        },
      ],
    ],
  })
  const chat = await aChat(host, await server.join(host))
  await turn(host, chat.id, 'From now on I use pnpm, on Linux.')
  const [review] = await reviewed(host, chat.id)
  expect(review!.outcome).toBe('1 saved, 1 proposed.')
  expect((await entries(host)).toSorted()).toEqual(['Uses npm.', 'Works on Linux.'])
  const { waiting } = await activity(host)
  expect(waiting).toMatchObject([
    {
      op: 'edit',
      before: 'Uses npm.',
      after: 'Uses pnpm.',
      because: expect.stringMatching(/you wrote/) as string,
    },
  ])
})

test('while learning is off nothing is reviewed, unless the user requests it', async () => {
  using home = aLearningHome({ mode: 'off' })
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aLearner(PNPM)
  const chat = await aChat(host, await server.join(host))
  await turn(host, chat.id, 'I always use pnpm, never npm.')
  expect((await host.client['learning.ofChat']({ sessionId: chat.id })).reviews).toEqual([])
  await host.client['learning.review']({ sessionId: chat.id })
  const [review] = await reviewed(host, chat.id)
  expect(review).toMatchObject({ trigger: 'you', outcome: '1 proposed.' })
  await expect(async () => {
    for await (const _ of host.client['learning.feed']({
      events: [{ type: 'user_message', session: 's', at: 0, text: 'x' }],
    }))
      void _
  }).rejects.toThrow('switched off')
})

test('a queued review runs after a restart', async () => {
  using home = aLearningHome({ idle_seconds: 3600 })
  await using server = await aLearner(PNPM)
  let chatId = ''
  {
    await using host = await aHost(home.path, { coreTools: true })
    const chat = await aChat(host, await server.join(host))
    chatId = chat.id
    await turn(host, chat.id, 'I always use pnpm, never npm.')
    const { reviews } = await activity(host)
    expect(reviews).toMatchObject([{ state: 'queued', sessionId: chat.id }])
    expect(server.looks()).toEqual([])
  }
  await using host = await aHost(home.path, { coreTools: true })
  expect((await activity(host)).reviews).toMatchObject([{ state: 'queued', sessionId: chatId }])
  await host.client['learning.settings']({ idleSeconds: 0 })
  await reviewed(host, chatId)
  expect((await activity(host)).waiting).toHaveLength(1)
  expect(host.mistakes()).toEqual([])
})

test('a review stops when the user writes in its chat, and runs later', async () => {
  using home = aLearningHome()
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aLearner(PNPM)
  const learner = scriptedLearner(
    () => ({ text: 'All right.' }),
    () => PNPM,
  )
  let slow = true
  server.reply(request => (lookingBack(request) && slow ? slowly(5_000) : learner(request)))
  const chat = await aChat(host, await server.join(host))
  await turn(host, chat.id, 'I always use pnpm, never npm.')
  await until(() => server.looks().length === 1)
  slow = false
  await turn(host, chat.id, 'And now add a package.')
  expect(await server.looks()[0]!.cut).toBe(true)
  const reviews = await reviewed(host, chat.id)
  expect(reviews.map(each => [each.state, each.attempts])).toEqual([['done', 1]])
  expect((await activity(host)).waiting).toHaveLength(1)
})

test('“not this kind again” blocks similar findings in later chats, and its hits are counted', async () => {
  using home = aLearningHome()
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aLearner(PNPM)
  const model = await server.join(host)
  const chat = await aChat(host, model)
  await turn(host, chat.id, 'I always use pnpm, never npm.')
  await reviewed(host, chat.id)
  const { waiting } = await activity(host)
  const { rules } = await host.client['learning.reject']({ ids: [waiting[0]!.id], notAgain: true })
  expect(rules).toMatchObject([{ text: 'Things like “Uses pnpm, never npm.”', hits: 0 }])

  server.finds({
    first: { worth: true, facts: ['pnpm'] },
    review: [[remember('Always uses pnpm, never npm!')], [remember('Lives in Bern.')]],
  })
  const next = await aChat(host, model)
  await turn(host, next.id, 'As always pnpm and never npm. I live in Bern.')
  const [review] = await reviewed(host, next.id)
  expect(review!.outcome).toBe('1 proposed, 1 left out by your rules.')
  expect((await activity(host)).waiting).toMatchObject([{ headline: 'Lives in Bern.' }])
  const first = server.looks().findLast(request => lookingBack(request)?.asks === 'first')!
  expect(textOf(first.body.messages.at(-1))).toContain('Things like “Uses pnpm, never npm.”')
  expect((await host.client['learning.rules']({})).rules).toMatchObject([{ hits: 1 }])
})

test('a skill corrected by the user right after it was used is patched, once they agree', async () => {
  using home = aLearningHome({ memory_nudge: 0, skill_nudge: 10 })
  const text =
    '---\nname: triage\ndescription: Sort the open issues of a project. Use for triage.\n---\n\n1. List the issues.\n'
  mkdirSync(join(home.path, 'skills', 'triage'), { recursive: true })
  writeFileSync(join(home.path, 'skills', 'triage', 'SKILL.md'), text)
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aLearner({
    first: { worth: true, procedure: 'Triage includes discussions.' },
    review: [
      [{ name: 'skill_view', arguments: { name: 'triage' } }],
      [
        {
          name: 'skill_manage',
          arguments: {
            action: 'patch',
            name: 'triage',
            old_string: 'List the issues.',
            new_string: 'List the issues and the discussions.',
          },
        },
      ],
    ],
  })
  const chat = await aChat(host, await server.join(host))
  await turn(host, chat.id, '/triage this repository')
  expect((await host.client['learning.ofChat']({ sessionId: chat.id })).reviews).toEqual([])
  await turn(host, chat.id, 'Include the discussions too.')
  const [review] = await reviewed(host, chat.id)
  expect(review).toMatchObject({ trigger: 'skill_nudge', kinds: ['skills'], outcome: '1 proposed.' })
  const { waiting } = await activity(host)
  expect(waiting).toMatchObject([
    {
      kind: 'skill',
      op: 'edit',
      place: 'triage',
      before: text,
      because: expect.stringMatching(/you wrote/) as string,
    },
  ])
  expect(waiting[0]!.evidence[0]!.quote).toContain('discussions')
  await keepShown(host.client, waiting[0]!)
  const { text: now } = await host.client['skills.get']({ id: 'own/triage' })
  expect(now).toContain('List the issues and the discussions.')
})

test('another agent’s events give the same proposals as the same chat here', async () => {
  using home = aLearningHome({ memory_nudge: 2 })
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aLearner(PNPM)
  const { modelId } = await server.join(host)
  const chat = await aChat(host, { modelId })
  for (const text of ['I always use pnpm, never npm.', 'Thanks.']) await turn(host, chat.id, text)
  await reviewed(host, chat.id)
  const [fromChat] = (await activity(host)).waiting
  await host.client['learning.reject']({ ids: [fromChat!.id] })

  const at = 0
  const session = 'elsewhere'
  const steps: unknown[] = []
  for await (const step of host.client['learning.feed']({
    modelId,
    events: [
      { type: 'user_message', session, at, text: 'I always use pnpm, never npm.' },
      { type: 'reply', session, at, text: 'All right.', calls: 0 },
      { type: 'user_message', session, at, text: 'Thanks.' },
      { type: 'reply', session, at, text: 'All right.', calls: 0 },
      { type: 'turn_end', session, at, reason: 'done' },
    ],
  }))
    steps.push(step)
  expect(steps).toMatchObject([
    { type: 'review', session, trigger: 'memory_nudge', done: 0, total: 1 },
    {
      type: 'proposal',
      proposal: {
        headline: fromChat!.headline,
        place: fromChat!.place,
        evidence: [{ messageId: null, quote: fromChat!.evidence[0]!.quote }],
      },
    },
    { type: 'reviewed', ended: 'done', cost: { model: expect.any(String) } },
    { type: 'done', reviews: 1, proposals: 1 },
  ])
})
