import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { searchHere } from '../../../../../testing/chats/search-here.ts'
import { aChat, assistant, aStore, user } from '../../../../../testing/db/a-store.ts'
import { aWorkspace, said } from '../../../../../testing/tools/a-workspace.ts'
import type { Refusal } from '../../../lib/expected-errors.ts'
import { sessionSearchTool } from './session-search-tool.ts'
import { createRegistry } from '../../../tools/registry/registry.ts'

const DAY = 24 * 60 * 60_000
const START = new Date(2026, 0, 1, 12).getTime()

/** The tool over a store with chats; it is called in the chat `current`. */
function aSearch(recap: { text: string } | Refusal = { refused: 'There is no model.' }) {
  const store = aStore()
  onTestFinished(() => store[Symbol.dispose]())
  const asked: string[] = []
  const search = searchHere(store)
  const tool = sessionSearchTool({
    ...search,
    async askRecap(_modelId, { user: text }) {
      asked.push(text)
      return recap
    },
  })
  const registry = createRegistry([tool])
  const workspace = aWorkspace()
  const current = aChat(store).id

  /** Add a chat with these texts, a day after the previous one. */
  let chats = 0
  function say(...texts: readonly string[]): string {
    return sayIn({}, ...texts)
  }
  function sayIn(given: Parameters<typeof aChat>[1], ...texts: readonly string[]): string {
    const { id } = aChat(store, given)
    const at = START + DAY * chats++
    texts.forEach((text, n) =>
      store.messages.append(n % 2 === 0 ? user(id, text, at + n) : assistant(id, text, { at: at + n })),
    )
    return id
  }
  /** Replace the messages of a chat up to one of them by a summary. */
  const compact = (sessionId: string, upToId: number) =>
    store.compactions.add({
      sessionId,
      headId: 0,
      upToId,
      prunedToId: upToId,
      questionId: 0,
      summary: 'What was said.',
      by: 'model',
      focus: '',
      at: START,
      tokensBefore: 100,
      tokensAfter: 10,
      useless: 0,
      modelId: 'builtin',
      byHand: false,
    })
  async function call(args: Record<string, unknown>): Promise<string> {
    const checked = registry.validate('session_search', args)
    if (!checked.ok) return checked.reason
    const signal = new AbortController().signal
    const { home } = store
    const context = {
      workspace: '/desk',
      home,
      sessionId: current,
      askedId: 1,
      signal,
      output: () => undefined,
    }
    return said(await tool.run(checked.value, { ...context, access: 'unconfined' }))
  }
  const lines = (n: number, word = 'line') => Array.from({ length: n }, (_, at) => `${word} ${at + 1}.`)
  return { store, registry, workspace, tool, current, say, sayIn, lines, compact, call, asked }
}

/** The ids of the chats in an answer, in order. */
const chatsIn = (text: string) => [...text.matchAll(/\(session_id (\w+)[,)]/g)].map(([, id]) => id)
/** The number of messages shown in an answer. */
const messagesIn = (text: string) => text.match(/^[→ ] \w+ \(\d+\): /gm)?.length ?? 0

test('its schema says what its arguments are', () => {
  const { registry } = aSearch()
  expect(registry.specs()[0]!.parameters).toMatchObject({
    type: 'object',
    properties: { limit: { type: 'integer', description: 'of so many chats, 1 to 10' } },
  })
  expect(registry.specs()[0]!.parameters).not.toHaveProperty('additionalProperties')
})

