import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isRefusal } from '../../lib/expected-errors.ts'
import { patchText } from './patch-text.ts'

const patch = (text: string, old: string, now: string, all = false) => patchText(text, { old, new: now, all })

test.for([
  ['a passage', 'one\ntwo\nthree\n', 'two', 'TWO', 'one\nTWO\nthree\n'],
  ['several lines', 'a\nb\nc\n', 'a\nb\n', 'x\n', 'x\nc\n'],
  ['a passage that is removed', 'a\nb\nc\n', 'b\n', '', 'a\nc\n'],
  ['CRLF, quoted with LF', 'a\r\nb\r\nc\r\n', 'a\nb', 'x\ny\nz', 'x\r\ny\r\nz\r\nc\r\n'],
  ['LF, quoted with CRLF', 'a\nb\nc\n', 'a\r\nb', 'x\r\ny', 'x\ny\nc\n'],
  ['mixed line ends, each as it was', 'a\r\nb\nc\n', 'a\nb', 'x\ny', 'x\r\ny\nc\n'],
  [
    'spaces at the end of lines of code',
    'a()  \nb()\t\nc()\n',
    'a()\nb()',
    'x()\ny()',
    'x()  \ny()\t\nc()\n',
  ],
  [
    'another indentation',
    '  if (a) {\n    b()\n  }\n',
    'if (a) {\n  b()\n}',
    'if (c) {\n  d()\n}',
    '  if (c) {\n    d()\n  }\n',
  ],
  ['tabs for spaces', '\tif (a)\n\t\tb()\n', '    if (a)\n        b()', '    c()', '\tc()\n'],
  ['a last line without a break', 'a\n  b', 'b \n', 'c\n', 'a\n  c'],
  ['a text with $ in it', 'a', 'a', '$& $1', '$& $1'],
] as const)('%s', ([, text, old, now, expected]) => {
  expect(patch(text, old, now)).toEqual({ text: expected, count: 1 })
})

test('all occurrences are replaced on request', () => {
  expect(patch('a b a\na\n', 'a', 'aa', true)).toEqual({ text: 'aa b aa\naa\n', count: 3 })
  expect(patch('  x\n y\n  x\n y\n', 'x\ny', 'z\ny', true)).toMatchObject({ count: 2 })
})

test('a passage that occurs more than once is refused, with the lines', () => {
  expect(patch('a\nb\na\n', 'a', 'x')).toEqual({
    refused:
      'old_string occurs 2 times (lines 1, 3). Add lines around it until it is unique, or set replace_all.',
  })
  expect(patch('a\n'.repeat(9), 'a', 'x')).toEqual({
    refused: expect.stringContaining('lines 1, 2, 3, 4, 5, …'),
  })
})

test('for a missing passage the answer shows the most similar text', () => {
  const text = 'function add(a, b) {\n  return a + b\n}\n'
  expect(patch(text, 'function add(x, y) {\n  return x + y', 'nothing')).toEqual({
    refused: 'old_string was not found.',
    near: 'Lines 1-2 are nearest to it:\nfunction add(a, b) {\n  return a + b\n[Behind “unction add(” line 1 has “a” where old_string has “x”.]',
  })
  expect(patch(text, '#include <stdio.h>', 'nothing')).toEqual({
    refused: 'old_string was not found.',
    near: 'Read the file and quote the text as it is.',
  })
})

test('an empty patch is refused', () => {
  expect(patch('a', '', 'b')).toHaveProperty('refused', expect.stringContaining('old_string is empty'))
  expect(patch('a', 'a', 'a')).toHaveProperty('refused', expect.stringContaining('nothing would change'))
})

