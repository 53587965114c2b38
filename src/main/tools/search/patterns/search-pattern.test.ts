import fc from 'fast-check'
import { expect, test } from 'vitest'
import '../../../../../testing/seed-properties.ts'
import { isRefusal } from '../../../lib/expected-errors.ts'
import { searchText } from '../search-text.ts'
import { maybeDigit } from './needed-text.ts'
import { otherReadings } from './other-readings.ts'
import { readPattern, type SearchPattern } from './search-pattern.ts'

const read = (pattern: string): SearchPattern => {
  const found = readPattern(pattern)
  if (isRefusal(found)) throw new Error(found.refused)
  return found
}

/** The numbers of the lines that a pattern finds in a text. */
function linesWith(pattern: string | SearchPattern, text: string): number[] {
  const lines: number[] = []
  // eslint-disable-next-line no-control-regex
  const isEnglish = !/[^\x00-\x7f]/.test(text)
  const read_ = typeof pattern === 'string' ? read(pattern) : pattern
  const composed = text.normalize('NFC')
  const versions = [
    { text: composed, shown: text },
    { text, shown: text },
  ]
  searchText(read_, { versions, isEnglish }, ({ line }) => lines.push(line))
  return lines
}

test('case matters only if the pattern has a capital letter or a class that tells capitals', () => {
  const flags = (pattern: string) => read(pattern).expression.flags
  expect(
    ['todo', '\\W+\\S', '(?i)TODO', 'straße', '[a-z]', '(?P<Name>x)', '\\x41', '(?i:TODO)'].map(flags),
  ).toEqual(['iv', 'iv', 'iv', 'iv', 'iv', 'iv', 'v', 'v'])
  expect(
    ['Todo', 'ÄRGER', '[A-Z]', '\\p{Lu}x', '[[:upper:]]', '\\p{Lowercase}', '(?-i)todo'].map(flags),
  ).toEqual(Array.from({ length: 7 }, () => 'v'))
})

