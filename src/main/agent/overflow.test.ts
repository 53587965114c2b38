import { expect, test } from 'vitest'
import type { EngineFailure } from '../models/interface/engine.ts'
import { requestBody } from '../models/engines/openai/openai-request.ts'
import type { Step } from '../../../testing/models/scripted.ts'
import { aTurn, inShort, talkOf } from '../../../testing/agent/a-turn.ts'

const tooLong = (tokens?: EngineFailure['tokens']): Step => ({
  fail: { code: 'context_full', text: 'Too long.', fix: 'Start a new chat.', ...(tokens && { tokens }) },
})
const fullOf = ({ events }: Awaited<ReturnType<typeof aTurn>>) =>
  events.flatMap(event => (event.type === 'context_full' ? [event] : []))

test('a chat that outgrows the window emits an event with the tokens needed and what is left out', async () => {
  const told = await aTurn({ contextTokens: 2_048, before: talkOf(40), replies: ['Answer.'] })
  expect(fullOf(told)).toEqual([
    { type: 'context_full', neededTokens: expect.any(Number), contextTokens: 2_048, leftOut: 'turns' },
  ])
  expect(fullOf(told)[0]!.neededTokens).toBeGreaterThan(2_048)
  expect(told.events.map(event => event.type).slice(0, 2)).toEqual(['context_full', 'warning'])
})

test('a chat that fits emits no overflow event', async () => {
  expect(fullOf(await aTurn({ before: talkOf(3), replies: ['Answer.'] }))).toEqual([])
})

test('a turn that outgrows the window says once that it is shortened, and once that steps are left out', async () => {
  const readLong = (at: number) => ({
    call: { name: 'read_file', arguments: { path: `${at}`.repeat(1_500) } },
  })
  const told = await aTurn({
    contextTokens: 2_048,
    replies: [...Array.from({ length: 9 }, (_, at) => [readLong(at)]), 'Done.'],
  })
  const lefts = fullOf(told).map(event => event.leftOut)
  expect(lefts.length).toBeGreaterThan(0)
  expect(new Set(lefts)).toEqual(new Set(['results', 'steps']))
  expect(told.events.filter(event => event.type === 'warning').map(({ text }) => text)).toEqual([
    expect.stringMatching(/beginning of older tool results/),
    expect.stringMatching(/of its older steps .* a list/),
  ])
})

test('the event reports the engine’s count', async () => {
  const told = await aTurn({
    before: talkOf(10),
    replies: [[tooLong({ needed: 9_000, holds: 4_096 })], 'Now it fits.'],
  })
  expect([told.reason, fullOf(told)]).toEqual([
    'done',
    [{ type: 'context_full', neededTokens: 9_000, contextTokens: 4_096, leftOut: 'turns' }],
  ])
})

test('a message that is too long by itself ends the turn with its length and what to do', async () => {
  const told = await aTurn({
    contextTokens: 2_048,
    question: 'Many words. '.repeat(2_000),
    replies: [[tooLong()]],
  })
  expect([told.reason, told.prompts.length]).toEqual(['failed', 1])
  const [full, error] = told.events.slice(-2)
  expect(full).toMatchObject({ type: 'context_full', contextTokens: 2_048, leftOut: 'nothing' })
  expect(error).toMatchObject({
    type: 'error',
    text: expect.stringMatching(/^This message is about [\d,]+ tokens long, .*; the model holds 2,048\.$/),
    fix: expect.stringMatching(/^Send it in parts/),
  })
  expect(
    Number(/about ([\d,]+)/.exec((error as { text: string }).text)![1]!.replace(',', '')),
  ).toBeGreaterThan(4_000)
})

test('a turn that is too long even with short results says that it is the turn', async () => {
  const told = await aTurn({
    replies: [
      [{ call: { name: 'read_file', arguments: { path: 'a' } } }],
      [tooLong({ needed: 9_300, holds: 4_096 })],
    ],
  })
  expect(told.events.at(-1)).toMatchObject({
    text: expect.stringMatching(/^This turn has become about 9,\d00 tokens long, .* holds 4,096\.$/),
  })
})

test('if our figures show no overflow, the engine’s message is kept', async () => {
  const told = await aTurn({ replies: [[tooLong()]] })
  expect(fullOf(told)).toMatchObject([{ leftOut: 'nothing', contextTokens: 8_192 }])
  expect(told.events.at(-1)).toEqual({ type: 'error', text: 'Too long.', fix: 'Start a new chat.' })
})

