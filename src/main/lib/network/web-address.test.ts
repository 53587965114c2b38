import { expect, test } from 'vitest'
import { addressesOn, addressesSaid, canonicalAddress } from './web-address.ts'

test.for([
  ['HTTPS://Example.ORG:443/a/../b#c', 'https://example.org/b'],
  ['https://example.org', 'https://example.org/'],
  ['https://example.org/%7euser/%2f', 'https://example.org/~user/%2F'],
  ['http://bücher.example/', 'http://xn--bcher-kva.example/'],
  ['https://ada@example.org/', undefined],
  ['file:///etc/passwd', undefined],
  ['javascript:alert(1)', undefined],
  ['example.org', undefined],
] as const)('%s is %s', ([text, canonical]) => {
  expect(canonicalAddress(text)).toBe(canonical)
})

test('an address with another query, host or scheme is another one', () => {
  const said = new Set(addressesSaid('Read https://example.org/a?b=1, please (or docs.example.org/x).'))
  const has = (text: string) => said.has(canonicalAddress(text)!)
  expect(
    ['https://example.org/a?b=1', 'https://EXAMPLE.org/a?b=1#top', 'https://docs.example.org/x'].map(has),
  ).toEqual([true, true, true])
  expect(
    [
      'https://example.org/a?b=1&c=2',
      'https://example.org/a?b=12',
      'http://example.org/a?b=1',
      'https://x.example.org/a?b=1',
      'https://example.org/a',
    ].map(has),
  ).toEqual([false, false, false, false, false])
})

test('links of a page are found, against its own address, and addresses in its text', () => {
  const found = addressesOn(
    '[a](/one "One") [b](two.html) ![c](https://img.example/p_(1).png)\n[d]: https://ref.example/d\nSee https://bare.example/x.',
    'https://example.org/dir/page',
  )
  for (const address of [
    'https://example.org/one',
    'https://example.org/dir/two.html',
    'https://img.example/p_(1).png',
    'https://ref.example/d',
    'https://bare.example/x',
  ])
    expect(found).toContain(address)
  expect(addressesOn('[a](/one)')).toEqual([])
})

test('a long text without blanks, and signs in a row behind an address, are read in few steps', () => {
  expect(addressesSaid(`${'漢字'.repeat(20_000)}。 See example.com.`)).toEqual([
    'https://example.com/',
    'http://example.com/',
  ])
  expect(addressesSaid(`https://example.com/a${')'.repeat(20_000)}`).length).toBeLessThan(50)
})
