import { expect, test } from 'vitest'
import { explainAnswer } from './explain-answer.ts'

const asked = {
  name: 'The server',
  host: 'host',
  nearby: false,
  model: 'm',
  apiKey: '',
  api: { answers: '', address: '', server: '' },
}
const sent = { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:' } }] }] }

test.each([
  'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
  'Invalid content type. image_url is only supported by certain models.',
  'Failed to deserialize: messages[0]: unknown variant `image_url`, expected `text`',
  'At most 0 image(s) may be provided in one request.',
  'No endpoints found that support image input',
  'Model does not support images. Please use a model that does.',
  'some-model is not a multimodal model',
  'messages[1].content must be a string',
])('“%s” says that the model takes no pictures', message => {
  expect(explainAnswer({ status: 400, error: { message } }, { ...asked, sent }).failure.code).toBe(
    'pictures_unsupported',
  )
  const plain = { messages: [{ role: 'user', content: 'Hello.' }] }
  expect(explainAnswer({ status: 400, error: { message } }, { ...asked, sent: plain }).failure.code).not.toBe(
    'pictures_unsupported',
  )
})

test('a picture that is itself refused does not make a model blind', () => {
  for (const message of [
    'Could not process image',
    'image exceeds 5 MB maximum',
    'Invalid base64 image_url.',
    'Too many images in request',
  ]) {
    const { failure } = explainAnswer({ status: 400, error: { message } }, { ...asked, sent })
    expect([failure.code, failure.text]).toEqual([
      'picture_refused',
      expect.stringContaining(message.slice(0, 20)),
    ])
  }
  const tooMuch = { status: 413, error: { message: 'Payload Too Large' } }
  expect(explainAnswer(tooMuch, { ...asked, sent }).failure.code).toBe('picture_refused')
  const plain = { messages: [{ role: 'user', content: 'Hello.' }] }
  expect(explainAnswer(tooMuch, { ...asked, sent: plain }).failure.code).not.toBe('picture_refused')
})
