import { join } from 'node:path'
import Database from 'better-sqlite3'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { searchHere } from '../../../../testing/chats/search-here.ts'
import { aChat, assistant, aStore, toolResult, user } from '../../../../testing/db/a-store.ts'
import type { Store } from '../../db/store.ts'
import type { RecallQuestion } from './recall.ts'

/** A store with one chat per list of texts; roles alternate, starting with the user. */
function aLibrary(...chats: readonly (readonly string[])[]) {
  const store = aStore()
  const ids = chats.map(texts => {
    const { id } = aChat(store)
    texts.forEach((text, n) => store.messages.append(n % 2 === 0 ? user(id, text) : assistant(id, text)))
    return id
  })
  return Object.assign(store, { ids })
}

function ask(store: Store, question: string | RecallQuestion) {
  const { messages, chats, everyday } = searchHere(store).recall(
    typeof question === 'string' ? { query: question } : question,
  )
  const texts = messages.map(({ id }) => store.recall.around(id, 0)[0]?.text ?? '')
  return { texts, chats: chats.map(chat => chat.chatId), best: chats.map(chat => chat.best), everyday }
}

const OFFICE = [
  'How do I connect to the databases of the office?',
  'Use psql with the host db.internal.example and your e-mail address.',
  'And the port?',
  'It is 5433, because of error E-1042 in version 3.22.1.',
]
const TRAVEL = [
  'We went camping at the lake.',
  'Lovely! Did Tom come too?',
  '私は日本語を話します。東京に住んでいます。',
  '猫が好き',
]

test.for([
  ['database', OFFICE[0]],
  ['Which host do we use?', OFFICE[1]],
  ['camped', TRAVEL[0]],
  ['db.internal.example', OFFICE[1]],
  ['E-1042', OFFICE[3]],
  ['3.22', OFFICE[3]],
  ['日本語', TRAVEL[2]],
  ['東京', TRAVEL[2]],
  ['猫', TRAVEL[3]],
  ['"with the host"', OFFICE[1]],
  ['psql OR mysql', OFFICE[1]],
  ['conn* AND office', OFFICE[0]],
  ['what is it', OFFICE[3]],
] as const)('%j finds %j first', ([query, expected]) => {
  using store = aLibrary(OFFICE, TRAVEL)
  expect(ask(store, query).texts[0]).toBe(expected)
})

test.for(['', '   ', '"', 'xyzzy', '日曜', '🚀'])('%j finds nothing', query => {
  using store = aLibrary(OFFICE, TRAVEL)
  expect(ask(store, query)).toEqual({ texts: [], chats: [], best: [], everyday: false })
})

test('symbols that the index does not know are found literally', () => {
  using store = aLibrary(['Deploy on Friday? 🚀'])
  expect(ask(store, '🚀').texts).toEqual(['Deploy on Friday? 🚀'])
})

test('when only the common words of a question occur, the answer says so', () => {
  using store = aLibrary(OFFICE)
  expect(ask(store, 'Who is the xyzzy?')).toMatchObject({ chats: store.ids, everyday: true })
  expect(ask(store, 'Who is the port?')).toMatchObject({ everyday: false })
})

test('an empty store finds nothing', () => {
  using store = aStore()
  expect(ask(store, 'hello').texts).toEqual([])
})

test('an exact expression with enough results is used alone, one with few precedes the word search', () => {
  const many = Array.from({ length: 8 }, (_, n) => `apple pie number ${n}`)
  using store = aLibrary([...many, 'apple juice', 'a pie of pears'])
  expect(ask(store, 'apple AND pie').texts.toSorted()).toEqual(many)
  expect(ask(store, 'apple NOT pie').texts[0]).toBe('apple juice')
  expect(ask(store, '"pie of pears" apple').texts[0]).toBe('a pie of pears')
  expect(ask(store, 'pears AND juice').texts.length).toBeGreaterThan(0)
})

test('a chat is found by words spread over several messages', () => {
  using store = aLibrary(
    ['The garden is green.', 'Roses need water.', 'Fertiliser too.'],
    ['roses are red'],
    ['no garden here'],
  )
  expect(ask(store, 'garden roses fertiliser').chats[0]).toBe(store.ids[0])
})

