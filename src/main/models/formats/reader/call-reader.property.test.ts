import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countCases } from '../../../../../testing/count-cases.ts'
import { eventsOf, gist, tools } from '../../../../../testing/formats/read-message.ts'
import { NAMING, WHOLE } from './markers.ts'

const marks = [...WHOLE, ...NAMING].flatMap(([, list]) => list.replaceAll('·', ' ').split(/ (?=[<[\]])/))
const scraps = [
  ...Array.from('{}[]()"\'`,:;=\\<>|#\n “”'),
  ...'``` ```json\n "name" "arguments" "path" "a" 3 true // /* */ """ <|"|> <escape> <b> </b> analysis'.split(
    ' ',
  ),
  ...'call: Action: functools[ ||call: >>> all\n name="open_file"> path> to=functions.clock print('.split(
    ' ',
  ),
  'Action Input:',
  ']<]minimax[>[',
]
const calls = [
  ...'open_file clock python clock() call:clock{} open_file(path="a")'.split(' '),
  '{"name": "open_file", "arguments": {"path": "a"}}',
]

/** Text made of pieces of markup, of calls if `withCalls`, and of numbered words. */
const soup = (withCalls: boolean) =>
  fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...marks, ...scraps, ...(withCalls ? calls : [])) },
        ...(withCalls ? [fc.constant('<tool_call>{"name": "clock", "arguments": {}}</tool_call>')] : []),
        { weight: 2, arbitrary: fc.constant('#word#') },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
      ),
      { maxLength: 24 },
    )
    .map(pieces => pieces.map((piece, index) => (piece === '#word#' ? ` Wd${index}x ` : piece)).join(''))

const manner = fc.record({
  promptTail: fc.constantFrom('', '<think>\n', '>>>', '<|start|>assistant', '[TOOL_CALLS]'),
  truncated: fc.boolean(),
})

describe('for any text of a model', () => {
  test('the result does not depend on how the text is split into chunks', () => {
    fc.assert(
      fc.property(soup(true), manner, fc.array(fc.integer({ min: 1, max: 9 })), (text, manner, sizes) => {
        const whole = eventsOf(text, manner)
        expect(eventsOf(text, { ...manner, chunks: cutInto(sizes) })).toEqual(whole)
        expect(eventsOf(text, { ...manner, chunks: all => all.split('') })).toEqual(whole)
      }),
      { numRuns: 800 },
    )
  })

  test('no word is lost, repeated or moved', () => {
    const { met, atLeast } = countCases<'word' | 'in order'>()
    fc.assert(
      fc.property(soup(true), manner, (text, manner) => {
        const events = eventsOf(text, manner)
        const told = JSON.stringify(events)
        for (const [word] of text.matchAll(/Wd\d+x/g)) {
          met('word')
          expect(told).toContain(word)
        }
        const shown = events.map(event => ('text' in event ? event.text : '')).join('')
        const order = Array.from(shown.matchAll(/Wd(\d+)x/g), ([, index]) => Number(index))
        if (order.length > 1) met('in order')
        expect(order).toEqual([...new Set(order)].toSorted((a, b) => a - b))
      }),
      { numRuns: 800 },
    )
    atLeast({ word: 450, 'in order': 100 })
  })

  test('only existing tools are called', () => {
    const names = tools.map(tool => tool.name)
    const { met, atLeast } = countCases<'call'>()
    fc.assert(
      fc.property(soup(true), manner, (text, manner) => {
        for (const event of eventsOf(text, manner)) {
          if (event.type !== 'call') continue
          met('call')
          expect([names, text]).toEqual([
            expect.arrayContaining([event.name]),
            expect.stringContaining(event.name),
          ])
        }
      }),
      { numRuns: 800 },
    )
    atLeast({ call: 120 })
    fc.assert(
      fc.property(soup(false), manner, (text, manner) => {
        fc.pre(!names.some(name => text.includes(name)))
        expect(eventsOf(text, manner).filter(event => event.type === 'call')).toEqual([])
      }),
      { numRuns: 800 },
    )
  })
})

