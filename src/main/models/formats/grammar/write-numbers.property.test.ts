import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readGbnf } from '../../../../../testing/formats/gbnf-matcher.ts'
import { satisfies } from '../../../../../testing/formats/validate-arguments.ts'
import { answerConstraint } from './constraint.ts'

const bound = fc.oneof(
  fc.integer({ min: -1_200, max: 1_200 }),
  fc.integer({ min: -50_000, max: 50_000 }).map(value => value / 1_000),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  // So close to zero that a product with it is zero.
  fc.constantFrom(5e-324, -5e-324, 1e-320, 1e-7),
)
const schema = fc.record(
  {
    type: fc.constantFrom('integer', 'number'),
    minimum: bound,
    maximum: bound,
    exclusiveMinimum: bound,
    exclusiveMaximum: bound,
    multipleOf: fc.constantFrom(1, 5, 7, 12, 100, 0.5, 0.25, 0.01, 1.5, 97),
  },
  { requiredKeys: ['type'] },
)

/** Numbers that the schema may allow: near its bounds, around zero, and its multiples. */
function candidates({ multipleOf = 0.001, ...given }: Record<string, unknown>): number[] {
  const near = Object.values(given).flatMap(value => (typeof value === 'number' ? [value] : []))
  const step = Number(multipleOf)
  return [0, 1, -1, ...near].flatMap(value =>
    [-2, -1, 0, 1, 2].flatMap(moved => [
      Number((Math.round(value / step + moved) * step).toFixed(3)),
      Math.round(value) + moved,
    ]),
  )
}

test('a number is written exactly as its bounds and its step allow', () => {
  let made = 0
  let accepted = 0
  let refused = 0
  fc.assert(
    fc.property(schema, fc.infiniteStream(fc.double({ noNaN: true, min: 0, max: 0.999 })), (given, draws) => {
      const grammar = readGbnf(answerConstraint(given).gbnf)
      const there = candidates(given).filter(value => !Object.is(value, -0) && satisfies(given, value))
      for (const value of there) expect([value, grammar.accepts(`${value}`)]).toEqual([value, true])
      accepted += there.length
      // Bounds without a number between them are not restricted, nor is a step with too large rules.
      if (there.length === 0 || given.multipleOf === 97) return
      for (const value of candidates(given)) {
        if (satisfies(given, value)) continue
        expect([value, grammar.accepts(`${value}`)]).toEqual([value, false])
        refused++
      }
      for (let round = 0; round < 5; round++, made++) {
        const text = grammar.makeUp(() => draws.next().value!)
        expect([text, satisfies(given, JSON.parse(text))]).toEqual([text, true])
      }
    }),
    { numRuns: 300 },
  )
  expect(Math.min(made, accepted, refused)).toBeGreaterThan(100)
})
