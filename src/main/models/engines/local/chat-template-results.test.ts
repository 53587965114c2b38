import { describe, expect, test } from 'vitest'
import type { LlamaModel } from 'node-llama-cpp'
import { readTemplate } from './chat-template.ts'
import type { ChatTemplate } from './chat-template.ts'
import type { Role } from './fill-template.ts'
import { createPromptWriter } from './prompt-tokens.ts'

const words = { bos: '<s>', eos: '</s>' }

const turns = (text: string) =>
  text.split(' ').map(name => {
    const role: Role = name === 'reply' ? 'assistant' : name === 'tool' || name === 'system' ? name : 'user'
    return { role, generated: name === 'reply', name: 'look' }
  })

const show = (template: ChatTemplate, talk: string): string =>
  template
    .layOut(turns(talk))
    .map(part => ('frame' in part ? part.frame : `#${part.message}${'"'.repeat(part.quoted ?? 0)}`))
    .join('')

/** Each turn in marks, with results as `result` says. */
const turnsWith = (result: string, rest = ''): string =>
  `{% for m in messages %}{% if m.role == 'tool' %}${result}{% else %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endif %}${rest}{% endfor %}<|assistant|>`

/** A vocabulary in which each of these marks is a token, and each letter is one. */
function tinyModel(marks: readonly string[]): LlamaModel {
  const model = {
    tokenize: (text: string, special = false) =>
      [...text.matchAll(special ? /<s>|<\|\w+\|>|[^]/g : /[^]/g)].map(([piece]) =>
        marks.includes(piece) ? marks.indexOf(piece) : 1000 + (piece.codePointAt(0) ?? 0),
      ),
    tokens: { bos: 0, bosString: '<s>', eosString: '</s>', shouldPrependBosToken: true },
    fileInfo: {
      metadata: { tokenizer: { ggml: { model: 'gpt2', tokens: marks, token_type: marks.map(() => 3) } } },
    },
  }
  return model as unknown as LlamaModel
}

const marks = ['<s>', '<|result|>', '<|system|>', '<|user|>', '<|assistant|>', '<|end|>']
const textOf = (tokens: readonly number[]): string =>
  tokens.map(token => marks[token] ?? String.fromCodePoint(token - 1000)).join('')

describe('a result that the template writes as JSON', () => {
  const once = readTemplate(turnsWith('<|result|>{{ {"output": m.content} | tojson }}<|end|>'), words)
  const twice = readTemplate(
    turnsWith('<|result|>{{ ({"output": m.content} | tojson) | tojson }}<|end|>'),
    words,
  )
  const never = readTemplate(turnsWith('<|result|>{"output": "{{ m.content }}"}<|end|>'), words)

  test('is known as such, however often it is escaped', () => {
    expect(show(once, 'user reply tool')).toContain('<|result|>{"output": "#2""}<|end|>')
    expect(show(twice, 'user reply tool')).toContain('#2""')
    expect(show(never, 'user reply tool')).toContain('<|result|>{"output": "#2"}<|end|>')
    for (const { toolRole, appendOnly } of [once, twice, never])
      expect([toolRole, appendOnly]).toEqual([true, true])
  })

  test.each(['a "b"', '{"t": 21}', 'line\nline', 'back\\slash', 'x"}<|end|>', 'é 😀'])(
    '%j is escaped in the prompt, so that it cannot close its text',
    result => {
      const prompt = (template: ChatTemplate) =>
        textOf(
          createPromptWriter(tinyModel(marks), template).write({
            sessionId: 'chat',
            messages: [
              { role: 'user', text: 'Hi' },
              { role: 'assistant', text: 'call', generated: true },
              { role: 'tool', text: result, name: 'look' },
            ],
          }).tokens,
        )
      expect(prompt(once)).toContain(
        `<|result|>${JSON.stringify({ output: result }).replace(':', ': ')}<|end|>`,
      )
      expect(prompt(never)).toContain(`<|result|>{"output": "${result}"}<|end|>`)
    },
  )
})

describe('the tool role is kept', () => {
  test('where a line feed behind a result depends on what follows', () => {
    const template = readTemplate(
      turnsWith('<|tool|>{{ m.content }}<|end|>', `{% if not loop.last %}{{ '\\n' }}{% endif %}`),
      words,
    )
    expect(template).toMatchObject({ toolRole: true, problem: undefined })
    expect(show(template, 'user reply tool')).toBe(
      '<|user|>#0<|end|>\n<|assistant|>#1<|end|>\n<|tool|>#2<|end|><|assistant|>',
    )
  })

  test('where the thoughts before a new question are taken out', () => {
    const template = readTemplate(
      `{% set ns = namespace(last=0) %}{% for m in messages if m.role == 'user' %}{% set ns.last = loop.index %}{% endfor %}` +
        `{% set ns2 = namespace(seen=0) %}{% for m in messages %}{% if m.role == 'user' %}{% set ns2.seen = ns2.seen + 1 %}{% endif %}` +
        `{% if m.role == 'tool' %}<|tool|>{{ m.content }}{% else %}<|{{ m.role }}|>` +
        `{% if m.role == 'assistant' %}{{ '<think></think>' if ns2.seen == ns.last else '</think>' }}{% endif %}{{ m.content }}{% endif %}{% endfor %}<|assistant|>`,
      words,
    )
    expect(template.toolRole).toBe(true)
    expect(show(template, 'system user reply tool')).toContain('<|tool|>#3')
  })

  test('but not where results rewrite what stands before the question', () => {
    const template = readTemplate(
      `{{ messages | selectattr('role', 'eq', 'tool') | list | length }}` +
        turnsWith('<|tool|>{{ m.content }}'),
      words,
    )
    expect(template.toolRole).toBe(false)
  })
})

