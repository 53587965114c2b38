import { describe, expect, test } from 'vitest'
import type { Format } from '../format-types.ts'
import { type FormatId, formats } from '../format-table.ts'
import { writeCalls } from '../write-calls.ts'
import { readGbnf } from '../../../../../testing/formats/gbnf-matcher.ts'
import { callConstraint, callConstraints } from './constraint.ts'
import { begun, faultsOf } from '../../../../../testing/formats/validate-arguments.ts'
import { sampleTools } from '../../../../../testing/formats/sample-tools.ts'

const all: readonly Format[] = Object.values(formats)

const tools = [
  {
    name: 'get',
    description: '',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'integer' },
        unit: { enum: ['c', 'f'] },
        tags: { type: 'array', items: { type: 'string' } },
        more: { type: 'object', properties: { deep: { type: ['boolean', 'null'] } }, required: ['deep'] },
      },
      required: ['city'],
    },
  },
  { name: 'get_time', description: '', parameters: { type: 'object', properties: {} } },
]

/** Check what a format's grammar accepts and rejects after the mark. */
function check(id: FormatId, { takes, refuses }: { takes: readonly string[]; refuses: readonly string[] }) {
  const grammar = readGbnf(callConstraint(formats[id], tools)!.gbnf)
  expect(takes.filter(text => !grammar.accepts(text))).toEqual([])
  expect(refuses.filter(text => grammar.accepts(text))).toEqual([])
}

