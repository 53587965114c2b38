import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonLine, showHidden, showHiddenInLine } from './show-hidden.ts'

test('nothing that reorders text or has no form is left', () => {
  const odd = fc.constantFrom(
    'p\u0430ypal',
    '👨‍👩‍👧',
    'می‌روم',
    '漢',
    'क्',
    '\u202e',
    '\u200d',
    '\u0301',
    '\u3000',
    'а',
    'a',
    '😀',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(odd, fc.string({ unit: 'binary' })), { maxLength: 8 }), parts => {
      const text = parts.join('')
      expect(JSON.parse(jsonLine(text))).toBe(text)
      expect(showHidden(text)).not.toMatch(/[\p{Bidi_Control}\p{Co}\p{Cs}\u00ad\r]/u)
    }),
    { numRuns: 500 },
  )
})

test('JSON keeps the value and escapes what is hidden', () => {
  const value = { note: 'a\u202eb "q" \\n\n\r', paypal: ['p\u0430ypal', '👨‍👩‍👧', 'می‌روم', '\ud800'], count: 1 }
  const line = jsonLine(value)
  expect(JSON.parse(line)).toEqual(value)
  expect(line).toContain(String.raw`a\u202eb \"q\" \\n\n\u000d`)
  expect(line).toContain(String.raw`"p\u0430ypal","👨‍👩‍👧","می‌روم","\ud800"`)
})

test.each(['plain text', 'Füße \\ "Привет"\nмир', ''])('JSON of the ordinary text %j is as usual', text => {
  expect(jsonLine({ text })).toBe(JSON.stringify({ text }))
})

test('in one line, line feeds and tabs are written out too', () => {
  expect(showHiddenInLine('a\n\tb\u200b')).toBe('a⟨U+000A⟩⟨U+0009⟩b⟨U+200B⟩')
})

test('each character of a long text is read a bounded number of times', () => {
  // A quadratic search would need hours for these.
  for (const unit of ['\u200b', '\u3000', '\u2800', '\u0301', '\u0430', 'a\u0430', '😀\u200d'])
    expect(showHidden(unit.repeat(100_000)).length).toBeGreaterThanOrEqual(100_000)
})
