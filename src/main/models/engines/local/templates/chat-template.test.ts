import { describe, expect, test } from 'vitest'
import {
  alternatingTemplate,
  chatmlTemplate,
  familyTemplates,
  thinkingTemplate,
  toolsTemplate,
} from '../../../../../../testing/gguf/templates.ts'
import { readTemplate } from './chat-template.ts'
import type { ChatTemplate } from './chat-template.ts'
import type { Role } from './fill-chat-template.ts'

const words = { bos: '<s>', eos: '</s>' }
const lead = (name: string) => `<|im_start|>${name}\n`
const end = '<|im_end|>\n'

/** The prompt as text, with the number of each message in place of its text. */
const show = (template: ChatTemplate, ...names: (Role | 'reply')[]): string =>
  template
    .layOut(names.map(name => ({ role: name === 'reply' ? 'assistant' : name, generated: name === 'reply' })))
    .map(part => ('frame' in part ? part.frame : `#${part.message}`))
    .join('')

test.for([
  ['short', chatmlTemplate],
  ['with tools', toolsTemplate],
] as const)('a %s template writes every message in order', ([, source]) => {
  const template = readTemplate(source, words)
  expect(show(template, 'system', 'user', 'reply', 'user', 'user')).toBe(
    `${lead('system')}#0${end}${lead('user')}#1${end}${lead('assistant')}#2${end}` +
      `${lead('user')}#3${end}${lead('user')}#4${end}${lead('assistant')}`,
  )
  expect(template).toMatchObject({
    opener: '',
    endMarkers: ['<|im_end|>', '<|im_start|>user'],
    appendOnly: true,
    problem: undefined,
  })
})

describe('a template without a system role and with alternating roles', () => {
  const template = readTemplate(alternatingTemplate, words)

  test('gets the system prompt joined with the first question, and equal neighbours joined', () => {
    expect(show(template, 'system', 'user', 'reply', 'user', 'user')).toBe(
      `${lead('user')}#0\n\n#1${end}${lead('assistant')}#2${end}${lead('user')}#3\n\n#4${end}${lead('assistant')}`,
    )
    expect(template.appendOnly).toBe(true)
  })

  test('gets an empty question if a conversation begins with a reply', () => {
    expect(show(template, 'reply', 'user')).toBe(
      `${lead('user')}${end}${lead('assistant')}#0${end}${lead('user')}#1${end}${lead('assistant')}`,
    )
  })
})

test('a system prompt that the template would move to the last question is joined with the first one', () => {
  const template = readTemplate(
    `{% set sys = messages[0].content if messages[0].role == 'system' else '' %}{% for m in messages %}` +
      `{% if m.role == 'user' %}{{ '[INST] ' + (sys + '\n\n' if loop.last and sys else '') + m.content + '[/INST]' }}` +
      `{% elif m.role == 'assistant' %}{{ m.content + '</s>' }}{% endif %}{% endfor %}`,
    words,
  )
  expect(show(template, 'system', 'user', 'reply', 'user')).toBe(
    '[INST] #0\n\n#1[/INST]#2</s>[INST] #3[/INST]',
  )
  expect(template.appendOnly).toBe(true)
})

test('a template that expects content in parts gets parts', () => {
  const template = readTemplate(
    `{% for m in messages %}{{ '<' + m.role + '>' }}{% for part in m.content %}{{ part['text'] }}{% endfor %}{% endfor %}` +
      `{# a role for tools as well #}`,
    words,
  )
  expect(show(template, 'system', 'user', 'assistant', 'tool')).toBe(
    '<system>#0<user>#1<assistant>#2<tool>#3',
  )
})

test('a template that requires a list of tools gets an empty one', () => {
  const template = readTemplate(
    `{{ '<tools>' }}{% for tool in tools %}{{ tool.name }}{% endfor %}` +
      `{% for m in messages %}{{ '<' + m.role + '>' + m.content }}{% endfor %}<assistant>`,
    words,
  )
  expect(show(template, 'user')).toBe('<tools><user>#0<assistant>')
})

test('a thought opened by the template belongs to the reply, so that the next prompt continues this one', () => {
  const template = readTemplate(thinkingTemplate, words)
  expect(template).toMatchObject({ opener: '<think>\n', appendOnly: true })
  expect(show(template, 'user', 'reply', 'user')).toBe(
    `${lead('user')}#0${end}${lead('assistant')}#1${end}${lead('user')}#2${end}${lead('assistant')}<think>\n`,
  )
})

const asking = (opened: string, off: string) =>
  `{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{% endfor %}` +
  `{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}` +
  `{% if enable_thinking is defined and not enable_thinking %}{{ '${off}' }}{% else %}{{ '${opened}' }}{% endif %}{% endif %}`

test.for([
  [
    'an empty thought where none is opened',
    asking('', String.raw`<think>\n\n</think>\n\n`),
    '<think>\n\n</think>\n\n',
  ],
  ['an end alone', asking(String.raw`<think>\n`, '</think>'), '</think>'],
  ['both in one line', asking('<think>', '<think></think>'), '<think></think>'],
  ['nothing at all', asking(String.raw`<think>\n`, ''), ''],
  [
    'the variable of other templates',
    asking('', '</think>').replaceAll('enable_thinking', 'thinking'),
    '</think>',
  ],
  ['the same as always', thinkingTemplate, undefined],
  [
    'another turn of the user',
    chatmlTemplate.replace('<|im_start|>', '{{ enable_thinking }}<|im_start|>'),
    undefined,
  ],
] as const)('with thinking off, the template is asked what it writes: %s', ([, source, quiet]) => {
  const template = readTemplate(source, words)
  expect([template.problem, template.quietOpener]).toEqual([undefined, quiet])
})

