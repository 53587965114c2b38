import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aStore } from '../../../../testing/db/a-store.ts'
import { isChatGpt, readChatGpt } from './chatgpt.ts'
import { readClaude } from './claude.ts'
import { orderTree } from './order-tree.ts'

/** A conversation of some export, its path's texts, the number of messages, and what is left out. */
const OddExport = z.strictObject({
  name: z.string(),
  value: z.looseObject({}),
  path: z.array(z.string()),
  all: z.number(),
  models: z.array(z.string()).optional(),
  skips: z.array(z.string()),
})

const cases = readFileSync(new URL('odd-exports.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => OddExport.parse(JSON.parse(line)))

const settings = { modelId: 'builtin', workspace: '/desk', approval: 'ask' } as const

test.for(cases)('$name', ({ value, path, all, models, skips }) => {
  using store = aStore()
  const read = isChatGpt(value)
    ? readChatGpt(value, 'k', 1_800_000_000_000)
    : readClaude(value, 'k', 1_800_000_000_000)
  const [id = ''] = store.imports.add([{ ...settings, ...read.chat! }])
  const { messages } = store.messages.page(id, { limit: 100 })
  expect(messages.map(each => each.text)).toEqual(path)
  expect(store.sessions.get(id)?.messageCount).toBe(all)
  expect(read.skips.map(({ what, count }) => `${count} ${what}`)).toEqual(skips)
  if (models) expect(messages.map(each => ('model' in each ? each.model : ''))).toEqual(models)
})

test('a tree in parts becomes the same chat, and its branches can be gone to', () => {
  using store = aStore()
  const edited = cases.find(({ name }) => name === 'Claude: three answers, then on')!
  const chat = { ...settings, ...readClaude(edited.value, 'k', 1_800_000_000_000).chat! }
  const id = store.imports.begin({ ...chat, messages: chat.messages.slice(0, 2) })!
  for (const message of chat.messages.slice(2)) store.imports.extend(id, [message])
  store.imports.finish(id, chat)
  const texts = () => store.messages.page(id, { limit: 100 }).messages.map(each => each.text)
  expect(texts()).toEqual(edited.path)
  const beside = store.branches.list(id, 10).filter(({ isOnPath }) => !isOnPath)
  expect(beside.map(({ text }) => text)).toEqual(['A1', 'A1b'])
  store.branches.goTo(id, beside[0]!.id)
  expect(texts()).toEqual(['Q1', 'A1'])
})

test('a very deep and a very wide tree are ordered', () => {
  const deep = Array.from({ length: 200_000 }, (_, at) => ({ id: `${at}`, parent: `${at - 1}`, at }))
  const wide = Array.from({ length: 200_000 }, (_, at) => ({
    id: `${at}`,
    parent: at === 0 ? null : '0',
    at,
  }))
  expect(
    orderTree(deep, null).every(({ index, after }, place) => index === place && after === undefined),
  ).toBe(true)
  expect(orderTree(wide, '7').at(-1)).toEqual({ index: 7, after: 0 })
})