// Each pattern, a text that it matches in the first line, and one that it does not match.
test.for<[string, string, string]>([
  // Letters of all languages.
  ['\\bмир\\b', 'весь мир', 'миры'],
  ['\\bÄpfel\\b', 'Die Äpfel liegen', 'Bratäpfeln'],
  ['\\bécole', 'une école', 'xécole'],
  ['Stra\\w+e', 'Straße', 'Stra e'],
  ['^Der \\w+\\.$', 'Der Fuß.', 'Der Fuß'],
  ['ап\\Bельсин', 'апельсин', 'ап ельсин'],
  ['κό\\w*', 'κόσμε', 'κα'],
  ['^\\W+$', '— … —', 'é'],
  ['^[\\W_]+$', '—_—', '—é'],
  ['^[^\\W\\d]+$', 'größe', 'größe1'],
  ['\\d{2}', '٤٢', '٤'],
  ['^\\D+$', 'abc', '٤'],
  ['a\\sb', 'a\u00a0b', 'a\u200bb'],
  ['ärger', 'ÄRGER', 'ARGER'],
  ['ΣΟΦΌΣ', 'ΣΟΦΌΣ', 'σοφός'],
  ['σοφός', 'ΣΟΦΌΣ', 'σοφοσ'],
  ['(?a)^\\w+$', 'abc', 'größe'],
  ['(?-u:\\w)ö', 'wö', 'öö'],
  ['Café', 'Cafe\u0301', 'Cafe'],
  ['Cafe\u0301', 'Café', 'Cafe'],
  ['Caf[eé]$', 'Cafe\u0301', 'Caf'],
  ['e\\u0301', 'Cafe\u0301', 'Café'],
  ['\\bнаи\\b.?', 'наи', 'на\u0438\u0306'],
  // Flags.
  ['(?m)^step one$', 'step one', 'step one more'],
  ['(?i)TODO', 'todo', 'to do'],
  ['(?i:to)DO', 'toDO', 'todo'],
  ['A(?i)b|C', 'c', 'ab'],
  ['A(?i)b|C', 'AB', 'aB'],
  ['TODO(?-i)', 'TODO', 'todo'],
  ['((?i)a)B', 'AB', 'ab'],
  ['(?x) a b   # a remark', 'ab', 'a b'],
  ['(?x: a b ) c', 'ab c', 'abc'],
  ['(?im)^TODO', 'todo', ' todo'],
  // Groups.
  ['(?P<sign>[\'"])x(?P=sign)', '"x"', '"x\''],
  ['(?<sign>[\'"])x\\k<sign>', '"x"', '"x\''],
  ["(?'sign'['\"])x\\k'sign'", '"x"', '"x\''],
  ['(\\w)\\1', 'aa', 'ab'],
  ['(\\w)(\\d)\\g{-2}\\g2', 'a1a1', 'a1a2'],
  ['(\\w)\\g{1}', 'aa', 'ab'],
  ['a(?#any remark)b', 'ab', 'a b'],
  ['(?>a|ab)c', 'ac', 'abc'],
  ['a++b', 'aab', 'aa'],
  ['"[^"]*+"', '"x"', '"x'],
  ['a*+a', '', 'aaa'],
  ['(?<=€)\\d', '€5', '5'],
  ['(?<!\\w)die(?!\\w)', 'die', 'früdie'],
  ['x{,2}y$', 'xxy', 'z'],
  ['a{2}', 'aa', 'a'],
  ['a{', 'a{', 'a'],
  ['function {', 'function {', 'function'],
  // Sets.
  ['function[[:space:]]+beta', 'function  beta', 'functionbeta'],
  ['^[[:alpha:]]+$', 'größe', 'größe1'],
  ['^[[:alnum:]_]+$', 'größe_1', 'a-b'],
  ['^[^[:alnum:]]+$', '—', 'a'],
  ['^[[:^digit:]]+$', 'ab', '1'],
  ['[[:upper:]]', 'É', 'é'],
  ['[[:lower:]]', 'é', 'É'],
  ['[[:blank:]]', 'a\tb', 'ab'],
  ['[[:punct:]]', 'a$', 'a1'],
  ['^[[:xdigit:]]+$', 'fF0', 'g'],
  ['^[[:print:]]+$', 'a b', 'a\u0007'],
  ['^[[:graph:]]+$', 'ab', 'a b'],
  ['[[:cntrl:]]', '\u0007', 'a'],
  ['^[[:ascii:]]+$', 'ab', 'ä'],
  ['[[:word:]]', 'ä', '-'],
  ['[[:<:]]мир[[:>:]]', 'весь мир', 'миры'],
  ['[]x]', ']', 'y'],
  ['^[^]x]$', 'y', ']'],
  ['^[^][]$', 'a', '['],
  ['[a\\-z]', '-', 'b'],
  ['[\\w-]x', '-x', '+x'],
  ['[(){}|/&]', '&', 'a'],
  ['[--/]', '.', 'a'],
  ['[\\b]', '\b', 'b'],
  ['^[^\\n"]*$', 'abc', '"'],
  // Escapes.
  ['\\<word\\>', 'a word', 'words'],
  ['\\b{start}word\\b{end}', 'a word', 'words'],
  ['a\\hb', 'a\u00a0b', 'ab'],
  ['a\\Hb', 'axb', 'a b'],
  ['\\Qa.b\\E+', 'a.bb', 'axb'],
  ['\\Q(*)', '(*)', '()'],
  ['foo\\Kbar', 'foobar', 'bar'],
  ['a\\Nb', 'axb', 'ab'],
  ['\\x{e9}\\x41', 'éA', 'eA'],
  ['\\u00e9', 'é', 'e'],
  ['\\u{1F600}', '😀', '😁'],
  ['\\ud83d\\ude00', '😀', '😁'],
  ['\\U0001F600', '😀', '😁'],
  ['\\N{U+1F600}', '😀', '😁'],
  ['\\o{101}', 'A', 'a'],
  ['\\e\\[31m', '\u001b[31m', '[31m'],
  ['\\a', '\u0007', 'a'],
  ['\\cA', '\u0001', 'a'],
  ['a\\-b\\_c\\"\\/', 'a-b_c"/', 'ab'],
  ['^😀.$', '😀😀', '😀'],
  // Properties of Unicode.
  ['\\p{Greek}', 'κ', 'k'],
  ['\\p{greek}', 'κ', 'k'],
  ['\\p{IsGreek}', 'κ', 'k'],
  ['\\p{Script=Greek}', 'κ', 'k'],
  ['\\p{script=greek}', 'κ', 'k'],
  ['\\p{Han}+', '漢字', 'か'],
  ['^\\pL+$', 'größe', '1'],
  ['^\\p{L}+$', 'größe', '1'],
  ['\\p{Letter}', 'ö', '1'],
  ['\\p{uppercase letter}', 'Ö', 'ö'],
  ['\\p{L&}', 'ö', '漢'],
  ['\\p{^L}', '1', 'ö'],
  ['\\PL', '1', 'ö'],
  ['\\p{Alpha}', 'ö', '1'],
  ['\\p{javaLetter}|\\p{IsAlphabetic}'.slice(15), 'ö', '1'],
  ['\\p{Punct}', '!', 'a'],
  ['\\p{XPosixSpace}', '\u00a0', 'a'],
  ['[\\p{L}\\d]x', 'öx', '-x'],
])('the pattern %s', ([pattern, yes, no]) => {
  expect(linesWith(pattern, yes)).toEqual(yes === '' ? [] : [1])
  expect(linesWith(pattern, no)).toEqual([])
})

