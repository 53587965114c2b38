import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import type { EndReason } from '../../../shared/contract/runs/run.ts'
import type { ReviewRow } from '../../db/learning/learning-tables.ts'
import { aReview } from '../../../../testing/learning/a-learning.ts'
import type { Due, Nudges } from './review-counters.ts'
import { eventsOf } from './learning-events.ts'
import { watchTurns } from './watch-turns.ts'

/** Possible events of a chat. */
const happening = fc.oneof(
  fc.record({
    do: fc.constant('turn' as const),
    said: fc.constantFrom('Go on.', 'No, that is wrong.', 'Include them too.', 'Thanks.'),
    calls: fc.array(
      fc.record({ name: fc.constantFrom('look', 'memory', 'skill_manage', 'skill_view'), ok: fc.boolean() }),
      { maxLength: 7 },
    ),
    reviewIn: fc.boolean(),
    isStopped: fc.boolean(),
  }),
  fc.record({
    do: fc.constant('review' as const),
    kind: fc.constantFrom('you', 'session_end', 'compaction'),
  }),
  fc.record({ do: fc.constant('settings' as const), memory: fc.nat(4), skills: fc.nat(8) }),
  fc.record({ do: fc.constant('end' as const) }),
  fc.record({ do: fc.constant('reviewed' as const) }),
)

/** A chat in an in-memory store, watched live. */
function aLife() {
  const messages: Message[] = []
  const reviews: ReviewRow[] = []
  const endings = new Map<number, EndReason>()
  const nudges: Nudges = { memory: 3, skills: 5, turnCalls: 5, endTurns: 2 }
  const store = {
    messages: { page: () => ({ messages: [...messages], more: false }) },
    learning: { reviewsOf: () => [...reviews] },
    runs: { endings: () => endings },
  }
  const watch = (onDue: (due: Due) => void) => watchTurns({ store, nudges: () => nudges, onDue })
  const add = (trigger: ReviewRow['trigger'], kinds: ReviewRow['kinds']) => {
    const upToId = messages.at(-1)?.id
    if (upToId === undefined) return
    const same = reviews.find(each => each.state === 'queued' && each.trigger !== 'compaction')
    if (same && trigger !== 'compaction') {
      same.kinds = [...new Set([...same.kinds, ...kinds])]
      same.upToId = upToId
    } else
      reviews.push(
        aReview({ id: `r${reviews.length}`, sessionId: 's', trigger, kinds, upToId, state: 'queued' }),
      )
    live.refresh('s')
  }
  const live = watch(({ trigger, kinds }) => add(trigger, kinds))
  const put = (message: Message) => {
    messages.push(message)
    for (const event of eventsOf(message)) live.observe(event)
  }
  const common = () => ({ id: messages.length + 1, sessionId: 's', at: 0 })
  const said = { reasoning: '', interrupted: false, model: 'm' }
  return {
    nudges,
    add,
    live,
    /** Recounted from the store, as after a restart. */
    derived: () => {
      const again = watch(() => {})
      again.observe({ type: 'turn_end', session: 's', at: 0, reason: 'done' })
      return again.counters.counts('s')
    },
    done() {
      const review = reviews.find(each => each.state === 'queued')
      if (!review) return
      review.state = 'done'
      if (review.trigger !== 'compaction') review.upToId = Math.max(review.upToId, messages.at(-1)!.id)
      live.refresh('s')
    },
    turn(
      text: string,
      calls: readonly { name: string; ok: boolean }[],
      reviewIn: boolean,
      isStopped = false,
    ) {
      put({ ...common(), role: 'user', text })
      calls.forEach(({ name, ok }, index) => {
        const callId = `c${messages.length}`
        put({
          ...common(),
          ...said,
          role: 'assistant',
          text: '',
          calls: [{ id: callId, name, arguments: {} }],
        })
        if (reviewIn && index === 1) add('you', ['memory', 'skills'])
        put({
          ...common(),
          role: 'tool',
          callId,
          name,
          ok,
          text: '',
          durationMs: 0,
          record: { decision: 'ran' },
        })
      })
      if (!isStopped) put({ ...common(), ...said, role: 'assistant', text: 'Done.', calls: [] })
      const reason = isStopped ? 'stopped' : 'done'
      if (messages.at(-1)!.role !== 'user') endings.set(messages.at(-1)!.id, reason)
      live.observe({ type: 'turn_end', session: 's', at: 0, reason })
    },
  }
}

test('counts rebuilt from the store equal those kept live', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 40 }), happenings => {
      const life = aLife()
      for (const each of happenings) {
        if (each.do === 'turn') life.turn(each.said, each.calls, each.reviewIn, each.isStopped)
        if (each.do === 'review') life.add(each.kind, ['memory', 'skills'])
        if (each.do === 'settings') Object.assign(life.nudges, { memory: each.memory, skills: each.skills })
        if (each.do === 'end') life.live.observe({ type: 'session_end', session: 's', at: 0 })
        if (each.do === 'reviewed') life.done()
        expect(life.derived()).toEqual(life.live.counters.counts('s'))
      }
    }),
    { numRuns: 200 },
  )
})

test('a restart between turns does not change when a review is due', () => {
  const life = aLife()
  life.turn('One.', [], false)
  life.turn('Two.', [], false)
  expect(life.derived().turns).toBe(2)
  life.turn('Three.', [], false)
  expect(life.derived().turns).toBe(0)
})

test('messages read by a review requested during a turn are not counted again at its end', () => {
  const life = aLife()
  Object.assign(life.nudges, { memory: 0, skills: 0 })
  const look = { name: 'look', ok: true }
  life.turn('One.', [look, look, look], false)
  life.turn('Two.', [look, look, look], true)
  // Requested after the second reply with a call, so the third one is new but the turn is not.
  expect(life.live.counters.counts('s')).toEqual({ turns: 0, steps: 1, said: 0 })
  expect(life.derived()).toEqual({ turns: 0, steps: 1, said: 0 })
})

test('a review before a summary does not reduce the counts', () => {
  const life = aLife()
  life.turn('One.', [{ name: 'look', ok: true }], false)
  life.add('compaction', ['memory', 'skills'])
  expect(life.live.counters.counts('s')).toEqual({ turns: 1, steps: 1, said: 1 })
})

test('a review that read further than requested reduces the counts by all it read', () => {
  const life = aLife()
  life.turn('One.', [], false)
  life.add('you', ['memory', 'skills'])
  life.turn('Two.', [], false)
  expect(life.live.counters.counts('s').turns).toBe(1)
  life.done()
  expect(life.live.counters.counts('s').turns).toBe(0)
})
