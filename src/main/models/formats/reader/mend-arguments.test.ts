import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Unreadable } from './reader-input.ts'
import { bareName, indexTools } from './known-tools.ts'
import { mendArguments } from './mend-arguments.ts'

test('valid JSON is read as it is, also within JSON', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), given => {
      const text = JSON.stringify(given)
      expect(mendArguments(text)).toEqual(JSON.parse(text))
      expect(mendArguments(JSON.stringify(text))).toEqual(JSON.parse(text))
    }),
  )
})

test('no beginning of arguments is completed', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), given => {
      const text = JSON.stringify(given)
      for (let end = 1; end < text.length; end++)
        expect(mendArguments(text.slice(0, end))).toBeInstanceOf(Unreadable)
    }),
    { numRuns: 50 },
  )
})

test('nothing makes it throw, and marks around the arguments do not matter', () => {
  fc.assert(fc.property(fc.string(), text => void mendArguments(text)))
  for (const end of ['', '\n```', ';', '<|call|>', '</tool_call>\n', '<|end|><|call|>'])
    expect(mendArguments(`\`\`\`json\n{'a': True, "b": [1,],}${end}`)).toEqual({ a: true, b: [1] })
})

test('different objects are not put together, and the model reads what to do', () => {
  expect(mendArguments('{"a":1}{"a":2}')).toMatchObject({
    reason: expect.stringContaining('one call for each'),
  })
})

test.for<[written: string, name: string]>([
  ['read_file<|channel|>commentary', 'read_file'],
  ['functions.read_file<|constrain|>json', 'read_file'],
  ['read_file<｜tool▁sep｜>', 'read_file'],
  ['to=functions.read_file', 'read_file'],
  ['read_file:0', 'read_file'],
  ['`read_file`', 'read_file'],
])('%s means the tool %s', ([written, name]) => {
  expect(indexTools([{ name: 'read_file', parameters: {} }]).find(written)?.name).toBe(name)
})

test('a tool that has such a name is found by it', () => {
  const tools = indexTools([
    { name: 'a<|b|>', parameters: {} },
    { name: 'a', parameters: {} },
  ])
  expect([tools.find('a<|b|>')?.name, bareName('<|b|>'), bareName('查询天气')]).toEqual([
    'a<|b|>',
    '<|b|>',
    '查询天气',
  ])
})
