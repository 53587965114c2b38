import { expect, test } from 'vitest'
import { sendFile } from './send-file.ts'

type Sent = { url: string; init: RequestInit | undefined }

function recorder(answer: () => Promise<Response> = () => Promise.resolve(new Response('{}'))) {
  const sent: Sent[] = []
  const fetch: typeof window.fetch = (url, init) => {
    sent.push({ url: url instanceof Request ? url.url : url.toString(), init })
    return answer()
  }
  return { sent, parts: { fetch, hash: '#token=abc-1&chat=c1', origin: 'http://127.0.0.1:4000' } }
}

test('a file goes to the host of the page with the token of its address', async () => {
  const { sent, parts } = recorder()
  const file = new File(['GGUF'], 'big.gguf')
  expect(await sendFile('up/1', file, parts)).toBe(true)
  expect(sent.map(({ url }) => url)).toEqual(['http://127.0.0.1:4000/upload/up%2F1'])
  expect(sent[0]?.init).toMatchObject({ method: 'PUT', headers: { authorization: 'Bearer abc-1' } })
  expect(sent[0]?.init?.body).toBe(file)
})

test('a host that refuses, and a line that breaks, are both no success', async () => {
  const refuses = recorder(() => Promise.resolve(new Response('', { status: 403 })))
  expect(await sendFile('up-1', new Blob(['x']), refuses.parts)).toBe(false)
  const breaks = recorder(() => Promise.reject(new TypeError('network')))
  expect(await sendFile('up-1', new Blob(['x']), breaks.parts)).toBe(false)
})
