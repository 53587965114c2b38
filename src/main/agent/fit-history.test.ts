import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCases } from '../../../testing/count-cases.ts'
import type { Message, NewMessage, ToolCall } from '../../shared/contract/messages.ts'
import { scriptedEngine } from '../../../testing/models/scripted.ts'
import { aReply, isLegal } from '../../../testing/agent/a-turn.ts'
import { isSummary, withCompaction } from './compaction/apply-compaction.ts'
import { fitHistory, nothingOmitted, type OmittedHistory } from './fit-history.ts'
import { structuredStrategy } from './strategies/structured.ts'
import { textStrategy } from './strategies/text.ts'

const words = (count: number) => 'word '.repeat(count).trim()

/** A turn: the length of the question, of the results of each reply with calls, and of the answer if there is one. */
type Talk = { question: number; steps: number[][]; answer: number | undefined }

function messagesOf(talk: readonly Talk[]): Message[] {
  const messages: NewMessage[] = talk.flatMap(({ question, steps, answer }, turn): NewMessage[] => [
    { role: 'user', sessionId: 's', at: 0, text: words(question) },
    ...steps.flatMap((results, step): NewMessage[] => {
      const calls = results.map((_, at): ToolCall => ({
        id: `${turn}-${step}-${at}`,
        name: 'read_file',
        arguments: { path: 'a' },
      }))
      return [
        aReply('', { calls, raw: '<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>' }),
        ...calls.map(({ id, name }, at): NewMessage => {
          const text = words(results[at]!)
          return {
            role: 'tool',
            sessionId: 's',
            at: 0,
            callId: id,
            name,
            ok: true,
            text,
            durationMs: 1,
            allowed: '',
          }
        }),
      ]
    }),
    ...(answer === undefined ? [] : [aReply(words(answer))]),
  ])
  return messages.map((message, at) => ({ ...message, id: at + 1 }))
}

const engine = scriptedEngine({ replies: [] })
const aTurn = (contextTokens: number) => ({
  engine,
  system: words(50),
  contextTokens,
  tools: [],
  strategy: textStrategy,
})
const costOf = (messages: readonly Message[]) =>
  messages.reduce(
    (sum, message) => sum + engine.count(message.text) + (message.role === 'assistant' ? 30 : 8),
    engine.count(words(50)),
  )

const aTalk: fc.Arbitrary<Talk> = fc.record({
  question: fc.integer({ min: 1, max: 200 }),
  steps: fc.array(fc.array(fc.integer({ min: 1, max: 600 }), { minLength: 1, maxLength: 3 }), {
    maxLength: 4,
  }),
  answer: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
})
const aContext = fc.integer({ min: 512, max: 8_192 })

test('a compaction summary is never left out', () => {
  fc.assert(
    fc.property(fc.array(aTalk, { minLength: 2, maxLength: 12 }), aContext, (talk, contextTokens) => {
      const messages = messagesOf(talk)
      const second = messages.findIndex((message, index) => index > 0 && message.role === 'user')
      const compaction = {
        at: 0,
        headId: second,
        upToId: second,
        prunedToId: 0,
        summary: words(40),
      }
      const history = withCompaction(messages, compaction)
      const fitted = fitHistory(aTurn(contextTokens), history, nothingOmitted(), 1)
      expect(fitted.messages.filter(isSummary)).toHaveLength(1)
      const ids = fitted.messages.map(message => message.id)
      expect(ids).toEqual(ids.toSorted((a, b) => a - b))
      const others = fitted.messages.filter(message => !isSummary(message))
      expect(isLegal(others)).toBe(true)
      expect(others.at(-1)?.id).toBe(messages.at(-1)!.id)
    }),
    { numRuns: 200 },
  )
})

test('the engine’s count decides what is left out, not our estimate', () => {
  const usage = (promptTokens: number) => ({
    promptTokens,
    reusedTokens: 0,
    evaluatedTokens: promptTokens,
    outputTokens: 2,
    contextTokens: 1_024,
    firstTokenMs: 0,
    prefillPerSecond: 0,
    tokensPerSecond: 0,
  })
  const talk: Talk[] = Array.from({ length: 6 }, () => ({ question: 120, steps: [], answer: 4 }))
  const counted = (promptTokens: number) => {
    const messages = messagesOf(talk)
    messages[9] = { ...aReply('Yes.', { usage: usage(promptTokens), at: 1 }), id: 10 }
    return fitHistory(aTurn(1_024), messages, nothingOmitted(), 1).left
  }
  expect(fitHistory(aTurn(1_024), messagesOf(talk), nothingOmitted(), 1).left).toBe('turns')
  expect(counted(300)).toBeUndefined()
  expect(counted(900)).toBe('turns')
  // Too few tokens to be true, so the count leaves out what was cached.
  expect(counted(30)).toBe('turns')
})

test('a short history is sent whole', () => {
  const history = messagesOf([{ question: 5, steps: [[10]], answer: 5 }])
  const window = nothingOmitted()
  expect(fitHistory(aTurn(4_096), history, window, 1)).toEqual({
    messages: history,
    left: undefined,
    needed: undefined,
    canShrink: false,
  })
  expect(window).toEqual(nothingOmitted())
})