test('the current chat is left out, except for what has left its context', () => {
  using store = aLibrary(['the plan is blue', 'ok'], ['the plan is red'])
  const [current, other] = store.ids
  expect(ask(store, { query: 'plan', current }).chats).toEqual([other])
  for (let n = 0; n < 6; n++) store.messages.append(user(current!, 'the plan AND the colour'))
  expect(ask(store, { query: 'plan AND colour', current }).chats).toEqual([other])
  const [blue] = store.messages.page(current!, { limit: 9 }).messages
  const figures = {
    at: 1,
    prunedToId: 0,
    questionId: 0,
    focus: '',
    tokensBefore: 2,
    tokensAfter: 1,
    useless: 0,
    modelId: '',
    byHand: false,
  }
  const summary = { headId: 0, upToId: blue!.id, summary: 'A plan.', by: 'local' } as const
  store.compactions.add({ sessionId: current!, ...summary, ...figures })
  expect(ask(store, { query: 'plan', current }).chats.toSorted()).toEqual(store.ids.toSorted())
  expect(ask(store, { query: 'plan', current }).texts).not.toContain('ok')
})

test('a chat and its continuation count as one', () => {
  using store = aLibrary(['the plan is blue'], ['the plan is red'], ['unrelated'])
  const [root, child] = store.ids
  const db = new Database(join(store.home, 'state.db'))
  db.prepare('update sessions set parent_session_id = ? where id = ?').run(root, child)
  db.close()
  const found = ask(store, 'plan')
  expect([found.chats, found.texts.length, found.best[0]?.length]).toEqual([[root], 2, 2])
})

test('a removed chat is not found until it is restored', () => {
  using store = aLibrary(OFFICE, TRAVEL)
  store.sessions.remove(store.ids[0]!)
  expect(ask(store, 'databases').chats).toEqual([])
  store.sessions.restore(store.ids[0]!)
  expect(ask(store, 'databases').chats).toEqual([store.ids[0]])
})

test('a chat is found by the title that the user gave it', () => {
  using store = aLibrary(OFFICE, TRAVEL)
  store.sessions.update(store.ids[1]!, { title: 'Summer holidays' })
  expect(ask(store, 'holiday').chats).toEqual([store.ids[1]])
})

test('messages from the day asked for come first', () => {
  using store = aStore()
  const days = [3, 4, 5].map(day => {
    const { id } = aChat(store)
    store.messages.append(user(id, 'we spoke of the budget', new Date(2024, 2, day, 10).getTime()))
    return id
  })
  expect(ask(store, 'What did we say about the budget on 4 March 2024?').chats[0]).toBe(days[1])
  expect(ask(store, 'What happened on 2024-03-05?').chats[0]).toBe(days[2])
})

test('filters exclude everything else', () => {
  using store = aStore()
  const { id } = aChat(store)
  store.messages.append(user(id, 'apples', 1_000))
  store.messages.append(assistant(id, 'apples are here', { at: 2_000 }))
  store.messages.append({ ...toolResult(id, 'apples in a file'), at: 3_000 })
  const texts = (filter: object) => ask(store, { query: 'apples', ...filter }).texts
  expect(texts({ role: 'tool' })).toEqual(['apples in a file'])
  expect(texts({ from: 1_500, to: 2_500 })).toEqual(['apples are here'])
  expect(texts({ origin: 'terminal' })).toEqual([])
  expect(texts({})).toHaveLength(3)
  expect(texts({}).at(-1)).toBe('apples in a file')
})

test('a word being typed matches as a prefix', () => {
  using store = aLibrary(['apple tart'], ['databases'])
  expect(ask(store, { query: 'tart databa', typing: true }).texts.toSorted()).toEqual([
    'apple tart',
    'databases',
  ])
  expect(ask(store, { query: 'tart databa' }).texts).toEqual(['apple tart'])
})

const PIECES =
  '" * ( ) AND OR NOT NEAR( NEAR/3 content: ^ - + { } : \' ; -- % _ \\ \0 日本 日 🚀 \ud800 \udc00 \u0301 ? . , a apple pie* "red 2024-03-05 last\u00a0week foo_bar и ﬁ ß İ ก็ 한국 \u202e \n'
    .split(' ')
    .concat(' ', '  ')

