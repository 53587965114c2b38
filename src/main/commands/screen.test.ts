import { describe, expect, test } from 'vitest'
import * as fc from 'fast-check'
import { createScreen } from './screen.ts'

/** The text on the screen after a program wrote these pieces to one stream. */
function draw(...pieces: string[]) {
  let text = ''
  const screen = createScreen(piece => (text += piece))
  const write = screen.input()
  for (const piece of pieces) write(piece)
  const { isRedrawn, isFullScreen } = screen
  screen.finish()
  return { text, isRedrawn, isFullScreen }
}
const shown = (...pieces: string[]) => draw(...pieces).text
const ESC = '\u001b['

test.for([
  ['plain lines, with tabs and blanks at their ends', 'a\tb  \n\n  c\n', 'a\tb  \n\n  c\n'],
  ['no line end', 'a\nb', 'a\nb'],
  [
    'a line that is longer than a row',
    `first\n${'x'.repeat(20_000)}\nlast\n`,
    `first\n${'x'.repeat(20_000)}\nlast\n`,
  ],
  ['Windows line ends', 'a\r\nb\r\r\n', 'a\nb\n'],
  ['a progress bar', '\r10%\r20%\r100%\nready\n', '100%\nready\n'],
  ['a progress bar without an end', 'a\n\r10%\r20%', 'a\n20%'],
  ['a shorter frame, which leaves the rest', 'long frame\rshort\n', 'shortframe\n'],
  ['a shorter frame after erasing', `long frame\r${ESC}Kshort\n`, 'short\n'],
  ['a whole line erased', `long frame${ESC}2K\rshort\n`, 'short\n'],
  ['a line blanked out', `frame\r     \rnext\n`, 'next\n'],
  ['backspaces', '10%\b\b\b20%\b\b\b30%\n', '30%\n'],
  ['letters struck twice', 'N\bNA\bAM\bME\bE\n', 'NAME\n'],
  ['a spinner', 'wait |\b/\b-\b\\\bdone\n', 'wait done\n'],
  ['more backspaces than letters', 'ab\b\b\b\b\bc\n', 'cb\n'],
  ['several lines drawn again', `one 1\ntwo 1\n${ESC}2Aone 2\n${ESC}2Ktwo 2\n`, 'one 2\ntwo 2\n'],
  ['lines erased from the cursor down', `one\ntwo\nthree\n${ESC}3A${ESC}Jnew\n`, 'new\n'],
  ['a line above drawn again', `a 1%\nb 1%\n${ESC}2F a\u0008\u0008X`, 'XaX\nb 1%'.replace('XaX', 'Xa1%')],
  ['the first column by number', `10%${ESC}1G20%${ESC}G30%\n`, '30%\n'],
  ['a column by number', `name${ESC}10Gvalue\n`, 'name     value\n'],
  ['wide letters', '日本語\rab\n', 'ab本語\n'],
  ['half of a wide letter', '日本\b\b\bX\n', ' X本\n'.replace(' X本', ' X本')],
  ['combining marks', 'e\u0301e\rE\n', 'Ee\n'],
  ['an emoji', '🙂 1%\r🙂 2%\n', '🙂 2%\n'],
  ['a tab that is written over', 'a\tb\rxyz\n', 'xyz     b\n'],
  ['letters taken out and put in', `abcd\r${ESC}2P${ESC}@X\n`, 'Xcd\n'],
  ['a saved cursor', `a${ESC}s 1%${ESC}u 2%\n`, 'a 2%\n'],
  ['what was printed before an erased screen', `built\n${ESC}2J${ESC}Hone\n`, 'built\none\n'],
  ['pictures, each on an erased screen', `${ESC}H${ESC}2Jone\n${ESC}H${ESC}2Jtwo\n`, 'two\n'],
  ['an editor that was left', `before\n${ESC}?1049h~\n~\n${ESC}?1049lafter\n`, 'before\nafter\n'],
  ['colours and titles', `\u001b]0;title\u0007${ESC}1;31mred${ESC}0m\n`, 'red\n'],
] as const)('%s', ([, given, expected]) => {
  expect(shown(given)).toBe(expected)
  // The same, letter by letter.
  expect(shown(...given.split(/(?:)/u))).toBe(expected)
})

test('text without control characters is left as it is, in pieces of any size', () => {
  const line = fc.string({
    unit: fc.constantFrom('a', 'ß', '語', '🙂', '\t', ' ', '\n', '\n'),
    maxLength: 900,
  })
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), pieces => {
      expect(shown(...pieces)).toBe(pieces.join(''))
    }),
  )
})

