import { describe, expect, test } from 'vitest'
import { detectFormat } from '../../../formats/detect-format.ts'
import type { FormatId } from '../../../formats/format-table.ts'
import { probeCalls } from '../../../formats/match-calls.ts'
import { createToolCallReader } from '../../../formats/reader/call-reader.ts'
import { askForCalls } from './ask-template.ts'
import { readTemplate } from './chat-template.ts'

/** A template that writes its turns in ChatML, and its calls as given; `call` is one of them. */
const chat = (calls: string) =>
  `{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}{% if m.tool_calls %}${calls}{% endif %}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}`
const each = (call: string, between = '') =>
  `{% for c in m.tool_calls %}${call}{% if not loop.last %}${between}{% endif %}{% endfor %}`
const json = '{{ c.function.arguments | tojson }}'
const python =
  "{{ c.function.name }}({% for k, v in c.function.arguments.items() %}{{ k }}={{ v | tojson }}{{ ', ' if not loop.last }}{% endfor %})"
const parameters = (open: string, middle: string, close: string) =>
  `{% for k, v in c.function.arguments.items() %}${open}{{ k }}${middle}{{ v if v is string else v | tojson }}${close}\n{% endfor %}`

const templates: readonly (readonly [shows: string, template: string, FormatId])[] = [
  [
    'JSON in tags',
    chat(each(`<tool_call>\n{"name": "{{ c.function.name }}", "arguments": ${json}}\n</tool_call>`, '\n')),
    'hermes',
  ],
  [
    'JSON lines in a section',
    chat(`<tool_calls>\n${each(`{"name": "{{ c.function.name }}", "arguments": ${json}}\n`)}</tool_calls>`),
    'tool-calls-lines',
  ],
  [
    'a list in the same section',
    chat(
      `<tool_calls>[${each(`{"name": "{{ c.function.name }}", "arguments": ${json}}`, ', ')}]</tool_calls>`,
    ),
    'tool-calls-list',
  ],
  [
    'a word before a list',
    chat(` functools[${each(`{"name": "{{ c.function.name }}", "arguments": ${json}}`, ', ')}]`),
    'functools',
  ],
  [
    'a bare list',
    chat(`[${each(`{"name": "{{ c.function.name }}", "arguments": ${json}}`, ', ')}]`),
    'bare-list',
  ],
  [
    'sections without a fence',
    chat(
      `<｜tool▁calls▁begin｜>${each(`<｜tool▁call▁begin｜>{{ c.function.name }}<｜tool▁sep｜>${json}<｜tool▁call▁end｜>`)}<｜tool▁calls▁end｜>`,
    ),
    'deepseek-v3.1',
  ],
  [
    'arguments as text',
    chat(
      `<｜tool▁calls▁begin｜>${each('<｜tool▁call▁begin｜>function<｜tool▁sep｜>{{ c.function.name }}\n```json\n{{ "" + c.function.arguments }}\n```<｜tool▁call▁end｜>')}<｜tool▁calls▁end｜>`,
    ),
    'deepseek',
  ],
  [
    'tags with names in attributes',
    chat(
      `<minimax:tool_call>\n${each(`<invoke name="{{ c.function.name }}">\n${parameters('<parameter name="', '">', '</parameter>')}</invoke>\n`)}</minimax:tool_call>`,
    ),
    'minimax-m2',
  ],
  [
    'keys and values',
    chat(
      each(
        `<tool_call>{{ c.function.name }}${parameters('<arg_key>', '</arg_key><arg_value>', '</arg_value>')}</tool_call>`,
      ),
    ),
    'glm',
  ],
  [
    'ids behind names',
    chat(
      `<|tool_calls_section_begin|>${each(`<|tool_call_begin|>functions.{{ c.function.name }}:{{ loop.index0 }}<|tool_call_argument_begin|>${json}<|tool_call_end|>`)}<|tool_calls_section_end|>`,
    ),
    'kimi-k2',
  ],
  [
    'ids of nine letters',
    chat(each(`[TOOL_CALLS]{{ c.function.name }}[CALL_ID]{{ c.id }}[ARGS]${json}`)),
    'mistral-ids',
  ],
  [
    'tags with the place of the call and the type of each value',
    chat(
      `<|open|>tools<|sep|>${each(`<|open|>call tool="{{ c.function.name }}" index="{{ loop.index }}"<|sep|>{% for k, v in c.function.arguments.items() %}<|open|>argument key="{{ k }}" type="{{ 'string' if v is string else 'number' if v is number else 'array' }}"<|sep|>{{ v if v is string else v | tojson }}<|close|>argument<|sep|>{% endfor %}<|close|>call<|sep|>`)}<|close|>tools<|sep|>`,
    ),
    'kimi-k3',
  ],
  [
    'elements with the names of arguments',
    chat(
      `]<]minimax[>[<tool_call>\n${each(`]<]minimax[>[<invoke name="{{ c.function.name }}">{% for k, v in c.function.arguments.items() %}]<]minimax[>[<{{ k }}>{% if v is string or v is number %}{{ v }}{% else %}{% for i in v %}]<]minimax[>[<item>{{ i }}]<]minimax[>[</item>{% endfor %}{% endif %}]<]minimax[>[</{{ k }}>{% endfor %}]<]minimax[>[</invoke>\n`)}]<]minimax[>[</tool_call>`,
    ),
    'minimax-m3',
  ],
  [
    'Python in a fence between marks',
    chat(`<|tool_call_start|>\n\`\`\`python\n${each(python, '\n')}\n\`\`\`\n<|tool_call_end|>`),
    'minicpm3',
  ],
  [
    'a tag without an end',
    chat(each(`<function_call> {"name": "{{ c.function.name }}", "arguments": ${json}} `)),
    'granite-20b',
  ],
  [
    'another tag without an end',
    chat(each(`<functioncall> {"name": "{{ c.function.name }}", "arguments": ${json}}`, '\n')),
    'firefunction1',
  ],
  ['a bare list in Python', chat(`[${each(python, ', ')}]`), 'python-list'],
  [
    'a list in a fence',
    chat(`\`\`\`\n[${each(`{"name": "{{ c.function.name }}", "arguments": ${json}}`, ', ')}]\n\`\`\``),
    'fenced-list',
  ],
  [
    'recipients in the header',
    `{% for m in messages %}<|from|>{{ m.role }}\n{% if m.tool_calls %}${each(`<|recipient|>{{ c.function.name }}\n<|content|>${json}`, '\n<|from|>assistant\n')}{% else %}<|recipient|>all\n<|content|>{{ m.content }}{% endif %}<|stop|>\n{% endfor %}{% if add_generation_prompt %}<|from|>assistant\n<|recipient|>{% endif %}`,
    'functionary2',
  ],
  [
    'one call only',
    chat(
      `{% if m.tool_calls | length > 1 %}{{ raise_exception('one') }}{% endif %}${each(`{"name": "{{ c.function.name }}", "parameters": ${json}}`)}`,
    ),
    'llama3',
  ],
]