test('whatever is left out, calls keep their results and the newest message stays', () => {
  fc.assert(
    fc.property(
      fc.array(aTalk, { minLength: 1, maxLength: 12 }),
      aContext,
      fc.integer({ min: 1, max: 3 }),
      (talk, contextTokens, attempts) => {
        const history = messagesOf(talk)
        const newest = history.findLast(message => message.role === 'user')
        const window = nothingOmitted()
        for (let attempt = 1; attempt <= attempts; attempt++) {
          const { messages } = fitHistory(aTurn(contextTokens), history, window, attempt)
          expect(messages).toContain(newest)
          expect(messages[0]?.role).toBe('user')
          expect(isLegal(messages)).toBe(true)
        }
      },
    ),
  )
})

test('the prompt fits, as long as something can be left out', () => {
  const { met, atLeast } = countCases<'can shrink'>()
  fc.assert(
    fc.property(fc.array(aTalk, { minLength: 1, maxLength: 12 }), aContext, (talk, contextTokens) => {
      const { messages, canShrink } = fitHistory(aTurn(contextTokens), messagesOf(talk), nothingOmitted(), 1)
      // The estimate for a reply is slightly lower than `costOf`.
      if (!canShrink) return
      met('can shrink')
      expect(costOf(messages)).toBeLessThan(contextTokens * 0.75 + 30 * messages.length)
    }),
  )
  atLeast({ 'can shrink': 25 })
})

/** Answer one turn after another with the same window; yields every prompt and whether something was left out of it. */
function* conversation(talk: readonly Talk[], contextTokens: number, window: OmittedHistory) {
  const history = messagesOf(talk)
  for (const [at, message] of history.entries()) {
    if (message.role === 'assistant') continue
    const next = history[at + 1]
    if (next?.role === 'tool') continue
    yield fitHistory(
      aTurn(contextTokens),
      history.slice(0, at + 1).filter(each => each.id >= window.firstId),
      window,
      1,
    )
  }
}

test('the start of the prompt stays the same between questions, unless messages are left out', () => {
  const { met, atLeast } = countCases<'stays' | 'left out'>()
  fc.assert(
    fc.property(fc.array(aTalk, { minLength: 2, maxLength: 12 }), aContext, (talk, contextTokens) => {
      let before: readonly Message[] = []
      for (const { messages, left } of conversation(talk, contextTokens, nothingOmitted())) {
        if (before.length > 0) met(left === undefined ? 'stays' : 'left out')
        if (left === undefined) expect(messages.slice(0, before.length)).toEqual(before)
        before = messages
      }
    }),
  )
  atLeast({ stays: 500, 'left out': 300 })
})

test('after turns are dropped, the next ones fit without dropping again', () => {
  const talk = Array.from({ length: 60 }, () => ({ question: 40, steps: [], answer: 40 }))
  const drops = [...conversation(talk, 2_048, nothingOmitted())].map(each => each.left === 'turns')
  const dropped = drops.flatMap((drop, at) => (drop ? [at] : []))
  expect(dropped.length).toBeGreaterThan(1)
  for (const [index, at] of dropped.slice(1).entries()) expect(at - dropped[index]!).toBeGreaterThan(3)
})

test('a single turn that outgrows the window continues with older results shortened and the newest whole', () => {
  const talk = [{ question: 10, steps: Array.from({ length: 12 }, () => [400]), answer: undefined }]
  const seen = [...conversation(talk, 4_096, nothingOmitted())]
  expect(seen.some(each => each.left === 'results')).toBe(true)
  for (const { messages } of seen) {
    expect(messages.at(-1)?.text.endsWith('word')).toBe(true)
    expect(costOf(messages)).toBeLessThan(4_096 * 0.85)
  }
})

test('long results of one reply share the token budget', () => {
  const talk = [{ question: 10, steps: [[1_200, 1_200, 1_200]], answer: undefined }]
  const { messages, left } = fitHistory(aTurn(4_096), messagesOf(talk), nothingOmitted(), 1)
  const lengths = messages.filter(message => message.role === 'tool').map(message => message.text.length)
  expect([left, lengths.map(length => length > 1_000)]).toEqual(['results', [false, true, true]])
})

test('tools sent as data count towards the window', () => {
  const history = messagesOf([
    { question: 300, steps: [], answer: 300 },
    { question: 300, steps: [], answer: undefined },
  ])
  const tools = [{ name: 'a', description: words(800), parameters: {} }]
  const structured = { ...aTurn(2_048), tools, strategy: structuredStrategy }
  expect(
    fitHistory({ ...structured, strategy: textStrategy }, history, nothingOmitted(), 1).left,
  ).toBeUndefined()
  expect(fitHistory(structured, history, nothingOmitted(), 1).left).toBe('turns')
})

test('a prompt that the engine rejects as too long is made smaller until nothing can be left out', () => {
  const history = messagesOf(Array.from({ length: 12 }, () => ({ question: 20, steps: [[300]], answer: 20 })))
  const window = nothingOmitted()
  const costs = [1, 2, 3, 4, 5].map(attempt =>
    costOf(fitHistory(aTurn(32_000), history, window, attempt).messages),
  )
  expect(costs).toEqual(costs.toSorted((a, b) => b - a))
  expect(costs[1]).toBeLessThan(costs[0]! * 0.7)
  const last = history.slice(-4).map(({ id }) => id)
  expect(fitHistory(aTurn(32_000), history, window, 6).messages.map(({ id }) => id)).toEqual(last)
})