test.for([
  [
    'a paragraph of Chinese',
    '　　春天来了。\n　　花开了。\n',
    '春天来了。\n花开了。\n',
    '夏天来了。\n花开了。\n',
    '　　夏天来了。\n　　花开了。\n',
  ],
  [
    'half the depth',
    'if a:\n    b()\n    c()\n',
    'if a:\n  b()\n  c()\n',
    'if a:\n  b()\n  if d:\n    c()\n',
    'if a:\n    b()\n    if d:\n        c()\n',
  ],
  [
    'tabs of a rule',
    'all:\n\tcc a.c\n\tcc b.c\n',
    'all:\n    cc a.c\n',
    'all:\n    cc -g a.c\n    echo ok\n',
    'all:\n\tcc -g a.c\n\techo ok\n\tcc b.c\n',
  ],
  [
    'a line that is quoted from its first letter',
    'if a:\n    b()\n',
    'b()',
    'b()\nc()',
    'if a:\n    b()\n    c()\n',
  ],
  ['a line that is wrapped', 'if a:\n    b()\n', 'b()', 'if c:\n    b()', 'if a:\n    if c:\n        b()\n'],
  [
    'a block in another unit than the file',
    'def a():\n  b()\n\nend()\n',
    'end()',
    'def c():\n    d()',
    'def a():\n  b()\n\ndef c():\n  d()\n',
  ],
  [
    'a line break of Markdown that does not change',
    'Rose Street 5  \n3000 Bern  \n',
    'Rose Street 5\n3000 Bern\n',
    'Rose Street 7\n3000 Bern\n',
    'Rose Street 7  \n3000 Bern  \n',
  ],
  ['a no-break space', 'Price: 100\u00a0EUR\n', 'Price: 100 EUR', 'Price: 120 EUR', 'Price: 120\u00a0EUR\n'],
  [
    'accents apart',
    'Cafe\u0301 Mu\u0308ller\n',
    'Caf\u00e9 M\u00fcller',
    'Caf\u00e9 M\u00f6ller',
    'Cafe\u0301 Mo\u0308ller\n',
  ],
  [
    'curly quotes',
    '“Hallo”, sagte er.\n',
    '"Hallo", sagte er.',
    '"Guten Tag", sagte sie.',
    '“Guten Tag”, sagte sie.\n',
  ],
  ['full width', '时间：10点。\n', '时间:10点。', '时间:11点。', '时间：11点。\n'],
  ['an ellipsis', 'Wait… now\n', 'Wait... now', 'Wait... then', 'Wait… then\n'],
  [
    'what nobody sees',
    'so\u00adft and zero\u200bwidth\n',
    'soft and zerowidth',
    'soft or zerowidth',
    'so\u00adft or zero\u200bwidth\n',
  ],
  ['columns', 'name  =   1\nport  =   2\n', 'name = 1', 'name = 7', 'name  =   7\nport  =   2\n'],
  ['a forgotten line end', 'a\nb\nc\n', 'b\n', 'x', 'a\nx\nc\n'],
  ['an added line end', 'a\nb\nc\n', 'b', 'x\n', 'a\nx\nc\n'],
  ['two lines that are joined', 'a\nb\nc\n', 'a\n', 'a', 'ab\nc\n'],
] as const)('%s', ([, text, old, now, expected]) => {
  expect(patch(text, old, now)).toEqual({ text: expected, count: 1 })
})

test.for([
  ['a new line behind a line break of Markdown', 'a  \nb\n', 'a\nb\n', 'a\nc\nb\n', 'It is not clear'],
  [
    'a line at a depth that stands for two',
    'if a:\n    b()\nc()\n',
    'if a:\nb()\nc()\n',
    'if a:\nb()\nd()\nc()\n',
    'how deep “d()” belongs',
  ],
  [
    'a new part of the file or of the block',
    'def a():\n    b()\n',
    'b()',
    'b()\n\ndef c():\n    d()',
    'how deep “def c():” belongs',
  ],
  [
    'a block without depth',
    'def a():\n    b()\n\nend()\n',
    'end()',
    'def c():\nd()',
    'how deep “d()” belongs',
  ],
  [
    'a blank that may be a no-break one',
    '5\u00a0kg\n6\u00a0kg\n',
    '5 kg\n6 kg\n',
    '5 kg\n6 kg\n7 kg\n',
    'It has a no-break space (U+00A0) where old_string has a blank.',
  ],
] as const)('%s is refused, with what is not clear', ([, text, old, now, words]) => {
  const result = patch(text, old, now)
  expect(result).toEqual({
    refused: expect.stringContaining(words.replace(/^It is/, 'it is')),
    near: expect.any(String),
  })
})