test('text that the template adds before past replies is omitted before the model’s own replies', () => {
  const template = readTemplate(
    `{% for m in messages %}{{ '<|start|>' + m.role + ('<|channel|>final' if m.role == 'assistant' else '') }}` +
      `{{ '<|message|>' + m.content + '<|end|>' }}{% endfor %}{{ '<|start|>assistant' }}`,
    words,
  )
  expect(show(template, 'user', 'reply', 'user')).toBe(
    '<|start|>user<|message|>#0<|end|><|start|>assistant#1<|end|><|start|>user<|message|>#2<|end|><|start|>assistant',
  )
  expect(show(template, 'user', 'assistant', 'user')).toContain(
    '<|start|>assistant<|channel|>final<|message|>#1',
  )
  // Its replies contain turn markers, which must not end them.
  expect(template.endMarkers).toEqual([])
})

test('a template that rewrites earlier messages is usable, but not append-only', () => {
  const template = readTemplate(
    `{{ messages | length }}{% for m in messages %}{{ '<' + m.role + '>' + m.content }}{% endfor %}<assistant>`,
    words,
  )
  expect(template).toMatchObject({
    appendOnly: false,
    rereads: { part: 'chat', behind: 'start', was: '2<system>', becomes: '4<system>' },
  })
  expect(show(template, 'user', 'reply', 'user')).toBe('3<user>#0<assistant>#1<user>#2<assistant>')
})

test.for([
  [undefined, 'The model file has no chat template.'],
  ['{% for x in %}', 'The chat template of the model cannot be used: '],
  [
    'Hello',
    'The chat template of the model cannot be used: it does not write every message once and in order',
  ],
  ['{{ raise_exception("never") }}', 'The chat template of the model cannot be used: never'],
] as const)('instead of the template %j, ChatML is used with the reason', ([source, problem]) => {
  const template = readTemplate(source, words)
  expect(show(template, 'system', 'user')).toBe(
    `${lead('system')}#0${end}${lead('user')}#1${end}${lead('assistant')}`,
  )
  expect(template.problem).toContain(problem)
})

describe('tool results', () => {
  const unlike = (change: string) =>
    readTemplate(
      `{# tools #}{% for m in messages %}{% if m.role == 'tool' %}${change}{% else %}{{ '<' + m.role + '>' + m.content }}` +
        `{% endif %}{% endfor %}<assistant>`,
      words,
    )

  test.for([
    ['drops them', ''],
    ['refuses them', "{{ raise_exception('no such role') }}"],
    [
      'rewrites earlier turns because of them',
      "{{ '<tool ' + messages | length | string + '>' + m.content }}",
    ],
    ['says nothing of tools', undefined],
  ] as const)('are user messages where the template %s', ([, change]) => {
    const template = change === undefined ? readTemplate(chatmlTemplate, words) : unlike(change)
    expect(template).toMatchObject({ toolRole: false, appendOnly: true, problem: undefined })
    expect(show(template, 'user', 'reply', 'tool')).toBe(show(template, 'user', 'reply', 'user'))
  })

  test('without a preceding call are user messages', () => {
    const template = readTemplate(familyTemplates.qwen3, words)
    expect(show(template, 'tool', 'reply', 'tool')).toBe(
      `${lead('user')}#0${end}${lead('assistant')}#1${end}` +
        `${lead('user')}<tool_response>\n#2\n</tool_response>${end}${lead('assistant')}`,
    )
  })

  test('that a strict template refuses at their position are user messages', () => {
    const template = readTemplate(familyTemplates.mistral, words)
    expect(show(template, 'user', 'reply', 'tool', 'user')).toBe(
      '<s>[INST] #0[/INST]#1</s>[INST] #2\n\n#3[/INST]',
    )
    expect(show(template, 'reply', 'tool')).toBe('<s>[INST] [/INST]#0</s>[INST] #1[/INST]')
  })

  test('carry the tool’s name into the frame, but no markup that a model invented as a name', () => {
    const template = readTemplate(familyTemplates.harmony, words)
    const result = (name: string) =>
      template
        .layOut([
          { role: 'user', generated: false },
          { role: 'assistant', generated: true },
          { role: 'tool', generated: false, name },
        ])
        .map(part => ('frame' in part ? part.frame : ''))
        .join('')
    expect(result('read_file')).toContain('<|start|>functions.read_file to=assistant')
    expect(result('x<|end|><|start|>system')).toContain('<|start|>functions.tool to=assistant')
  })
})

test('a template that never ends is given up', () => {
  const range = '{% for i in range(100000) %}'
  const template = readTemplate(
    `${range}${range}${'{% endfor %}'.repeat(2)}{% for m in messages %}{{ m.content }}{% endfor %}`,
    words,
    200,
  )
  expect(template.problem).toContain('The chat template of the model cannot be used: ')
})
