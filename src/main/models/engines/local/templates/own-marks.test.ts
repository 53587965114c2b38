import { describe, expect, test } from 'vitest'
import { readGbnf } from '../../../../../../testing/formats/gbnf-matcher.ts'
import { createTextStrategy } from '../../../../agent/strategies/text.ts'
import { detectFormat } from '../../../formats/detect-format.ts'
import { formatOf } from '../../../formats/format-table.ts'
import { probeCalls } from '../../../formats/match-calls.ts'
import { callConstraint } from '../../../formats/grammar/constraint.ts'
import { learntMarks } from '../../../formats/marked-text.ts'
import { createToolCallReader } from '../../../formats/reader/call-reader.ts'
import { writeToolsSection } from '../../../formats/tools-section.ts'
import { writeCalls } from '../../../formats/write-calls.ts'
import type { CompletionEvent } from '../../../interface/engine.ts'
import { askForCalls } from './ask-template.ts'

const chat = (calls: string) =>
  `{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}{% if m.tool_calls %}${calls}{% endif %}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}`
const each = (call: string, between = '') =>
  `{% for c in m.tool_calls %}${call}{% if not loop.last %}${between}{% endif %}{% endfor %}`
const given = '{{ c.function.arguments | tojson }}'
const name = '{{ c.function.name }}'
const object = `{"name": "${name}", "arguments": ${given}}`
const python = `${name}(count={{ c.function.arguments.count }}, list={{ c.function.arguments.list }}, text='{{ c.function.arguments.text }}')`

/** Invented notations, as a template would write them, with the expected form of the first of two calls. */
const invented: readonly (readonly [what: string, template: string, shown: string])[] = [
  [
    'JSON between tokens',
    chat(each(`<|act|>${object}<|/act|>`)),
    '<|act|>{"name": "clock", "arguments": {}}<|/act|>',
  ],
  [
    'JSON between tags on lines of their own',
    chat(each(`<do>\n${object}\n</do>`, '\n')),
    '<do>\n{"name": "clock", "arguments": {}}\n</do>',
  ],
  [
    'other keys',
    chat(each(`<|use|>{"function": "${name}", "input": ${given}}<|used|>`)),
    '<|use|>{"function": "clock", "input": {}}<|used|>',
  ],
  [
    'a list',
    chat(`<|plan|>[${each(object, ', ')}]<|done|>`),
    '<|plan|>[{"name": "clock", "arguments": {}}]<|done|>',
  ],
  [
    'a list without an end',
    chat(`[USE_TOOLS][${each(object, ', ')}]`),
    '[USE_TOOLS][{"name": "clock", "arguments": {}}]',
  ],
  [
    'JSON without an end',
    chat(each(`<@invoke> ${object}`, '\n')),
    '<@invoke> {"name": "clock", "arguments": {}}',
  ],
  [
    'a section with a mark for each call',
    chat(`<|calls|>${each(`<|one|>${object}<|/one|>`)}<|/calls|>`),
    '<|calls|><|one|>{"name": "clock", "arguments": {}}<|/one|><|/calls|>',
  ],
  [
    'lines in a section',
    chat(`<calls>\n${each(`${object}\n`)}</calls>`),
    '<calls>\n{"name": "clock", "arguments": {}}\n</calls>',
  ],
  [
    'a name and its arguments',
    chat(each(`<|do|>${name}<|with|>${given}<|done|>`)),
    '<|do|>clock<|with|>{}<|done|>',
  ],
  [
    'the same in a section',
    chat(`<|todo|>\n${each(`<|do|>${name}<|with|>${given}<|done|>\n`)}<|todone|>`),
    '<|todo|>\n<|do|>clock<|with|>{}<|done|>\n<|todone|>',
  ],
  ['a name behind a tag', chat(each(`<run>${name}\n${given}</run>`, '\n')), '<run>clock\n{}</run>'],
  [
    'a fence between marks',
    chat(each(`<|run|>${name}\n\`\`\`json\n${given}\n\`\`\`<|ran|>`)),
    '<|run|>clock\n```json\n{}\n```<|ran|>',
  ],
  [
    'signs that are no tags',
    chat(each(`@@call ${object} @@`, '\n')),
    '@@call {"name": "clock", "arguments": {}} @@',
  ],
  ['Python between tokens', chat(each(`<|py|>${python}<|/py|>`)), '<|py|>clock()<|/py|>'],
  ['a list in Python', chat(`<|py|>[${each(python, ', ')}]<|/py|>`), '<|py|>[clock()]<|/py|>'],
  [
    'Python in a fence between tokens',
    chat(`<|code|>\n\`\`\`python\n${each(python, '\n')}{{ '\n' }}\`\`\`\n<|/code|>`),
    '<|code|>\n```python\nclock()\n```\n<|/code|>',
  ],
]

