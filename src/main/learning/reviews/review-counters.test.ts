import { expect, test } from 'vitest'
import type { LearningEvent } from '../../../shared/contract/learned/learning.ts'
import { happened } from '../../../../testing/learning/a-learning.ts'
import { createCounters, type Nudges } from './review-counters.ts'

const NEVER: Nudges = { memory: 0, skills: 0, turnCalls: 5, endTurns: 0 }
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

test('a memory review is due after the set number of user turns without the memory tool, and the count restarts', () => {
  const { all, counts } = counting({ memory: 3 })
  expect(all(turn(), turn())).toEqual([])
  expect(all(turn())).toEqual([{ session: 's', trigger: 'memory_nudge', kinds: ['memory'] }])
  expect(counts('s')).toEqual({ turns: 0, steps: 0, said: 0 })
  expect(all(turn(), turn())).toEqual([])
})

test('a skill review is due after the set number of steps without skill_manage', () => {
  const { all } = counting({ skills: 4 })
  expect(all(turn(...STEP, ...STEP), turn(...STEP))).toEqual([])
  expect(all(turn(...STEP))).toEqual([{ session: 's', trigger: 'skill_nudge', kinds: ['skills'] }])
})

test('both counts are independent: using one tool leaves the other count unchanged', () => {
  const { all, counts } = counting()
  all(turn(...STEP), turn(...STEP))
  all(turn({ replied: 1 }, { ran: 'memory' }))
  expect(counts('s')).toMatchObject({ turns: 0, steps: 3 })
  all(turn({ replied: 1 }, { ran: 'skill_manage' }))
  expect(counts('s')).toMatchObject({ turns: 1, steps: 0 })
})

test('a refused call does not count as use of the tool', () => {
  const { all, counts } = counting()
  all(
    turn({ replied: 1 }, { ran: 'memory', ok: false }),
    turn({ replied: 1 }, { ran: 'skill_manage', ok: false }),
  )
  expect(counts('s')).toMatchObject({ turns: 2, steps: 2 })
})

test('only steps after the use of the tool in the same turn are counted', () => {
  const { all, counts } = counting()
  all(turn(...STEP, { replied: 1 }, { ran: 'skill_manage' }, ...STEP))
  expect(counts('s').steps).toBe(1)
})

test.for([
  ['four calls', [...STEP, ...STEP, ...STEP, ...STEP], 'Go on.', 4],
  ['an error that was overcome', [{ replied: 1 }, { ran: 'look', ok: false }, ...STEP], 'Go on.', 4],
  ['an error that was not', [...STEP, { replied: 1 }, { ran: 'look', ok: false }], 'Go on.', 2],
  ['a correction', [...STEP], 'No, I meant the other file.', 2],
] as const)('steps counted for a turn with %s', ([, steps, said, counted]) => {
  const { all, counts } = counting()
  all(happened('s', { said }, ...steps, 'turn_end'))
  expect(counts('s').steps).toBe(counted)
})

const FIVE = [{ replied: 5 }, ...Array.from({ length: 5 }, () => ({ ran: 'look' }))] as const
const stopped = (...what: Parameters<typeof turn>) =>
  happened('s', { said: 'Go on.' }, ...what, { ended: 'stopped' })

test('five calls in a turn make a review of skills due at its end, however high the nudge is', () => {
  const due = [{ session: 's', trigger: 'skill_nudge', kinds: ['skills'] }]
  expect(counting({ skills: 1_000 }).all(turn(...FIVE))).toEqual(due)
  expect(counting({ skills: 1_000 }).all(turn(...STEP, ...STEP, ...STEP, ...STEP))).toEqual([])
  expect(counting({ skills: 1_000, turnCalls: 6 }).all(turn(...FIVE))).toEqual([])
  expect(counting({ skills: 1_000, turnCalls: 0 }).all(turn(...FIVE))).toEqual([])
  // 0 turns a counter off, a changed skill resets it, and a turn without an answer does not count.
  expect(counting({ memory: 10 }).all(turn(...FIVE))).toEqual([])
  expect(counting({ skills: 9 }).all(turn(...FIVE, { replied: 1 }, { ran: 'skill_manage' }))).toEqual([])
  expect(counting({ skills: 9 }).all(stopped(...FIVE))).toEqual([])
})

test('the tenth turn leads to one review of memory, a stopped one to none, and with 0 none does', () => {
  const { all, counts } = counting({ memory: 10 })
  expect(all(...Array.from({ length: 9 }, () => turn()))).toEqual([])
  expect(all(stopped(), stopped(...STEP))).toEqual([])
  expect(counts('s')).toEqual({ turns: 9, steps: 0, said: 11 })
  expect(all(turn())).toEqual([{ session: 's', trigger: 'memory_nudge', kinds: ['memory'] }])
  expect(all(turn())).toEqual([])
  expect(counting().all(...Array.from({ length: 30 }, () => turn()))).toEqual([])
})

test('two reviews due at the same time are one review', () => {
  const { all } = counting({ memory: 1, skills: 1 })
  expect(all(turn(...STEP))).toEqual([{ session: 's', trigger: 'skill_nudge', kinds: ['memory', 'skills'] }])
})

test('0 turns it off, and earlier turns count once it is turned on', () => {
  const nudges = { ...NEVER }
  const counters = createCounters(() => nudges)
  const events = turn(...STEP)
  for (let n = 0; n < 50; n++) for (const event of events) expect(counters.observe(event)).toEqual([])
  nudges.memory = 10
  expect(events.flatMap(event => counters.observe(event))).toHaveLength(1)
})

test('an ended session is reviewed if enough was said since the last review', () => {
  const { all } = counting({ endTurns: 2 })
  expect(all(turn(), happened('s', 'session_end'))).toEqual([])
  expect(all(turn(), happened('s', 'session_end'))).toEqual([
    { session: 's', trigger: 'session_end', kinds: ['memory', 'skills'] },
  ])
  expect(all(happened('s', 'session_end'), turn(), happened('s', 'session_end'))).toEqual([])
})

test('each session has its own counts', () => {
  const { all, counts } = counting({ memory: 2 })
  expect(all(turn(), happened('other', { said: 'Hi.' }, 'turn_end'))).toEqual([])
  expect([counts('s').turns, counts('other').turns]).toEqual([1, 1])
})

test('a new user message without a turn end ends the turn before it', () => {
  const { all } = counting({ skills: 2 })
  const due = all(happened('s', { said: 'One.' }, ...STEP, ...STEP, { said: 'Two.' }))
  expect(due).toMatchObject([{ trigger: 'skill_nudge' }])
})

test('a turn end without a turn is ignored, such as after a summary by hand', () => {
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
] as const)('%s right after a turn that used a skill', ([, said, due]) => {
  const { all } = counting({ skills: 10 })
  expect(all(guided, feedback(said))).toHaveLength(due)
})

test('a correction concerns only the turn right before it, and only if a skill guided that', () => {
  const { all } = counting({ skills: 10 })
  expect(all(guided, turn(), feedback('Include the discussions too.'))).toEqual([])
})

test('a skill changed in the same turn needs no review, and skill reviews can be off', () => {
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