test.for([
  [
    'a block that is flat in its language',
    'class A {\n  int b;\n};\n\n#include "x"\n',
    '#include "x"',
    '#include "x"\n\nnamespace c {\nclass D;\n}',
  ],
  [
    'code of another depth in Markdown',
    '- a\n  - b\n  - c\n\n## End\n',
    '## End\n',
    '## Run\n\nExample:\n\n    def a():\n        b()\n\n## End\n',
  ],
  [
    'a fence of tabs',
    '- a\n  - b\n\n```js\nf({\n  x,\n})\n```\n\n## End\n',
    '## End\n',
    '```go\nfunc a() {\n\tb()\n}\n```\n',
  ],
  ['columns in a list of options', 'if a:\n    b()\n\nx = 1\n', 'x = 1', 'x = f(a,\n      b)'],
  ['a text of several lines', 'def a():\n  b()\n\nend()\n', 'end()', 'text = """\nif x:\n        y\n"""'],
  ['a line in the middle of a block', 'f(\n    a,\n)\nif b:\n  c()\n  d()\n', 'f(\n', 'f(\n    z,\n'],
  [
    'lines from the first letter on, the others with their depths',
    'void a() {\n    b();\n}\n',
    'b();\n}',
    'b();\n}\n\nvoid c() {\n    d();\n}',
  ],
  [
    'one line from its first letter on, the next ones as deep as the file',
    'void a() {\n        b();\n}\nvoid c() {\n    d();\n}\n',
    'b();',
    'b();\n        c();\n        while (x) {\n            e();\n        }',
  ],
  ['a block comment', 'a {\n  /**\n   * One.\n   */\n  b\n}\n', '* One.', '* One.\n   *\n   * Two.'],
  ['a comment that ends with a colon', 'a() {\n\t# see:\n\tb\n}\n', '# see:', '# see:\n\t# - one'],
  ['a line with the break before it', 'if a {\n    b()\n    c()\n}\n', '\n    c()', '\n    c()\n    d()'],
  ['the last line without a break', 'a\nb', 'b', 'b\nc\n'],
  ['the middle of a line', 'a = f(1, 2)  # two\n', 'f(1, 2)', 'f(\n    1,\n  2)'],
  ['a comment below what opens a block', 'if a:\n    b()\n', 'if a:', 'if a:\n# c'],
] as const)('%s, quoted as it is, is written as it is', ([, text, old, now]) => {
  expect(patch(text, old, now)).toEqual({ text: text.replace(old, () => now), count: 1 })
})

test('a sign that differs is named, also where it cannot be seen', () => {
  expect(patch('Total: 1\u202f000 of all\n', 'Total: 1,000 of all', 'x')).toHaveProperty(
    'near',
    expect.stringContaining('line 1 has a narrow no-break space (U+202F) where old_string has “,”.'),
  )
})

test('an edit of a megabyte, and 10,000 places, take no time that grows with their product', () => {
  const lines = Array.from({ length: 40_000 }, (_, n) => `    call(${n % 7})`)
  const text = `${lines.join('\n')}\n`
  const old = lines
    .slice(100, 39_000)
    .map(line => line.trim())
    .join('\n')
  expect(patch(text, old, `${old}\nlast()`)).toHaveProperty(
    'refused',
    expect.stringMatching(/occurs \d+ times/),
  )
  expect(patch(`if a:\n${text}`, `if a:\n${old.replaceAll('call', '  call')}`, 'end()')).toHaveProperty(
    'refused',
  )
  const whole = ['begin()', ...lines].map(line => line.trim()).join('\n')
  expect(patch(`    begin()\n${text}`, whole, `${whole}\nlast()`)).toEqual({
    text: `    begin()\n${text}    last()\n`,
    count: 1,
  })
  expect(patch(text, 'call(3)', 'call(33)', true)).toMatchObject({ count: 5_714 })
  const blanks = ' '.repeat(500_000)
  expect(patch(`a${blanks}x\nz\n`, 'a x\nz', 'q x\nz')).toEqual({ text: `q${blanks}x\nz\n`, count: 1 })
  expect(patch(text, `${'call(0)\n'.repeat(20_000)}end()`, 'x')).toHaveProperty('refused')
})

test('text outside the patch stays unchanged, byte for byte', () => {
  const line = fc.stringMatching(/^[ab ]{0,4}(\r?\n)$/)
  fc.assert(
    fc.property(fc.array(line), fc.array(line), fc.string(), (before, after, now) => {
      const [start, end] = [before.join(''), after.join('')]
      const result = patch(`${start}<unique>${end}`, '<unique>', `<${now}`)
      if (isRefusal(result)) throw new Error(result.refused)
      expect(result.text.startsWith(start) && result.text.endsWith(end)).toBe(true)
    }),
  )
})