test('unusual questions get an answer', () => {
  using store = aLibrary(OFFICE, TRAVEL, ['apple pie 🚀', 'foo_bar 한국어'])
  const { recall } = searchHere(store)
  const odd = fc.oneof(
    {
      weight: 20,
      arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map(each => each.join(' ')),
    },
    {
      weight: 10,
      arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map(each => each.join('')),
    },
    { weight: 10, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  )
  fc.assert(
    fc.property(odd, fc.boolean(), (query, typing) => {
      recall({ query, typing })
    }),
    { numRuns: 2_000 },
  )
  for (const piece of PIECES) recall({ query: piece.repeat(Math.ceil(100_000 / piece.length)) })
})

test('a prefix behind a hyphen stays a prefix', () => {
  using store = aLibrary(
    ['The function chat-sender is new.'],
    ['To chat, send a letter.', 'A chat sendoff.'],
    ['Send it, then chat.'],
  )
  const { chats, best } = ask(store, 'chat-send*')
  expect(new Set(chats)).toEqual(new Set(store.ids.slice(0, 2)))
  expect(best.flat().length).toBe(3)
  expect(ask(store, 'chat-sen* AND function').texts[0]).toBe('The function chat-sender is new.')
})

test.for(['summer holidays', '“Summer Holidays”', '"summer holidays"'])(
  'a chat whose title is %s comes first, however often others say it',
  query => {
    using store = aLibrary(
      ['Summer holidays, summer holidays!', 'Summer holidays: the summer holidays of the summer.'],
      ['Where do we go?', 'To the lake.'],
    )
    const [other, named] = store.ids
    store.sessions.update(named!, { title: 'Summer holidays' })
    expect(ask(store, query).chats).toEqual([named, other])
    expect(ask(store, { query, current: named }).chats).toEqual([other])
    expect(ask(store, { query, role: 'user' }).chats).toEqual([other])
  },
)

test('words with punctuation are found as they stand in the text', () => {
  using store = aLibrary(
    ['Ticket #123 changes src/main.py, ok?', "You don't give 50% to a@b.com for $5, so a,b it is."],
    ['Something else.'],
  )
  for (const query of ['#123', 'src/main.py', "don't", '50%', 'a@b.com', 'ok?', '$5', 'a,b'])
    expect(ask(store, query).chats, query).toEqual([store.ids[0]])
})

test('any mark between two words is a query', () => {
  using store = aLibrary(['issue about the main branch'])
  for (const mark of '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~')
    for (const query of [`issue${mark}main`, `issue ${mark} main`])
      expect(ask(store, query).chats, query).toEqual(store.ids)
})

test('Japanese words are found by three letters, two of two letters by either, and a Latin word beside them', () => {
  using store = aLibrary(['日本語の話'], ['作業は完了です'], ['Rust言語とは'], ['猫が好き'])
  const [one, two, three, four] = store.ids
  expect(ask(store, '日本語').chats).toEqual([one])
  expect(new Set(ask(store, '日本 OR 完了').chats)).toEqual(new Set([one, two]))
  expect(ask(store, 'Rust').chats).toEqual([three])
  expect(ask(store, '猫').chats).toEqual([four])
})

test('a percent sign is a letter and no wildcard', () => {
  using store = aLibrary(['100%完了です'], ['100点完了です'])
  expect(ask(store, '%').chats).toEqual([store.ids[0]])
  expect(ask(store, '100%完了').chats[0]).toBe(store.ids[0])
})

test('messages on a branch that was left are found with their own neighbours, also from their chat', () => {
  using store = aLibrary(['good morning', 'the plan is blue', 'so it is'], ['a word about tea'])
  const [chat] = store.ids as [string]
  const [first, plan, answer] = store.messages.page(chat, { limit: 3 }).messages.map(({ id }) => id)
  store.branches.putBeside(plan!, { role: 'user', sessionId: chat, at: 1, text: 'something else' })
  expect(ask(store, 'plan').chats).toEqual([chat])
  const found = store.recall.around(plan!, 3)
  expect(found.map(({ id, elsewhere }) => [id, elsewhere])).toEqual([
    [first, false],
    [plan, true],
    [answer, true],
  ])
  expect(store.recall.windows([plan!], 1).map(({ id }) => id)).toEqual([first, plan, answer])
  expect(ask(store, { query: 'plan', current: chat }).chats).toEqual([chat])
  expect(ask(store, { query: 'else', current: chat }).chats).toEqual([])
})

test('a summary is no message: it is neither found nor shown', () => {
  using store = aLibrary(['the plan is blue', 'ok', 'go on'])
  const [sessionId] = store.ids as [string]
  store.compactions.add({
    sessionId,
    at: 1,
    headId: 0,
    upToId: 2,
    prunedToId: 2,
    questionId: 0,
    summary: '## Goal\n- xyzzy',
    by: 'model',
    focus: '',
    tokensBefore: 2,
    tokensAfter: 1,
    useless: 0,
    modelId: '',
    byHand: false,
  })
  expect(ask(store, 'xyzzy').chats).toEqual([])
  expect(store.recall.ends(sessionId, 1).map(message => message.text)).toEqual(['the plan is blue', 'go on'])
})