describe('what ends a reply', () => {
  test.each([
    ['<|{{ m.role }}|>{{ m.content }}<|end|>', '<|assistant|>', ['<|end|>', '<|user|>'], []],
    ['<{{ m.role }}>{{ m.content }}</{{ m.role }}>', '<assistant>', [], ['</assistant>', '<user>']],
    [
      "{{ '[INST]' if m.role == 'user' else '' }}{{ m.content }}{{ '[/INST]' if m.role == 'user' else '' }}",
      '',
      [],
      ['[INST]'],
    ],
    [
      '<start_of_turn>{{ m.role }}\n{{ m.content }}<end_of_turn>\n',
      '<start_of_turn>assistant\n',
      ['<end_of_turn>', '<start_of_turn>user'],
      [],
    ],
  ])('%s', (turn, opening, spelled, asTokens) => {
    const { endMarkers, endWords } = readTemplate(
      `{% for m in messages %}${turn}{% endfor %}${opening}`,
      words,
    )
    expect({ endMarkers, endWords }).toEqual({ endMarkers: spelled, endWords: asTokens })
  })
})

test.each(['\n{{ bos_token }}', '{{ bos_token }}', '  {{ bos_token }}', ''])(
  'a prompt that begins with %j has one token of its start',
  beginning => {
    const template = readTemplate(beginning + turnsWith(''), words)
    const writer = createPromptWriter(tinyModel(marks), template)
    const { tokens } = writer.write({ sessionId: 'chat', messages: [{ role: 'user', text: 'Hi' }] })
    expect(tokens.filter(token => Number(token) === 0)).toHaveLength(1)
  },
)

describe('a bad template', () => {
  test.each([
    [
      'without an end',
      '{% for a in range(999999) %}{% for b in range(999999) %}{% endfor %}{% endfor %}',
      'it takes too long',
    ],
    ['of five million letters', `{# ${'x'.repeat(5_000_000)} #}`, 'longer than four million'],
    [
      'nested without an end',
      '{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}',
      'call themselves without an end',
    ],
    ['that explodes', '{{ "x" * 9999999999 }}', 'more than 32 million'],
  ])('%s is not used, in words', (_, source, reason) => {
    const template = readTemplate(source, words, 200)
    expect(template.problem).toContain(reason)
    expect(show(template, 'user')).toBe('<|im_start|>user\n#0<|im_end|>\n<|im_start|>assistant\n')
  })

  test('of a megabyte is used if it is whole', () => {
    const source = turnsWith('<|tool|>{{ m.content }}<|end|>') + `{# ${'x'.repeat(1_000_000)} #}`
    expect(readTemplate(source, words)).toMatchObject({ problem: undefined, toolRole: true })
  })

  test('that throws for some conversations only is replaced in these', () => {
    const template = readTemplate(
      `{% if messages | length > 12 %}{{ raise_exception('Too many.') }}{% endif %}` + turnsWith(''),
      words,
    )
    expect(template.problem).toBeUndefined()
    expect(show(template, 'user')).toBe('<|user|>#0<|end|><|assistant|>')
    const long = Array.from({ length: 13 }, (_, at) => (at % 2 === 0 ? 'user' : 'reply')).join(' ')
    expect(show(template, long)).toMatch(/^<\|im_start\|>user\n#0<\|im_end\|>/)
  })

  test('that needs too long for a long conversation only is replaced there', () => {
    const template = readTemplate(
      `{% if messages | length > 16 %}{% for a in range(999999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}{% endif %}` +
        turnsWith(''),
      words,
      150,
    )
    expect(template.problem).toBeUndefined()
    const long = Array.from({ length: 17 }, (_, at) => (at % 2 === 0 ? 'user' : 'reply')).join(' ')
    expect(show(template, long)).toMatch(/^<\|im_start\|>user/)
  })

  test('that writes the seconds gives the same prompt again', () => {
    const template = readTemplate(`{{ strftime_now('%H:%M:%S.%f') }}` + turnsWith(''), words)
    expect(template.appendOnly).toBe(true)
    expect(show(template, 'user')).toBe(show(template, 'user'))
  })
})