const calls = [{ name: 'clock', arguments: {} }]
const tools = [
  { name: 'clock', description: 'The time.', parameters: { type: 'object', properties: {} } },
  {
    name: 'probe0tool',
    description: 'A tool.',
    parameters: {
      type: 'object',
      properties: {
        count: { type: 'integer' },
        list: { type: 'array', items: { type: 'string' } },
        text: { type: 'string' },
      },
    },
  },
]
const both = [tools[1]!, { ...tools[1]!, name: 'probe1tool' }]

const asked = (template: string) => detectFormat({ writes: askForCalls(template), template })

describe.each(invented)('%s', (_, template, shown) => {
  const { id, from, because, format } = asked(template)
  const own = formatOf(format)

  test('is learnt, and written as the template does', () => {
    expect({ id, from, because }).toEqual({
      id: 'own',
      from: 'template',
      because: expect.stringContaining(own.mark),
    })
    expect(writeCalls(own, calls).text).toBe(shown)
  })

  test('is what the prompt says', () => {
    const { text } = writeToolsSection(own, tools, 'full')
    expect(text).toContain(writeCalls(own, [{ name: 'tool_name', arguments: { key: 'value' } }]).text)
    expect(text).not.toContain('<tool_call>')
  })

  test('is read as the template writes it, character by character', () => {
    const { one, two } = askForCalls(template)
    expect(read(one[0]!)).toEqual([
      { ...probeCalls[0], arguments: expect.objectContaining(probeCalls[0].arguments) },
    ])
    expect(read(two[0]!)).toHaveLength(2)
    expect(read(`I look.\n${writeCalls(own, probeCalls).text}`)).toEqual(probeCalls)
  })

  test('is what its grammar asks for', () => {
    const { after, gbnf } = callConstraint(own, both)!
    const { text } = writeCalls(own, probeCalls.slice(0, 1))
    const behind = text.slice(text.indexOf(after) + after.length)
    expect(readGbnf(gbnf).accepts(behind)).toBe(true)
    expect(readGbnf(gbnf).accepts(behind.replace('probe0tool', 'other'))).toBe(false)
  })

  function read(text: string) {
    const reader = createToolCallReader({ tools: both, marks: learntMarks(own) })
    return [...Array.from(text).flatMap(each => reader.push(each)), ...reader.end()].flatMap(
      (event): object[] =>
        event.type === 'call'
          ? [{ name: event.name, arguments: event.arguments }]
          : event.type === 'bad_call'
            ? [event]
            : [],
    )
  }
})

test.for([
  ['prose around the call', chat(each(`I will now call the tool ${name} with ${given}.`))],
  [
    'arguments that are written in another way',
    chat(each(`<|do|>${name}<|with|>{{ c.function.arguments.text }}<|done|>`)),
  ],
  ['turns of their own', chat(each(`<|im_end|>\n<|im_start|>caller\n${name} <|with|>${given}`))],
  [
    'tags for an argument',
    chat(each(`<tool_call>${name}<arg_key>all</arg_key><arg_value>${given}</arg_value></tool_call>`)),
  ],
  ['nothing', chat('')],
])('a template with %s teaches nothing', ([, template]) => {
  expect(asked(template!).id).not.toBe('own')
})

test('a chat is told in the marks of its template, and reads them', async () => {
  const { format } = asked(invented[8]![1])
  const strategy = createTextStrategy({ format, toolRole: true, edition: 'full' })
  expect(strategy.present(tools)).toContain('<|do|>tool_name<|with|>{"key": "value"}<|done|>')
  expect(strategy.constrain(tools).map(({ after }) => after)).toEqual(['<|do|>'])
  async function* said(): AsyncIterable<CompletionEvent> {
    for (const text of '<|do|>clock<|with|>{}<|done|>') yield { type: 'text', text }
    yield { type: 'failed', code: 'engine_gone', text: 'It stopped.', fix: '' }
  }
  const events = []
  for await (const event of strategy.read(said(), tools)) events.push(event)
  expect(events.filter(({ type }) => type === 'call')).toMatchObject([
    { call: { name: 'clock', arguments: {} } },
  ])
})
