import { describe, expect, test } from 'vitest'
import {
  alternatingTemplate,
  chatmlTemplate,
  thinkingTemplate,
  toolsTemplate,
} from '../../../../testing/gguf/templates.ts'
import { readTemplate } from './chat-template.ts'
import type { ChatTemplate, Role } from './chat-template.ts'

const words = { bos: '<s>', eos: '</s>' }
const lead = (name: string) => `<|im_start|>${name}\n`
const end = '<|im_end|>\n'

/** The prompt as text, with the number of a message where its text goes. */
const show = (template: ChatTemplate, ...names: (Role | 'reply')[]): string =>
  template
    .layOut(names.map(name => ({ role: name === 'reply' ? 'assistant' : name, generated: name === 'reply' })))
    .map(part => ('frame' in part ? part.frame : `#${part.message}`))
    .join('')

test.for([
  ['short', chatmlTemplate],
  ['with tools', toolsTemplate],
] as const)('a %s template writes every message in its place', ([, source]) => {
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

describe('a template without a system role whose roles must alternate', () => {
  const template = readTemplate(alternatingTemplate, words)

  test('gets the system prompt with the first question and equal neighbours joined', () => {
    expect(show(template, 'system', 'user', 'reply', 'user', 'user')).toBe(
      `${lead('user')}#0\n\n#1${end}${lead('assistant')}#2${end}${lead('user')}#3\n\n#4${end}${lead('assistant')}`,
    )
    expect(template.appendOnly).toBe(true)
  })

  test('gets an empty question when a conversation begins with a reply', () => {
    expect(show(template, 'reply', 'user')).toBe(
      `${lead('user')}${end}${lead('assistant')}#0${end}${lead('user')}#1${end}${lead('assistant')}`,
    )
  })
})

test('a system prompt that would wander to the last question is joined with the first one instead', () => {
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

test('content that must come in parts comes in parts', () => {
  const template = readTemplate(
    `{% for m in messages %}{{ '<' + m.role + '>' }}{% for part in m.content %}{{ part['text'] }}{% endfor %}{% endfor %}`,
    words,
  )
  expect(show(template, 'system', 'user')).toBe('<system>#0<user>#1')
})

test('a thought that the template opens belongs to the reply, so that the next prompt continues this one', () => {
  const template = readTemplate(thinkingTemplate, words)
  expect(template).toMatchObject({ opener: '<think>\n', appendOnly: true })
  expect(show(template, 'user', 'reply', 'user')).toBe(
    `${lead('user')}#0${end}${lead('assistant')}#1${end}${lead('user')}#2${end}${lead('assistant')}<think>\n`,
  )
})

test('what the template adds before past replies is left out before replies of the model itself', () => {
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
  // Its replies have turns inside, which must not end them.
  expect(template.endMarkers).toEqual([])
})

test('a template that changes the past is usable, and says that it is not append-only', () => {
  const template = readTemplate(
    `{{ messages | length }}{% for m in messages %}{{ '<' + m.role + '>' + m.content }}{% endfor %}<assistant>`,
    words,
  )
  expect(template.appendOnly).toBe(false)
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
] as const)('instead of the template %j, ChatML is used and the reason told', ([source, problem]) => {
  const template = readTemplate(source, words)
  expect(show(template, 'system', 'user')).toBe(
    `${lead('system')}#0${end}${lead('user')}#1${end}${lead('assistant')}`,
  )
  expect(template.problem).toContain(problem)
})
