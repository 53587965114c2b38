import type { LlamaModel } from 'node-llama-cpp'
import { describe, expect, test, vi } from 'vitest'
import { askForCalls } from './ask-template.ts'
import { createPromptWriter } from './prompt-tokens.ts'

/** How often each template was rendered. */
const rendered = vi.hoisted(() => new Map<string, number>())
vi.mock(import('../jinja/compile-template.ts'), async original => {
  const { compileTemplate } = await original()
  return {
    compileTemplate(source) {
      const template = compileTemplate(source)
      return {
        ...template,
        render(...given) {
          rendered.set(source, (rendered.get(source) ?? 0) + 1)
          return template.render(...given)
        },
      }
    },
  }
})

// Other files of the same worker have loaded it already, without the count.
vi.resetModules()
const { readTemplate } = await import('./chat-template.ts')

const words = { bos: '<s>', eos: '</s>' }
const turnTemplate = '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}<|assistant|>'
const inChatml = '<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n'

/** Work that takes longer than any test, and far longer than a template is given. */
const work = '{% for a in range(999999) %}{% for b in range(999999) %}{% endfor %}{% endfor %}'

/** A vocabulary in which each letter is a token. */
const letters = {
  tokenize: (text: string) => Array.from(text, letter => letter.codePointAt(0)),
  tokens: { bos: null, shouldPrependBosToken: false },
  fileInfo: { metadata: { tokenizer: { ggml: { model: 'gpt2', tokens: [], token_type: [] } } } },
} as unknown as LlamaModel

/** Chat with a model that has this template. `ask` returns the prompt and the refusal, if any. */
function chatWith(source: string, longestMs = 200) {
  const template = readTemplate(source, words, longestMs)
  const writer = createPromptWriter(letters, template)
  return {
    template,
    ask(questions: number, sessionId = 'chat') {
      const talk = Array.from({ length: questions }, (_, at) => [
        { role: 'user' as const, text: 'Hi' },
        ...(at + 1 < questions ? [{ role: 'assistant' as const, text: 'Yes', generated: true }] : []),
      ])
      const { tokens, refusal } = writer.write({ sessionId, messages: talk.flat() })
      return { prompt: tokens.map(token => String.fromCodePoint(token)).join(''), refusal }
    },
  }
}

describe('a template that cannot be used is replaced, in words, and the chat goes on', () => {
  test.each([
    ['that never ends', work, 'it takes too long'],
    [
      'that never ends in a macro',
      '{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}',
      'call themselves without an end',
    ],
    ['of five million letters', `{# ${'x'.repeat(5_000_000)} #}`, 'longer than four million characters'],
    ['of a megabyte that is cut off', '{% if true %}x'.repeat(80_000), 'deeply'],
    ['that explodes', '{{ "x" * 9999999999 }}', 'more than 32 million characters'],
    ['that refuses everything', "{{ raise_exception('No, never.') }}", 'No, never.'],
    ['that is no template', '{% for', 'cannot be used'],
  ])('%s', (_, source, reason) => {
    const { template, ask } = chatWith(source)
    expect(template.problem).toContain(reason)
    expect(template.problem).toMatch(/^The chat template of the model cannot be used: .*\.$/)
    expect(ask(1).prompt).toBe(inChatml)
    expect(ask(2).prompt.startsWith(inChatml)).toBe(true)
    expect(askForCalls(source)).toEqual({ one: [], two: [] })
  })
})

test('a template of a megabyte is used if it is whole', () => {
  const { template, ask } = chatWith(`{# ${'x'.repeat(1_000_000)} #}${turnTemplate}`)
  expect(template.problem).toBeUndefined()
  expect(ask(1)).toEqual({ prompt: '<|user|>Hi<|end|><|assistant|>' })
})

test('a template of a megabyte of lines is used too', () => {
  const { template, ask } = chatWith(`${'{%- set a = 1 %}'.repeat(62_500)}${turnTemplate}`, 20_000)
  expect(template.problem).toBeUndefined()
  expect(ask(1).prompt).toBe('<|user|>Hi<|end|><|assistant|>')
})

describe('a template that fails for some conversations only', () => {
  const long = 9

  test('says so where it does, and is used in the others', () => {
    const { template, ask } = chatWith(
      `{% if messages | length > 12 %}{{ raise_exception('Too many messages') }}{% endif %}${turnTemplate}`,
    )
    expect(template.problem).toBeUndefined()
    expect(ask(1)).toEqual({ prompt: '<|user|>Hi<|end|><|assistant|>' })
    const first = ask(long)
    expect(first.prompt.startsWith('<|im_start|>user\nHi<|im_end|>\n')).toBe(true)
    expect(first.refusal).toEqual({ as: 'general', why: 'Too many messages.' })
    expect(ask(2)).toEqual({
      prompt: '<|user|>Hi<|end|><|assistant|>Yes<|end|><|user|>Hi<|end|><|assistant|>',
    })
  })

  test('by taking too long is waited for once', () => {
    const source = `{% if messages | length > 16 %}${work}{% endif %}${turnTemplate}`
    const { template, ask } = chatWith(source, 150)
    expect(template.problem).toBeUndefined()
    const first = ask(long)
    expect(first.prompt.startsWith('<|im_start|>user')).toBe(true)
    const refusal = { as: 'general', why: 'it takes too long.' }
    expect(first.refusal).toEqual(refusal)
    const before = rendered.get(source)
    for (let more = 0; more <= 20; more++) expect(ask(long + more).refusal).toEqual(refusal)
    expect(rendered.get(source)).toBe(before)
    expect(ask(1)).toEqual({ prompt: '<|user|>Hi<|end|><|assistant|>' })
    expect(rendered.get(source)).toBe((before ?? 0) + 1)
  })
})

describe('a template that writes something else each time', () => {
  test.each([
    ['by the clock', "{{ strftime_now('%H:%M:%S.%f') }}"],
    ['by chance', "{{ ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] | random }}"],
  ])('%s gives the same prompt again, so that little is read anew', (_, changing) => {
    const { template, ask } = chatWith(changing + turnTemplate)
    expect(template).toMatchObject({ problem: undefined, appendOnly: true })
    const [first, second] = [ask(1).prompt, ask(2).prompt]
    expect(ask(1).prompt).toBe(first)
    expect(second.startsWith(first)).toBe(true)
  })

  test('with the length of the chat is used, and known to be read anew in each turn', () => {
    const { template, ask } = chatWith(`{{ messages | length }}${turnTemplate}`)
    expect(template).toMatchObject({ problem: undefined, appendOnly: false })
    expect(ask(2)).toEqual({
      prompt: '3<|user|>Hi<|end|><|assistant|>Yes<|end|><|user|>Hi<|end|><|assistant|>',
    })
  })
})
