import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCases } from '../../../testing/count-cases.ts'
import type { Message, NewMessage, ToolCall } from '../../shared/contract/chats/messages.ts'
import { scriptedEngine } from '../../../testing/models/scripted.ts'
import { aReply, isLegal } from '../../../testing/agent/a-turn.ts'
import { presentAsText } from '../../../testing/agent/messages.ts'
import { isSummary, withCompaction } from './compaction/apply-compaction.ts'
import { fitHistory, messageTokens } from './fit-history.ts'
import { nothingOmitted, type OmittedHistory } from './fit-turn.ts'
import { structuredStrategy } from './strategies/structured.ts'

const isStepsList = ({ role, text }: Pick<Message, 'role' | 'text'>) =>
  role === 'user' && text.startsWith('[What you have done for this message so far;')
const words = (count: number) => 'word '.repeat(count).trim()

/** A turn: the length of the question, of the results of each reply with calls, and of the answer, if any. */
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
            record: { decision: 'ran' as const },
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
  strategy: presentAsText({ ...engine, contextTokens }),
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
        questionId: 0,
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
  // A count this low leaves out cached tokens.
  expect(counted(30)).toBe('turns')
})

test('a short history is sent whole', () => {
  const history = messagesOf([{ question: 5, steps: [[10]], answer: undefined }])
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

/** Answer one turn after another with the same window; yields every prompt, and whether it was cut. */
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
    fitHistory({ ...structured, strategy: presentAsText(engine) }, history, nothingOmitted(), 1).left,
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
  // Only the question and the last reply of the newest turn are left, with a list in place of its step.
  const [question, , result, answer] = history.slice(-4)
  const { messages } = fitHistory(aTurn(32_000), history, window, 6)
  expect(messages.map(({ id }) => id)).toEqual([question, result, answer].map(each => each?.id))
  expect(messages.map(isStepsList)).toEqual([false, true, false])
})

/** A turn in which each step writes a file with this many words; the calls are in the text of the replies. */
function writingTurn(steps: readonly { words: number; ok?: boolean; says?: number }[]): Message[] {
  const question: NewMessage = { role: 'user', sessionId: 's', at: 0, text: 'Write it all.' }
  const messages = steps.flatMap(({ words: length, ok = true, says = 0 }, at): NewMessage[] => {
    const call = { id: `w${at}`, name: 'write_file', arguments: { path: `${at}.md`, content: words(length) } }
    const text = says === 0 ? '' : `Now ${at}. ${words(says)}`
    const raw = `${text}<tool_call>${JSON.stringify({ name: call.name, arguments: call.arguments })}</tool_call>`
    const common = {
      sessionId: 's',
      at: 0,
      callId: call.id,
      name: 'write_file',
      durationMs: 1,
      record: { decision: 'ran' as const },
    }
    return [
      aReply(text, { calls: [call], raw }),
      { ...common, role: 'tool', ok, text: ok ? 'Created.' : 'Error: No.', title: `Create ${at}.md` },
    ]
  })
  return [question, ...messages].map((message, at) => ({ ...message, id: at + 1 }))
}

/** Each prompt of a turn, step by step, and how often its beginning differed from the previous prompt. */
function* stepsOf(
  messages: readonly Message[],
  contextTokens: number,
  strategy = aTurn(contextTokens).strategy,
) {
  const omitted = nothingOmitted()
  let before: readonly Message[] = []
  for (let end = 1; end <= messages.length; end += 2) {
    const fitted = fitHistory({ ...aTurn(contextTokens), strategy }, messages.slice(0, end), omitted, 1)
    const isBroken = JSON.stringify(fitted.messages.slice(0, before.length)) !== JSON.stringify(before)
    before = fitted.messages
    yield { ...fitted, isBroken, tokens: 50 + costOfSent(fitted.messages) }
  }
}
const costOfSent = (messages: readonly Message[]) =>
  messages.reduce((sum, message) => sum + messageTokens({ engine }, message, true), 0)

