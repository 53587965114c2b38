import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createToolCallReader, type ReaderEvent } from './reader/call-reader.ts'
import type { Call, Format, Marked } from './format-types.ts'
import { piecesOf } from './marked-text.ts'
import { formats } from './format-table.ts'
import { writeCalls, writeReply } from './write-calls.ts'

const all: readonly Format[] = Object.values(formats)

const tools = [
  { name: 'clock', parameters: { type: 'object', properties: {} } },
  {
    name: 'plan',
    parameters: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        steps: { type: 'array', items: { type: 'string' } },
        limits: { type: 'object' },
        share: { type: 'number' },
        urgent: { type: 'boolean' },
        owner: { type: 'null' },
        'a-b': { type: 'string' },
        'odd key': { type: 'string' },
      },
    },
  },
]

/** The calls that our own reader finds in a message, and the text around them. */
function readBack(text: string): { calls: Call[]; words: string; bad: ReaderEvent[] } {
  const reader = createToolCallReader({ tools })
  const events = [...reader.push(text), ...reader.end()]
  return {
    calls: events.flatMap(event =>
      event.type === 'call' ? [{ name: event.name, arguments: event.arguments }] : [],
    ),
    words: events
      .map(event => (event.type === 'text' ? event.text : ''))
      .join('')
      .trim(),
    bad: events.filter(event => event.type === 'bad_call'),
  }
}

const marks = [...new Set(all.flatMap(({ open, close, mark, frame }) => [open, close, mark, ...frame]))]
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(...Array.from('"\'\\{}[](),:;=\n\t `<>|é𝒳#/')),
      fc.constantFrom(
        ...marks,
        '<|"|>',
        '<escape>',
        '</think>',
        '<think>',
        '<|im_end|>',
        '[ARGS]',
        '```',
        '"""',
      ),
      fc.constantFrom('</parameter>', '<parameter=title>', '</function>', '</arg_value>', '<arg_key>', '\\n'),
      fc.constantFrom(' a ', '//', 'True', '7', '<![CDATA[x]]>', '\r\n', '\u2028', 'clock()', 'plan('),
      fc.string({ unit: 'binary', maxLength: 5 }),
    ),
    { maxLength: 8 },
  )
  .map(parts => parts.join(''))
const aNumber = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter(value => !Object.is(value, -0)),
)
const aKey = fc.oneof(fc.constantFrom('hours', 'odd key', '', '</tool_call>', '"', 'é'), hostile)
const anything: fc.Arbitrary<unknown> = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    hostile,
    aNumber,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    // JSON has no prototypes; a key of that name is an ordinary one.
    fc.dictionary(aKey, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value
const aCall = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ name: 'clock', arguments: {} }) },
  {
    weight: 6,
    arbitrary: fc
      .record(
        {
          title: hostile,
          steps: fc.array(hostile, { maxLength: 3 }),
          limits: fc.dictionary(aKey, anything, { maxKeys: 3, noNullPrototype: true }),
          share: aNumber,
          urgent: fc.boolean(),
          owner: fc.constant(null),
          'a-b': hostile,
          'odd key': hostile,
        },
        { requiredKeys: [] },
      )
      .map(given => ({ name: 'plan', arguments: given as Record<string, unknown> })),
  },
)

describe('our own reader reads back calls written in', () => {
  test.for(all.map(format => [format.label, format] as const))('%s', ([, format]) => {
    fc.assert(
      fc.property(fc.array(aCall, { minLength: 1, maxLength: 3 }), calls => {
        const { text } = writeCalls(format, calls)
        expect(readBack(text)).toEqual({ calls, words: '', bad: [] })
      }),
      { numRuns: 100 },
    )
  })
})

const spelledBy = (format: Format, title: string) =>
  writeCalls(format, [{ name: 'plan', arguments: { title } }])

test.for(all.map(format => [format.label, format] as const))(
  '%s: markup comes from the format, never from the arguments',
  ([, format]) => {
    const { open, close, each = [], notation } = format
    const id = notation.kind === 'named' ? Object.values(notation.id ?? {}) : []
    const own = [open, close, ...each, ...id, ...Object.values(notation)].join()
    const marksOf = ({ text, markup }: Marked) =>
      markup.flatMap(([from, to]) => text.slice(from, to).split(/(?<=[>\]])/))
    const usual = marksOf(spelledBy(format, 'a'))
    fc.assert(
      fc.property(hostile, title => {
        const written = spelledBy(format, title)
        const found = marksOf(written)
        for (const mark of found) expect(own).toContain(mark)
        expect(found.length).toBeLessThanOrEqual(usual.length)
        expect([...written.markup].flat()).toEqual([...written.markup].flat().toSorted((a, b) => a - b))
        const bare = piecesOf(written).filter(piece => typeof piece === 'string')
        const spellings = [title, JSON.stringify(title), `\n${title}\n`]
        expect(spellings.some(each => bare.join('\0').includes(each))).toBe(true)
      }),
      { numRuns: 60 },
    )
  },
)

