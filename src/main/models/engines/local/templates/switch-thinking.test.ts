import type { LlamaModel } from 'node-llama-cpp'
import { describe, expect, test } from 'vitest'
import type { Prompt, WireMessage } from '../../../interface/engine.ts'
import { system, user } from '../../../../../../testing/models/local.ts'
import { chatmlTemplate, thinkingTemplate } from '../../../../../../testing/gguf/templates.ts'
import { readTemplate } from './chat-template.ts'
import { createPromptWriter } from './prompt-tokens.ts'
import { startReply } from '../decoding/reply-text.ts'

const words = { bos: '<s>', eos: '</s>' }

/** A vocabulary of letters. */
const letters = {
  tokenize: (text: string) => Array.from(text, letter => letter.codePointAt(0) ?? 0),
  tokens: { bos: null, bosString: null, eosString: '</s>', shouldPrependBosToken: false },
  fileInfo: { metadata: { tokenizer: { ggml: { model: 'gpt2', tokens: [], token_type: [] } } } },
} as unknown as LlamaModel
const textOf = (tokens: readonly number[]) => String.fromCodePoint(...tokens)

function aChat(source: string) {
  const writer = createPromptWriter(letters, readTemplate(source, words))
  const write = (messages: readonly WireMessage[], how: Partial<Prompt> = {}) => {
    const { tokens, opener } = writer.write({ sessionId: 'chat', messages, ...how })
    return { text: textOf(tokens), begun: textOf(tokens.slice(tokens.length - opener)) }
  }
  /** The model continues after the prompt. Its reply includes the start that the template wrote. */
  const answer = (begun: string, text: string): WireMessage => {
    const reply = startReply(tokens => textOf(tokens), [])
    for (const letter of begun + text) reply.push(letter.codePointAt(0) ?? 0)
    writer.keep('chat', reply.end().reply)
    return { role: 'assistant', text: begun + text, generated: true }
  }
  return { write, answer }
}

const lastOf = (text: string) => text.slice(text.lastIndexOf('<assistant>'))

/** Thinks unless a variable switches it off, which starts the reply with an empty thought. */
const byVariable = String.raw`{% for m in messages %}{{ '<' + m.role + '>' + m.content + '\n' }}{% endfor %}{{ '<assistant>' }}{% if enable_thinking is defined and enable_thinking is false %}{{ '<think>\n\n</think>\n\n' }}{% endif %}`

/** Announces the setting, and writes the empty thought into past replies too. Reads the instructions. */
const byInstructions = String.raw`{% set quiet = (enable_thinking is defined and not enable_thinking) or (messages[0].role == 'system' and '/no_think' in messages[0].content) %}
{{- '<mode ' + ('quiet' if quiet else 'open') + '>' }}{% for m in messages %}{% set text = m.content.replace('/no_think', '').rstrip() if m.role == 'system' else m.content %}
{{- '<' + m.role + '>' + ('<think></think>' if quiet and m.role == 'assistant' else '') + text + '\n' }}{% endfor %}{{ '<assistant>' + ('<think></think>' if quiet else '') }}`

/** Looks for marks in all messages and removes them. Has no variable. */
const byMarks = String.raw`{% set ns = namespace(on=true) %}{% for m in messages %}{% if m.role in ['user', 'system'] %}
{%- if '/think' in m.content %}{% set ns.on = true %}{% elif '/no_think' in m.content %}{% set ns.on = false %}{% endif %}{% endif %}{% endfor %}
{%- for m in messages %}{{ '<' + m.role + '>' + m.content.replace('/think', '').replace('/no_think', '').strip() + '\n' }}{% endfor %}
{{- '<assistant>' + ('<think>\n' if ns.on else '<think></think>') }}`

describe('what can be set is found by asking the template', () => {
  test.for([
    ['a variable', byVariable, ['off']],
    ['a variable that changes the instructions', byInstructions, ['off']],
    ['a mark alone', byMarks, ['off']],
    [
      'a variable that is off at first',
      byVariable.replace('enable_thinking is defined and enable_thinking is false', 'not enable_thinking'),
      ['on'],
    ],
    [
      'a budget',
      byVariable.replace('enable_thinking is defined and enable_thinking is false', 'thinking_budget == 0'),
      ['off'],
    ],
    [
      'a level without thoughts',
      byVariable.replace(
        'enable_thinking is defined and enable_thinking is false',
        "reasoning_effort == 'none'",
      ),
      ['off'],
    ],
    [
      'both ways',
      byVariable
        .replace('enable_thinking is defined and enable_thinking is false', "thinking_mode == 'disabled'")
        .replace('<assistant>', "<assistant>' + ('<think>' if thinking_mode == 'enabled' else '') + '"),
      ['on', 'off'],
    ],
    ['no way, although it opens a thought', thinkingTemplate, []],
    ['no way, since it knows of no thoughts', chatmlTemplate, []],
  ] as const)('%s', ([, source, thinking]) => {
    const template = readTemplate(source, words)
    expect([template.problem, template.thinking]).toEqual([undefined, thinking])
  })

  test('a template without a switch is the same whatever is set', () => {
    const template = readTemplate(thinkingTemplate, words)
    expect(template.withThinking('off')).toBe(template.withThinking(undefined))
  })
})

