import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeText, encodeText } from '../lib/encodings/decode-text.ts'
import { sizeInWords } from './read-text-file.ts'

const bytesOf = (text: string, encoding: 'utf8' | 'utf16le' | 'utf16be') =>
  encodeText({ text, encoding, mark: true })

test.for(['utf8', 'utf16le', 'utf16be'] as const)(
  '%s with a byte order mark is read without it',
  encoding => {
    const bytes = bytesOf('grüße 🙂\n', encoding)
    expect(decodeText(bytes)).toEqual({ text: 'grüße 🙂\n', encoding, mark: true, exact: true })
  },
)

test('any text survives a write and a read in its encoding', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('utf8', 'utf16le', 'utf16be'),
      (text, encoding) => {
        const bytes = bytesOf(text, encoding)
        expect(encodeText(decodeText(bytes)!)).toEqual(bytes)
      },
    ),
  )
})

test('bytes that are not UTF-8 are read by a guess, and a short one is not sure', () => {
  expect(decodeText(Buffer.from('caf\xe9', 'latin1'))).toMatchObject({ text: 'café', isUnsure: true })
})

test('text and binary content are distinguished', () => {
  const isBinary = (bytes: Buffer) => decodeText(bytes) === undefined
  const png = Buffer.from('89504e470d0a1a0a0000000d', 'hex')
  expect([png, Buffer.from('%PDF-1.7\n'), Buffer.from([1, 2, 3, 4])].map(isBinary)).toEqual([
    true,
    true,
    true,
  ])
  expect([Buffer.from(''), Buffer.from('a\tb\r\n'), Buffer.from('\u001b[31mred')].map(isBinary)).toEqual([
    false,
    false,
    false,
  ])
})

test('sizes are written for people', () => {
  expect([0, 1, 999, 1_000, 999_949, 999_950, 32_000_000, 5e9].map(sizeInWords)).toEqual([
    '0 bytes',
    '1 byte',
    '999 bytes',
    '1.0 kB',
    '999.9 kB',
    '1.0 MB',
    '32.0 MB',
    '5.0 GB',
  ])
})