test('what is left does not depend on how the output is split, and moves no cursor', () => {
  const part = fc.constantFrom(
    '\r',
    '\b',
    '\n',
    'text',
    '語',
    'e\u0301',
    '\t',
    `${ESC}A`,
    `${ESC}2B`,
    `${ESC}9C`,
    `${ESC}3D`,
    `${ESC}K`,
    `${ESC}1K`,
    `${ESC}2J`,
    `${ESC}J`,
    `${ESC}H`,
    `${ESC}2;3H`,
    `${ESC}5G`,
    `${ESC}2P`,
    `${ESC}3@`,
    `${ESC}L`,
    `${ESC}M`,
    `${ESC}?1049h`,
    `${ESC}?1049l`,
    '\u001b7',
    '\u001b8',
    '\u001bM',
    '\u001b',
    ESC,
    '\u009b2A',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), fc.array(fc.nat(9)), (parts, lengths) => {
      let rest = parts.join('')
      const pieces = lengths.map(length => {
        const piece = rest.slice(0, length)
        rest = rest.slice(length)
        return piece
      })
      const whole = shown(parts.join(''))
      expect(shown(...pieces, rest)).toBe(whole)
      // oxlint-disable-next-line no-control-regex -- that is what must not be there
      expect(whole).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
    }),
  )
})

describe('a program that means harm', () => {
  test.for([
    ['moves up', `a\n${ESC}999999999Ab`, 'b'],
    ['moves right', `${ESC}999999999Cx`, `${' '.repeat(300)}x`],
    ['names a column', `${ESC}999999999Gx`, `${' '.repeat(300)}x`],
    ['moves down', `a${ESC}999999999Bb`, 'a\n b'],
    ['writes a sequence without end', `${ESC}${'1;'.repeat(10_000)}`, ''],
  ] as const)('and %s comes no further than the screen', ([, given, expected]) => {
    expect(shown(given)).toBe(expected)
  })

  test('a line of any length is kept, and its end can be drawn again', () => {
    const long = 'x'.repeat(3_000_000)
    expect(shown(long, '\n', 'y')).toBe(`${long}\ny`)
    expect(shown('x'.repeat(9_000), '\r10%', '\r20%')).toBe(`${'x'.repeat(9_000)}20%`)
  })

  test('frames without end leave one', () => {
    const frames = Array.from({ length: 4_000 }, (_, at) => `\rpart ${at} of 4000 [####   ]`)
    expect(shown(...frames, '\n')).toBe('part 3999 of 4000 [####   ]\n')
  })
})

test('two streams share a screen, and do not write over each other by chance', () => {
  let text = ''
  const screen = createScreen(piece => (text += piece))
  const [out, error] = [screen.input(), screen.input()]
  out('one ')
  error('two\n')
  error('50% of all\r')
  out('three\n')
  error(ESC)
  out('four\n')
  error('1mfive\n')
  screen.finish()
  expect(text).toBe('one two\n50% of all\nthree\nfour\nfive\n')
})

test.for([
  ['a\nb\n', false],
  ['a\r\nb\r\n', false],
  ['N\bN _\bx', false],
  ['1%\r2%', true],
  [`a${ESC}2K`, true],
  [`a\n${ESC}Ab`, true],
  [`${ESC}2Ja\n${ESC}2Jb`, true],
  [`a\n${ESC}2Jb`, false],
] as const)('%j is drawn again: %s', ([given, expected]) => expect(draw(given).isRedrawn).toBe(expected))

test('a program that takes the whole screen is known', () => {
  expect(draw(`${ESC}?1049h`).isFullScreen).toBe(true)
  expect(draw(`${ESC}5;1H`).isFullScreen).toBe(true)
  expect(draw(`1%\r${ESC}2K2%\n`).isFullScreen).toBe(false)
})

describe('text whose lines end with carriage returns only', () => {
  test.for([
    ['of an old Mac', 'alpha\rbeta longer\rgamma\rdelta\r', 'alpha\nbeta longer\ngamma\ndelta'],
    [
      'with a line of another program behind it',
      'name,qty\rtea,5\rmilk,12\rdone\n',
      'name,qty\ntea,5\nmilk,12\ndone\n',
    ],
    ['of wide letters', '第一行文字\r第二\r末\r', '第一行文字\n第二\n末'],
  ] as const)('%s stays in lines', ([, given, expected]) => {
    expect(shown(given)).toBe(expected)
    expect(shown(...given.split(''))).toBe(expected)
    expect(draw(given).isRedrawn).toBe(false)
  })

  test.for([
    ['frames', 'get 1 of 10\rget 10 of 10\rget 2 of 2\rget 3\r\n', 'get 3 of 210\n'],
    ['names that are blanked out', 'alpha beta\rgamma     \rdelta     \rend\r\n', 'endta\n'],
    ['names that are erased', `alpha beta\r${ESC}Kgamma\r${ESC}Kdel\r${ESC}Ke\n`, 'e\n'],
    ['names that cover those before', 'a\rbe\rgam\rdelt\r\n', 'delt\n'],
  ] as const)('%s of a progress are drawn over each other', ([, given, expected]) => {
    expect(shown(given)).toBe(expected)
  })

  test('thousands of names are frames of a progress', () => {
    const names = Array.from(
      { length: 4_000 },
      (_, at) => `${'abcdefghij'.repeat(1 + (at % 3))}${at.toString(36)}x\r`,
    )
    expect(shown(...names, '\n').split('\n').length).toBe(2)
  })
})
