import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readGbnf } from '../../../../../testing/formats/gbnf-matcher.ts'
import { answerConstraint } from './constraint.ts'
import { satisfies } from '../../../../../testing/formats/validate-arguments.ts'

const grammarOf = (schema: unknown) => readGbnf(answerConstraint(schema).gbnf)

const text = { type: 'string' }
const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required })

describe('a hostile schema', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, text]))
  let deep: unknown = text
  for (let depth = 0; depth < 5_000; depth++)
    deep = depth % 2 ? { anyOf: [deep, { type: 'null' }] } : object({ a: deep })
  const wide = (depth: number): object =>
    depth === 0 ? text : object({ a: wide(depth - 1), b: { allOf: [{ $ref: '#' }, { minProperties: 1 }] } })

  const branches = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `d${at}`,
      at > 57
        ? { type: 'integer', minimum: at }
        : { anyOf: [2, 3].map(next => ({ $ref: `#/$defs/d${at + next - (at % 2)}` })) },
    ]),
  )

  test.each<[string, unknown, string]>([
    ['whose choices branch at every name', { $ref: '#/$defs/d0', $defs: branches }, '60'],
    ['of 10,000 fields', object(many(10_000)), '{"anything": 1}'],
    ['that is nested 5,000 times', deep, '{}'],
    ['with 50,000 values', { enum: Array.from({ length: 50_000 }, (_, at) => `value ${at}`) }, '"anything"'],
    ['with long values', { enum: ['a'.repeat(1_000_000), 'b'] }, '"anything"'],
    ['that is only itself', { $ref: '#' }, '[1]'],
    ['that is itself or itself', { anyOf: [{ $ref: '#' }, { $ref: '#' }] }, '[1]'],
    ['that is all of itself', { allOf: [{ $ref: '#' }], anyOf: [{ $ref: '#' }, { type: 'string' }] }, '"a"'],
    [
      'in which two names mean each other',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
      '1',
    ],
    ['that no finite value satisfies', object({ a: { $ref: '#' } }, ['a']), '{"a": 1}'],
    ['that grows when it is merged', wide(12), '{}'],
    [
      'with counts beyond reason',
      { type: 'array', items: { type: 'string', maxLength: 1e9 }, minItems: 1e12 },
      '',
    ],
    [
      'of nonsense',
      { type: 7, enum: 'x', properties: [], anyOf: {}, $ref: 5, allOf: 'y', required: [1] },
      '{"a": 1}',
    ],
    ['that nothing satisfies', { allOf: [{ type: 'string' }, { type: 'integer' }] }, '1'],
  ])('%s gives a bounded grammar', (_, schema, taken) => {
    const { gbnf } = answerConstraint(schema)
    expect(gbnf.length).toBeLessThan(500_000)
    const grammar = readGbnf(gbnf)
    if (taken !== '') expect(grammar.accepts(taken)).toBe(true)
  })
})

/** A schema, and a value that satisfies it. */
type Pair = readonly [schema: object, value: unknown]

// Ajv calls `toString` and `valueOf` of the values that it compares, even where they are data.
const others = fc
  .array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 })
  .filter(values => !/"(toString|valueOf)":/.test(JSON.stringify(values)))
const names = fc.constantFrom('a', 'ab', 'path', 'x-y', 'two words', 'ü', '"quoted"', '__proto__')
const leaf: fc.Arbitrary<Pair> = fc.oneof(
  fc.string({ maxLength: 8 }).map((value): Pair => [{ type: 'string', maxLength: value.length + 2 }, value]),
  fc
    .string({ maxLength: 8, unit: 'binary' })
    .filter(value => value.isWellFormed())
    .map((value): Pair => [{ type: 'string' }, value]),
  fc.integer().map((value): Pair => [{ type: 'integer', minimum: value - 3, maximum: value + 30 }, value]),
  fc
    .double({ noNaN: true, min: -1e6, max: 1e6 })
    .map((value): Pair => [{ type: 'number', minimum: -1e6 }, Math.round(value * 100) / 100]),
  fc.boolean().map((value): Pair => [{ type: ['boolean', 'null'] }, value]),
  fc.tuple(others, fc.string()).map(([values, value]): Pair => [{ enum: [...values, value] }, value]),
)
const { pair } = fc.letrec<{ pair: Pair }>(tie => ({
  pair: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc
      .array(tie('pair'), { maxLength: 3 })
      .map((pairs): Pair => [
        { type: 'array', prefixItems: pairs.map(([schema]) => schema), items: false },
        pairs.map(([, value]) => value),
      ]),
    tie('pair').map(([schema, value]): Pair => [
      { type: 'array', items: schema, minItems: 1, maxItems: 3 },
      [value, value],
    ]),
    tie('pair').map(([schema, value]): Pair => [{ anyOf: [{ type: 'null' }, schema] }, value]),
    fc
      .uniqueArray(fc.tuple(names, tie('pair'), fc.boolean(), fc.boolean()), {
        selector: ([name]) => name,
        maxLength: 4,
      })
      .map((fields): Pair => {
        const there = fields.filter(([, , isRequired, isThere]) => isRequired || isThere)
        return [
          {
            type: 'object',
            properties: Object.fromEntries(fields.map(([name, [schema]]) => [name, schema])),
            required: fields.filter(([, , isRequired]) => isRequired).map(([name]) => name),
          },
          Object.fromEntries(there.map(([name, [, value]]) => [name, value])),
        ]
      }),
  ),
}))

describe('any schema', () => {
  test('gives a grammar that accepts the values satisfying it', () => {
    fc.assert(
      fc.property(pair, ([schema, value]) => {
        expect(grammarOf(schema).accepts(JSON.stringify(value))).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('gives a grammar whose every text satisfies it', () => {
    fc.assert(
      fc.property(
        pair,
        fc.infiniteStream(fc.double({ noNaN: true, min: 0, max: 0.999 })),
        ([schema], draws) => {
          const made = grammarOf(schema).makeUp(() => draws.next().value!)
          expect([made, satisfies(schema, JSON.parse(made))]).toEqual([made, true])
        },
      ),
      { numRuns: 300 },
    )
  })

  test('gives a grammar, whatever it contains', () => {
    const keyword = fc.constantFrom(
      ...'type properties required items prefixItems anyOf oneOf allOf $ref $defs enum const additionalProperties'.split(
        ' ',
      ),
      ...'patternProperties propertyNames minItems maxItems minLength maxLength pattern format minimum maximum'.split(
        ' ',
      ),
    )
    const word = fc.constantFrom<unknown>(
      'object',
      'array',
      'string',
      'number',
      '#',
      '#/$defs/a',
      '^a+$',
      'date',
      0,
      3,
      -1,
      true,
      false,
    )
    const { schema } = fc.letrec<{ schema: unknown }>(tie => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        word,
        fc.dictionary(keyword, tie('schema'), { maxKeys: 5 }),
        fc.array(tie('schema'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'type'), tie('schema'), { maxKeys: 3 }),
      ),
    }))
    fc.assert(
      fc.property(schema, given => {
        const grammar = grammarOf(given)
        expect(grammar.accepts(grammar.makeUp(Math.random))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
