import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCases } from '../../../../testing/count-cases.ts'
import type { LearningEvent } from '../../../shared/contract/learned/learning.ts'
import { aLearning, finds, happened, NOTHING, remember } from '../../../../testing/learning/a-learning.ts'
import { messagesOf } from '../reviews/learning-events.ts'

async function fed(
  given: ReturnType<typeof aLearning>,
  events: LearningEvent[],
  signal = new AbortController().signal,
) {
  const steps = []
  for await (const step of given.learning.reviewEventsOf(events, undefined, signal)) steps.push(step)
  return steps
}
const said = (session: string, count: number) =>
  Array.from({ length: count }, (_, n) =>
    happened(session, { said: `I use pnpm (${n}).` }, { replied: 0 }, 'turn_end'),
  ).flat()

test('the same counters apply, and the rest of the file is reviewed at its end', async () => {
  await using given = aLearning({ settings: { memory_nudge: 2 }, replies: finds(remember('Uses pnpm.')) })
  const steps = await fed(given, said('s', 3))
  expect(steps).toMatchObject([
    { type: 'review', session: 's', trigger: 'memory_nudge', done: 0, total: 2 },
    {
      type: 'proposal',
      proposal: { headline: 'Uses pnpm.', sessionId: null, evidence: [{ messageId: null }, {}] },
    },
    { type: 'reviewed', ended: 'done' },
    { type: 'review', trigger: 'session_end', done: 1, total: 2 },
    { type: 'reviewed', ended: 'done' },
    { type: 'done', reviews: 2, proposals: 1 },
  ])
  expect(given.entries()).toEqual([])
  const { items } = given.learning.activity({ filter: 'quiet', limit: 50 })
  expect(items).toMatchObject([
    { review: { trigger: 'events', state: 'done' } },
    { review: { state: 'done' } },
  ])
})

test('a review sees only events up to its own position', async () => {
  await using given = aLearning({ settings: { memory_nudge: 2 } })
  await fed(given, said('s', 4))
  const texts = given.engine.prompts.map(prompt => prompt.messages.map(each => each.text).join('\n'))
  expect(texts.map(text => text.match(/pnpm \(\d\)/g)?.length)).toEqual([2, 4])
})

test('interleaved sessions are reviewed separately', async () => {
  await using given = aLearning({ settings: { memory_nudge: 2 } })
  const [a, b] = [said('a', 2), said('b', 2)]
  const steps = await fed(
    given,
    a.flatMap((event, n) => [event, b[n]!]),
  )
  expect(steps.flatMap(step => (step.type === 'review' ? [step.session] : []))).toEqual(['a', 'b'])
})

test('in mode “save” findings are saved, and undone together per review', async () => {
  await using given = aLearning({ settings: { mode: 'save' }, replies: finds(remember('Uses pnpm.')) })
  expect(await fed(given, said('s', 1))).toMatchObject([
    { type: 'review' },
    { type: 'reviewed' },
    { type: 'done', proposals: 0 },
  ])
  expect(given.memory.view().entries).toMatchObject([
    { text: 'Uses pnpm.', origin: 'review', sessionId: null, messageId: null },
  ])
  const [item] = given.learning.activity({ filter: 'all', limit: 1 }).items
  given.learning.undo({ by: 'items', ids: [item!.type === 'change' ? item!.change.id : ''] })
  expect(given.entries()).toEqual([])
})

test('a cancelled run leaves no review marked as running', async () => {
  const stop = new AbortController()
  await using given = aLearning({
    replies: () => {
      stop.abort()
      return NOTHING
    },
  })
  const steps = await fed(given, said('s', 1), stop.signal)
  expect(steps.at(-1)).toMatchObject({ type: 'review' })
  expect(given.learning.activity({ filter: 'quiet', limit: 5 })).toMatchObject({
    reviews: [],
    items: [{ review: { state: 'dropped' } }],
  })
})

test('a hundred thousand events are read in one run', async () => {
  await using given = aLearning({ settings: { memory_nudge: 0, skill_nudge: 0, end_turns: 0 } })
  expect(await fed(given, said('s', 30_000))).toEqual([{ type: 'done', reviews: 0, proposals: 0 }])
})

const event = fc.oneof(
  fc.record({ said: fc.string() }),
  fc.record({ replied: fc.nat(3) }),
  fc.record({ ran: fc.constantFrom('look', 'note'), ok: fc.boolean() }),
  fc.constant('turn_end' as const),
)
test('for any order of events, each result follows its call, and ids are consecutive', () => {
  const { met, atLeast } = countCases<'result'>()
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), each => {
      const messages = messagesOf(happened('s', ...each))
      expect(messages.map(message => message.id)).toEqual(messages.map((_, index) => index + 1))
      messages.forEach((message, index) => {
        if (message.role !== 'tool') return
        met('result')
        const caller = messages.slice(0, index).findLast(other => other.role !== 'tool')
        expect(caller?.role === 'assistant' && caller.calls.some(call => call.id === message.callId)).toBe(
          true,
        )
      })
      const ids = messages.flatMap(message =>
        message.role === 'assistant' ? message.calls.map(call => call.id) : [],
      )
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids).toHaveLength(messages.filter(message => message.role === 'tool').length)
    }),
  )
  atLeast({ result: 40 })
})
