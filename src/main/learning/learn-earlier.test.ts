import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { aBareServer, aHome, aHost, type TestHost } from '../../../testing/host/a-host.ts'
import { keepShown } from '../../../testing/host/seen-now.ts'
import { lookingBack, scriptedLearner } from '../../../testing/learning/script.ts'
import type { LearnStep } from '../../shared/contract/learned/learning.ts'

// Sessions of another program in a whole host: first listed, then imported and reviewed, never twice.

const STARTED = Date.parse('2026-11-20T10:00:00Z')
afterEach(() => void vi.unstubAllEnvs())

type Said = { say: string; answer: string; ran?: string }

/** A transcript of Claude Code. */
function transcript(cwd: string, turns: readonly Said[]): string {
  let parentUuid: string | null = null
  let count = 0
  const line = (type: 'user' | 'assistant', message: object) => {
    const uuid = `${type}-${++count}`
    const timestamp = new Date(STARTED + count * 1_000).toISOString()
    const whole = {
      parentUuid,
      isSidechain: false,
      cwd,
      type,
      message: { role: type, ...message },
      uuid,
      timestamp,
    }
    parentUuid = uuid
    return `${JSON.stringify(whole)}\n`
  }
  return turns
    .map(({ say, answer, ran }) => {
      const said = line('user', { content: say })
      const id = `call-${count}`
      const work =
        ran === undefined
          ? ''
          : line('assistant', {
              content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } }],
            }) + line('user', { content: [{ type: 'tool_result', tool_use_id: id, content: ran }] })
      return said + work + line('assistant', { model: 'opus', content: [{ type: 'text', text: answer }] })
    })
    .join('')
}

/** Claude Code's folder with some sessions, by their ids. */
function aClaudeFolder(home: string, sessions: Record<string, string>): string {
  const folder = join(home, 'claude')
  mkdirSync(join(folder, 'projects', '-home-ada-shop'), { recursive: true })
  for (const [id, text] of Object.entries(sessions)) {
    const path = join(folder, 'projects', '-home-ada-shop', `${id}.jsonl`)
    writeFileSync(path, text)
    utimesSync(path, STARTED / 1_000, STARTED / 1_000)
  }
  vi.stubEnv('CLAUDE_CONFIG_DIR', folder)
  return folder
}

