import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { aHome, aHost, turn, type TestHost } from '../../../../testing/host/a-host.ts'
import { keepShown } from '../../../../testing/host/seen-now.ts'
import { scriptedEngineChild } from '../../../../testing/golden/scripted-engine-child.ts'
import { until } from '../../../../testing/until.ts'
import type { Prompt } from '../../models/interface/engine.ts'
import type { Review } from '../../../shared/contract/learned/learning.ts'

// With the built-in model, rules decide what is saved of a chat and write its summaries. The engine in these
// tests counts questions that only a model that writes its own sentences may be asked.

const LOOKS_BACK = /\[(?:Summary|Review)\]|conversation above|Answer with one JSON object|(?:a|the) title\b/i

async function aGuidedHost(learning: Record<string, unknown> = {}) {
  const home = aHome()
  const workspace = join(home.path, 'folder')
  mkdirSync(workspace)
  writeFileSync(join(workspace, 'recipe.md'), 'Bread is made with rye.\n')
  const set = { idle_seconds: 0, memory_nudge: 1, skill_nudge: 0, ...learning }
  const lines = Object.entries(set).map(([key, value]) => `  ${key}: ${String(value)}`)
  writeFileSync(join(home.path, 'config.yaml'), ['learning:', ...lines, ''].join('\n'))
  const looked: string[] = []
  const answer = ({ messages }: Prompt): string => {
    const asked = messages.at(-1)?.text ?? ''
    if (LOOKS_BACK.test(asked)) looked.push(asked)
    return 'User tell you is sails 28 10.'
  }
  const host = await aHost(home.path, {
    coreTools: true,
    workspace,
    spawnEngine: scriptedEngineChild(answer),
  })
  const { id } = await host.client['session.create']({ modelId: 'builtin', approval: 'none' })
  return {
    ...host,
    id,
    looked,
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]()
      home[Symbol.dispose]()
    },
  }
}

/** Wait until this many reviews of the chat have ended. */
async function reviewed({ client }: Pick<TestHost, 'client'>, id: string, count = 1): Promise<Review[]> {
  let reviews: Review[] = []
  await until(async () => {
    ;({ reviews } = await client['learning.ofChat']({ sessionId: id }))
    return reviews.filter(each => each.state === 'done').length >= count
  })
  return reviews
}

const waiting = async ({ client }: Pick<TestHost, 'client'>) =>
  (await client['learning.activity']({ filter: 'all' })).waiting
const entries = async ({ client }: Pick<TestHost, 'client'>) =>
  (await client['memory.view']({})).entries.map(each => each.text)

test('what the person says of themselves is proposed in their own words, and its model is asked nothing', async () => {
  await using host = await aGuidedHost()
  await turn(
    host,
    host.id,
    'Hi, my name is Vera. I live in Graz and work nights as a nurse. Write me a poem.',
  )
  const [review] = await reviewed(host, host.id)
  expect(review).toMatchObject({ outcome: '2 proposed, by rules.', cost: null })
  const cards = await waiting(host)
  expect(cards.map(({ headline, place, op }) => ({ headline, place, op })).toReversed()).toEqual([
    { headline: 'My name is Vera.', place: 'About you', op: 'add' },
    { headline: 'I live in Graz and work nights as a nurse.', place: 'About you', op: 'add' },
  ])
  expect(cards.every(({ evidence }) => evidence.length > 0 && !evidence[0]!.nearest)).toBe(true)
  await keepShown(host.client, cards[0]!)
  await keepShown(host.client, cards[1]!)

  expect(host.looked).toEqual([])
})

test('a chat without such a sentence says that rules found nothing', async () => {
  await using host = await aGuidedHost()
  await turn(host, host.id, 'Tell me 28 10 sails')
  const [review] = await reviewed(host, host.id)
  expect(review!.outcome).toBe(
    'Talaria reviews chats with this model by rules. It found nothing worth saving.',
  )
  expect(await waiting(host)).toEqual([])
  expect(host.looked).toEqual([])
})

test('the same is not proposed twice, nor what was declined or a secret, and in mode save it is saved', async () => {
  await using host = await aGuidedHost({ mode: 'save' })
  await turn(host, host.id, 'I prefer metric units. Remember that my password is hunter2-and-more.')
  const [first] = await reviewed(host, host.id)
  expect(first!.outcome).toBe('1 saved, 1 left out with a key or a password, by rules.')
  expect(await entries(host)).toEqual(['I prefer metric units.'])
  await turn(host, host.id, 'As I said, I prefer metric units.')
  const reviews = await reviewed(host, host.id, 2)
  expect(reviews.map(each => each.outcome).join('\n')).toContain('found nothing worth saving')
  expect(await entries(host)).toEqual(['I prefer metric units.'])
})

test('a long chat is summarised at once, without its model, and its title is what was asked first', async () => {
  await using host = await aGuidedHost({ mode: 'off' })
  const { client, id } = host
  await turn(host, id, 'Please list the files of this folder')
  for (const text of ['My dog is called Rocky.', 'Which files are there?', 'Thank you.'])
    await turn(host, id, text)
  const { runId } = await client['chat.compact']({ sessionId: id })
  let told: string | undefined
  for await (const event of client['run.watch']({ runId }))
    if (event.type === 'compacted') told = `${event.compaction.by}: ${event.compaction.summary}`
  expect(told).toContain('local: ')
  expect(told).toContain('Said by the user: My dog is called Rocky.')
  expect((await client['session.list']({})).sessions.find(each => each.id === id)?.title).toBe(
    'Please list the files of this folder',
  )
  expect(host.looked).toEqual([])
})

test('to learn from a text it says that a larger model is needed', async () => {
  await using host = await aGuidedHost()
  const learning = async () => {
    for await (const step of host.client['learning.read']({ path: 'recipe.md', sessionId: host.id }))
      void step
  }
  await expect(learning()).rejects.toThrow(/^Learning from a text needs a larger model/)
  expect(host.looked).toEqual([])
})

test('earlier sessions of another program are reviewed by rules too, and twice they propose the same', async () => {
  await using host = await aGuidedHost()
  const folder = join(host.home, 'claude', 'projects', 'shop')
  mkdirSync(folder, { recursive: true })
  const line = {
    type: 'user',
    uuid: 'u',
    parentUuid: null,
    timestamp: '2026-01-02T12:00:00Z',
    message: { content: 'My name is Ada and I live in Oslo.' },
  }
  writeFileSync(join(folder, 'aaaa-1.jsonl'), `${JSON.stringify(line)}\n`)
  vi.stubEnv('CLAUDE_CONFIG_DIR', join(host.home, 'claude'))
  const program = 'claude-code' as const
  const learn = async () => {
    const { sessions } = await host.client['learning.earlier']({ program })
    const ids = sessions.map(({ id }) => id)
    if (ids.length > 0) await Array.fromAsync(host.client['learning.readEarlier']({ program, ids }))
    const { waiting } = await host.client['learning.activity']({})
    return waiting.map(({ headline, from }) => [headline, from?.agent])
  }
  const first = await learn()
  vi.unstubAllEnvs()
  expect(first.length).toBeGreaterThan(0)
  expect(first.every(([, agent]) => agent === 'claude-code')).toBe(true)
  vi.stubEnv('CLAUDE_CONFIG_DIR', join(host.home, 'claude'))
  expect(await learn()).toEqual(first)
  vi.unstubAllEnvs()
  expect(host.looked).toEqual([])
})
