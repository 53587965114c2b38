import { expect, test } from 'vitest'
import { aBareServer } from '../../testing/host/a-host.ts'
import { lookingBack, textOf } from '../../testing/learning/script.ts'
import type { ServedReply, ServedRequest } from '../../testing/servers/openai-server.ts'
import { Case } from './case.ts'
import { inWords, judgeFailures } from './compare-kept.ts'
import type { Way } from './converse.ts'
import { measureRealModel } from './real-model.ts'

const expects = (says: string) => ({ trigger: 'memory_nudge', proposed: [{ op: 'add', says }] })
const memory = { memory_nudge: 1, skill_nudge: 0, end_turns: 0 }

/**
 * Conversations with two facts, with nothing twice, and with a procedure that reads files; the last one has
 * no review.
 */
const cases = [
  { id: 'pnpm', settings: memory, turns: [{ user: 'I use pnpm.' }], expect: expects('pnpm') },
  {
    id: 'bern',
    mode: 'save',
    settings: memory,
    turns: [{ user: 'It rains here.' }, { user: 'I live in Bern.' }],
    expect: { trigger: 'memory_nudge', saved: ['Bern'] },
  },
  {
    id: 'small-talk',
    settings: memory,
    turns: [{ user: 'How are you?' }],
    expect: { trigger: 'memory_nudge', never: ['How are'] },
  },
  {
    id: 'read-twice',
    settings: { memory_nudge: 0, skill_nudge: 2, end_turns: 0 },
    given: { files: { 'a.txt': 'The word is Kiwi.' } },
    turns: [
      { user: 'Read it.', calls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] },
      { user: 'Again.', calls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] },
    ],
    expect: { trigger: 'skill_nudge' },
  },
  {
    id: 'too-short',
    settings: { ...memory, memory_nudge: 5 },
    turns: [{ user: 'I use pnpm.' }],
    expect: { trigger: null },
  },
  {
    id: 'of-its-script',
    scriptAlone: true,
    settings: memory,
    turns: [{ user: 'Hello.' }],
    expect: { trigger: 'memory_nudge' },
  },
].map(each => Case.parse({ ways: ['chat', 'events'], ...each }))

type Model = (said: string[], request: ServedRequest) => string[] | ServedReply

/**
 * Measure a model on a server. It answers with what it would keep of the conversation, or with a reply as it
 * is given.
 */
async function measured(model: Model, given: { way?: Way; waitMs?: number } = {}) {
  await using server = await aBareServer()
  server.reply(request => {
    const asked = lookingBack(request)
    if (!asked) throw new Error('The chat itself is never answered by the model that is measured.')
    const messages = request.body.messages as { role: string; content?: string }[]
    const said = messages
      .filter(each => each.role === 'user')
      .map(textOf)
      .filter(text => !text.startsWith('[Review]'))
    const kept = model(said, request)
    if (!Array.isArray(kept)) return kept
    if (asked.asks === 'first')
      return { text: JSON.stringify({ worth: kept.length > 0, facts: kept, procedure: '' }) }
    const content = kept[asked.step]
    if (content === undefined) return { text: 'Done.' }
    return { toolCalls: [{ name: 'memory', arguments: { target: 'user', action: 'add', content } }] }
  })
  const real = { baseUrl: server.baseUrl, model: 'qwen3' }
  const { way = 'chat', waitMs = 60_000 } = given
  const { rows, figures } = await measureRealModel(cases, real, { way, waitMs })
  return { rows, figures, requests: server.chats() }
}

const isFact = (text: string) => /pnpm|Bern/.test(text)

