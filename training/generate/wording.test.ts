import { describe, expect, test } from 'vitest'
import { relations } from './facts/relations.ts'
import { intents } from './intents.ts'
import { createRandom } from './random.ts'
import { sayOne, waysToSay, wordings } from './wording.ts'

/** Of the lines of an intent at least so many are kept for the test. */
const HELD_OUT = 0.15
/** Each intent can be said in at least so many ways. */
const WAYS = 100

test('a template says each of its alternatives, and leaves slots to who fills them', () => {
  expect(waysToSay('(please |)read (it|{path})')).toEqual([
    'please read it',
    'please read {path}',
    'read it',
    'read {path}',
  ])
  const { pick } = createRandom('a')
  const said = sayOne('read {path} now', pick, slot => `<${slot}>`)
  expect(said).toEqual([
    { text: 'read ', isSlot: false },
    { text: '<path>', isSlot: true },
    { text: ' now', isSlot: false },
  ])
})

test('a template with an open parenthesis or slot is refused', () => {
  expect(() => waysToSay('(a|b')).toThrow('stays open')
  expect(() => waysToSay('read {path')).toThrow('stays open')
})

test('an order is also given as a wish, and in the test in another form of wish', () => {
  const { train, test } = wordings('! read {path}\n---\n! fetch {path}')
  expect(train.flatMap(waysToSay)).toContain('could you read {path}')
  expect(test.flatMap(waysToSay)).toContain('would you be so kind as to fetch {path}')
  expect(test.flatMap(waysToSay)).not.toContain('could you fetch {path}')
})

describe('the intents', () => {
  const all = Object.entries(intents).map(([name, { train, test }]) => ({
    name,
    heldOut: test.length / (train.length + test.length),
    learned: train.flatMap(waysToSay),
    held: test.flatMap(waysToSay),
  }))

  test('have many wordings each, and enough of them are kept for the test', () => {
    const found = all.map(({ name, heldOut, learned, held }) => ({
      name,
      many: new Set([...learned, ...held]).size >= WAYS,
      held: heldOut >= HELD_OUT,
    }))
    expect(found).toEqual(all.map(({ name }) => ({ name, many: true, held: true })))
  })

  test('have no wording of the test in the training, in no intent', () => {
    const learned = new Set(all.flatMap(each => each.learned))
    const held = all.flatMap(each => each.held)
    expect(held.filter(way => learned.has(way) && way !== '{ask}')).toEqual([])
  })
})

test('everything that is told can be told, named and asked for in other words in the test', () => {
  for (const { id, said, topic, ask } of relations) {
    for (const part of [said, topic, ask]) {
      const learned = new Set(part.train.flatMap(waysToSay))
      const held = part.test.flatMap(waysToSay)
      expect({ id, held: held.length > 0, same: held.filter(way => learned.has(way)) }).toEqual({
        id,
        held: true,
        same: [],
      })
    }
  }
})
