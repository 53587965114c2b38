import { expect, test } from 'vitest'
import type { EngineFailure } from '../models/engine.ts'
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

test('a turn that outgrows the window by its results says so once', async () => {
  const readLong = (at: number) => ({
    call: { name: 'read_file', arguments: { path: `${at}`.repeat(1_500) } },
  })
  const told = await aTurn({
    contextTokens: 2_048,
    replies: [...Array.from({ length: 9 }, (_, at) => [readLong(at)]), 'Done.'],
  })
  const lefts = fullOf(told).map(event => event.leftOut)
  expect(lefts.length).toBeGreaterThan(0)
  expect(new Set(lefts)).toEqual(new Set(['results']))
  expect(told.events.filter(event => event.type === 'warning')).toHaveLength(1)
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
