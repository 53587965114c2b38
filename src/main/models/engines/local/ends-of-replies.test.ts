import { afterAll, expect, test } from 'vitest'
import { scriptedModel } from '../../../../../testing/gguf/cached.ts'
import { openEngines, user } from '../../../../../testing/models/local.ts'

const open = openEngines('inline')
afterAll(() => open.engines.close())

/** Turns in ordinary tags, as some families write them. */
const inTags =
  "{% for m in messages %}{{ '<' + m.role + '>\\n' + m.content + '</' + m.role + '>\\n' }}{% endfor %}{{ '<assistant>\\n' }}"
/** Questions in brackets, as in the Mistral family. */
const inBrackets =
  "{% for m in messages %}{% if m.role == 'user' %}{{ '[INST] ' + m.content + '[/INST]\\n' }}{% else %}{{ m.content }}{% endif %}{% endfor %}"

const aboutMarks =
  'The file says\n<users>\n  <user>Ann</user>\n</users>\nand then [INST] Why? [/INST] and </assistant> and <user> again.'

test.for<[what: string, template: string, end: string | undefined]>([
  ['whose turns are tags', inTags, undefined],
  ['whose turns end with a tag that is a token', inTags, '</assistant>'],
  ['whose questions stand in brackets', inBrackets, undefined],
])('a model %s may write about its own marks, and its token ends the answer', async ([, template, end]) => {
  const path = scriptedModel({ reply: aboutMarks, template, ...(end !== undefined && { end }) })
  expect(await open.ask(path, [user('What does it say?')])).toMatchObject({ text: aboutMarks, stop: 'end' })
})

test.each(['</assistant>', '<user>'])(
  'the mark %s ends an answer where it is a control token of the vocabulary',
  async mark => {
    const path = scriptedModel({ reply: `All is well.${mark} And more.`, template: inTags, tokens: [mark] })
    expect(await open.ask(path, [user('What does it say?')])).toMatchObject({
      text: 'All is well.',
      stop: 'end',
    })
  },
)

test('a mark that no text contains ends an answer by its spelling too', async () => {
  const template =
    "{% for m in messages %}{{ '<|turn:' + m.role + '|>\\n' + m.content + '<|turn_end|>\\n' }}{% endfor %}{{ '<|turn:assistant|>\\n' }}"
  const path = scriptedModel({ reply: 'All is well. <|turn_end|> And more.', template })
  expect(await open.ask(path, [user('What does it say?')])).toMatchObject({
    text: expect.stringMatching(/^All is well\. ?$/),
    stop: 'end',
  })
})

test('a mark that ends words before a call too does not end the reply, which goes on with the call', async () => {
  const template =
    "{% for m in messages %}{{ m.role + '<|role_sep|>\\n' + m.content + '<|message_sep|>\\n\\n' }}{% for call in m.tool_calls or [] %}{{ 'function call<|role_sep|>\\n' + call.function | tojson + '<|message_sep|>\\n\\n' }}{% endfor %}{% endfor %}{{ 'assistant<|role_sep|>\\n' }}"
  const called = 'I will look.<|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "now", "arguments": {}}'
  const path = scriptedModel({ reply: called, template })
  expect(await open.ask(path, [user('What time is it?')])).toMatchObject({ text: called, stop: 'end' })
  const goingOn = scriptedModel({ reply: `${called}<|message_sep|>\n\nuser<|role_sep|>\nThanks.`, template })
  expect(await open.ask(goingOn, [user('What time is it?')])).toMatchObject({ text: called, stop: 'end' })
})