test('each format, byte for byte', () => {
  const calls = [{ name: 'plan', arguments: { title: 'a "b"', share: 2, owner: null } }]
  expect(all.map(format => `${format.id}: ${writeCalls(format, calls).text}`).join('\n\n'))
    .toMatchInlineSnapshot(`
      "hermes: <tool_call>
      {"name": "plan", "arguments": {"title": "a \\"b\\"", "share": 2, "owner": null}}
      </tool_call>

      qwen-coder: <tool_call>
      <function=plan>
      <parameter=title>
      a "b"
      </parameter>
      <parameter=share>
      2
      </parameter>
      <parameter=owner>
      null
      </parameter>
      </function>
      </tool_call>

      llama3: {"name": "plan", "parameters": {"title": "a \\"b\\"", "share": 2, "owner": null}}

      llama4: <|python_start|>[plan(title="a \\"b\\"", share=2, owner=None)]<|python_end|>

      function-tag: <function=plan>{"title": "a \\"b\\"", "share": 2, "owner": null}</function>

      gemma3: \`\`\`tool_code
      plan(title="a \\"b\\"", share=2, owner=None)
      \`\`\`

      gemma4: <|tool_call>call:plan{title:<|"|>a "b"<|"|>,share:2,owner:null}<tool_call|>

      functiongemma: <start_function_call>call:plan{title:<escape>a "b"<escape>,share:2,owner:null}<end_function_call>

      mistral: [TOOL_CALLS][{"name": "plan", "arguments": {"title": "a \\"b\\"", "share": 2, "owner": null}, "id": "call00000"}]

      mistral-args: [TOOL_CALLS]plan[ARGS]{"title": "a \\"b\\"", "share": 2, "owner": null}

      phi4: <|tool_call|>[{"name": "plan", "arguments": {"title": "a \\"b\\"", "share": 2, "owner": null}}]<|/tool_call|>

      granite3: <|tool_call|>[{"name": "plan", "arguments": {"title": "a \\"b\\"", "share": 2, "owner": null}}]

      lfm2: <|tool_call_start|>[plan(title="a \\"b\\"", share=2, owner=None)]<|tool_call_end|>

      command-r7b: <|START_ACTION|>[{"tool_call_id": "0", "tool_name": "plan", "parameters": {"title": "a \\"b\\"", "share": 2, "owner": null}}]<|END_ACTION|>

      deepseek: <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>plan
      \`\`\`json
      {"title": "a \\"b\\"", "share": 2, "owner": null}
      \`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>

      glm: <tool_call>plan
      <arg_key>title</arg_key>
      <arg_value>a "b"</arg_value>
      <arg_key>share</arg_key>
      <arg_value>2</arg_value>
      <arg_key>owner</arg_key>
      <arg_value>null</arg_value>
      </tool_call>

      seed-oss: <seed:tool_call>
      <function=plan>
      <parameter=title>a "b"</parameter>
      <parameter=share>2</parameter>
      <parameter=owner>null</parameter>
      </function>
      </seed:tool_call>

      harmony: <|channel|>commentary to=functions.plan <|constrain|>json<|message|>{"title": "a \\"b\\"", "share": 2, "owner": null}

      nemotron: <TOOLCALL>[{"name": "plan", "arguments": {"title": "a \\"b\\"", "share": 2, "owner": null}}]</TOOLCALL>

      tool-calls-list: <tool_calls>[{"name": "plan", "arguments": {"title": "a \\"b\\"", "share": 2, "owner": null}}]</tool_calls>

      internlm2: <|action_start|><|plugin|>
      {"name": "plan", "parameters": {"title": "a \\"b\\"", "share": 2, "owner": null}}<|action_end|>

      kimi-k2: <|tool_calls_section_begin|><|tool_call_begin|>functions.plan:0<|tool_call_argument_begin|>{"title": "a \\"b\\"", "share": 2, "owner": null}<|tool_call_end|><|tool_calls_section_end|>

      deepseek-v3.1: <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>plan<｜tool▁sep｜>{"title": "a \\"b\\"", "share": 2, "owner": null}<｜tool▁call▁end｜><｜tool▁calls▁end｜>

      apertus: <|tools_prefix|>[{"plan": {"title": "a \\"b\\"", "share": 2, "owner": null}}]<|tools_suffix|>

      gigachat3: function call<|role_sep|>
      {"name": "plan", "arguments": {"title": "a \\"b\\"", "share": 2, "owner": null}}

      gigachat3.1: <|function_call|>{"name": "plan", "arguments": {"title": "a \\"b\\"", "share": 2, "owner": null}}

      mistral-ids: [TOOL_CALLS]plan[CALL_ID]call00000[ARGS]{"title": "a \\"b\\"", "share": 2, "owner": null}

      solar: <|tool_calls|><|tool_call:begin|>call00000<|tool_call:name|>plan<|tool_call:args|>{"title": "a \\"b\\"", "share": 2, "owner": null}<|tool_call:end|>

      tool-calls-lines: <tool_calls>
      {"name": "plan", "arguments": {"title": "a \\"b\\"", "share": 2, "owner": null}}
      </tool_calls>

      bare-list: [{"name": "plan", "arguments": {"title": "a \\"b\\"", "share": 2, "owner": null}}]

      functools: functools[{"name": "plan", "arguments": {"title": "a \\"b\\"", "share": 2, "owner": null}}]

      functionary3: >>>plan
      {"title": "a \\"b\\"", "share": 2, "owner": null}

      command-r: Action:
      \`\`\`json
      [{"tool_name": "plan", "parameters": {"title": "a \\"b\\"", "share": 2, "owner": null}}]
      \`\`\`

      minicpm3: <|tool_call_start|>
      \`\`\`python
      plan(title="a \\"b\\"", share=2, owner=None)
      \`\`\`
      <|tool_call_end|>

      granite-20b: <function_call> {"name": "plan", "arguments": {"title": "a \\"b\\"", "share": 2, "owner": null}}

      firefunction1: <functioncall> {"name": "plan", "arguments": {"title": "a \\"b\\"", "share": 2, "owner": null}}

      functionary2: <|recipient|>plan
      <|content|>{"title": "a \\"b\\"", "share": 2, "owner": null}

      python-list: [plan(title="a \\"b\\"", share=2, owner=None)]

      fenced-list: \`\`\`
      [{"name": "plan", "arguments": {"title": "a \\"b\\"", "share": 2, "owner": null}}]
      \`\`\`

      minimax-m2: <minimax:tool_call>
      <invoke name="plan">
      <parameter name="title">a "b"</parameter>
      <parameter name="share">2</parameter>
      <parameter name="owner">null</parameter>
      </invoke>
      </minimax:tool_call>

      deepseek-v3.2: <｜DSML｜function_calls>
      <｜DSML｜invoke name="plan">
      <｜DSML｜parameter name="title" string="true">a "b"</｜DSML｜parameter>
      <｜DSML｜parameter name="share" string="false">2</｜DSML｜parameter>
      <｜DSML｜parameter name="owner" string="false">null</｜DSML｜parameter>
      </｜DSML｜invoke>
      </｜DSML｜function_calls>

      deepseek-v4: <｜DSML｜tool_calls>
      <｜DSML｜invoke name="plan">
      <｜DSML｜parameter name="title" string="true">a "b"</｜DSML｜parameter>
      <｜DSML｜parameter name="share" string="false">2</｜DSML｜parameter>
      <｜DSML｜parameter name="owner" string="false">null</｜DSML｜parameter>
      </｜DSML｜invoke>
      </｜DSML｜tool_calls>

      minicpm5: <function name="plan"><param name="title">a "b"</param><param name="share">2</param><param name="owner">null</param></function>

      hy3: <tool_calls:opensource>
      <tool_call:opensource>plan<tool_sep:opensource>
      <arg_key:opensource>title</arg_key:opensource>
      <arg_value:opensource>a "b"</arg_value:opensource>
      <arg_key:opensource>share</arg_key:opensource>
      <arg_value:opensource>2</arg_value:opensource>
      <arg_key:opensource>owner</arg_key:opensource>
      <arg_value:opensource>null</arg_value:opensource>
      </tool_call:opensource>
      </tool_calls:opensource>

      muse: <atem:function_calls>
      <atem:invoke name="plan">
      <atem:parameter name="title">a "b"</atem:parameter>
      <atem:parameter name="share">2</atem:parameter>
      <atem:parameter name="owner">null</atem:parameter>
      </atem:invoke>
      </atem:function_calls>

      kimi-k3: <|open|>tools<|sep|><|open|>call tool="plan" index="1"<|sep|><|open|>argument key="title" type="string"<|sep|>a "b"<|close|>argument<|sep|><|open|>argument key="share" type="number"<|sep|>2<|close|>argument<|sep|><|open|>argument key="owner" type="null"<|sep|>null<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>

      minimax-m3: ]<]minimax[>[<tool_call>
      ]<]minimax[>[<invoke name="plan">]<]minimax[>[<title>a "b"]<]minimax[>[</title>]<]minimax[>[<share>2]<]minimax[>[</share>]<]minimax[>[<owner>null]<]minimax[>[</owner>]<]minimax[>[</invoke>
      ]<]minimax[>[</tool_call>"
    `)
})

