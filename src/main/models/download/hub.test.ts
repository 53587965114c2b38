import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder } from '../../../../testing/models/downloads.ts'
import { createHub, type HubSettings } from './hub.ts'
import { sendRequest } from './send-request.ts'

const TOKEN = `hf_${'example'.repeat(5)}`
const FILE = 'https://huggingface.co/maker/model/resolve/main/m.gguf'

function aHub(settings: Partial<HubSettings> = {}, keys: Record<string, string> = {}, home = '/nowhere') {
  return createHub({
    settings: () => ({ hub_mirror: '', hub_token_file: false, ...settings }),
    read: name => keys[name],
    env: {},
    home,
  })
}

test.each([
  [{}, { HF_ENDPOINT: 'https://mirror.example' }, 'https://mirror.example/maker/model/resolve/main/m.gguf'],
  [
    {},
    { HF_ENDPOINT: 'https://mirror.example/hub/' },
    'https://mirror.example/hub/maker/model/resolve/main/m.gguf',
  ],
  [
    { hub_mirror: 'http://10.0.0.1:8080' },
    { HF_ENDPOINT: 'https://mirror.example' },
    'http://10.0.0.1:8080/maker/model/resolve/main/m.gguf',
  ],
  [{ hub_mirror: 'off' }, { HF_ENDPOINT: 'https://mirror.example' }, FILE],
  [{}, { HF_ENDPOINT: 'https://huggingface.co' }, FILE],
  [{}, {}, FILE],
])('files of the hub are asked at the mirror: %j %j', (settings, keys, address) => {
  const hub = aHub(settings, keys)
  expect(hub.route(FILE)).toBe(address)
  expect(hub.route('https://other.example/m.gguf')).toBe('https://other.example/m.gguf')
  expect(hub.describeRoute(FILE) === '').toBe(address === FILE)
})

test.each(['mirror.example', 'ftp://mirror.example', 'https://ada:secret@mirror.example'])(
  'a mirror that is no plain address is said: %s',
  HF_ENDPOINT => {
    expect(() => aHub({}, { HF_ENDPOINT }).route(FILE)).toThrow('HF_ENDPOINT is not the address of a mirror')
  },
)

test('the same file is known by any of its addresses', () => {
  const hub = aHub({}, { HF_ENDPOINT: 'https://mirror.example/hub' })
  const { identify } = hub
  for (const other of [
    `${FILE}?download=true`,
    `${FILE}?utm_source=x#top`,
    FILE.replace('resolve', 'blob'),
    FILE.replace('huggingface.co', 'hf.co'),
    'https://mirror.example/hub/maker/model/resolve/main/m.gguf',
  ])
    expect(identify(other)).toBe(identify(FILE))
  const signed = (sign: string) => `https://cdn.example/m%20x.gguf?Expires=${sign}&Signature=${sign}&v=2`
  expect(identify(signed('a'))).toBe(identify(signed('b')))
  // An entry of an older list may have no address.
  expect(identify('')).toBe('')
  expect(identify('https://a.example/get?id=1')).not.toBe(identify('https://a.example/get?id=2'))
  expect(identify(FILE.replace('/main/', '/other/'))).not.toBe(identify(FILE))
})

test.each([
  ['https://huggingface.co/x', true],
  ['http://huggingface.co/x', false],
  ['https://huggingface.co.evil.example/x', false],
  ['https://huggingface.co:8443/x', false],
  ['https://cdn-lfs.huggingface.co/x', false],
  ['https://hf.co/x', false],
  ['https://mirror.example/x', false],
  ['https://evil.example/huggingface.co', false],
])('the token goes to the hub alone: %s', (address, isSent) => {
  const hub = aHub({}, { HF_TOKEN: TOKEN, HF_ENDPOINT: 'https://mirror.example' })
  expect(hub.tokenFor(new URL(address))).toBe(isSent ? TOKEN : undefined)
})

test('a mirror on this computer gets the token, and no other port of it', () => {
  const hub = aHub({}, { HF_TOKEN: ` "${TOKEN}"\n`, HF_ENDPOINT: 'http://127.0.0.1:9000' })
  expect(hub.tokenFor(new URL('http://127.0.0.1:9000/a'))).toBe(TOKEN)
  expect(hub.tokenFor(new URL('http://127.0.0.1:9001/a'))).toBeUndefined()
})

test('the token is taken from its names in order, and from a file only where the person agreed', () => {
  const home = aFolder()
  mkdirSync(join(home, '.cache', 'huggingface'), { recursive: true })
  writeFileSync(join(home, '.cache', 'huggingface', 'token'), `${TOKEN}\n`)
  const at = new URL(FILE)
  expect(aHub({}, { HUGGING_FACE_HUB_TOKEN: TOKEN }).tokenFor(at)).toBe(TOKEN)
  expect(aHub({}, { HF_TOKEN: 'has a blank in it' }).tokenFor(at)).toBeUndefined()
  expect(aHub({}, {}, home).tokenFor(at)).toBeUndefined()
  expect(aHub({}, {}, home).adviseAccess(FILE)).toContain('network.hub_token_file')
  expect(aHub({ hub_token_file: true }, {}, home).tokenFor(at)).toBe(TOKEN)
})

test('a refusal says what helps, and shows no token', () => {
  const says = (settings: Partial<HubSettings>, keys: Record<string, string>) =>
    aHub(settings, keys).adviseAccess(FILE)
  expect(says({}, {})).toMatch(/make a token .* set it as HF_TOKEN/)
  expect(says({}, { HF_TOKEN: TOKEN })).toMatch(/with the account that your token belongs to/)
  expect(says({ hub_mirror: 'https://mirror.example' }, { HF_TOKEN: TOKEN })).toContain('gets no token')
  expect(says({}, { HF_TOKEN: TOKEN })).not.toContain(TOKEN)
  expect(aHub().adviseAccess('https://other.example/m.gguf')).toBeUndefined()
})

test.each(['https://cdn.example/m', 'http://huggingface.co/m', 'https://user@evil.example/m'])(
  'no redirect takes the token along: %s',
  async location => {
    const sent: [string, string | null][] = []
    const fetch = (async (url: string, init: RequestInit) => {
      sent.push([url, new Headers(init.headers).get('authorization')])
      const isFirst = sent.length === 1
      return new Response(null, { status: isFirst ? 302 : 200, ...(isFirst && { headers: { location } }) })
    }) as typeof globalThis.fetch
    const hub = aHub({}, { HF_TOKEN: TOKEN })
    const asked = sendRequest({ fetch, hub }, FILE, () => ({}), {
      method: 'GET',
      signal: AbortSignal.timeout(5_000),
    })
    if (location.startsWith('http:')) await expect(asked).rejects.toThrow('nothing is fetched')
    else await asked
    expect(sent[0]).toEqual([FILE, `Bearer ${TOKEN}`])
    expect(sent.slice(1).map(([, token]) => token)).toEqual(sent.slice(1).map(() => null))
  },
)