test('an answer is the best messages with those around them, and of each chat that was asked for at least the best one', async () => {
  const { say, call } = aSearch()
  const talk = (...said: string[]) => say('Hello.', 'Hi.', ...said, 'Thanks.', 'Bye.', 'Really.')
  const best = talk('Where is the lighthouse?', 'The lighthouse stands at the harbour.', 'Which lighthouse?')
  const others = Array.from({ length: 4 }, () =>
    talk('A lighthouse, among many other things that are told here.'),
  )
  const text = await call({ query: 'lighthouse harbour', limit: 3 })
  expect(chatsIn(text)).toHaveLength(3)
  expect(chatsIn(text)[0]).toBe(best)
  const [first = '', ...rest] = text.split('\n## ')
  // Overlaps are merged, so that no message appears twice.
  for (const said of ['Where is the lighthouse?', 'at the harbour.', 'Which lighthouse?'])
    expect(first.split(said)).toHaveLength(2)
  expect(first).not.toContain('  …')
  for (const each of rest) expect(each).toContain('among many other things')
  expect(new Set(chatsIn(await call({ query: 'lighthouse harbour', limit: 5 })))).toEqual(
    new Set([best, ...others]),
  )
})

test('detail full shows more of the best messages', async () => {
  const { say, lines, call } = aSearch()
  for (let n = 0; n < 9; n++)
    say(...lines(12, 'Before'), 'Where is the lighthouse?', ...lines(12, 'After'), 'The lighthouse.')
  const adaptive = await call({ query: 'lighthouse' })
  const full = await call({ query: 'lighthouse', detail: 'full' })
  expect(chatsIn(full).slice(0, 3)).toEqual(chatsIn(adaptive).slice(0, 3))
  expect(messagesIn(full)).toBeGreaterThan(2 * messagesIn(adaptive))
})

test('newest and oldest put the chats in the order of time', async () => {
  const { say, call } = aSearch()
  const ids = [
    say('The lighthouse is old.'),
    say('The lighthouse: lighthouse keepers keep the lighthouse.', 'A lighthouse is a lighthouse.'),
    say('Is there a lighthouse?'),
  ]
  expect(chatsIn(await call({ query: 'lighthouse', sort: 'oldest' }))).toEqual(ids)
  expect(chatsIn(await call({ query: 'lighthouse', sort: 'newest' }))).toEqual(ids.toReversed())
  expect(chatsIn(await call({ query: 'lighthouse' }))).toEqual(
    chatsIn(await call({ query: 'lighthouse', sort: 'best' })),
  )
})

test('limit and window are numbers, and are brought into their range', async () => {
  const { say, lines, call } = aSearch()
  const ids = Array.from({ length: 12 }, () => say(...lines(30), 'The lighthouse.', ...lines(30)))
  const found = async (limit: unknown) => {
    const text = await call({ query: 'lighthouse', limit })
    return [chatsIn(text).length, /^\[limit is a number from 1 to 10: \d+ was used\.\]/.test(text)]
  }
  expect(await found(99)).toEqual([10, true])
  expect(await found(0)).toEqual([1, true])
  expect(await found('abc')).toEqual([3, true])
  expect(await found('4')).toEqual([4, false])
  const around = async (window: unknown) => {
    const text = await call({ session_id: ids[0], around_message_id: 31, window })
    return messagesIn(text)
  }
  expect([await around(50), await around(-1), await around({}), await around('2')]).toEqual([41, 3, 11, 5])
})

test('arguments that do not exist are named', async () => {
  const { say, call } = aSearch()
  say('The lighthouse.')
  expect(await call({ query: 'lighthouse', mode: 'deep', flavour: 3 })).toMatch(
    /^\[There is no argument “mode”, “flavour”\. There are query, limit, .*\.\]\n## The lighthouse/,
  )
})

test('a long chat is its first 20 and its last 10 messages, and says so', async () => {
  const { say, lines, call } = aSearch()
  const [long, short] = [say(...lines(40)), say(...lines(30))]
  const text = await call({ session_id: long })
  expect(messagesIn(text)).toBe(30)
  expect(text).toContain('line 20.\n  …\n  user (31): line 31.')
  expect(text).toMatch(
    /\[30 of 40 messages shown: the first 20 and the last 10\. Read all with page 1 to 2\.\]$/,
  )
  expect(await call({ session_id: short })).toMatch(/line 30\.\n\[30 of 30 messages shown\.\]$/)
})

