import { expect, test } from 'vitest'
import { readChecksum } from './read-checksum.ts'

const digits = 'ab12'.repeat(16)
const shout = digits.toUpperCase()

test.each([
  digits,
  ` ${shout}\n`,
  `sha256:${shout}`,
  `SHA256=${digits}`,
  `SHA-256: ${digits}`,
  `sha256 = "${digits}"`,
  `${digits}  m.gguf`,
  `${digits} *m.gguf`,
  `\\${digits}  odd\\\\name.gguf`,
  `SHA256 (m.gguf) = ${digits}`,
  `SHA2-256(m.gguf)= ${digits}`,
  `"${digits}"`,
  `0x${digits}`,
  digits.replace(/..(?!$)/g, '$& '),
  digits.replace(/..(?!$)/g, '$&:'),
  `${digits.slice(0, 32)}\n${digits.slice(32)}`,
  `${'0'.repeat(64)}  other.gguf\n${digits}  m.gguf`,
])('a checksum is read as it is printed: %s', text => {
  expect(readChecksum(text, 'm.gguf')).toEqual({ sha256: digits })
})

test.each([
  ['', '64 hexadecimal digits'],
  ['abc', '64 hexadecimal digits'],
  [`${digits}0`, '64 hexadecimal digits'],
  ['d41d8cd98f00b204e9800998ecf8427e', 'MD5'],
  ['a'.repeat(40), 'SHA-1'],
  ['a'.repeat(128), 'SHA-512'],
  [`sha512:${'a'.repeat(128)}`, 'another kind (sha512)'],
  [`md5: ${'a'.repeat(32)}`, 'another kind (md5)'],
  ['q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=', 'base64'],
  ['sha256-q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=', 'base64'],
  [`${'0'.repeat(64)}  a.gguf\n${digits}  b.gguf`, 'several checksums'],
])('%s is no checksum that can be used', (text, says) => {
  expect(readChecksum(text, 'm.gguf')).toEqual({ problem: expect.stringContaining(says) })
})