/** Text with everything in it that could be mistaken for the end of something. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(...Array.from('"\'\\{}[](),:\n\t `<>|é𝒳')),
      fc.constantFrom(
        ' a ',
        '```',
        '</tool_call>',
        '<tool_call>',
        '</think>',
        '[TOOL_CALLS]',
        '\\n',
        '//',
        'True',
      ),
      fc.string({ maxLength: 6 }),
    ),
    { maxLength: 8 },
  )
  .map(parts => parts.join(''))
const given = fc.record(
  {
    title: hostile,
    steps: fc.array(hostile, { maxLength: 3 }),
    limits: fc.record({ hours: fc.integer(), note: hostile }, { requiredKeys: [] }),
    share: fc.double({ noNaN: true, noDefaultInfinity: true }).filter(share => !Object.is(share, -0)),
    urgent: fc.boolean(),
    owner: fc.constant(null),
  },
  { requiredKeys: [] },
)
type Given = typeof given extends fc.Arbitrary<infer T> ? T : never

const json = (name: string, args: object) => JSON.stringify({ name, arguments: args })
const python = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(python).join(', ')}]`
    : typeof value === 'object' && value !== null
      ? `{${Object.entries(value)
          .map(([key, item]) => `'${key}': ${python(item)}`)
          .join(', ')}}`
      : typeof value === 'string'
        ? JSON.stringify(value)
        : ({ true: 'True', false: 'False', null: 'None' }[String(value)] ?? String(value))
const keywords = (args: object) =>
  Object.entries(args)
    .map(([key, value]) => `${key}=${python(value)}`)
    .join(', ')
const gemma = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(gemma).join(',')}]`
    : typeof value === 'object' && value !== null
      ? `{${Object.entries(value)
          .map(([key, item]) => `${key}:${gemma(item)}`)
          .join(',')}}`
      : typeof value === 'string'
        ? `<|"|>${value}<|"|>`
        : String(value)
const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
const tagged = (args: object, open: (key: string) => string, close: string) =>
  Object.entries(args)
    .map(([key, value]) => `${open(key)}${asText(value)}${close}`)
    .join('')

const writers: [string, (args: Given) => string][] = [
  ['JSON in a tag', args => `<tool_call>${json('plan', args)}</tool_call>`],
  ['JSON with nothing around it', args => json('plan', args)],
  [
    'JSON in a fence',
    args => `\`\`\`json\n${JSON.stringify({ name: 'plan', arguments: args }, null, 2)}\n\`\`\``,
  ],
  ['a list of JSON', args => `[TOOL_CALLS][${json('plan', args)}, ${json('clock', {})}]`],
  ['a name and JSON', args => `[TOOL_CALLS]plan[ARGS]${JSON.stringify(args)}`],
  [
    'a Harmony part',
    args =>
      `<|channel|>commentary to=functions.plan <|constrain|>json<|message|>${JSON.stringify(args)}<|call|>`,
  ],
  [
    'JSON as a text in JSON',
    args => `{"name": "plan", "arguments": ${JSON.stringify(JSON.stringify(args))}}`,
  ],
  ['a list of Python', args => `[plan(${keywords(args)})]`],
  ['marked Python', args => `<|tool_call_start|>[plan(${keywords(args)})]<|tool_call_end|>`],
  ['a Gemma object', args => `<|tool_call>call:plan${gemma(args)}<tool_call|>`],
  [
    'tagged text, in lines',
    args =>
      `<tool_call>\n<function=plan>\n${tagged(args, key => `<parameter=${key}>\n`, '\n</parameter>\n')}</function>\n</tool_call>`,
  ],
  [
    'tagged text, in pairs',
    args =>
      `<tool_call>plan${tagged(args, key => `<arg_key>${key}</arg_key><arg_value>`, '</arg_value>')}</tool_call>`,
  ],
]

describe('correctly written calls are read as intended:', () => {
  test.for(writers)('%s', ([, write]) => {
    fc.assert(
      fc.property(given, args => {
        // In key-value pairs, a line feed at both ends of a string counts as layout.
        fc.pre(!/^\n[^]*\n$/.test(args.title ?? ''))
        expect(gist(write(args))[0]).toEqual(['plan', args])
      }),
      { numRuns: 150 },
    )
  })
})

function cutInto(sizes: readonly number[]) {
  return (text: string) => {
    const chunks: string[] = []
    for (let at = 0, turn = 0; at < text.length; turn++) {
      const size = sizes[turn % Math.max(1, sizes.length)] ?? text.length
      chunks.push(text.slice(at, at + size))
      at += size
    }
    return chunks
  }
}
