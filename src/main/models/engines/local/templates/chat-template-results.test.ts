import { describe, expect, test } from 'vitest'
import type { LlamaModel } from 'node-llama-cpp'
import { readTemplate } from './chat-template.ts'
import type { ChatTemplate } from './chat-template.ts'
import type { Role } from './fill-chat-template.ts'
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

describe('calls are given as data where the frame then has more in it', () => {
  const called =
    '{% if m.tool_calls %}{% for c in m.tool_calls %}<call>{{ c.function.name }}{{ c.function.arguments | tojson }}</call>{% endfor %}'

  test('the name of a tool that is looked up in the calls stands before its result', () => {
    const template = readTemplate(
      `{% set ns = namespace(name='') %}{% for m in messages %}{% if m.role == 'tool' %}<|result|>{{ ns.name }}<|is|>{{ m.content }}<|end|>` +
        `{% else %}<|{{ m.role }}|>{{ m.content }}${called}{% set ns.name = m.tool_calls[0].function.name %}{% endif %}<|end|>{% endif %}{% endfor %}{{ '<|assistant|>' if add_generation_prompt }}`,
      words,
    )
    expect(template).toMatchObject({ toolRole: true, appendOnly: true })
    expect(show(template, 'user reply tool')).toBe(
      '<|user|>#0<|end|><|assistant|>#1<|end|><|result|>look<|is|>#2<|end|><|assistant|>',
    )
  })

  test.each(['<|eom_id|>', '<|calls|>', '<|call|>'])('calls end with the mark %s of their own', mark => {
    const template = readTemplate(
      `{% for m in messages %}<|{{ m.role }}|>{{ m.content }}${called}${mark}{% else %}<|end|>{% endif %}{% endfor %}{{ '<|assistant|>' if add_generation_prompt }}`,
      words,
    )
    expect(show(template, 'user reply tool reply user')).toBe(
      `<|user|>#0<|end|><|assistant|>#1${mark}<|tool|>#2<|end|><|assistant|>#3<|end|><|user|>#4<|end|><|assistant|>`,
    )
  })

  test('but not where only other words stand between a call and its result', () => {
    const template = readTemplate(
      `{% for m in messages %}<|{{ m.role }}|>{{ m.content }}${called}<|end|><|assistant|>{% endif %}<|end|>{% endfor %}{{ '<|assistant|>' if add_generation_prompt }}`,
      words,
    )
    expect(show(template, 'user reply tool')).toBe(
      '<|user|>#0<|end|><|assistant|>#1<|end|><|tool|>#2<|end|><|assistant|>',
    )
  })

  test.each([
    ["{{ '<result>' ~ m.content ~ '</result>' if tools else m.content }}", '<result>#2</result>'],
    [
      "{{ '<result>' ~ m.content ~ '</result>' if tools | length > 0 else m.content }}",
      '<result>#2</result>',
    ],
    ['{{ m.content }}{{ tools | tojson if tools }}', '#2'],
  ])('marks that need tools are written around results: %s', (result, right) => {
    const template = readTemplate(
      `{% if tools %}<|tools|>{{ tools | tojson }}{% endif %}${turnsWith(`<|tool|>${result}<|end|>`)}`,
      words,
    )
    expect(template).toMatchObject({ toolRole: true, appendOnly: true })
    expect(show(template, 'user reply tool')).toBe(
      `<|user|>#0<|end|><|assistant|>#1<|end|><|tool|>${right}<|end|><|assistant|>`,
    )
  })
})

describe('the ids of calls', () => {
  const template = readTemplate(turnsWith('<|tool|>{{ m.tool_call_id }}={{ m.content }}<|end|>'), words)
  const showIds = (ids: readonly (string | undefined)[], from = template) =>
    from
      .layOut([
        ...turns('user reply'),
        ...ids.map(id => ({ role: 'tool' as const, generated: false, name: 'look', id })),
      ])
      .map(part => ('frame' in part ? part.frame : `#${part.message}`))
      .join('')

  test('results carry the ids that are known, and others get one', () => {
    expect(showIds(['a1B2c3D4e', undefined])).toContain(
      '<|tool|>a1B2c3D4e=#2<|end|><|tool|>call00001=#3<|end|>',
    )
  })

  test.each(['<|end|>', 'a b', '', 'x'.repeat(81), '"}'])('%j is no id, since markup is active there', id => {
    expect(showIds([id])).toContain('<|tool|>call00000=#2')
  })

  test('results of Kimi K2 name the tool and the place of the call', () => {
    const kimi = readTemplate(
      turnsWith("<|tool|>{{ '## Return of ' ~ m.tool_call_id ~ '\\n' }}{{ m.content }}<|end|>"),
      words,
    )
    expect(showIds([undefined, 'functions.look:7'], kimi)).toMatch(
      /functions\.look:0\n#2.*functions\.look:7\n#3/s,
    )
  })
})

describe('an empty list of tools is not announced', () => {
  const write = (before: string, behind: string) =>
    show(
      readTemplate(
        `<s>${before}{% if messages[0].role == 'system' %}{{ messages[0].content }}{% set messages = messages[1:] %}{% endif %}${behind}<|end|>` +
          '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}<|assistant|>',
        words,
      ),
      'system user',
    )

  test.each([
    ['## Available Tools\nHere is a list of tools that you have available to you:\n\n'],
    ['# Available Tools\n```json\n[\n\n]\n```'],
    ['Available functions:\n// Supported ones.\nnamespace functions {\n\n} // namespace functions'],
    ['# Available tools\n[]\n'],
  ])('%j', list => {
    expect(write('<|system|>', `\n\n{{ ${JSON.stringify(list)} }}`)).toBe(
      '<s><|system|>#0<|end|><|user|>#1<|end|><|assistant|>',
    )
    expect(write(`<|system|>You help.\n\n{{ ${JSON.stringify(list)} }}<|end|><|system|>`, '')).toBe(
      '<s><|system|>You help.<|end|><|system|>#0<|end|><|user|>#1<|end|><|assistant|>',
    )
  })

  test.each([
    ['## Available Tools\nThere is one tool: `search`.'],
    ['# Available Tools\n[{"name": "search"}]\n'],
    ['Call tools where they help.'],
  ])('but %j stays', words => {
    expect(write('<|system|>', `\n\n{{ ${JSON.stringify(words)} }}`)).toContain(words)
  })
})