describe('the grammar of calls', () => {
  test('does not exist without tools', () => {
    expect(callConstraint(formats.hermes, [])).toBeUndefined()
  })

  test('for JSON', () => {
    check('hermes', {
      takes: [
        '\n{"name": "get", "arguments": {"city": "Ulm </tool_call>"}}\n</tool_call>',
        '{"name":"get_time","arguments":{}}</tool_call>',
      ],
      refuses: [
        '\n{"name": "got", "arguments": {}}\n</tool_call>',
        '\n{"name": "get", "arguments": {}}\n</tool_call>',
        '\n{"name": "get_time", "arguments": {"city": "Ulm"}}\n</tool_call>',
        '\n{"name": "get_time", "arguments": {}}\n',
        '\n{"name": "get_time", "arguments": {}}\n</tool_call>\n',
      ],
    })
    check('llama3', {
      takes: [' "get_time", "parameters": {}}', '"get", "parameters": {"city": ""}}'],
      refuses: ['{"name": "get_time", "parameters": {}}', ' "get_time", "arguments": {}}'],
    })
    check('mistral', {
      takes: [
        '[{"name": "get_time", "arguments": {}}]',
        '[{"name": "get_time", "arguments": {}}, {"name": "get", "arguments": {"city": "x"}}]',
      ],
      refuses: ['[]', '{"name": "get_time", "arguments": {}}', '[{"name": "get_time", "arguments": {}}'],
    })
    check('command-r7b', {
      takes: [
        '[{"tool_name": "get_time", "parameters": {}}]<|END_ACTION|>',
        '[{"tool_call_id": "0", "tool_name": "get_time", "parameters": {}}, {"tool_call_id": "12", "tool_name": "get_time", "parameters": {}}]<|END_ACTION|>',
      ],
      refuses: [
        '[]<|END_ACTION|>',
        '[{"tool_call_id": "", "tool_name": "get_time", "parameters": {}}]<|END_ACTION|>',
        '[{"tool_call_id": "0"}]<|END_ACTION|>',
      ],
    })
  })

  test('for a name and JSON', () => {
    check('function-tag', {
      takes: ['get_time>{}</function>'],
      refuses: [' get_time>{}</function>', 'get>{}</function>'],
    })
    check('solar', {
      takes: [
        '<|tool_call:begin|>Ab3dE6gH9<|tool_call:name|>get_time<|tool_call:args|>{}<|tool_call:end|>',
        '<|tool_call:begin|>Ab3dE6gH9<|tool_call:name|>get_time<|tool_call:args|>{}<|tool_call:end|><|tool_call:begin|>012345678<|tool_call:name|>get_time<|tool_call:args|>{}<|tool_call:end|>',
      ],
      refuses: [
        '<|tool_call:begin|>Ab3dE6gH9<|tool_call:name|>get_time<|tool_call:args|>{}<|tool_call:end|><|calls|>',
        '<|tool_call:begin|>get_time<|tool_call:args|>{}<|tool_call:end|>',
      ],
    })
    check('mistral-args', { takes: ['get[ARGS]{"city": "]"}'], refuses: ['get{"city": ""}'] })
    check('deepseek', {
      takes: [
        '<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_time\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      ],
      refuses: ['get_time\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>'],
    })
    check('harmony', {
      takes: ['get_time <|constrain|>json<|message|>{}'],
      refuses: ['get_time<|message|>{}'],
    })
  })

  test('for tags', () => {
    const call = (inner: string) => `\n<function=get>\n${inner}</function>\n</tool_call>`
    const parameter = (key: string, value: string) => `<parameter=${key}>\n${value}\n</parameter>\n`
    check('qwen-coder', {
      takes: [
        call(parameter('city', 'Ulm "am" \\ <b>See</b>\n\nlines <')),
        call(parameter('city', '') + parameter('days', '-3') + parameter('unit', 'f')),
        call(
          parameter('city', 'x') + parameter('tags', '["a", "</b>"]') + parameter('more', '{"deep": null}'),
        ),
        '\n<function=get_time>\n</function>\n</tool_call>',
      ],
      refuses: [
        call(''),
        call(parameter('days', '3')),
        call(parameter('city', 'x') + parameter('days', 'three')),
        call(parameter('city', 'x') + parameter('unit', '"f"')),
        call(parameter('city', 'a</parameter>b')),
        call(parameter('city', 'a</tool_call>b')),
        call(parameter('city', 'a<parameter=days>b')),
        call(parameter('city', 'x') + parameter('tags', '["</parameter>"]')),
      ],
    })
    check('glm', {
      takes: [
        'get\n<arg_key>city</arg_key>\n<arg_value>Ulm</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>',
        'get_time\n</tool_call>',
      ],
      refuses: ['get\n<arg_key>city</arg_key>\n<arg_value>a</arg_value>b</arg_value>\n</tool_call>'],
    })
  })

  test('for Python', () => {
    check('lfm2', {
      takes: [
        '[get(city="Ulm \\"am\\" See", tags=["a", "b"], more={"deep": True})]<|tool_call_end|>',
        '[get_time(), get(city="", unit="c")]<|tool_call_end|>',
      ],
      refuses: [
        '[]<|tool_call_end|>',
        '[get()]<|tool_call_end|>',
        '[get(city="", more={"deep": true})]<|tool_call_end|>',
        "[get(city='')]<|tool_call_end|>",
        '[get(city="<|tool_call_end|>")]<|tool_call_end|>',
      ],
    })
    check('gemma3', {
      takes: ['\nget_time()\n```', '\nget(city="a ```\\n``` b")\nget_time()\n```'],
      refuses: ['get_time()\n```', '\nget_time()```', '\nget(city="a\n```")\n```'],
    })
  })

  test('for Gemma', () => {
    check('gemma4', {
      takes: [
        'call:get{city:<|"|>Ulm "am" \\ <|See|><|"|>,days:3,tags:[<|"|>a<|"|>,<|"|><|"|>],more:{deep:true}}<tool_call|>',
        'call:get_time{}<tool_call|>',
      ],
      refuses: [
        'call:get{city:Ulm}<tool_call|>',
        'call:get{}<tool_call|>',
        'call:get{city:<|"|>a<|"|>b<|"|>}<tool_call|>',
        'call:get{city:<|"|>a<tool_call|><|"|>}<tool_call|>',
      ],
    })
  })

  test('accepts unusual keys in every format that can write them', () => {
    const odd = [
      {
        name: 'odd',
        description: '',
        parameters: { properties: { 'a b': { type: 'integer' } }, required: ['a b'] },
      },
    ]
    const call = { name: 'odd', arguments: { 'a b': 1 } }
    for (const format of all) {
      const text = writeCalls(format, [call]).text
      expect([
        format.id,
        readGbnf(callConstraint(format, odd)!.gbnf).accepts(behindMark(format, text)),
      ]).toEqual([format.id, true])
    }
  })

  test('waits for a name where a bracket alone opens a list', () => {
    const constraints = callConstraints(formats['python-list'], tools)
    expect(constraints.map(({ after }) => after)).toEqual(tools.map(({ name }) => `[${name}(`))
    const one = readGbnf(constraints.find(({ after }) => after === '[get(')!.gbnf)
    expect(one.accepts('city="Ulm"), get_time()]')).toBe(true)
    expect(one.accepts('town="Ulm")]')).toBe(false)
    expect(callConstraints(formats.hermes, tools)).toEqual([callConstraint(formats.hermes, tools)])
    expect(callConstraints(formats.hermes, [])).toEqual([])
  })

  test('starts at each spelling of a mark', () => {
    const constraints = callConstraints(formats['command-r'], tools)
    expect(constraints.map(({ after }) => after)).toEqual(['Action:\n```json', 'Action: ```json'])
    for (const constraint of constraints) {
      const text = '\n[{"tool_name": "get_time", "parameters": {}}]\n```'
      expect(readGbnf(constraint.gbnf).accepts(text)).toBe(true)
      expect(endOf(constraint, text)).toBe(text.length)
    }
  })

  test('writes texts and names so that they are read back unchanged', () => {
    const wild = [
      {
        name: 'a"b\\c',
        description: '',
        parameters: {
          properties: { 'k"\\\n\u0000': { const: '\u0001"\\</x>' } },
          required: ['k"\\\n\u0000'],
        },
      },
    ]
    for (const format of all) expect(() => readGbnf(callConstraint(format, wild)!.gbnf)).not.toThrow()
    expect(
      readGbnf(callConstraint(formats.hermes, wild)!.gbnf).accepts(
        `${JSON.stringify({ name: 'a"b\\c', arguments: { 'k"\\\n\u0000': '\u0001"\\</x>' } })}</tool_call>`,
      ),
    ).toBe(true)
  })
})

/** The text of a written call after the mark, up to where the grammar ends. */
const behindMark = (format: Format, text: string) => text.slice(begun(format).length).trimEnd()

describe.each(all.map(format => [format.id, format] as const))('%s', (_, format) => {
  test('accepts calls as written in the history', () => {
    const grammar = readGbnf(callConstraint(format, tools)!.gbnf)
    for (const given of [
      { name: 'get_time', arguments: {} },
      {
        name: 'get',
        arguments: { city: 'Ulm', days: -2, unit: 'f', tags: ['a', 'b "c"'], more: { deep: true } },
      },
      { name: 'get', arguments: { city: 'a\nb', more: { deep: null } } },
    ]) {
      const text = behindMark(format, writeCalls(format, [given]).text)
      expect([text, grammar.reach(text)]).toEqual([text, text.length])
      expect([text, grammar.accepts(text)]).toEqual([text, true])
    }
  })

  test('accepts only calls that can be read and are valid, each ending where it says', () => {
    const constraint = callConstraint(format, sampleTools)!
    const grammar = readGbnf(constraint.gbnf)
    const draw = numbers(7)
    for (let run = 0; run < 40; run++) {
      const text = grammar.makeUp(draw)
      expect([text, faultsOf(format, sampleTools, text)]).toEqual([text, []])
      expect(endOf(constraint, text)).toBe(text.length)
    }
  })
})

/** The position where a constraint ends in a text, found as its type describes. */
function endOf(
  { after, end, body }: NonNullable<ReturnType<typeof callConstraint>>,
  text: string,
): number | undefined {
  // Without an end, the grammar applies up to the end of the reply.
  if (body === 'text') return end === '' ? text.length : text.indexOf(end) + end.length
  const whole = after + text
  const from = body.jsonAfter === '' ? 0 : whole.indexOf(body.jsonAfter) + body.jsonAfter.length
  for (let at = from + 1; at <= whole.length; at++) {
    if (!whole.startsWith(end, at)) continue
    if (isJson(whole.slice(from, at))) return at + end.length - after.length
  }
  return undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The same numbers between 0 and 1 in every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