const TEXT = 'import a\nstep one\n  step two\n\nlast'
test.for<[string, number[]]>([
  ['step one\\n  step', [2]],
  ['step one\n  step', [2]],
  ['step one\\r?\\n\\s*step two', [2]],
  ['import[\\s\\S]*two', [1]],
  ['import[^]*?one', [1]],
  ['import[\\w\\W]*one', [1]],
  ['(?s)import.*two', [1]],
  ['(?s:a.step)', [1]],
  ['one\\R', [2]],
  ['\\n\\n', [3]],
  ['\\nstep|\\nlast', [1, 4]],
  ['\\Aimport', [1]],
  ['\\Astep', []],
  ['last\\z', [5]],
  ['last\\Z', [5]],
  ['one\\Z', []],
  ['(?-m)^import', [1]],
  ['(?-m)^step', []],
  ['(?m)^step|\\Zx', [2]],
  // Without a line break in the pattern each line stands for itself.
  ['one\\s+step', []],
  ['one[^x]*two', []],
  ['^$', [4]],
  ['(?=\\n)^$', [4]],
])('across lines: %j', ([pattern, lines]) => {
  expect(linesWith(pattern, TEXT)).toEqual(lines)
})

test('the last line break of a file begins no line', () => {
  expect(linesWith('^$|\\Aq', 'a\n')).toEqual([])
  expect(linesWith('a\\n', 'b\na\n')).toEqual([2])
})

test('where lines match more than one after another, each is found', () => {
  expect(linesWith('\\nfoo', 'foo\nfoo\nfoo')).toEqual([1, 2])
  expect(linesWith('(?s)o.?', 'foo\nfoo')).toEqual([1, 2])
})

