import { expect, test } from 'vitest'
import { chatmlTemplate, toolsTemplate } from '../../../../../../testing/gguf/templates.ts'
import { randomModel } from '../../../../../../testing/gguf/cached.ts'
import { readTemplate } from './chat-template.ts'
import { chooseTemplate, templateOf } from './choose-template.ts'
import { readGguf } from '../gguf/read-gguf.ts'

const withResults = `{% for m in messages %}<|im_start|>{{ m.role }}\n{{ '<tool_response>' + m.content if m.role == 'tool' else m.content }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n`
const askingForMore = `${withResults.slice(0, -22)}<|im_start|>system\nWrite a tool list. ${'word '.repeat(60)}<|im_end|>\n<|im_start|>assistant\n`

test.each([
  ['is taken where the usual one knows nothing of results', chatmlTemplate, withResults, withResults],
  ['is taken where it is the only one', undefined, withResults, withResults],
  ['is left where there is none', chatmlTemplate, undefined, chatmlTemplate],
  ['is left where the usual one knows tools too', toolsTemplate, withResults, toolsTemplate],
  ['is left where it cannot be used', chatmlTemplate, '{% if tool %}', chatmlTemplate],
  ['is left where it has no results', chatmlTemplate, chatmlTemplate, chatmlTemplate],
  ['is left where it asks for answers in its own words', chatmlTemplate, askingForMore, chatmlTemplate],
])('the template for tools %s', (_, usual, toolUse, right) => {
  expect(chooseTemplate(usual, toolUse)).toBe(right)
})

test('both are read from a file, and from the metadata of the library', async () => {
  const path = randomModel({
    template: 'chatml',
    entries: [{ key: 'tokenizer.chat_template.tool_use', type: 'string', value: withResults }],
  })
  expect(await readGguf(path)).toMatchObject({ chatTemplate: withResults })
  expect(templateOf({ chat_template: chatmlTemplate, 'chat_template.tool_use': withResults })).toBe(
    withResults,
  )
  expect(templateOf(undefined)).toBeUndefined()
})

test('a system turn that announces no tools is left out, since ours announces them', () => {
  const template = readTemplate(
    `<s><|im_start|>system\nThese are your tools: <tools> {% for tool in tools %}{{ tool }}{% endfor %} </tools><|im_end|>\n${withResults}`,
    { bos: '<s>', eos: '</s>' },
  )
  const parts = template.layOut([
    { role: 'system', generated: false },
    { role: 'user', generated: false },
  ])
  expect(parts[0]).toEqual({ frame: '<s><|im_start|>system\n' })
  expect(template.toolRole).toBe(true)
})
