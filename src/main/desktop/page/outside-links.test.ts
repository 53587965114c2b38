import { beforeEach, expect, test } from 'vitest'
import { resetShim, state } from '../../../../testing/host/electron-shim.ts'
import { judgeOutside, openOutside } from './outside-links.ts'

beforeEach(resetShim)

test.for([
  ['https://example.com/a?b#c', { address: 'https://example.com/a?b#c', ask: false }],
  ['http://localhost:4310/', { address: 'http://localhost:4310/', ask: true }],
  ['mailto:ada@example.com?subject=Hello', { address: 'mailto:ada@example.com?subject=Hello', ask: true }],
  ['HTTPS://EXAMPLE.com', { address: 'https://example.com/', ask: false }],
  ['https://example.com:pass@evil.example/', undefined],
  ['https://user@evil.example/', undefined],
  ['mailto:ada@example.com?attach=/etc/passwd', undefined],
  ['mailto:', undefined],
  ['file:///etc/passwd', undefined],
  ['javascript:alert(1)', undefined],
  ['smb://server/share', undefined],
  ['talaria://new?text=hi', undefined],
  ['ms-msdt:/id', undefined],
  ['https://example.com/\u202Egpj.exe', undefined],
  [`https://example.com/${'a'.repeat(3_000)}`, undefined],
  ['not an address', undefined],
  ['', undefined],
] as const)('the address %s is judged', ([text, verdict]) => {
  expect(judgeOutside(text)).toEqual(verdict)
})

test('an unencrypted or mail address is opened only after the user has seen it', async () => {
  state.clicks.push(0, 1, 1)
  await openOutside('http://example.com/a')
  const refused = [...state.opened]
  await openOutside('http://example.com/a')
  await openOutside('mailto:ada@example.com')
  expect([refused, state.opened]).toEqual([[], ['http://example.com/a', 'mailto:ada@example.com']])
  expect(state.boxes.map(({ detail }) => detail)).toEqual([
    'http://example.com/a',
    'http://example.com/a',
    'mailto:ada@example.com',
  ])
})

test('an encrypted address is opened at once, and others never', async () => {
  await openOutside('https://example.com/')
  await openOutside('file:///etc/passwd')
  expect([state.opened, state.boxes]).toEqual([['https://example.com/'], []])
})
