import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Constraint } from '../../../formats/grammar/constraint.ts'
import { watchReply, followCall } from './watch-reply.ts'

const after = (text: string, where: Constraint['where'] = 'anywhere'): Constraint => ({
  after: text,
  where,
  gbnf: '',
  end: '',
  body: 'text',
})
const constraints = [after('<tool_call>'), after('```tool_code'), after('{"name":', 'start')]

/** The text before each mark that counts, when the reply is read in pieces of this length. */
function marks(text: string, length = text.length): string[] {
  const watch = watchReply(constraints)
  const found: string[] = []
  let at = 0
  while (at < text.length) {
    const trigger = watch.push(text.slice(at, at + length))
    at = Math.min(text.length, at + length)
    if (!trigger) continue
    at -= trigger.behind.length
    found.push(text.slice(0, at))
  }
  return found
}

const counted: Record<string, string> = {
  'in text': 'I will look.\n<tool_call>',
  'behind a word': 'Look:<tool_call>',
  'behind a thought': '<think>Should I?</think>\n<tool_call>',
  'behind a thought in words': 'Well. [THINK]`x[/THINK]<tool_call>',
  'behind inline code': 'Use `ls` and ``a`b``: <tool_call>',
  'behind a code block': '```sh\nls `x`\n```\n<tool_call>',
  'behind a block in one line': '```ls``` <tool_call>',
  'behind a block of tildes': '~~~sh\n```\n~~~\n<tool_call>',
  'behind words that are struck out': '~~~ no ~~~ <tool_call>',
  'behind a lonely backtick on another line': 'A ` here.\n<tool_call>',
  'as a block of its own': 'Now:\n```tool_code',
  'as a block behind a block': '```python\n1\n```\n```tool_code',
  'at the beginning': ' \n{"name":',
  'at the beginning, behind a thought': '<think>x</think>\n\n{"name":',
  'behind the header of a part': '<|channel|>analysis<|message|>to do<|end|><|start|>assistant<tool_call>',
}
test.for(Object.entries(counted))('a mark counts %s', ([, text]) => {
  for (const length of [1, 2, 3, 5, text.length]) expect(marks(`${text} x`, length)).toEqual([text])
})

const ignored: Record<string, string> = {
  'in a thought': '<think>I could <tool_call></think>',
  'in a thought that stays open': '<|channel|>analysis<|message|>First <tool_call>',
  'in inline code': 'Write `<tool_call>` to call.',
  'in inline code with a backtick in it': '`` ` <tool_call>`` it is.',
  'in a code block': '```xml\n<tool_call>\n```\n',
  'in a block with more backticks': '````\n```\n<tool_call>\n````\n',
  'in a block of tildes': '~~~xml\n```\n<tool_call>\n~~~\n',
  'as a block inside a line': 'Use ```tool_code to call.',
  'as a block in another one': '````md\n```tool_code\n````\n',
  'of the beginning, behind text': 'So: {"name":',
  'cut off': 'A <tool_cal and <<tool_ call>',
}
test.for(Object.entries(ignored))('a mark does not count %s', ([, text]) => {
  for (const length of [1, 2, 3, 5, text.length]) expect(marks(text, length)).toEqual([])
})

test('after a call, reading continues as at the start of a line', () => {
  const watch = watchReply(constraints)
  expect(watch.push('a ```<tool_call> `')).toBeUndefined()
  expect(watch.push('``\nb <tool_call>{')?.behind).toBe('{')
  watch.restart()
  expect(watch.push('```\n<tool_call>\n```\n{"name":')).toBeUndefined()
  expect(watch.push(' <tool_call>')?.constraint).toBe(constraints[0])
})

const piece = fc.constantFrom(
  '<tool_call>',
  '<think>',
  '</think>',
  '```',
  '`',
  '~~~',
  '\n',
  ' ',
  'a',
  '<',
  '{"name":',
  '```tool_code',
  '</', // oxfmt-ignore
)

test('the result does not depend on how the reply is split', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), fc.integer({ min: 1, max: 6 }), (pieces, length) => {
      const text = `${pieces.join('')}\n`
      expect(marks(text, length)).toEqual(marks(text))
    }),
  )
})

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

/** Read a call in pieces of this length; returns the text after its end. */
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

test('a call ends after its value and closing mark, whatever its texts contain', () => {
  for (const [kind, call] of Object.entries(calls) as [keyof typeof calls, string][]) {
    for (const length of [1, 2, 3, 7, 1_000]) expect(readOn(kind, `${call} more`, length)).toBe(' more')
    expect(readOn(kind, call.slice(0, -1))).toBeUndefined()
  }
})

test('a text call without an end mark never ends', () => {
  expect(readOn('endless', '<|python|>print(1)\n\n[]{}')).toBeUndefined()
})

test('reading knows whether it is inside the value of a call', () => {
  const end = followCall(constraint('hermes'))
  const pieces = ['<tool_call>', '\n', '{"a": "', '}"', '}', '\n</tool', '_call>']
  const where = pieces.map(piece => {
    end.push(piece)
    return end.isInValue
  })
  expect(where).toEqual([true, true, true, true, false, false, false])
})

test('any JSON value followed by a space ends exactly there', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 9 }), (value, length) => {
      const text = `{"name": ${JSON.stringify(value)}}`
      expect(readOn('llama', `${text}\n}]"`, length)).toBe('\n}]"')
      const listed = `[TOOL_CALLS]a[ARGS] ${JSON.stringify(value)}`
      expect(readOn('mistral', `${listed} behind`, length)).toBe(' behind')
    }),
  )
})
