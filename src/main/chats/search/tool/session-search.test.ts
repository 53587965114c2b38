import { expect, test } from 'vitest'
import { searchHere } from '../../../../../testing/chats/search-here.ts'
import { aChat, assistant, aStore, user } from '../../../../../testing/db/a-store.ts'
import { aWorkspace, said } from '../../../../../testing/tools/a-workspace.ts'
import { sessionSearchTool } from './session-search-tool.ts'

const askRecap = async () => ({ refused: 'No model is asked here.' })

/** Two chats a month apart; the workspace calls the tool in a chat named “chat”. */
function aLibrary() {
  const store = aStore()
  const say = (month: number, ...texts: readonly string[]) => {
    const { id } = aChat(store)
    const at = new Date(2026, month, 15, 12).getTime()
    texts.forEach((text, n) =>
      store.messages.append(n % 2 === 0 ? user(id, text, at) : assistant(id, text, { at })),
    )
    return id
  }
  const spring = say(3, 'Which database shall we use?', 'We decided on SQLite.')
  const summer = say(6, 'Is the database fast?', 'Yes, SQLite is.')
  const tool = sessionSearchTool({ ...searchHere(store), askRecap })
  const workspace = aWorkspace()
  const call = async (args: Record<string, unknown>) => said(await workspace.call(tool, args))
  return Object.assign(store, { spring, summer, tool, workspace, call })
}

test('it finds passages, with what is needed to read on', async () => {
  using store = aLibrary()
  const text = await store.call({ query: 'What did we decide about the database?' })
  expect(text).toContain(`## Which database shall we use?, 2026-04-15 (session_id ${store.spring})`)
  expect(text).toContain('assistant (2): We decided on SQLite.')
})

test('an archived chat is found, read and listed as such', async () => {
  using store = aLibrary()
  store.sessions.update(store.spring, { archived: true })
  const head = `## Which database shall we use?, 2026-04-15 (session_id ${store.spring}, archived)`
  expect(await store.call({ query: 'What did we decide about the database?' })).toContain(head)
  expect(await store.call({ session_id: store.spring })).toContain(`${store.spring}, archived)`)
  expect(await store.call({})).toContain(`(session_id ${store.spring}, 2 messages, archived): `)
})

test.for([
  [{ since: '2026-05-01' }, ['summer']],
  [{ until: '2026-05-01' }, ['spring']],
  [{ since: '2026-04-15', until: '2026-04-15' }, ['spring']],
  [{ role: 'assistant' }, []],
  [{}, ['spring', 'summer']],
] as const)('with %j it finds %j', async ([filter, expected]) => {
  using store = aLibrary()
  const text = await store.call({ query: 'database', ...filter })
  expect((['spring', 'summer'] as const).filter(name => text.includes(store[name]))).toEqual(expected)
})

test('one chat is read around a message, or at its beginning and end', async () => {
  using store = aLibrary()
  for (let n = 0; n < 40; n++) store.messages.append(user(store.spring, `more ${n}`))
  expect(await store.call({ session_id: store.spring, around_message_id: 2 })).toMatch(
    /→ assistant \(2\): We decided.*more 4\n\[7 of 42 messages shown\.\]$/s,
  )
  const whole = await store.call({ session_id: store.spring })
  expect([whole.includes('more 39'), whole.includes('more 25')]).toEqual([true, false])
})

test('what cannot be read is reported, with what to do instead', async () => {
  using store = aLibrary()
  expect(await store.call({ session_id: 'chat_none' })).toBe(
    'There is no chat chat_none. Search for it with query.',
  )
  expect(await store.call({ session_id: store.spring, around_message_id: 3 })).toBe(
    'There is no message 3 in this chat. Its last one is 2.',
  )
  store.sessions.remove(store.spring)
  expect(await store.call({ session_id: store.spring })).toMatch(/^There is no chat/)
})

test('without arguments it lists the latest chats', async () => {
  using store = aLibrary()
  expect((await store.call({})).split('\n')).toEqual([
    expect.stringMatching(
      /^- \d{4}-\d\d-\d\d Is the database fast\? \(session_id .*, 2 messages\): Yes, SQLite is\.$/,
    ),
    expect.stringContaining(store.spring),
  ])
  using empty = aStore()
  const tool = sessionSearchTool({ ...searchHere(empty), askRecap })
  expect(said(await store.workspace.call(tool, { query: ' ' }))).toBe('There are no earlier chats.')
})

test.for(
  'earlier|before|last time|previous chat|What did we talk about last time?|our old chats|früher|letztes Mal|Was haben wir zuletzt gesagt?|unsere früheren Gespräche'.split(
    '|',
  ),
)('“%s” tells nothing to search for, so the latest chats are listed', async query => {
  using store = aLibrary()
  expect(await store.call({ query })).toBe(await store.call({}))
})

test.for([
  { query: 'database before' },
  { query: 'last time SQLite' },
  { query: 'earlier', since: '2026-05-01' },
  { query: '?' },
])('%j is searched for', async asked => {
  using store = aLibrary()
  expect(await store.call(asked)).not.toBe(await store.call({}))
})

test('its intent is readable by people', async () => {
  using store = aLibrary()
  const titles = [{ query: 'SQLite' }, { session_id: 'chat_a' }, {}].map(async args => {
    const intent = await store.workspace.intent(store.tool, args)
    return 'title' in intent && intent.title
  })
  expect(await Promise.all(titles)).toEqual([
    'Search earlier chats for “SQLite”',
    'Read an earlier chat',
    'List earlier chats',
  ])
})

test('the list leaves out the chat that asks', async () => {
  using store = aLibrary()
  const result = store.tool.run(
    {},
    {
      workspace: '/desk',
      home: store.home,
      sessionId: store.summer,
      askedId: 1,
      access: 'unconfined',
      signal: new AbortController().signal,
      output: () => undefined,
    },
  )
  const text = said(await result)
  expect([text.includes(store.spring), text.includes(store.summer)]).toEqual([true, false])
})