const asked = [
  {
    name: 'probe0tool',
    parameters: {
      type: 'object',
      properties: { count: { type: 'integer' }, list: { type: 'array' }, text: { type: 'string' } },
    },
  },
]

describe('a template is asked how its model calls tools', () => {
  test.for(templates)('%s', ([, template, id]) => {
    const found = detectFormat({ writes: askForCalls(template), template, name: 'gpt-oss' })
    expect(found).toMatchObject({
      id,
      from: 'template',
      because: expect.stringMatching(/^its chat template writes ./),
    })
  })

  test.for(templates)('what it writes is read: %s', ([, template]) => {
    const { one } = askForCalls(template)
    for (const chunks of [(text: string) => [text], (text: string) => Array.from(text)]) {
      const reader = createToolCallReader({ tools: asked })
      const events = [...chunks(one[0]!).flatMap(chunk => reader.push(chunk)), ...reader.end()]
      expect(events.filter(({ type }) => type === 'call' || type === 'bad_call')).toMatchObject([
        { type: 'call', ...probeCalls[0] },
      ])
    }
  })

  test('what it writes counts before the marks in its source', () => {
    const template = chat(
      each(`<tool_call>\n{"name": "{{ c.function.name }}", "arguments": ${json}}\n</tool_call>`),
    )
    const quoting = `{# not <｜tool▁calls▁begin｜> nor <start_function_call> #}${template}`
    expect(detectFormat({ template: quoting }).id).not.toBe('hermes')
    expect(detectFormat({ writes: askForCalls(quoting), template: quoting }).id).toBe('hermes')
  })
})

describe('a template that cannot tell', () => {
  const nothing = { one: [], two: [] }
  test.for([
    ['no template', undefined],
    ['no calls', '{% for m in messages %}{{ m.content }}{% endfor %}'],
    [
      'calls that it leaves out',
      '{% for m in messages %}{{ m.content }}{% if m.tool_calls %}…{% endif %}{% endfor %}',
    ],
    ['one that is no template', '{% for m in tool_calls %}'],
    ['one that refuses everything', "{{ raise_exception('tool_calls') }}"],
  ] as const)('%s', ([, template]) => {
    expect(askForCalls(template)).toEqual(nothing)
  })

  test('one that does not come to an end is left after a second', () => {
    const loop =
      '{% for a in range(99999) %}{% for b in range(99999) %}{% for c in range(99999) %}{{ tool_calls }}{% endfor %}{% endfor %}{% endfor %}'
    expect(askForCalls(loop)).toEqual(nothing)
  })
})

test('results carry the ids that Kimi K2 was trained on, counted through the conversation', () => {
  const template =
    "{% for m in messages %}<|im_{{ m.role }}|>{% if m.role == 'tool' %}## Return of {{ m.tool_call_id }}\n{% endif %}{{ m.content }}<|im_end|>{% endfor %}{% if add_generation_prompt %}<|im_assistant|>{% endif %}"
  const { layOut, toolRole } = readTemplate(template, { bos: '<s>', eos: '</s>' })
  expect(toolRole).toBe(true)
  const turns = (['user', 'assistant', 'tool', 'tool', 'assistant', 'tool'] as const).map((role, at) => ({
    role,
    generated: false,
    name: at === 3 ? 'clock' : 'open_file',
  }))
  const text = layOut(turns)
    .map(part => ('frame' in part ? part.frame : '…'))
    .join('')
  expect(text.match(/## Return of \S+/g)).toEqual([
    '## Return of functions.open_file:0',
    '## Return of functions.clock:1',
    '## Return of functions.open_file:2',
  ])
})
