import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readGbnf } from '../../../../../testing/formats/gbnf-matcher.ts'
import { satisfies } from '../../../../../testing/formats/validate-arguments.ts'
import { answerConstraint } from './constraint.ts'

const properties = {
  kind: { enum: ['a', 'b', 'c'] },
  on: { type: 'boolean' },
  age: { type: 'integer', minimum: 16, maximum: 20 },
  name: { type: 'string', maxLength: 3 },
}
const open = { type: 'object', properties, additionalProperties: false }
const values = { kind: ['a', 'b', 'c'], on: [true, false], age: [16, 17, 18], name: ['x'] }

/** Every object with a few values for each property, and the empty objects. */
const objects = Object.entries(values).reduce<Record<string, unknown>[]>(
  (some, [key, each]) => some.flatMap(one => [one, ...each.map(value => ({ ...one, [key]: value }))]),
  [{}],
)

/** Written as text, because the linter takes an object with `then` for a promise. */
const when = (test: unknown, demand: unknown, otherwise: unknown = true) =>
  JSON.parse(
    `{"if": ${JSON.stringify(test)}, "then": ${JSON.stringify(demand)}, "else": ${JSON.stringify(otherwise)}}`,
  ) as object

function expectExact(schema: object): number {
  const grammar = readGbnf(answerConstraint(schema).gbnf)
  for (const value of objects)
    expect([value, grammar.accepts(JSON.stringify(value))]).toEqual([value, satisfies(schema, value)])
  return objects.filter(value => satisfies(schema, value)).length
}

describe('the grammar of a schema allows exactly its values', () => {
  test.each<[string, object]>([
    ['what one field demands of others', { dependentRequired: { name: ['age'], age: ['on'] } }],
    [
      'a schema that one field demands',
      { dependentSchemas: { name: { properties: { on: { const: true } } } } },
    ],
    ['the older spelling of both', { dependencies: { name: ['age'], age: { required: ['on'] } } }],
    ['if a field is a constant', when({ properties: { kind: { const: 'a' } } }, { required: ['name'] })],
    [
      'if a field is there and one of some',
      when(
        { properties: { kind: { enum: ['a', 'b'] } }, required: ['kind'] },
        { required: ['age'] },
        { required: ['on'] },
      ),
    ],
    [
      'if a number is in a range',
      when({ properties: { age: { minimum: 18 } }, required: ['age'] }, { required: ['name'] }),
    ],
    [
      'several conditions at once',
      {
        allOf: ['a', 'b'].map((kind, at) =>
          when(
            { properties: { kind: { const: kind } }, required: ['kind'] },
            { required: [['name', 'age'][at]] },
          ),
        ),
      },
    ],
    ['two fields that exclude each other', { not: { required: ['name', 'age'] } }],
    [
      'a field that may not be a value',
      { properties: { ...properties, kind: { enum: ['a', 'b'], not: { const: 'a' } } } },
    ],
  ])('with %s', (_, more) => expect(expectExact({ ...open, ...more })).toBeGreaterThan(10))

  test('with any of these', () => {
    const names = fc.subarray(Object.keys(properties), { minLength: 1, maxLength: 2 })
    const test = fc.record(
      {
        properties: fc.record(
          {
            kind: fc.oneof(
              fc.record({ const: fc.constantFrom('a', 'b', 'z') }),
              fc.record({ enum: fc.subarray(['a', 'b'], { minLength: 1 }) }),
            ),
            on: fc.record({ const: fc.boolean() }),
            age: fc.oneof(
              fc.record({ minimum: fc.constant(18) }),
              fc.record({ exclusiveMaximum: fc.constant(17) }),
            ),
          },
          { requiredKeys: [] },
        ),
        required: names,
      },
      { requiredKeys: [] },
    )
    const demand = fc.oneof(
      fc.record({ required: names }),
      test,
      fc.record({ not: fc.record({ required: names }) }),
    )
    const schema = fc.oneof(
      fc
        .tuple(test, demand, fc.option(demand, { nil: undefined }))
        .map(([one, other, third]) => when(one, other, third)),
      fc.record({ not: test }),
      fc.record({ dependentRequired: fc.record({ name: names, age: names }, { requiredKeys: [] }) }),
    )
    let held = 0
    fc.assert(
      fc.property(schema, more => {
        // If nothing is allowed, the grammar allows anything.
        if (objects.some(value => satisfies({ ...open, ...more }, value)))
          held += expectExact({ ...open, ...more })
      }),
      { numRuns: 60 },
    )
    expect(held).toBeGreaterThan(500)
  })
})

test('a condition that a grammar cannot tell apart is left to the check of the arguments', () => {
  const schema = { ...open, ...when({ properties: { name: { pattern: '^x' } } }, { required: ['age'] }) }
  const grammar = readGbnf(answerConstraint(schema).gbnf)
  for (const value of objects) expect(grammar.accepts(JSON.stringify(value))).toBe(true)
})