test.for([
  ['twelve long pages', 4_096, Array.from({ length: 12 }, () => ({ words: 520 }))],
  ['forty long pages', 8_192, Array.from({ length: 40 }, () => ({ words: 520 }))],
  ['long texts beside small calls', 4_096, Array.from({ length: 40 }, () => ({ words: 10, says: 450 }))],
  ['many small calls', 2_048, Array.from({ length: 200 }, () => ({ words: 10 }))],
  ['calls that fail', 4_096, Array.from({ length: 20 }, () => ({ words: 500, ok: false }))],
] as const)(
  'a turn of %s fits at each step, and its beginning stays for most',
  ([, contextTokens, steps]) => {
    const prompts = [...stepsOf(writingTurn(steps), contextTokens)]
    for (const { messages, tokens } of prompts) {
      expect(messages[0]?.text).toBe('Write it all.')
      expect(isLegal(messages)).toBe(true)
      expect(tokens).toBeLessThan(contextTokens * 0.8)
    }
    expect(prompts.filter(({ isBroken }) => isBroken).length).toBeLessThan(prompts.length * 0.6)
    expect(prompts.at(-1)!.messages.length).toBeGreaterThan(2)
    expect(prompts.some(({ left }) => left !== undefined)).toBe(true)
  },
)

test('the newest call that failed stays whole, so that the model can mend it, and older steps become a list', () => {
  const steps = [...Array.from({ length: 30 }, () => ({ words: 10, says: 60 })), { words: 500, ok: false }]
  const [last] = [...stepsOf(writingTurn(steps), 2_048)].slice(-1)
  const { messages } = last!
  expect(messages.at(-2)).toMatchObject({ calls: [{ arguments: { content: words(500) } }] })
  const list = messages.find(isStepsList)!.text
  expect(list).toMatch(/- \(\d+ earlier\)\n(?:- .*\n)*- Create 2\d\.md/)
  expect(engine.count(list)).toBeLessThan(2_048 * 0.09)
})

test('a list of steps stays behind the question of its turn when the next one is asked', () => {
  const steps = writingTurn(Array.from({ length: 30 }, () => ({ words: 10, says: 60 })))
  const omitted = nothingOmitted()
  const { messages: before } = fitHistory(aTurn(2_048), steps, omitted, 1)
  const more: NewMessage[] = [
    aReply('All written.'),
    { role: 'user', sessionId: 's', at: 0, text: 'Thanks.' },
  ]
  const all = [...steps, ...more.map((message, at) => ({ ...message, id: steps.length + at + 1 }))]
  const { messages, left } = fitHistory(aTurn(2_048), all, omitted, 1)
  expect(left).toBeUndefined()
  expect(messages.slice(0, before.length)).toEqual(before)
  expect(messages.findIndex(isStepsList)).toBe(1)
})

test('what a call carried counts as it is sent, so a count of a shortened prompt is not taken for a wide window', () => {
  const messages = writingTurn(Array.from({ length: 12 }, () => ({ words: 520 })))
  const omitted = { ...nothingOmitted(), briefId: messages.length - 1 }
  const prompt = 50 + costOfSent(fitHistory(aTurn(100_000), messages, { ...omitted }, 1).messages)
  const usage = {
    promptTokens: prompt,
    reusedTokens: 0,
    evaluatedTokens: prompt,
    outputTokens: 2,
    contextTokens: 4_096,
    firstTokenMs: 0,
    prefillPerSecond: 0,
    tokensPerSecond: 0,
  }
  const more = writingTurn(Array.from({ length: 4 }, () => ({ words: 520 }))).slice(1)
  const counted = messages.map((message, at) =>
    at === messages.length - 2 ? ({ ...message, usage, at: 1 } as Message) : message,
  )
  const all = [...counted, ...more.map((message, at) => ({ ...message, id: messages.length + at + 1 }))]
  expect(fitHistory(aTurn(4_096), all, omitted, 1).left).toBeDefined()
})
