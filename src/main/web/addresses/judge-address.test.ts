import { describe, expect, test } from 'vitest'
import { judgeLiteral, judgePlace, judgeResolved } from './judge-address.ts'
import { judgeIp } from './special-ranges.ts'

// The labelled verdicts are in `evals/addresses`. This file tests everything else.

test.for([
  ['http://10.0.0.1/', 'it leads to a private network (10.0.0.0/8)'],
  ['http://[::ffff:127.0.0.1]/', 'it stands for 127.0.0.1: it leads to this computer (127.0.0.0/8)'],
  ['http://127.0.0.1.nip.io/', 'the name holds an address: it leads to this computer (127.0.0.0/8)'],
  ['http://010.8.8.8/', 'it leads to a private network (10.0.0.0/8)'],
  ['http://example.com:6379/', 'port 6379 is not one of the web'],
  ['ftp://example.com/', 'only addresses that begin with https:// or http:// are asked'],
] as const)('%s is told why', ([address, why]) => {
  expect(judgeLiteral(address)).toMatchObject({ why })
})

describe('an address that carries a key', () => {
  test.for([
    'https://api.example.com/v1?access_token=abc123',
    'https://api.example.com/v1?api-key=0',
    'https://example.com/?X-Amz-Signature=abcdef&X-Amz-Credential=x',
    'https://account.blob.core.windows.net/a/b?sv=2024&sig=Zm9vYmFyMTIzNDU2Nzg5MA%3D%3D',
    'https://example.com/#access_token=abc&token_type=bearer',
    'https://example.com/reset?password=hunter2',
    'https://example.com/a;jsessionid=0123456789abcdef',
    'https://api.telegram.org/bot123456:ABC/getMe',
    `https://example.com/?x=ghp_${'a1'.repeat(18)}`,
  ])('is asked with a card only: %s', address => {
    expect(judgeLiteral(address)).toMatchObject({
      verdict: 'private',
      why: expect.stringContaining('lets somebody in'),
    })
    // `judgePlace` ignores keys in an address, because pages redirect to such addresses.
    expect(judgePlace(address).verdict).toEqual({ verdict: 'public' })
  })

  test.for([
    'https://example.com/?q=access_token',
    'https://example.com/?page_token=',
    'https://example.com/?key=word&code=de&session=2026',
    'https://example.com/orders/4111111111111111',
    'https://example.com/a1b2c3d4e5f60718293a4b5c6d7e8f9012345678',
    'https://example.com/tokens?secretary=anna&author=me&passage=3',
    'https://example.com/#:~:text=token=abc',
    'https://github.com/o/r/blob/main/src/password.ts#L10-L20',
  ])('is not one that only looks so: %s', address => {
    expect(judgeLiteral(address)).toEqual({ verdict: 'public' })
  })

  test('beside a private place or a password makes nothing better', () => {
    expect(judgeLiteral('http://a:b@example.com/?token=x').verdict).toBe('never')
    expect(judgeLiteral('http://169.254.169.254/?token=x').verdict).toBe('never')
  })
})

test('names in what is known of names may be spelt in any way', () => {
  for (const name of ['example.com', 'EXAMPLE.com.', 'ｅxample.com'])
    expect(judgeResolved('https://example.com./', { [name]: ['10.0.0.1'] }).verdict).toBe('private')
  expect(judgeResolved('https://example.com/', { 'example.com': ['no.such.thing'] }).verdict).toBe('invalid')
  expect(judgeResolved('https://10.0.0.1/', { '10.0.0.1': ['8.8.8.8'] }).verdict).toBe('private')
})

test('names of an object are no names of hosts', () => {
  for (const name of ['constructor', '__proto__', 'toString'])
    expect(judgeResolved(`https://${name}.example.com/x`, {}).verdict).toBe('public')
  expect(judgeLiteral('https://a.constructor/')).toEqual({ verdict: 'public' })
})

test('no address of version 4 outside the list is private, and each of its edges is', () => {
  const verdicts = ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0', '223.255.255.255', '224.0.0.0']
  expect(verdicts.map(each => judgeIp(each)?.verdict)).toEqual([
    'public',
    'private',
    'private',
    'public',
    'public',
    'private',
  ])
  expect(judgeIp('example.com')).toBeUndefined()
})