describe('with thinking switched off', () => {
  test.for([
    ['a variable', byVariable, '<think>\n\n</think>\n\n'],
    ['a mark of its own behind the instructions', byMarks, '<think></think>'],
  ] as const)('a reply begins behind an empty thought, and keeps it: %s', ([, source, empty]) => {
    const { write, answer } = aChat(source)
    const asked = [system('Be kind.'), user('hi')]
    const first = write(asked, { thinking: 'off' })
    expect(first.begun).toBe(empty)
    expect(first.text).toBe(`<system>Be kind.\n<user>hi\n<assistant>${empty}`)
    const next = write([...asked, answer(first.begun, 'Hello!'), user('more')], { thinking: 'off' })
    // Nothing is read twice.
    expect(next.text).toBe(`${first.text}Hello!\n<user>more\n<assistant>${empty}`)
  })

  test('the whole prompt is written as the template says it', () => {
    const { write, answer } = aChat(byInstructions)
    const asked = [system('Be kind.'), user('hi')]
    expect(write(asked).text).toBe('<mode open><system>Be kind.\n<user>hi\n<assistant>')
    const first = write(asked, { thinking: 'off' })
    expect(first).toEqual({
      text: '<mode quiet><system>Be kind.\n<user>hi\n<assistant><think></think>',
      begun: '',
    })
    const next = write([...asked, answer('', 'Hello!'), user('more')], { thinking: 'off' })
    expect(next.text).toBe(`${first.text}Hello!\n<user>more\n<assistant><think></think>`)
  })

  test('a reply that must begin in some way has one empty thought', () => {
    for (const source of [byVariable, byInstructions, byMarks]) {
      const { text } = aChat(source).write([user('hi')], { thinking: 'off', begin: 'Sure' })
      expect(lastOf(text).match(/<\/think>/g)).toHaveLength(1)
      expect(text).toMatch(/<\/think>\s*Sure$/)
    }
  })
})

test('switched on, a reply that must begin in some way begins as the template writes it with thinking off', () => {
  const { write } = aChat(
    String.raw`{% for m in messages %}{{ '<' + m.role + '>' + m.content + '\n' }}{% endfor %}{{ '<assistant>' + ('<think>' if enable_thinking else '</think>') }}`,
  )
  expect(lastOf(write([user('hi')], { thinking: 'on' }).text)).toBe('<assistant><think>')
  expect(lastOf(write([user('hi')], { thinking: 'on', begin: 'Sure' }).text)).toBe('<assistant></think>Sure')
  expect(lastOf(write([user('hi')]).text)).toBe('<assistant></think>')
})

describe('a mark in a chat', () => {
  test('works in a question, is taken out as in training, and holds until the next one', () => {
    const { write, answer } = aChat(byMarks)
    const asked = [user('hi /no_think')]
    const first = write(asked)
    expect(first).toEqual({ text: '<user>hi\n<assistant><think></think>', begun: '<think></think>' })
    const talk = [...asked, answer(first.begun, 'Hello!'), user('more')]
    expect(write(talk).text).toBe(`${first.text}Hello!\n<user>more\n<assistant><think></think>`)
    expect(write([...talk.slice(0, -1), user('/think Why?')])).toEqual({
      text: `${first.text}Hello!\n<user>Why?\n<assistant><think>\n`,
      begun: '<think>\n',
    })
  })

  test('works in the instructions, where the template looks for it there', () => {
    const { write } = aChat(byInstructions)
    expect(write([system('Be kind.\n/no_think'), user('hi')]).text).toBe(
      '<mode quiet><system>Be kind.\n<user>hi\n<assistant><think></think>',
    )
    // A forced beginning needs no second empty thought.
    expect(write([system('/no_think'), user('hi')], { begin: 'Sure' }).text).toMatch(
      /<assistant><think><\/think>Sure$/,
    )
  })

  test('in a question does what the setting does, where the template looks into the instructions alone', () => {
    const { write, answer } = aChat(byInstructions)
    const asked = [system('Be kind.'), user('hi /no_think')]
    const first = write(asked)
    expect(first.text).toBe('<mode quiet><system>Be kind.\n<user>hi\n<assistant><think></think>')
    const talk = [...asked, answer(first.begun, 'Hello!')]
    expect(write([...talk, user('more')]).text).toBe(
      `${first.text}Hello!\n<user>more\n<assistant><think></think>`,
    )
    const open = '<mode open><system>Be kind.\n<user>hi\n<assistant>Hello!\n<user>more\n<assistant>'
    expect(write([...talk, user('/think more')], { thinking: 'off' }).text).toBe(open)
  })

  test('is only text where the template looks for none, which the model may know all the same', () => {
    expect(aChat(byVariable).write([user('hi /no_think')]).text).toBe('<user>hi /no_think\n<assistant>')
  })

  test('counts for more than the setting', () => {
    const { write } = aChat(byMarks)
    expect(lastOf(write([system('Be kind.'), user('hi /think')], { thinking: 'off' }).text)).toBe(
      '<assistant><think>\n',
    )
  })

  test('of a tool, or in a path, changes nothing', () => {
    const { write } = aChat(byMarks)
    expect(lastOf(write([user('Read docs/no_think')]).text)).toBe('<assistant><think>\n')
    expect(lastOf(write([user('[Tool Result: read_file] /no_think')]).text)).toBe('<assistant><think>\n')
  })
})
