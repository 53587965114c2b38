import { expect, test } from 'vitest'
import type { Rereads } from '../../../../../shared/contract/models/model.ts'
import { sayRereads } from '../../../../../shared/words/model-words.ts'
import { familyTemplates } from '../../../../../../testing/gguf/templates.ts'
import { readTemplate } from './chat-template.ts'

const words = { bos: '<s>', eos: '</s>' }
const turns = (rest: string) =>
  `{# tool #}{% for m in messages %}{% if m.role == 'x' %}${rest}{% else %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endif %}{% endfor %}<|assistant|>`

test.for<[what: string, source: string, rereads: Rereads, said: string]>([
  [
    'the number of messages at the beginning',
    `<n {{ messages | length }}>${turns('')}`,
    { part: 'chat', behind: 'start', was: '<n 2><|system|>', becomes: '<n 4><|system|>' },
    'This model rereads the whole chat at each turn, so long chats get slower. The reason: its chat template writes “<n 2><|system|>” at the beginning at first, and “<n 4><|system|>” when the chat continues.',
  ],
  [
    'words behind the newest question',
    turns('').replace('{% endfor %}', '{% endfor %}{{ "<|system|>Now.<|end|>" }}'),
    {
      part: 'answer',
      behind: 'user',
      was: '<|system|>Now.<|end|><|assistant|>',
      becomes: '<|assistant|>',
    },
    'With each new question this model rereads the answer before it. The reason: its chat template writes “<|system|>Now.<|end|><|assistant|>” after one of your messages at first, and “<|assistant|>” when the chat continues.',
  ],
  [
    'a line feed that only comes with the next message',
    turns('')
      .replace("m.role == 'x'", "m.role == 'tool'")
      .replace('{% else %}', "<|tool|>{{ m.content }}{{ '' if loop.last else '\\n' }}<|end|>{% else %}"),
    { part: 'answer', behind: 'tool', was: '<|end|><|assistant|>', becomes: '⏎<|end|><|assistant|>' },
    'With each new question this model rereads the answer before it. The reason: its chat template writes “<|end|><|assistant|>” after a tool result at first, and “⏎<|end|><|assistant|>” when the chat continues.',
  ],
])('what a template writes anew is found and said: %s', ([, source, rereads, said]) => {
  const template = readTemplate(source, words)
  expect(template).toMatchObject({ problem: undefined, appendOnly: false, rereads })
  expect(template.rereads && sayRereads(template.rereads)).toBe(said)
})

test('long pieces of a template are shortened, and one without a counterpart is said to be left out', () => {
  const { rereads } = readTemplate(`{{ 'x' * 300 if messages | length < 3 else '' }}${turns('')}`, words)
  expect(rereads?.was).toMatch(/^x{40}…$/)
  expect(sayRereads({ part: 'answer', behind: 'tool', was: '<a>', becomes: '' })).toContain(
    'writes “<a>” after a tool result at first, and leaves it out when the chat continues.',
  )
  expect(sayRereads({ part: 'answer', behind: 'tool', was: '', becomes: '<b>' })).toContain(
    'writes “<b>” after a tool result only when the chat continues.',
  )
})

test('a template that only appends has nothing to tell', () => {
  for (const source of Object.values(familyTemplates))
    expect(readTemplate(source, words)).toMatchObject({ appendOnly: true, rereads: undefined })
})