test('a long chat is read page by page', async () => {
  const { say, lines, call } = aSearch()
  const id = say(...lines(43))
  const [one, two] = [await call({ session_id: id, page: 1 }), await call({ session_id: id, page: '2' })]
  expect(one).toMatch(/line 30\.\n\[30 of 43 messages shown: page 1 of 2\.\]$/)
  expect(two).toMatch(/: line 31\.\n[^]*line 43\.\n\[13 of 43 messages shown: page 2 of 2\.\]$/)
  expect(await call({ session_id: id, page: 3 })).toBe('This chat has 43 messages on 2 pages.')
  expect(await call({ page: 3 })).toContain('[Messages of a chat are read with its session_id.]')
})

test('a message of a child chat that is asked for by its parent comes with a warning', async () => {
  const { store, say, call } = aSearch()
  const [parent, child, other] = [say('Where is it?', 'Here.'), say('And the harbour?', 'There.'), say('No.')]
  const db = new Database(store.path)
  db.prepare('update sessions set parent_session_id = ? where id = ?').run(parent, child)
  db.close()
  expect(await call({ session_id: parent, around_message_id: 3 })).toMatch(
    new RegExp(
      `^\\[Message 3 is not in ${parent}, but in a chat that belongs to it: ${child}\\.\\]\n## And the harbour\\?.*session_id ${child}`,
    ),
  )
  expect(await call({ session_id: child, around_message_id: 3 })).toMatch(/^## And the harbour/)
  expect(await call({ session_id: other, around_message_id: 3 })).toBe(
    'There is no message 3 in this chat. Its last one is 5.',
  )
})

test('what is still in the context of this chat is not read, what a summary replaced is', async () => {
  const { store, current, lines, compact, call } = aSearch()
  const ids = lines(8).map(text => store.messages.append(user(current, text)).id)
  const live = 'This is still in your context: read it above. Only what a summary replaced can be read here.'
  expect(await call({ session_id: current })).toBe(live)
  expect(await call({ session_id: current, around_message_id: ids[3] })).toBe(live)
  compact(current, ids[4]!)
  expect(await call({ session_id: current })).toMatch(/line 5\.\n\[5 of 5 messages shown\.\]$/)
  expect(await call({ session_id: current, around_message_id: ids[3] })).toMatch(
    /line 5\.\n\[5 of 8 messages shown\.\]$/,
  )
  expect(await call({ session_id: current, around_message_id: ids[6] })).toBe(live)
})

test('a recap stands above the messages, and its failure is told', async () => {
  const search = aSearch({ text: ' It stands at the harbour. ' })
  search.say('The lighthouse stands at the harbour.')
  const text = await search.call({ query: 'lighthouse', recap: true })
  expect(text).toMatch(
    /^# Recap, which a model made of the messages below\nIt stands at the harbour\.\n\n## The lighthouse/,
  )
  expect(search.asked[0]).toMatch(/^lighthouse\n\n## The lighthouse stands/)
  await search.call({ query: 'nothingatall', recap: true })
  await search.call({ query: 'lighthouse' })
  expect(search.asked).toHaveLength(1)
  const failing = aSearch()
  const id = failing.say('The lighthouse stands at the harbour.')
  expect(await failing.call({ session_id: id, recap: true })).toMatch(
    /^\[There is no recap: There is no model\.\]\n## The lighthouse/,
  )
})

test('colour codes are neither shown nor in the way of a search', async () => {
  const { say, call } = aSearch()
  const id = say('What does it print?', 'The \u001b[31mlight\u001b[1mhouse\u001b[0m is red.')
  const text = await call({ query: 'lighthouse' })
  expect(chatsIn(text)).toEqual([id])
  expect(text).toContain('→ assistant (2): The lighthouse is red.')
  expect(await call({ session_id: id })).not.toContain('\u001b')
})

test('what was said on another day than the heading names says so', async () => {
  const { store, say, lines, call } = aSearch()
  const id = say('Where is the lighthouse?', 'At the harbour.', ...lines(4))
  const later = (n: number) => START + 3 * DAY + n
  store.messages.append(user(id, 'Yesterday it was painted.', later(0)))
  store.messages.append(assistant(id, 'In red.', { at: later(1) }))
  const headed = (day: number, rest: string) => new RegExp(`^## .*, 2026-01-0${day} \\([^]*${rest}`)
  const first = headed(1, 'user \\(1\\): Where[^]*user \\(7, 2026-01-04\\): Yesterday')
  expect(await call({ query: 'lighthouse', window: 8 })).toMatch(first)
  for (const more of [{}, { page: 1 }, { around_message_id: 2 }])
    expect(await call({ session_id: id, ...more })).toMatch(first)
  const last = headed(4, 'assistant \\(6, 2026-01-01\\): line 4[^]*user \\(7\\): Yesterday')
  expect(await call({ query: 'painted' })).toMatch(last)
  expect(await call({ session_id: id, around_message_id: 7 })).toMatch(last)
})

test('a chat that ran by itself is called that where it is read, too', async () => {
  const { sayIn, say, call } = aSearch()
  const run = sayIn({ origin: 'schedule', originId: 'daily' }, 'Look for aubergines.', 'None today.')
  for (const more of [{}, { page: 1 }, { around_message_id: 2 }])
    expect(await call({ session_id: run, ...more })).toContain(`(session_id ${run}, ran by itself)`)
  const own = say('I like aubergines.')
  expect(await call({ session_id: own })).toContain(`(session_id ${own})`)
})

test('what schedules said comes after what people said, whatever ranks higher, and is found', async () => {
  const { store, sayIn, call } = aSearch()
  const search = async (more: object = {}) => {
    const text = await call({ query: 'aubergines', ...more })
    return { text, chats: chatsIn(text) }
  }
  const runs = Array.from({ length: 12 }, () =>
    sayIn({ origin: 'schedule', originId: 'daily' }, 'aubergines', 'Aubergines, aubergines: none today.'),
  )
  const few = await search({ limit: 3 })
  expect(runs).toEqual(expect.arrayContaining(few.chats))
  expect(few.chats.length, 'only schedules').toBeGreaterThanOrEqual(3)
  expect(few.text).toContain(`(session_id ${few.chats[0]}, ran by itself)`)
  const own = sayIn(
    {},
    'I told you of my garden, with aubergines and many other things that take long to tell.',
  )
  for (const more of [{ limit: 3 }, {}, { detail: 'full' }, { sort: 'newest' }, { sort: 'oldest' }]) {
    const { chats } = await search(more)
    expect(chats[0], JSON.stringify(more)).toBe(own)
    expect(chats.length).toBeGreaterThan(1)
  }
  // A chat of a schedule in which a user writes counts as a user's chat.
  const continued = sayIn({ origin: 'schedule', originId: 'daily' }, 'aubergines', 'Aubergines, aubergines.')
  const { id } = store.runs.start(continued, 'schedule')
  expect((await search()).chats[0]).toBe(own)
  store.runs.end(id, 'done')
  store.runs.start(continued, 'window')
  expect(new Set((await search()).chats.slice(0, 2))).toEqual(new Set([own, continued]))
})

test('chats of sub-agents are neither found nor listed; who knows one reads it', async () => {
  const { store, say, sayIn, call } = aSearch()
  const own = say('Please find out about aubergines.', 'They are found: aubergines like the sun.')
  const origin = 'sub_agent'
  const agents = Array.from({ length: 300 }, () => sayIn({ origin, parentId: own }, 'aubergines'))
  const [first = ''] = agents
  store.sessions.update(first, { title: 'aubergines' })
  const hidden = sayIn({ origin, parentId: own }, 'The zucchini is 日本 strange.')
  const calls = [{ query: 'aubergines' }, { query: '"aubergines"' }, { query: 'aubergine*' }]
  for (const args of [...calls, { query: 'aubergines', since: '2026-01-01' }, {}])
    expect(chatsIn(await call(args))).toEqual([own])
  for (const query of ['zucchini', '日本', 'ucchin'])
    expect(await call({ query })).toMatch(/^Nothing was found/)
  expect(await call({ session_id: hidden })).toContain('The zucchini is')
})
