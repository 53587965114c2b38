import { expect, test } from 'vitest'
import type { LearningEvent } from '../../shared/contract/learning.ts'
import { happened } from '../../../testing/learning/a-learning.ts'
import { createCounters, type Nudges } from './counters.ts'

const NEVER: Nudges = { memory: 0, skills: 0, endTurns: 0 }
function counting(nudges: Partial<Nudges> = {}) {
  const counters = createCounters(() => ({ ...NEVER, ...nudges }))
  return {
    ...counters,
    all: (...events: LearningEvent[][]) => events.flat().flatMap(event => counters.observe(event)),
  }
}
const turn = (...what: Parameters<typeof happened> extends [string, ...infer R] ? R : never) =>
  happened('s', { said: 'Go on.' }, ...what, 'turn_end')
const STEP = [{ replied: 1 }, { ran: 'look' }] as const

test('a memory review is due after so many user turns without a use of memory, and counts from zero again', () => {
  const { all, counts } = counting({ memory: 3 })
  expect(all(turn(), turn())).toEqual([])
  expect(all(turn())).toEqual([{ session: 's', trigger: 'memory_nudge', kinds: ['memory'] }])
  expect(counts('s')).toEqual({ turns: 0, steps: 0, said: 0 })
  expect(all(turn(), turn())).toEqual([])
})

test('a skill review is due after so many steps without a use of skill_manage', () => {
  const { all } = counting({ skills: 4 })
  expect(all(turn(...STEP, ...STEP), turn(...STEP))).toEqual([])
  expect(all(turn(...STEP))).toEqual([{ session: 's', trigger: 'skill_nudge', kinds: ['skills'] }])
})

test('the two count side by side: the use of one tool leaves the other count as it is', () => {
  const { all, counts } = counting()
  all(turn(...STEP), turn(...STEP))
  all(turn({ replied: 1 }, { ran: 'memory' }))
  expect(counts('s')).toMatchObject({ turns: 0, steps: 3 })
  all(turn({ replied: 1 }, { ran: 'skill_manage' }))
  expect(counts('s')).toMatchObject({ turns: 1, steps: 0 })
})

test('a use that was refused is none', () => {
  const { all, counts } = counting()
  all(
    turn({ replied: 1 }, { ran: 'memory', ok: false }),
    turn({ replied: 1 }, { ran: 'skill_manage', ok: false }),
  )
  expect(counts('s')).toMatchObject({ turns: 2, steps: 2 })
})

test('steps before the use in the same turn count no more, those behind it do', () => {
  const { all, counts } = counting()
  all(turn(...STEP, { replied: 1 }, { ran: 'skill_manage' }, ...STEP))
  expect(counts('s').steps).toBe(1)
})

test.for([
  ['four calls', [...STEP, ...STEP, ...STEP, ...STEP], 'Go on.', 4],
  ['five calls', [...STEP, ...STEP, ...STEP, ...STEP, ...STEP], 'Go on.', 10],
  [
    'five calls in one reply',
    [{ replied: 5 }, ...Array.from({ length: 5 }, () => ({ ran: 'look' }))],
    'Go on.',
    2,
  ],
  ['an error that was overcome', [{ replied: 1 }, { ran: 'look', ok: false }, ...STEP], 'Go on.', 4],
  ['an error that was not', [...STEP, { replied: 1 }, { ran: 'look', ok: false }], 'Go on.', 2],
  ['a correction', [...STEP], 'No, I meant the other file.', 2],
] as const)('the steps of a turn with %s', ([, steps, said, counted]) => {
  const { all, counts } = counting()
  all(happened('s', { said }, ...steps, 'turn_end'))
  expect(counts('s').steps).toBe(counted)
})

test('both due at once are one review', () => {
  const { all } = counting({ memory: 1, skills: 1 })
  expect(all(turn(...STEP))).toEqual([{ session: 's', trigger: 'skill_nudge', kinds: ['memory', 'skills'] }])
})

test('0 is never, and what was counted meanwhile counts once it is another number', () => {
  const nudges = { ...NEVER }
  const counters = createCounters(() => nudges)
  const events = turn(...STEP)
  for (let n = 0; n < 50; n++) for (const event of events) expect(counters.observe(event)).toEqual([])
  nudges.memory = 10
  expect(events.flatMap(event => counters.observe(event))).toHaveLength(1)
})

test('a session that ends is reviewed when enough was said since the last review', () => {
  const { all } = counting({ endTurns: 2 })
  expect(all(turn(), happened('s', 'session_end'))).toEqual([])
  expect(all(turn(), happened('s', 'session_end'))).toEqual([
    { session: 's', trigger: 'session_end', kinds: ['memory', 'skills'] },
  ])
  expect(all(happened('s', 'session_end'), turn(), happened('s', 'session_end'))).toEqual([])
})

test('sessions count for themselves', () => {
  const { all, counts } = counting({ memory: 2 })
  expect(all(turn(), happened('other', { said: 'Hi.' }, 'turn_end'))).toEqual([])
  expect([counts('s').turns, counts('other').turns]).toEqual([1, 1])
})

test('who speaks again without the end of a turn has ended it', () => {
  const { all } = counting({ skills: 2 })
  const due = all(happened('s', { said: 'One.' }, ...STEP, ...STEP, { said: 'Two.' }))
  expect(due).toMatchObject([{ trigger: 'skill_nudge' }])
})

test('an end without a turn is nothing: a chat may be summarised by hand in between', () => {
  const { all } = counting({ skills: 10 })
  const use = turn({ replied: 1 }, { ran: 'skill_view' })
  expect(all(use, happened('s', 'turn_end', { said: 'That is wrong.' }, 'turn_end'))).toHaveLength(1)
})

const feedback = (said: string) => happened('s', { said }, 'turn_end')
const guided = turn({ replied: 1 }, { ran: 'skill_view' })
test.for([
  ['a correction', 'No, I meant the discussions as well.', 1],
  ['a remark', 'Include the discussions too.', 1],
  ['thanks', 'Thank you!', 0],
  ['a question', 'Do you always do that?', 0],
] as const)('%s right behind the work of a skill', ([, said, due]) => {
  const { all } = counting({ skills: 10 })
  expect(all(guided, feedback(said))).toHaveLength(due)
})

test('a correction is about the turn before it only, and of no skill when none guided that', () => {
  const { all } = counting({ skills: 10 })
  expect(all(guided, turn(), feedback('Include the discussions too.'))).toEqual([])
})

test('a skill that was changed there and then needs no review, and reviews of skills can be off', () => {
  const patched = happened(
    's',
    { said: 'Include them too.' },
    { replied: 1 },
    { ran: 'skill_manage' },
    'turn_end',
  )
  expect(counting({ skills: 10 }).all(guided, patched)).toEqual([])
  expect(counting({ memory: 10 }).all(guided, feedback('Include them too.'))).toEqual([])
})