test('a model that is right has all shares whole', async () => {
  const { rows, figures, requests } = await measured(said => said.filter(isFact).slice(-1))
  expect(rows.map(({ failure }) => failure).filter(Boolean)).toEqual([])
  expect(figures).toEqual({
    conversations: 5,
    reviewed: 4,
    failed: 0,
    notDue: 1,
    precision: 100,
    recall: 100,
    quiet: 100,
    forbidden: 0,
  })
  expect(judgeFailures(figures)).toBe(0)
  // Each nudge comes at its turn with its one kind. Before the second message, only the first was read.
  expect(rows.map(({ id, reviews }) => [id, reviews])).toEqual([
    ['pnpm', [{ trigger: 'memory_nudge', kinds: ['memory'] }]],
    ['bern', Array.from({ length: 2 }, () => ({ trigger: 'memory_nudge', kinds: ['memory'] }))],
    ['small-talk', [{ trigger: 'memory_nudge', kinds: ['memory'] }]],
    ['read-twice', [{ trigger: 'skill_nudge', kinds: ['skills'] }]],
    ['too-short', []],
  ])
  const read = (text: string) => requests.filter(({ body }) => JSON.stringify(body).includes(text)).length
  expect(read('It rains here.')).toBeGreaterThan(read('I live in Bern.'))
  // The model can read the files of a case.
  expect(read('Kiwi')).toBeGreaterThan(0)
})

test('a model that keeps all that is said is never quiet', async () => {
  const { figures } = await measured(said => said.slice(-1))
  expect(figures).toEqual({
    conversations: 5,
    reviewed: 4,
    failed: 0,
    notDue: 1,
    // Two of four texts: in the review of skills it has no tool for memory, so it keeps nothing there.
    precision: 50,
    recall: 100,
    quiet: 50,
    forbidden: 1,
  })
})

test('a model that keeps nothing is quiet, and nothing is said of its precision', async () => {
  const { figures, rows } = await measured(() => [])
  expect(figures).toEqual({
    conversations: 5,
    reviewed: 4,
    failed: 0,
    notDue: 1,
    recall: 0,
    quiet: 100,
    forbidden: 0,
  })
  expect(inWords(rows)).toBe(
    'Of 4 that were reviewed (of 5; 0 failed, 1 had no review that was due): precision not measured, recall 0 %, ' +
      'silent where nothing was worth keeping 100 %, 0 things kept that never may be.',
  )
})

const NOTHING_KNOWN = { conversations: 5, reviewed: 0, failed: 4, notDue: 1, forbidden: 0 }

for (const way of ['chat', 'events'] as const) {
  test(`a model that never answers failed, and has no share at all (${way})`, async () => {
    const { figures, rows } = await measured(() => ({ stallMs: 600_000 }), { way, waitMs: 300 })
    expect(figures).toEqual(NOTHING_KNOWN)
    expect(judgeFailures(figures)).toBe(1)
    expect(rows[0]!.failure).toBe('It did not end within 0.3 s.')
    expect(inWords(rows)).toContain('silent where nothing was worth keeping not measured')
  })

  test(`a model that answers with errors failed, and says why (${way})`, async () => {
    const { figures, rows } = await measured(
      () => ({ status: 400, body: { error: { message: 'Too tired.' } } }),
      {
        way,
      },
    )
    expect(figures).toEqual(NOTHING_KNOWN)
    expect(rows[0]!.failure).toContain('Too tired')
  })
}

test('a conversation that failed is in no share, also of a model that answers the others', async () => {
  const { figures } = await measured(said =>
    said.includes('How are you?')
      ? { status: 400, body: { error: { message: 'Too tired.' } } }
      : said.filter(isFact).slice(-1),
  )
  expect(figures).toMatchObject({ reviewed: 3, failed: 1, precision: 100, recall: 100, quiet: 100 })
  expect(judgeFailures(figures)).toBe(0)
})

test('as events of another agent, the reviews are those of events', async () => {
  const { rows, figures } = await measured(said => said.filter(isFact).slice(-1), { way: 'events' })
  expect(figures).toMatchObject({ conversations: 5, reviewed: 4, notDue: 1, recall: 100 })
  expect(rows.map(({ reviews }) => reviews.map(({ trigger }) => trigger))).toEqual([
    ['events'],
    ['events', 'events'],
    ['events'],
    ['events'],
    [],
  ])
})
