import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Constraint } from '../../formats/grammar/constraint.ts'
import { followCall } from './call-end.ts'

const kinds = {
  hermes: { after: '<tool_call>', end: '</tool_call>', body: { jsonAfter: '<tool_call>' } },
  llama: { after: '{"name":', end: '', body: { jsonAfter: '' } },
  mistral: { after: '[TOOL_CALLS]', end: '', body: { jsonAfter: '[ARGS]' } },
  python: { after: '```tool_code', end: '\n```', body: 'text' },
  endless: { after: '<|python|>', end: '', body: 'text' },
} as const

const constraint = (kind: keyof typeof kinds): Constraint => ({
  where: 'anywhere',
  gbnf: '',
  ...kinds[kind],
})

/** Read a call in pieces of this length; returns the text behind its end. */
function readOn(kind: keyof typeof kinds, text: string, length = 1): string | undefined {
  const end = followCall(constraint(kind))
  for (let at = 0; at < text.length; at += length) {
    const rest = end.push(text.slice(at, at + length))
    if (rest !== undefined) return rest + text.slice(at + length)
  }
  return undefined
}

const calls: Record<Exclude<keyof typeof kinds, 'endless'>, string> = {
  hermes: '<tool_call>\n{"name": "a", "arguments": {"text": "</tool_call>}]\\"}"}}\n</tool_call>',
  llama: '{"name": "a", "parameters": {"list": [1, [2], "]"]}}',
  mistral: '[TOOL_CALLS]a[ARGS]{"x": {}}',
  python: '```tool_code\nprint(a("`"))\n```',
}

test('a call ends behind its value and its closing mark, whatever its texts hold', () => {
  for (const [kind, call] of Object.entries(calls) as [keyof typeof calls, string][]) {
    for (const length of [1, 2, 3, 7, 1_000]) expect(readOn(kind, `${call} more`, length)).toBe(' more')
    expect(readOn(kind, call.slice(0, -1))).toBeUndefined()
  }
})

test('a text without an end goes on', () => {
  expect(readOn('endless', '<|python|>print(1)\n\n[]{}')).toBeUndefined()
})

test('the value is told from what is around it', () => {
  const end = followCall(constraint('hermes'))
  const pieces = ['<tool_call>', '\n', '{"a": "', '}"', '}', '\n</tool', '_call>']
  const where = pieces.map(piece => {
    end.push(piece)
    return end.isInValue
  })
  expect(where).toEqual([true, true, true, true, false, false, false])
})

test('any JSON value with a blank behind it ends where it ends', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 9 }), (value, length) => {
      const text = `{"name": ${JSON.stringify(value)}}`
      expect(readOn('llama', `${text}\n}]"`, length)).toBe('\n}]"')
      const listed = `[TOOL_CALLS]a[ARGS] ${JSON.stringify(value)}`
      expect(readOn('mistral', `${listed} behind`, length)).toBe(' behind')
    }),
  )
})