/** A host whose model finds a fact in the user's first message and notes one about the folder. */
async function aLearningHost(home: string, learning: object = {}) {
  const server = await aBareServer()
  writeFileSync(
    join(home, 'config.yaml'),
    JSON.stringify({
      learning: { idle_seconds: 0, ...learning },
      models: {
        default: 'server:test',
        servers: [
          { id: 'test', name: 'Test', base_url: server.baseUrl, model: 'qwen3', context_tokens: 16_000 },
        ],
      },
    }),
  )
  server.reply(
    scriptedLearner(
      () => ({ text: 'All right.' }),
      () => ({
        first: { worth: true, facts: ['The user uses pnpm.'] },
        review: [
          [
            {
              name: 'memory',
              arguments: { target: 'user', action: 'add', content: 'Uses pnpm, never npm.' },
            },
            {
              name: 'memory',
              arguments: { target: 'project', action: 'add', content: 'The shop ships on Fridays.' },
            },
          ],
        ],
      }),
    ),
  )
  const host = await aHost(home, { coreTools: true })
  return {
    ...host,
    looks: () => server.chats().filter(request => lookingBack(request) !== undefined).length,
    async [Symbol.asyncDispose]() {
      await host.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

const list = ({ client }: Pick<TestHost, 'client'>) => client['learning.earlier']({ program: 'claude-code' })
async function learn(host: Pick<TestHost, 'client'>): Promise<LearnStep[]> {
  const { sessions } = await list(host)
  const ids = sessions.map(({ id }) => id)
  if (ids.length === 0) return []
  return Array.fromAsync(host.client['learning.readEarlier']({ program: 'claude-code', ids }))
}
const waiting = async ({ client }: Pick<TestHost, 'client'>) =>
  (await client['learning.activity']({})).waiting

test('earlier sessions are shown before any model reads them, then lead to cards, and a second run proposes nothing', async () => {
  using home = aHome()
  const shop = join(home.path, 'shop')
  mkdirSync(shop)
  aClaudeFolder(home.path, {
    'aaaa-1': transcript(shop, [
      { say: 'I use pnpm, my key is sk-ant-REDACTED0123456789abcdef0123.', answer: 'Good.', ran: 'ok' },
    ]),
    'aaaa-2': transcript(shop, []),
  })
  await using host = await aLearningHost(home.path, { mode: 'save' })
  await host.client['project.create']({ name: 'Shop', folder: shop })
  const seen = await list(host)
  expect(seen).toMatchObject({
    sessions: [
      {
        id: 'claude-code:aaaa-1',
        folder: shop,
        questions: 1,
        begins: expect.stringContaining('I use pnpm'),
        hasGoneOn: false,
      },
    ],
    known: 0,
    more: false,
    budget: { aDay: 20, left: 20 },
  })
  expect(host.looks()).toBe(0)

  const steps = await learn(host)
  expect(steps).toMatchObject([
    { type: 'review', session: 'claude-code:aaaa-1', from: { agent: 'claude-code', folder: shop } },
    { type: 'proposal', proposal: { headline: 'Uses pnpm, never npm.', from: { agent: 'claude-code' } } },
    { type: 'proposal', proposal: { headline: 'The shop ships on Fridays.' } },
    { type: 'reviewed', ended: 'done' },
    { type: 'done', reviews: 1, proposals: 2, waiting: 0 },
  ])
  expect((await host.client['memory.view']({})).entries).toEqual([])

  // Again, with the cards open, and after the user has decided.
  expect(await list(host)).toMatchObject({ sessions: [], known: 1 })
  expect(await learn(host)).toEqual([])
  const cards = await waiting(host)
  expect(cards).toHaveLength(2)
  const note = cards.find(({ headline }) => headline.startsWith('The shop'))!
  await keepShown(host.client, note)
  const { entries, projects } = await host.client['memory.view']({})
  const kept = entries.map(({ text, project }) => [text, projects.find(({ id }) => id === project)?.name])
  expect(kept).toEqual([['The shop ships on Fridays.', 'Shop']])
  expect(host.mistakes()).toEqual([])
})

test('a session that has gone on is read from where it was, and the rest of it counts once', async () => {
  using home = aHome()
  const first = { say: 'I use pnpm.', answer: 'Good.' }
  aClaudeFolder(home.path, { 'aaaa-1': transcript('/nowhere', [first]) })
  await using host = await aLearningHost(home.path)
  await learn(host)
  expect(host.looks()).toBeGreaterThan(0)
  const before = host.looks()
  const path = join(home.path, 'claude', 'projects', '-home-ada-shop', 'aaaa-1.jsonl')
  writeFileSync(path, transcript('/nowhere', [first, { say: 'We ship on Fridays.', answer: 'Noted.' }]))
  expect(await list(host)).toMatchObject({
    sessions: [{ questions: 1, begins: 'We ship on Fridays.', hasGoneOn: true }],
  })
  expect(await learn(host)).toMatchObject([
    { type: 'review' },
    { type: 'reviewed' },
    { type: 'done', proposals: 0 },
  ])
  expect(host.looks()).toBeGreaterThan(before)
  expect(await list(host)).toMatchObject({ sessions: [], known: 1 })
})

test('the same session gives the same proposals in another home', async () => {
  const found: string[][] = []
  for (const _home of [1, 2]) {
    using home = aHome()
    aClaudeFolder(home.path, {
      'aaaa-1': transcript('/nowhere', [{ say: 'I use pnpm. We ship on Fridays.', answer: 'Good.' }]),
    })
    await using host = await aLearningHost(home.path)
    await learn(host)
    found.push(
      (await waiting(host)).map(({ headline, place, evidence }) =>
        JSON.stringify([headline, place, evidence]),
      ),
    )
  }
  expect(found[0]).toHaveLength(2)
  expect(found[1]).toEqual(found[0])
})

test('nothing is read while learning is off, or while its budget is nothing', async () => {
  using home = aHome()
  aClaudeFolder(home.path, { 'aaaa-1': transcript('/nowhere', [{ say: 'I use pnpm.', answer: 'Good.' }]) })
  await using host = await aLearningHost(home.path, { foreign_reviews_a_day: 0 })
  await expect(learn(host)).rejects.toThrow('learning.foreign_reviews_a_day is 0')
  await host.client['learning.settings']({ mode: 'off' })
  await expect(learn(host)).rejects.toThrow('Learning is switched off')
  expect(await list(host)).toMatchObject({ sessions: [{ id: 'claude-code:aaaa-1' }] })
  expect(host.looks()).toBe(0)
})

test('finished sessions are exported as trajectories only when they are asked for', async () => {
  using home = aHome()
  aClaudeFolder(home.path, {
    'aaaa-1': transcript('/nowhere', [{ say: 'I use pnpm.', answer: 'Good.', ran: 'ok' }]),
  })
  await using host = await aLearningHost(home.path)
  await learn(host)
  const lines = async (withOtherAgents: boolean) =>
    (await Array.fromAsync(host.client['learning.trajectories']({ withOtherAgents }))).map(
      ({ line }) => JSON.parse(line) as { conversations: { from: string }[] },
    )
  expect(await lines(false)).toEqual([])
  const [line] = await lines(true)
  expect(line).toMatchObject({
    id: 'claude-code:aaaa-1',
    model: 'opus',
    completed: true,
    turns: 1,
    complexity: { toolCalls: 1 },
  })
  expect(line!.conversations.map(({ from }) => from)).toEqual(['human', 'gpt', 'tool', 'gpt'])
})
