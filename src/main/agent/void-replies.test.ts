import { expect, test } from 'vitest'
import { aTurn, inShort } from '../../../testing/agent/a-turn.ts'
import type { Step } from '../../../testing/models/scripted.ts'

// Output of broken models. `loop.test.ts` and `reply.test.ts` have the other tests with void replies.

type Told = Awaited<ReturnType<typeof aTurn>>
const retriesOf = ({ events }: Told) =>
  events.flatMap(event => (event.type === 'retry' ? [event.reason] : []))
const warningsOf = ({ events }: Told) =>
  events.flatMap(event => (event.type === 'warning' ? [event.text] : []))
const read = (path: string): Step => ({ call: { name: 'read_file', arguments: { path } } })

const garbage = Array.from({ length: 900 }, (_, n) => '\ufffd\u0000\u001b[2J\u200b'.charAt((n * 5) % 7)).join(
  '',
)
/** Words without repetition, up to a length. */
const story = (words: number) => Array.from({ length: words }, (_, n) => `w${(n * 7919) % 9973}`).join(' ')

test.for(['text', 'structured'] as const)(
  'a reply that nobody can read is ended early, asked for again, and then said in words (%s)',
  async strategy => {
    const told = await aTurn({
      strategy,
      replies: [
        [garbage, { hang: true }],
        [garbage, { hang: true }],
      ],
    })
    expect([told.reason, retriesOf(told), warningsOf(told)]).toEqual([
      'done',
      ['unreadable'],
      [expect.stringMatching(/signs that are no text.*file may be damaged/)],
    ])
    const kept = told.messages.at(-1)
    expect(kept).toMatchObject({ void: true, usage: { estimated: true } })
    expect(kept?.text.length).toBeLessThanOrEqual(200)
    expect(kept?.text).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  },
)

test('garbage that ends by itself is void too, and a good second try is the answer', async () => {
  const told = await aTurn({ replies: ['\ufffd'.repeat(60), 'Fine.'] })
  expect([retriesOf(told), inShort(told.messages).at(-1)]).toEqual([['unreadable'], 'assistant: Fine.'])
})

test('an answer of characters that nobody sees is an empty one', async () => {
  const told = await aTurn({ replies: ['\u200b\u2060 \ufeff', 'Fine.'] })
  expect([retriesOf(told), inShort(told.messages).at(-1)]).toEqual([['empty'], 'assistant: Fine.'])
})

test.for(['text', 'structured'] as const)('blanks without end are ended early (%s)', async strategy => {
  const blanks: Step[] = [' \t\n \r\n'.repeat(500), { hang: true }]
  const told = await aTurn({ strategy, replies: [blanks, 'Fine.'] })
  expect([retriesOf(told), inShort(told.messages).at(-1)]).toEqual([['looping'], 'assistant: Fine.'])
})

test('thoughts without end are cut once, not asked for again with less history, and said in words', async () => {
  const before = [1, 2, 3].map(
    n => ({ role: 'user', sessionId: 's', at: n, text: `Question ${n}?` }) as const,
  )
  const told = await aTurn({
    before: [...before],
    strategy: 'text',
    plainTokens: 100,
    replies: [[{ reasoning: story(3_000) }, { hang: true }], 'never asked'],
  })
  expect([told.prompts.length, warningsOf(told)]).toEqual([
    1,
    [expect.stringMatching(/had only thought, and had not begun to answer/)],
  ])
})

test.for(['text', 'structured'] as const)(
  'of thousands of calls in one reply the first are run, and the rest is said (%s)',
  async strategy => {
    const calls = Array.from({ length: 2_000 }, (_, n) => read(`f${n}`))
    const told = await aTurn({ strategy, contextTokens: 100_000, replies: [calls, 'Done.'] })
    expect(told.messages.filter(message => message.role === 'tool')).toHaveLength(64)
    expect(warningsOf(told)).toEqual([expect.stringContaining('2,000 tool calls in one answer')])
    expect(JSON.stringify(told.prompts.at(-1)?.messages)).not.toContain('f64')
    expect(inShort(told.messages).at(-1)).toBe('assistant: Done.')
  },
)

test('calls that come again and again between others end the turn before its steps are used', async () => {
  let asked = 0
  const told = await aTurn({
    maxIterations: 60,
    contextTokens: 100_000,
    replies: ({ tools }) =>
      tools.length === 0 ? 'It says a.' : [read(asked++ % 2 === 0 ? 'a' : `b${asked}`)],
  })
  expect([told.reason, told.prompts.length]).toEqual(['done', 20])
  expect(warningsOf(told)).toEqual([expect.stringContaining('asked for the same 10 times')])
})
