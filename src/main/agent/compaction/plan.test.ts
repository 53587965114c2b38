import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCases } from '../../../../testing/count-cases.ts'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import { isLegal } from '../../../../testing/agent/a-turn.ts'
import { aHistory, after, leftBy } from '../../../../testing/agent/a-history.ts'
import { withCompaction } from './apply-compaction.ts'
import { planCompaction, tailTokens } from './plan.ts'

const cost = (message: Message) => message.text.length + 10
const costOf = (messages: readonly Message[]) => messages.reduce((sum, message) => sum + cost(message), 0)
const aWindow = fc.integer({ min: 500, max: 20_000 })
const optionsFor = (contextTokens: number) => ({
  contextTokens,
  cost,
  firstMessages: 3,
  tail: tailTokens(contextTokens, 20_000),
})

/** Apply a plan: what the model reads now, and the input of the next pass. */
const carriedOut = (
  messages: readonly Message[],
  plan: { headId: number; upToId: number; questionId: number },
) =>
  withCompaction(leftBy(messages, plan), {
    ...plan,
    at: 0,
    prunedToId: plan.upToId,
    summary: '## Done\n- something',
  })

test('for any history the newest question, the newest message and each call with its result stay', () => {
  fc.assert(
    fc.property(aHistory, aWindow, (messages, contextTokens) => {
      const plan = planCompaction(messages, optionsFor(contextTokens))
      fc.pre(plan.middle.length > 0)
      const sent = carriedOut(messages, plan)
      expect(isLegal(sent)).toBe(true)
      const asked = messages.findLast(message => message.role === 'user')!
      expect(sent).toContainEqual(asked)
      expect(sent.at(-1)).toEqual(messages.at(-1))
    }),
    { numRuns: 400 },
  )
})

test('the first exchange stays unless it takes more than a quarter of the window', () => {
  const { met, atLeast } = countCases<'the first stays' | 'the first is too long'>()
  fc.assert(
    fc.property(aHistory, aWindow, (messages, contextTokens) => {
      const plan = planCompaction(messages, optionsFor(contextTokens))
      const second = messages.findIndex((message, index) => index > 0 && message.role === 'user')
      const first = messages.slice(0, Math.min(3, second < 0 ? messages.length : second))
      const head = messages.filter(message => message.id <= plan.headId)
      expect(isLegal(head)).toBe(true)
      const fits = costOf(first) <= contextTokens / 4
      met(fits ? 'the first stays' : 'the first is too long')
      if (fits) expect(head[0]).toEqual(messages[0])
      expect(costOf(head)).toBeLessThanOrEqual(contextTokens / 4)
    }),
    { numRuns: 300 },
  )
  atLeast({ 'the first stays': 120, 'the first is too long': 30 })
})

test('the newest messages stay as long as they fit their budget', () => {
  const { met, atLeast } = countCases<'stays' | 'goes'>()
  fc.assert(
    fc.property(aHistory, fc.integer({ min: 100, max: 8_000 }), (messages, tail) => {
      const plan = planCompaction(messages, { contextTokens: 20_000, cost, firstMessages: 3, tail })
      let used = 0
      for (const message of messages.toReversed()) {
        used += cost(message)
        if (used > tail) break
        const stays = !plan.middle.includes(message)
        met(stays ? 'stays' : 'goes')
        // A result is dropped together with its call.
        if (!stays) expect(message.role).toBe('tool')
      }
    }),
    { numRuns: 300 },
  )
  atLeast({ stays: 1_000, goes: 25 })
})

test('a second pass continues after the first, and the summarised range only grows', () => {
  fc.assert(
    fc.property(aHistory, aHistory, fc.integer({ min: 500, max: 8_000 }), (first, second, contextTokens) => {
      const options = optionsFor(contextTokens)
      const plan = planCompaction(first, options)
      fc.pre(plan.middle.length > 0)
      const left = [...leftBy(first, plan), ...after(first, second)]
      const again = planCompaction(left, { ...options, earlier: plan })
      expect(again.upToId).toBeGreaterThanOrEqual(plan.upToId)
      expect(again.headId).toBe(plan.headId)
      expect(isLegal(carriedOut(left, again))).toBe(true)
      expect(again.middle.every(message => message.id > plan.upToId)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('a first exchange too long for a smaller model is summarised in the next pass', () => {
  const text = 'a'.repeat(2_000)
  const messages = Array.from({ length: 12 }, (_, at): Message => {
    const common = { id: at + 1, sessionId: 'chat', at: 0, text: at === 0 ? text : `message ${at}` }
    return at % 2 === 0
      ? { ...common, role: 'user' }
      : { ...common, role: 'assistant', reasoning: '', calls: [], interrupted: false, model: 'm' }
  })
  const large = planCompaction(messages, { contextTokens: 20_000, cost, firstMessages: 3, tail: 60 })
  expect(large.headId).toBe(2)
  const small = planCompaction(leftBy(messages, large), {
    contextTokens: 2_000,
    cost,
    firstMessages: 3,
    tail: 60,
    earlier: large,
  })
  expect(small.headId).toBe(0)
  expect(small.middle.map(message => message.id)).toEqual([1, 2])
  expect(small.upToId).toBe(large.upToId)
})

test('a chat without a middle has nothing to replace', () => {
  const short: Message[] = [{ role: 'user', id: 1, sessionId: 'chat', at: 0, text: 'Hello.' }]
  expect(planCompaction(short, optionsFor(8_000)).middle).toEqual([])
  expect(planCompaction([], optionsFor(8_000)).middle).toEqual([])
})