test('several calls, byte for byte, in formats that do not just put them on new lines', () => {
  const calls = [
    { name: 'clock', arguments: {} },
    { name: 'clock', arguments: {} },
  ]
  const written = Object.fromEntries(all.map(format => [format.id, writeCalls(format, calls).text]))
  expect(written['hermes']).toBe(
    `<tool_call>\n{"name": "clock", "arguments": {}}\n</tool_call>\n`.repeat(2).trimEnd(),
  )
  expect(written['mistral']).toBe(
    '[TOOL_CALLS][{"name": "clock", "arguments": {}, "id": "call00000"}, {"name": "clock", "arguments": {}, "id": "call00001"}]',
  )
  expect(written['kimi-k2']).toBe(
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.clock:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_call_begin|>functions.clock:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
  )
  expect(written['deepseek']).toBe(
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>clock\n```json\n{}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>clock\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  )
  expect(written['apertus']).toBe('<|tools_prefix|>[{"clock": {}}, {"clock": {}}]<|tools_suffix|>')
  expect(written['mistral-args']).toBe('[TOOL_CALLS]clock[ARGS]{}[TOOL_CALLS]clock[ARGS]{}')
  expect(written['gemma3']).toBe('```tool_code\nclock()\nclock()\n```')
  expect(written['gemma4']).toBe('<|tool_call>call:clock{}<tool_call|><|tool_call>call:clock{}<tool_call|>')
  expect(written['llama3']).toBe('{"name": "clock", "parameters": {}}; {"name": "clock", "parameters": {}}')
  expect(writeCalls(formats.hermes, [])).toEqual({ text: '', markup: [] })
})

test('the places and ids of calls go on through the conversation', () => {
  const call = [{ name: 'clock', arguments: {} }]
  expect(writeCalls(formats['kimi-k2'], call, 3).text).toContain('functions.clock:3<')
  expect(writeCalls(formats['mistral-ids'], call, 3).text).toBe('[TOOL_CALLS]clock[CALL_ID]call00003[ARGS]{}')
  expect(writeCalls(formats.mistral, call, 3).text).toContain('"id": "call00003"')
})

test('arguments that tagged text cannot express are written as JSON between the same marks', () => {
  const title = 'a</parameter>\n</function>\n</tool_call>'
  const { text } = spelledBy(formats['qwen-coder'], title)
  expect(text).toBe(
    `<tool_call>\n{"name": "plan", "arguments": {"title": ${JSON.stringify(title)}}}\n</tool_call>`,
  )
})

test('behind the words of a reply stands what the model writes there', () => {
  const call = [{ name: 'clock', arguments: {} }]
  const own = 'function call<|role_sep|>\n{"name": "clock", "arguments": {}}'
  const { text, markup } = writeReply(formats.gigachat3, 'I will look. <|im_end|>', call, 0)
  expect(text).toBe(`I will look. <|im_end|><|message_sep|>\n\n${own}`)
  expect(markup.map(([from, to]) => text.slice(from, to))).toEqual(['<|message_sep|>', '<|role_sep|>'])
  expect(readBack(text)).toMatchObject({ calls: call, bad: [] })
  expect(writeReply(formats.gigachat3, '', call, 0).text).toBe(`<|message_sep|>\n\n${own}`)
  expect(writeReply(formats.mistral, 'Yes.', call, 3).text).toMatch(/^Yes\.\n\[TOOL_CALLS\].*"call00003"/)
  expect(writeReply(formats.hermes, '', call, 0)).toEqual(writeCalls(formats.hermes, call))
})
