import { expect, test } from 'vitest'
import { shortTexts } from './short-texts.ts'

test('every free text gets a limit, at any depth, and a tighter one stays', () => {
  const schema = {
    type: 'object',
    properties: {
      path: { type: 'string' },
      command: { type: 'string', minLength: 1, maxLength: 40_000 },
      code: { type: 'string', maxLength: 3 },
      list: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
    },
    required: ['path'],
  }
  expect(shortTexts(schema)).toEqual({
    type: 'object',
    properties: {
      path: { type: 'string', maxLength: 60 },
      command: { type: 'string', minLength: 1, maxLength: 60 },
      code: { type: 'string', maxLength: 3 },
      list: { type: 'array', items: { anyOf: [{ type: 'string', maxLength: 60 }, { type: 'integer' }] } },
    },
    required: ['path'],
  })
})

test('a text that is one of a few is left alone', () => {
  const schema = { type: 'string', enum: ['a', 'b'] }
  expect([shortTexts(schema), shortTexts({ type: 'string', const: 'c' })]).toEqual([
    schema,
    { type: 'string', const: 'c' },
  ])
})
