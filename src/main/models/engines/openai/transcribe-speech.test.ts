import { expect, test } from 'vitest'
import { OfflineError } from '../../../lib/network/offline.ts'
import { transcribeSpeech } from './transcribe-speech.ts'

const KEY = 'sk-of-the-speech-server'
const server = { name: 'Ears', baseUrl: 'https://ears.example/v1/', model: 'whisper-1', apiKey: KEY }
const { signal } = new AbortController()
const note = { bytes: new Uint8Array([79, 103, 103, 83]), mime: 'audio/ogg; codecs=opus' }

/** Transcribe a recording with this server answer. Returns the result and the requests. */
async function heardFrom(answer: () => Response | Promise<Response>, given: Partial<typeof server> = {}) {
  const asked: { url: string; init: RequestInit }[] = []
  const fetch: typeof globalThis.fetch = async (url, init = {}) => {
    asked.push({ url: url instanceof Request ? url.url : url.toString(), init })
    return answer()
  }
  return { heard: await transcribeSpeech({ ...server, ...given }, note, fetch, signal), asked }
}

test('a recording goes to the server as a form with its model and key, and its words come back', async () => {
  const { heard, asked } = await heardFrom(() => Response.json({ text: ' Buy milk. ' }))
  expect(heard).toEqual({ text: 'Buy milk.' })
  const [{ url, init } = { url: '', init: {} }] = asked
  const { headers, body } = init
  expect([url, init.method]).toEqual(['https://ears.example/v1/audio/transcriptions', 'POST'])
  expect(headers).toMatchObject({ authorization: `Bearer ${KEY}` })
  const form = await new Response(body, { headers: headers ?? {} }).formData()
  expect([form.get('model'), form.get('response_format')]).toEqual(['whisper-1', 'json'])
  expect(form.get('file')).toMatchObject({ name: 'voice.ogg', type: 'audio/ogg', size: 4 })
  const near = await heardFrom(() => Response.json({ text: 'x' }), { apiKey: '' })
  expect(near.asked[0]?.init.headers).not.toHaveProperty('authorization')
})

test('whatever goes wrong is said without what the server repeats', async () => {
  const problems = [
    [() => Response.json({ error: `bad key ${KEY}` }, { status: 401 }), 'does not accept its key'],
    [() => new Response('', { status: 404 }), 'cannot transcribe speech'],
    [() => new Response('', { status: 413 }), 'too large'],
    [() => new Response(`oh ${KEY}`, { status: 500 }), 'status 500'],
    [() => new Response('<html>'), 'something that is not text'],
    [() => Response.json({ text: 7 }), 'something that is not text'],
    [() => new Response('x'.repeat(1_000_001)), 'something that is not text'],
    [() => Promise.reject(new TypeError(`fetch failed ${KEY}`)), 'cannot be reached'],
    [() => Promise.reject(new OfflineError('ears.example')), 'ears.example'],
  ] as const
  for (const [answer, said] of problems) {
    const { heard } = await heardFrom(answer)
    expect(heard).toEqual({ problem: expect.stringContaining(said) })
    expect(JSON.stringify(heard)).not.toContain(KEY)
  }
  const long = await heardFrom(() => Response.json({ text: 'a'.repeat(30_000) }))
  expect('text' in long.heard && long.heard.text).toHaveLength(20_000)
})
