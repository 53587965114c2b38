import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { startReply, tokensOfStart } from './reply-text.ts'

/** A vocabulary of bytes and of a few longer pieces. */
const pieces = ['<|im_end|>', '<|im', '_end|>', ' word']
const decode = (tokens: readonly number[]): string =>
  Buffer.concat(
    tokens.map(token => (token < 256 ? Buffer.of(token) : Buffer.from(pieces[token - 256] ?? ''))),
  ).toString()
const bytes = (text: string): number[] => [...Buffer.from(text)]

const write = (
  tokens: readonly number[],
  markers: readonly string[] = ['<|im_end|>', '<|im_start|>user'],
) => {
  const reply = startReply(decode, markers)
  const shown: string[] = []
  for (const token of tokens) {
    const { text, ended } = reply.push(token)
    shown.push(text)
    if (ended) break
  }
  const { text, reply: result } = reply.end()
  return { shown, last: text, result }
}

test('a character of several tokens is shown once it is complete', () => {
  expect(write(bytes('é👍')).shown).toEqual(['', 'é', '', '', '', '👍'])
})

test('bytes that form no character do not block the text', () => {
  expect(write([0xf0, 0x41, 0x41, 0x41, 0x42]).shown.join('')).toContain('AAAB')
  expect(write([0xf0]).last).toBe('\uFFFD')
})

test('an end marker written as text ends the reply and is not shown', () => {
  const { shown, last, result } = write([...bytes('Hi <|im_e'), ...bytes('nd|> more')])
  expect(shown.join('') + last).toBe('Hi ')
  expect(result.text).toBe('Hi ')
  expect(result.tokens).toEqual(bytes('Hi '))
})

test('text that only resembles the start of a marker is shown once that is clear', () => {
  const { shown, last } = write(bytes('a <|im_ex'))
  expect(shown).toEqual(['a', ' ', '', '', '', '', '', '', '<|im_ex'])
  expect(last).toBe('')
})

test('held-back text is shown at the end', () => {
  expect(write(bytes('a <|im_')).last).toBe('<|im_')
})

test('for any tokens, the shown text equals the reply and contains no marker', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(259), { maxLength: 60 }), tokens => {
      const { shown, last, result } = write(tokens)
      expect(shown.join('') + last).toBe(result.text)
      expect(result.text).not.toContain('<|im_end|>')
      expect(result.ends).toHaveLength(result.tokens.length)
    }),
  )
})

const letter = fc.constantFrom('a', ' ', '<|', 'é', '日', '👍', '\uFFFD')

test('for any length, the tokens of the reply’s start spell it as far as they go', () => {
  fc.assert(
    fc.property(fc.array(letter, { maxLength: 40 }), fc.nat(60), (letters, length) => {
      const { result } = write(bytes(letters.join('')), [])
      const { tokens, covers } = tokensOfStart(result, length)
      expect(covers).toBeLessThanOrEqual(length)
      expect(decode(tokens)).toBe(result.text.slice(0, covers))
    }),
  )
})

test('an undone token leaves no trace', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(259), { maxLength: 30 }), fc.nat(259), (tokens, other) => {
      const [plain, undone] = [startReply(decode, []), startReply(decode, [])]
      const texts = tokens.map(token => {
        undone.push(other)
        undone.undo()
        return [plain.push(token), undone.push(token)] as const
      })
      for (const [first, second] of texts) expect(second).toEqual(first)
      expect(undone.end()).toEqual(plain.end())
    }),
  )
})

test('a marker in a place where it does not count is plain text', () => {
  const reply = startReply(decode, ['<|im_end|>'])
  expect(reply.push(256, false)).toEqual({ text: '<|im_end|>', heard: '<|im_end|>', ended: false })
  expect(reply.push(256).ended).toBe(true)
})

test('text completed by a token is reported even while it is held back', () => {
  const reply = startReply(decode, ['<|im_end|>'])
  expect(reply.push(257)).toEqual({ text: '', heard: '<|im', ended: false })
})
