import { expect, test } from 'vitest'
import { apiPrompt } from './api-prompt.ts'

const image = { mime: 'image/png' as const, base64: 'aGk=' }
const block = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }

test('pictures stand before the text of the user, and inside the results that they belong to', () => {
  const { messages } = apiPrompt(
    [
      { role: 'user', text: 'Look.', images: [image] },
      { role: 'assistant', text: '', calls: [{ id: 'a', name: 'read_file', arguments: {} }] },
      { role: 'tool', callId: 'a', text: 'A picture.', images: [image] },
      { role: 'user', text: '', images: [image] },
    ],
    [],
  )
  expect(messages.map(({ content }) => content)).toEqual([
    [block, { type: 'text', text: 'Look.' }],
    [{ type: 'tool_use', id: 'a', name: 'read_file', input: {} }],
    [
      { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'A picture.' }, block] },
      block,
    ],
  ])
})