test('a window that fills up during an answer keeps the text and does not report it again', async () => {
  const told = await aTurn({ before: talkOf(5), replies: [['Half an ans', tooLong()], 'never asked'] })
  expect([told.reason, told.prompts.length]).toEqual(['failed', 1])
  expect(inShort(told.messages).at(-1)).toBe('assistant (interrupted): Half an ans')
})

const page = (at: number): Step => ({
  call: { name: 'write_file', arguments: { path: `${at}.md`, content: `${at} many words. `.repeat(180) } },
})

test('a turn that no shortening saves says that what was done is kept, and going on in the same chat works', async () => {
  const pages = Array.from({ length: 3 }, (_, at): Step[] => [page(at)])
  const full = tooLong({ needed: 9_300, holds: 8_192 })
  const told = await aTurn({ approval: 'full', replies: [...pages, [full], [full], [full]] })
  expect(told.reason).toBe('failed')
  expect(told.events.at(-1)).toMatchObject({
    type: 'error',
    text: expect.stringMatching(/^This turn has become about 9,\d00 tokens long/),
    fix: 'What was done so far is kept. Write “go on” in this chat, and it goes on from there.',
  })
  const before = told.messages.map(({ id: _id, ...message }) => message)
  const again = await aTurn({
    approval: 'full',
    before,
    question: 'go on',
    replies: [[page(4)], 'All done.'],
  })
  expect([again.reason, again.trace]).toEqual(['done', ['write 4.md']])
  expect(again.prompts[0]!.messages.at(-1)!.text).toMatch(/go on$/)
})

test('where the instructions alone fill the window, going on needs a larger model, and that is said', async () => {
  const told = await aTurn({
    replies: [[page(1)], ...Array.from({ length: 3 }, () => [tooLong({ needed: 90, holds: 40 })])],
    approval: 'full',
  })
  expect(told.events.at(-1)).toMatchObject({ fix: expect.stringMatching(/larger context for this chat/) })
})

test('a long call that was cut is asked for once more with less before it, and runs', async () => {
  const pages = Array.from({ length: 3 }, (_, at): Step[] => [page(at)])
  const told = await aTurn({
    approval: 'full',
    replies: [...pages, [{ stop: 'length' }], [page(3)], 'Done.'],
  })
  expect([told.reason, told.trace.length]).toEqual(['done', 4])
  const sizes = told.prompts.map(
    ({ messages }) =>
      JSON.stringify(requestBody({ model: 'm' }, { sessionId: 's', messages, tools: [] }, new Set())).length,
  )
  expect(sizes[4]).toBeLessThan(sizes[3]! * 0.75)
  expect(told.events.filter(event => event.type === 'warning').map(({ text }) => text)).not.toContain(
    expect.stringMatching(/was cut/),
  )
})

test('a call that is cut again ends the turn with a way on', async () => {
  const told = await aTurn({
    approval: 'full',
    replies: [[page(0)], [{ stop: 'length' }], [{ stop: 'length' }]],
  })
  expect(told.reason).toBe('done')
  expect(told.events.findLast(event => event.type === 'warning')).toMatchObject({
    text: expect.stringMatching(/What was done is kept\. Write “go on”/),
  })
})

test('a call that was cut within its text is answered, and the next request leaves it more room', async () => {
  const pages = Array.from({ length: 3 }, (_, at): Step[] => [page(at)])
  const cut = [
    '<tool_call>\n{"name": "write_file", "arguments": {"path": "3.md", "content": "3 many',
    { stop: 'length' },
  ] as const
  const told = await aTurn({
    strategy: 'text',
    approval: 'full',
    replies: [...pages, cut, [page(3)], 'Done.'],
  })
  expect([told.reason, told.trace.length]).toEqual(['done', 4])
  const sizes = told.prompts.map(({ messages }) => messages.reduce((sum, { text }) => sum + text.length, 0))
  expect(sizes[4]).toBeLessThan(sizes[3]! * 0.75)
  expect(told.events.filter(event => event.type === 'warning').map(({ text }) => text)).toEqual([
    expect.stringMatching(/beginning of older tool results/),
  ])
})
