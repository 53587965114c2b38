import { expect, test } from 'vitest'
import { aChat, assistant, aStore, toolResult, user } from '../../../../testing/db/a-store.ts'
import { findInChat } from './find-in-chat.ts'
import { textOfMarkdown } from './text-of-markdown.ts'
import { runToEnd } from '../../lib/timing.ts'

function aLongChat() {
  const store = aStore()
  const { id } = aChat(store)
  store.messages.append(user(id, 'Where is the Gärten list? GÄRTEN!'))
  store.messages.append(assistant(id, 'The **gärten** list [is here](https://gärten.example).'))
  store.messages.append(toolResult(id, 'gärten.txt'))
  store.messages.append(assistant(id, 'It costs (3+4) € in total.\nTwo\n  lines.'))
  const find = (query: string, tools = false) => findInChat({ store }, id, query, tools)
  return Object.assign(store, { chatId: id, find })
}

test.for([
  ['gärten', false, [2, 1], 3],
  ['gärten', true, [2, 1, 1], 4],
  ['gärten list', false, [1, 1], 2],
  ['(3+4)', false, [1], 1],
  ['two lines.', false, [1], 1],
  ['.*', false, [], 0],
  ['example', false, [], 0],
] as const)(
  '“%s” (with results of tools: %s) is counted in each message: %j',
  ([query, tools, counts, total]) => {
    using store = aLongChat()
    const findings = store.find(query, tools)
    expect([findings.found.map(({ count }) => count), findings.total, findings.more]).toEqual([
      counts,
      total,
      false,
    ])
  },
)

test.for([
  ['strasse', 'Die STRASSE und die Straße', 2],
  ['Straße', 'Strasse', 1],
  ['gruen', 'Grün, gru\u0308n, GRUEN, grun', 3],
  ['grün', 'Gruen', 1],
  ['Tromsoe', 'Tromsø', 1],
  ['Aarhus', 'Århus', 1],
  ['blue', 'blue blu', 1],
  ['a.ß', 'a.ss axss', 1],
] as const)('“%s” is found in “%s” however it is written', ([query, text, count]) => {
  using store = aStore()
  const { id } = aChat(store)
  store.messages.append(user(id, text))
  expect(findInChat({ store }, id, query, false).total).toBe(count)
})

test('only the path of the chat is searched, and many thousand finds are bounded', () => {
  using store = aLongChat()
  for (let n = 0; n < 3; n++) store.messages.append(user(store.chatId, 'x'.repeat(9_000)))
  const { total, more } = store.find('x')
  expect([total, more]).toEqual([20_000, true])
  store.branches.endAt(store.chatId, 4)
  expect(store.find('x').total).toBe(0)
})

test.for([
  ['a **bold** and *slanted* __word__', 'a bold and slanted word'],
  ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
  ['## Title\n> quoted `**code**`', 'Title\nquoted **code**'],
  ['```js\nlet a = **b**\n```\nend', 'let a = **b**\nend'],
  ['a ![picture](x.png "its title") \\*here\\*', 'a picture *here*'],
] as const)('%j is shown as %j', ([given, shown]) => {
  expect(textOfMarkdown(given)).toBe(shown)
})

test('texts of nothing but marks are read in few steps, and stay', () => {
  for (const sign of ['[a', '*a ', '*_word ', '![[', '`'.repeat(9), '[a](b ', '**_'])
    expect(textOfMarkdown(`x${sign.repeat(30_000)}`).length).toBeGreaterThan(20_000)
})

test('the newest questions of a long chat come in order', () => {
  using store = aStore()
  const { id } = aChat(store)
  for (let n = 1; n <= 450; n++) store.messages.append(user(id, `Question ${n}`))
  const told = (most: number) => runToEnd(store.turns.turnSteps(id, most)).map(({ text }) => text)
  const asked = Array.from({ length: 450 }, (_, at) => `Question ${at + 1}`)
  expect(told(20_000)).toEqual(asked)
  expect(told(401)).toEqual(asked.slice(-401))
})

test('the turns are the questions of the path, and a recap says where it was left', () => {
  using store = aStore(() => 1_900_000_000_000)
  const { id } = aChat(store)
  store.messages.append(user(id, 'Make a\nlist', 1_800_000_000_000))
  const call = { id: 'call-1', name: 'write_file', arguments: { path: 'list.md', content: '-' } }
  store.messages.append(assistant(id, '', { calls: [call] }))
  store.messages.append({ ...toolResult(id, 'Written.'), name: 'write_file', callId: 'call-1' })
  expect(store.turns.recap(id)).toMatchObject({ seenAt: null, unreadId: null })
  store.turns.see(id, 3, 1_850_000_000_000)
  store.messages.append(assistant(id, 'The list **is** there.'))
  expect(runToEnd(store.turns.turnSteps(id, 9))).toEqual([
    { messageId: 1, at: 1_800_000_000_000, text: 'Make a list' },
  ])
  expect(store.turns.recap(id)).toEqual({
    seenAt: 1_850_000_000_000,
    question: { messageId: 1, at: 1_800_000_000_000, text: 'Make a list' },
    answer: { messageId: 4, text: 'The list **is** there.' },
    files: ['list.md'],
    unreadId: 4,
  })
  store.turns.see(id, 4, 1_850_000_000_001)
  store.turns.see(id, 2, 1_850_000_000_002)
  expect(store.turns.recap(id)?.unreadId).toBeNull()
  expect(store.turns.recap('chat_none')).toBeUndefined()
})