test.for([
  ['foo(', 'A ( has no ). To find these characters as they are, write foo\\('],
  ['foo)', 'A ) has no (. To find these characters as they are, write foo\\)'],
  ['[a', 'The set that [a begins has no ]. To find these characters as they are, write \\[a'],
  ['[]', '[] is a set of nothing'],
  ['a\\', 'It ends with a backslash'],
  ['[z-a]', 'The range z-a is the wrong way round'],
  ['a{3,2}', '{3,2} is the wrong way round'],
  [
    '*.ts',
    '* has nothing to repeat at the start of a pattern, a branch or a group. For any text write .*; for the character write \\*',
  ],
  ['a|+b', '+ has nothing to repeat'],
  ['a**', '* has nothing to repeat after *'],
  ['^*', '* has nothing to repeat after a place'],
  ['(?R)', 'recursion'],
  ['(a(?1)?b)', 'recursion'],
  ['(?<n>a)(?&n)', 'recursion'],
  ['(?P<n>a)(?P>n)', 'recursion'],
  ['(a)\\g<1>', 'recursion'],
  ['(a)?(?(1)b|c)', 'write both cases with |'],
  ['(?|(a)|(b))', 'numbers groups anew'],
  ['a(*SKIP)(*F)|b', '(*SKIP) steers how PCRE searches'],
  ['(?C1)a', 'runs code'],
  ['\\Ga', '\\G is not known here'],
  ['\\X', 'write \\P{M}\\p{M}*'],
  ['\\ya', 'For the border of a word write \\b'],
  ['\\j', '\\j is not known here. For the letter j write it without the backslash'],
  ['(?U)a.*', 'The flag U of (?U) is not known here; known are i, m, s, x, u and a.'],
  ['[[:foo:]]', 'There is no class [:foo:]. The known ones are alnum'],
  ['[:space:]', 'write [[:space:]]'],
  ['[[=a=]]', '[=a=] depends on a language'],
  ['[a-z&&[^b]]', '&& between sets is not known here'],
  ['[[a-z]--[aeiou]]', '-- between sets is not known here'],
  ['[[a-z]&&[^b]]', '&& between sets is not known here'],
  ['[\\A]', '\\A has no meaning in a set'],
  ['\\p{Foo}', '\\p{Foo} is not a property of Unicode that is known here'],
  ['\\p{InGreek}', '\\p{InGreek} is not a property'],
  ['(a)\\2', 'It refers to a group 2 that it does not have'],
  ['\\k<n>', 'It refers to a group n that it does not have'],
  ['(?<=a++)b', '++ within a lookbehind is not known here'],
  ['\\x{110000}', 'There is no character 110000 in Unicode'],
  ['('.repeat(200) + ')'.repeat(200), 'nested too deeply'],
])('the pattern %s is refused with the reason', ([pattern, reason]) => {
  expect(readPattern(pattern!)).toEqual({ refused: expect.stringContaining(reason!) })
})

test.for([
  ['(?m)^foo$', 'as they are'],
  ['(?R)', 'as they are'],
  ['\\G', 'as they are'],
])('for %s nothing is advised that would search for something else', ([pattern, advice]) => {
  const found = readPattern(pattern!)
  expect(isRefusal(found) ? found.refused : '').not.toContain(advice)
})

test.for([
  ['foo\\|bar', 'bar', 'basic form of grep'],
  ['[0-9]\\{3\\}', '123', 'basic form of grep'],
  ['\\w\\+(x', 'ab(x', 'basic form of grep'],
  ['\\<div\\>', '<div>', 'characters < and >'],
  ['/foo\\d/i', 'FOO1', 'slashes'],
  ['"foo bar"', 'foo bar', 'quotes'],
])('%s is also read in another form', ([pattern, text, because]) => {
  const [other] = otherReadings(pattern!)
  expect(other?.because).toContain(because)
  expect(linesWith(other!.pattern, text!)).toEqual([1])
})

test.for([
  ['run(task)', 'run(task);', 'as they are'],
  ['def alpha(x):', 'def alpha(x):', 'as they are'],
  ['(?i)Run(task)', 'RUN(TASK)', 'as they are'],
  ['$HOME/bin', 'PATH=$HOME/bin', 'as they are'],
  ['if (a && b) {', 'if (a && b) {', 'as they are'],
  ['C:\\temp', 'cd C:\\temp', 'as they are'],
  ['one:\\s+two', 'one:\n  two', 'Across lines'],
  ['begin[^;]*end', 'begin\n  x\nend', 'Across lines'],
  ['one[[:space:]]+two', 'one\ntwo', 'Across lines'],
  ['\\bone\\W+two\\b', 'one,\ntwo', 'Across lines'],
])('%s, which finds nothing as it is written, is read otherwise', ([pattern, text, because]) => {
  expect(linesWith(pattern!, text!)).toEqual([])
  const found = [...otherReadings(pattern!)].find(each => linesWith(each.pattern, text!).length > 0)
  expect(found?.because).toContain(because)
  expect(linesWith(found!.pattern, text!)).toEqual([1])
})

