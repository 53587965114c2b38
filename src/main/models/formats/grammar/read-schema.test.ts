import { describe, expect, test } from 'vitest'
import { readGbnf } from '../../../../../testing/formats/gbnf-matcher.ts'
import { answerConstraint } from './constraint.ts'

const grammarOf = (schema: unknown) => readGbnf(answerConstraint(schema).gbnf)

/** Check which written values a schema accepts. */
function check(
  schema: unknown,
  { takes, refuses }: { takes: readonly string[]; refuses: readonly string[] },
) {
  const grammar = grammarOf(schema)
  expect(takes.filter(text => !grammar.accepts(text))).toEqual([])
  expect(refuses.filter(text => grammar.accepts(text))).toEqual([])
}

const text = { type: 'string' }
const object = (properties: object, required: string[] = [], rest: object = {}) => ({
  type: 'object',
  properties,
  required,
  ...rest,
})

describe('a grammar from a schema', () => {
  test('limits constants and enums to their values', () => {
    check(
      { enum: ['a', 'ab', 'a"b', 'ü', 3, null] },
      {
        takes: ['"a"', '"ab"', '"a\\"b"', '"ü"', '3', 'null'],
        refuses: ['"b"', '"a', 'a', '33', '"a"b"'],
      },
    )
    check(
      { const: { b: [1, 'x'] } },
      { takes: ['{"b": [1, "x"]}', '{"b":[1,"x"]}'], refuses: ['{"b": [1]}', '{}'] },
    )
    check({ type: 'string', enum: ['a', 1] }, { takes: ['"a"'], refuses: ['1'] })
  })

  test('allows any subset of the optional fields, in order', () => {
    check(object({ a: text, b: { type: 'boolean' }, c: { type: 'null' } }, ['b']), {
      takes: [
        '{"b": true}',
        '{"a": "", "b": false}',
        '{"b": true, "c": null}',
        '{"a": "x", "b": true, "c": null}',
      ],
      refuses: [
        '{}',
        '{"a": ""}',
        '{"b": true, "a": ""}',
        '{"b": true,}',
        '{,"b": true}',
        '{"b": true, "d": 1}',
      ],
    })
    check(object({ a: text, b: text }), {
      takes: ['{}', '{"a": ""}', '{"b": ""}', '{"a": "", "b": ""}'],
      refuses: ['{"a": "" "b": ""}', '{"b": "", "b": ""}'],
    })
  })

  test('allows additional fields if the schema does, but no known name twice', () => {
    check(object({ ab: { type: 'integer' } }, [], { additionalProperties: { type: 'boolean' } }), {
      takes: ['{}', '{"ab": 1}', '{"ab": 1, "abc": true, "a": false}', '{"x": true}'],
      refuses: ['{"ab": true}', '{"x": 1}', '{"": true}'],
    })
    check(object({ a: text }, [], { additionalProperties: true }), {
      takes: ['{"z": [1, {"y": null}]}'],
      refuses: ['{"a": 1}'],
    })
    check({ type: 'object', additionalProperties: false }, { takes: ['{}'], refuses: ['{"a": 1}'] })
    check({ type: 'object' }, { takes: ['{}', '{"a": 1, "b": "c"}'], refuses: ['[]'] })
    check(
      { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 1, maxProperties: 2 },
      {
        takes: ['{"a": 1}', '{"a": 1, "b": 2}'],
        refuses: ['{}', '{"a": 1, "b": 2, "c": 3}'],
      },
    )
    check(
      { type: 'object', patternProperties: { '^x-[a-z]+$': text }, additionalProperties: false },
      {
        takes: ['{}', '{"x-a": "b"}'],
        refuses: ['{"a": "b"}', '{"x-a": 1}'],
      },
    )
  })

  test('limits the number of items and characters', () => {
    check(
      { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 3 },
      {
        takes: ['[1]', '[1, 2,3]'],
        refuses: ['[]', '[1, 2, 3, 4]', '[1,]', '["1"]'],
      },
    )
    check(
      { type: 'array', prefixItems: [text, { type: 'boolean' }], items: false },
      {
        takes: ['["a", true]'],
        refuses: ['["a"]', '["a", true, 1]', '[true, "a"]'],
      },
    )
    check(
      { type: 'array', prefixItems: [text], items: { type: 'integer' }, maxItems: 2 },
      {
        takes: ['["a"]', '["a", 1]'],
        refuses: ['["a", 1, 2]'],
      },
    )
    check(
      { type: 'string', minLength: 2, maxLength: 3 },
      {
        takes: ['"ab"', '"ü€😀"', '"\\n\\u00e4"', '"\\ud83d\\ude00a"'],
        refuses: ['"a"', '"abcd"', '"\\ud83d\\ude00"'],
      },
    )
  })

  test('never allows a control character, half a character or a wrong escape in a text', () => {
    check(text, {
      takes: ['"\\t\\"\\\\\\/"', '"</tool_call> {}"', '"\\u0000"'],
      refuses: ['"\n"', '"\u0000"', '"\u007f"', '"a"b"', '"\\x"', '"\\u12"', '"\\ud800"', '"\\udc00"'],
    })
  })

  test('keeps numbers within their bounds', () => {
    const range = grammarOf({ type: 'integer', minimum: -12, maximum: 205 })
    for (let number = -300; number <= 400; number++)
      expect([number, range.accepts(String(number))]).toEqual([number, number >= -12 && number <= 205])
    check(
      { type: 'integer', exclusiveMinimum: 0 },
      { takes: ['1', '99', '123456789'], refuses: ['0', '-1', '01', '1.0'] },
    )
    check({ type: 'integer', maximum: -5 }, { takes: ['-5', '-50'], refuses: ['-4', '0', '5'] })
    check({ type: 'integer', minimum: 9, maximum: 3 }, { takes: ['1'], refuses: ['x'] })
    check(
      { type: 'number', minimum: 0, maximum: 1 },
      {
        takes: ['0', '0.5', '1', '1.0'],
        refuses: ['1.5', '-0.5', '2', '.5', '1.', '1.01'],
      },
    )
    check(
      { type: 'number', exclusiveMinimum: 0, maximum: 3600 },
      {
        takes: ['0.001', '1', '3599.9', '3600'],
        refuses: ['0', '0.0', '3600.5', '-1'],
      },
    )
    check(
      { type: 'number' },
      { takes: ['0', '-1.5', '2e10', '1.5E-3'], refuses: ['01', '+1', 'NaN', '1.e2'] },
    )
  })

  test.each([
    [
      'date',
      ['2024-02-29', '1999-12-31'],
      ['2023-02-29', '1900-02-29', '2024-13-01', '2024-04-31', '24-01-01'],
    ],
    [
      'date-time',
      ['2024-01-31T23:59:59Z', '2024-01-31T00:00:00.5+02:00'],
      ['2024-01-31', '2024-01-31T24:00:00Z'],
    ],
    ['time', ['12:00:00Z'], ['12:00', '12:60:00Z']],
    ['email', ['a.b+c@example.co.uk'], ['a@b', '@b.de', 'a b@c.de', 'a..b@c.de']],
    ['uuid', ['123e4567-E89b-12d3-a456-426614174000'], ['123e4567-e89b-12d3-a456', 'x']],
    ['uri', ['https://example.org/a?b=c&d=%20#e', 'mailto:a@b.de'], ['example', 'http://a b', 'x:%zz']],
    ['ipv6', ['2001:db8:0:0:0:0:0:1', 'fe80::1', '::1'], ['1::2::3', '12345::1', '1:2']],
    ['hostname', ['localhost', 'a-b.example.org'], ['-a', 'a..b', '']],
    ['ipv4', ['0.0.0.0', '192.168.1.255'], ['256.1.1.1', '1.2.3', '01.2.3.4']],
  ])('supports the format %s', (format, takes, refuses) => {
    const grammar = grammarOf({ type: 'string', format })
    expect(takes.filter(each => !grammar.accepts(JSON.stringify(each)))).toEqual([])
    expect(refuses.filter(each => grammar.accepts(JSON.stringify(each)))).toEqual([])
  })

  test('resolves references, including recursive ones', () => {
    const tree = {
      $ref: '#/$defs/a~1b',
      $defs: {
        'a/b': object({ name: text, parts: { type: 'array', items: { $ref: '#/$defs/a~1b' } } }, ['name']),
      },
    }
    check(tree, {
      takes: ['{"name": "a"}', '{"name": "a", "parts": [{"name": "b", "parts": []}]}'],
      refuses: ['{"parts": []}', '{"name": "a", "parts": [1]}', 'null'],
    })
    check(object({ next: { $ref: '#' } }), {
      takes: ['{}', '{"next": {"next": {}}}'],
      refuses: ['{"next": 1}'],
    })
  })

  test('combines parts of a schema', () => {
    check(
      { allOf: [object({ a: text }, ['a']), object({ b: { type: 'integer' } }, ['b'])] },
      {
        takes: ['{"a": "", "b": 1}'],
        refuses: ['{"a": ""}', '{"b": 1}'],
      },
    )
    check(
      { $ref: '#/$defs/n', maximum: 5, $defs: { n: { type: 'number', minimum: 3 } } },
      { takes: ['3', '4.5', '5'], refuses: ['2', '6'] },
    )
    check(
      { ...object({ a: text, b: text }), anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      {
        takes: ['{"a": ""}', '{"b": ""}', '{"a": "", "b": ""}'],
        refuses: ['{}'],
      },
    )
    check(
      { oneOf: [{ type: 'integer' }, { type: 'boolean' }, { not: {}, type: [] }] },
      { takes: ['1', 'true'], refuses: ['"a"', 'null'] },
    )
    check({ type: ['string', 'null'] }, { takes: ['"a"', 'null'], refuses: ['1'] })
  })

  test('accepts any value up to a depth where the schema sets no type', () => {
    for (const schema of [
      {},
      true,
      undefined,
      { description: 'x' },
      { $ref: 'elsewhere.json' },
      { type: 'file' },
    ])
      check(schema, {
        takes: ['1', '"a"', '[{"a": [true]}]', 'null', '{"a": {"b": {"c": 1}}}'],
        refuses: ['x', '{a: 1}'],
      })
    expect(grammarOf({}).accepts('['.repeat(9) + ']'.repeat(9))).toBe(false)
  })
})

describe('a pattern', () => {
  test.each([
    ['^[a-z]{2,4}$', ['ab', 'abcd'], ['a', 'abcde', 'AB']],
    ['^(?:foo|ba[rz])-\\d+$', ['foo-1', 'baz-22'], ['foo-', 'bax-1']],
    ['^\\S+$', ['a"b\\c', 'ü'], ['', 'a b']],
    ['^#?[^,]*\\.txt$', ['a.txt', '#.txt'], ['a,b.txt', 'a.text']],
    ['^v', ['v', 'v1 "x"'], ['', 'x']],
    ['^(?<year>\\d{4})$', ['2024'], ['24']],
  ])('%s is enforced', (pattern, takes, refuses) => {
    const grammar = grammarOf({ type: 'string', pattern })
    for (const each of takes) expect([each, new RegExp(pattern, 'u').test(each)]).toEqual([each, true])
    expect(takes.filter(each => !grammar.accepts(JSON.stringify(each)))).toEqual([])
    expect(refuses.filter(each => grammar.accepts(JSON.stringify(each)))).toEqual([])
  })

  test.each([
    'a',
    '(?=a)a',
    '^(?!a)b$',
    '^a|b$',
    '^(a*)*$',
    '^\\bx$',
    '^(\\w)\\1$',
    '^a{9999}$',
    '^[b-a]$',
    '^(a$',
    '^a)$',
    '^*$',
  ])('%s cannot be expressed in a grammar, so any text is accepted', pattern =>
    expect(grammarOf({ type: 'string', pattern }).accepts('"anything, \\"really\\""')).toBe(true),
  )

  test('is combined with the length if it consists of one kind of character', () => {
    check(
      { type: 'string', pattern: '^[a-z]+$', maxLength: 3 },
      { takes: ['"abc"'], refuses: ['"abcd"', '""', '"A"'] },
    )
  })
})
