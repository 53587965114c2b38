import { expect, test } from 'vitest'
import { speakMarkdown } from './speak-markdown.ts'

test.for([
  ['names in code', 'Set `max_file_size` and `**kwargs`.', 'Set max_file_size and **kwargs.'],
  [
    'names in words',
    'Open my_file_name.txt, __init__ and src/a_b/c.',
    'Open my_file_name.txt, __init__ and src/a_b/c.',
  ],
  ['sums', '3 * 4 and 3*4*5 and 2**3**4', '3 * 4 and 3*4*5 and 2**3**4'],
  ['minus signs', 'It is -5, −3 or 7 - 2.', 'It is -5, −3 or 7 - 2.'],
  ['commands', 'Run `a | b > out.txt` or x > y | z.', 'Run a | b > out.txt or x > y | z.'],
  ['languages', 'C++, C#, F# and *nix', 'C++, C#, F# and *nix'],
  ['numbers', 'It takes ~5 minutes, see #12.', 'It takes ~5 minutes, see #12.'],
  ['formulas', 'So $a_1 * b_2^2$ is $$x_{1}*y$$', 'So a_1 * b_2^2 is x_{1}*y'],
  ['prices', 'It costs $5, then $6.', 'It costs $5, then $6.'],
  [
    'addresses',
    'See https://example.org/a_b_c and <https://example.org/*x*>',
    'See https://example.org/a_b_c and https://example.org/*x*',
  ],
  ['escaped signs', String.raw`\*not bold\* and C:\\dir`, String.raw`*not bold* and C:\dir`],
  ['code that holds ticks', '`` a`b ``', 'a`b'],
] as const)('the signs of %s are said', ([, text, said]) => {
  expect(speakMarkdown(text)).toBe(said)
})

test.for([
  ['emphasis', '**It** is *very* ***good***, _really_ __So__ ~~not~~.', 'It is very good, really So not.'],
  ['emphasis in Chinese', '这是**重要**的', '这是重要的'],
  ['emphasis around code', '**Set `a_b` now**', 'Set a_b now'],
  ['headings', '## What is C#\n### Closed ##', 'What is C#\nClosed'],
  ['lists', '* one\n- two\n+ three\n- [x] paid\n- [ ] sent', 'one\ntwo\nthree\nDone: paid\nTo do: sent'],
  ['quotes', '> He said\n> > so', 'He said\nso'],
  ['rules', 'a\n\n---\n***\nb', 'a\n\n\n\nb'],
  ['tables', '| a | `b_c` |\n|---|:-:|\n| 1 \\| 2 | 3 |', 'a, b_c\n\n1 | 2, 3'],
  ['links and pictures', '[the **guide**](https://example.org/a_b "x") ![a cat](c.png)', 'the guide a cat'],
  ['tags', 'H<sub>2</sub>O<br>x', 'H2O x'],
  ['a pair that ends in the next sentence', 'Note: **Do this.', 'Note: Do this.'],
  ['a pair that began in the one before', 'Then that.** So', 'Then that. So'],
] as const)('the signs of %s are not said', ([, text, said]) => {
  expect(speakMarkdown(text)).toBe(said)
})

test('in a block of code all signs are said, also when it began before', () => {
  expect(speakMarkdown('```py\n# a_b\nx = y * z\n```\n**End**')).toBe('# a_b\nx = y * z\n\nEnd')
  expect(speakMarkdown('* p = **q;\n', 'So:\n```c\n')).toBe('* p = **q;')
  expect(speakMarkdown('**Now**\n', 'So:\n```c\nx\n```\n')).toBe('Now')
})

test('what begins within a line is no heading and no list', () => {
  expect(speakMarkdown(' # 12 is\n# Next', 'It is.')).toBe('# 12 is\nNext')
})

test('signs that nobody sees are named', () => {
  expect(speakMarkdown('Run `rm\u200b` now')).toBe('Run rm⟨U+200B⟩ now')
})

test('a long line of marks is read in time', () => {
  for (const unit of ['*', '**a', '_a', '`', '[', '$a', '~~', '| ', '\\*', '> '])
    expect(speakMarkdown(unit.repeat(20_000)).length).toBeLessThan(100_000)
})

test('a line of nothing but marks is said as it is written, without comparing each with each', () => {
  expect(speakMarkdown('*_word '.repeat(4_000).trim())).toBe('*_word '.repeat(4_000).trim())
  expect(speakMarkdown('**word** '.repeat(800).trim())).toBe('word '.repeat(800).trim())
})