test('a pattern with one reading has no other', () => {
  expect(
    ['foo', '^foo$', 'foo.*bar', '\\bfoo\\d+', 'a|b', '[', '"'].map(each => [...otherReadings(each)].length),
  ).toEqual([0, 0, 0, 0, 0, 1, 0])
})

test('a first look for digits misses no digit of any script', () => {
  const look = maybeDigit()
  const missed: number[] = []
  for (let code = 0; code <= 0x10_ff_ff; code += 1) {
    const char = String.fromCodePoint(code)
    if (/^\p{Nd}$/u.test(char) && !look.test(char)) missed.push(code)
  }
  expect(missed).toEqual([])
  expect(['Съешь ещё', 'été', '東京'].filter(text => look.test(text))).toEqual([])
  expect(['\\d+', 'a\\d|(\\d{2})', '[[:digit:]]+', '(?:\\d-)+'].map(each => read(each).needed)).toEqual(
    Array.from({ length: 4 }, () => look),
  )
  expect(['\\d*', '\\d|a', '(?!\\d)', '\\D'].map(each => read(each).needed)).toEqual(
    Array.from({ length: 4 }, () => undefined),
  )
  expect(linesWith('\\w\\d', 'где\nгод ٢\nж٢\n𝟚a𝟚')).toEqual([3, 4])
})

test('how a construct was read is said where dialects differ', () => {
  expect(['\\Afoo', 'a\\hb', '\\cA', '\\vfoo', 'foo'].map(pattern => read(pattern).notes.length)).toEqual([
    1, 1, 1, 1, 0,
  ])
})

// Pieces of patterns, so that many random ones are valid.
const piece = fc.constantFrom(
  ...String.raw`a b ab _ 1 . \w \W \d \D \s \b \B ^ $ [ab] [^a\d] [\W_] (a|b) (?:a|bc) (?=a) (?<!b) (?i:A) a* b+? \w++ (?>a|ab) [[:alpha:]] \< \> | \n \h x{0,2}`.split(
    ' ',
  ),
)
const somePattern = fc.array(piece, { minLength: 1, maxLength: 6 }).map(pieces => pieces.join(''))
const englishText = fc.string({ unit: fc.constantFrom(...Array.from('abAB1_ -\n')), maxLength: 20 })

test('in a text of English letters both expressions find the same', () => {
  fc.assert(
    fc.property(somePattern, englishText, (pattern, text) => {
      const found = readPattern(pattern)
      if (isRefusal(found)) return
      const first = (expression: RegExp) =>
        new RegExp(expression.source, expression.flags.replace('g', '')).exec(text)
      expect(first(found.expression)?.[0]).toEqual(first(found.english)?.[0])
      expect(first(found.expression)?.index).toEqual(first(found.english)?.index)
    }),
  )
})

test('a text that matches has what the pattern needs', () => {
  fc.assert(
    fc.property(somePattern, englishText, (pattern, text) => {
      const found = readPattern(pattern)
      if (isRefusal(found) || !found.needed) return
      const matches = new RegExp(found.english.source, found.english.flags.replace('g', '')).test(text)
      if (matches) expect(found.needed.test(text)).toBe(true)
    }),
  )
})

test('any text is read or refused', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom(...Array.from('\\()[]{}?*+|^$.:=!<>-,abdDwWpPkgxuQER1#& é')),
        maxLength: 40,
      }),
      pattern => {
        const found = readPattern(pattern)
        if (isRefusal(found)) expect(found.refused).toMatch(/^The pattern /)
        else expect(found.expression.unicodeSets).toBe(true)
      },
    ),
  )
})

test('a pattern of more letters than anybody writes is refused with what to do', () => {
  expect(isRefusal(readPattern('a'.repeat(4_000)))).toBe(false)
  expect(readPattern('['.repeat(4_001))).toEqual({
    refused: 'The pattern is longer than 4000 letters. Search for a shorter part of it.',
  })
})
