/**
 * Limits beyond which a function is measured three times and named: ms of processor time, and how many times
 * as long for twice the text.
 */
export const MOST_MS = 500
export const MOST_GROWTH = 2.6

/** Makes a text of so many characters. */
export type Shape = (length: number) => string

const repeat =
  (unit: string, end = ''): Shape =>
  length =>
    unit.repeat(Math.ceil(length / unit.length)).slice(0, length - end.length) + end

const nest =
  (open: string, close: string): Shape =>
  length => {
    const levels = Math.floor(length / (open.length + close.length))
    return open.repeat(levels) + close.repeat(levels)
  }

/** Lines that are indented deeper and deeper, then start again. */
const deeper =
  (line: string, levels: number): Shape =>
  length => {
    const block = Array.from({ length: levels }, (_, level) => ' '.repeat(level) + line).join('')
    return repeat(block)(length)
  }

/**
 * Texts that repeat one piece, on which slow parsers and patterns are slowest: one character, openers without
 * an end, marks of Markdown, shells, JSON, YAML and HTML, and texts that look like something until their end.
 */
export const SHAPES: Readonly<Record<string, Shape>> = {
  'one letter': repeat('a'),
  words: repeat('word '),
  sentences: repeat('I like tea. '),
  'short lines': repeat('a\n'),
  blanks: repeat(' ', 'x'),
  'line feeds': repeat('\n', 'x'),
  'carriage returns': repeat('\r\n', 'x'),
  tabs: repeat('\t', 'x'),
  'blank lines': repeat(' \n'),
  dots: repeat('.'),
  digits: repeat('1'),
  dashes: repeat('-'),
  'equals signs': repeat('=', ';'),
  'double quotes': repeat('"'),
  'single quotes': repeat("'"),
  apostrophes: repeat("it's "),
  backslashes: repeat('\\'),
  'escaped quotes': repeat('\\"'),
  'open brackets': repeat('['),
  'open parentheses': repeat('('),
  'open braces': repeat('{'),
  'nested brackets': nest('[', ']'),
  'nested parentheses': nest('(', ')'),
  'nested braces': nest('{', '}'),
  'letters in brackets': repeat('[a'),
  'pictures that never end': repeat('![['),
  stars: repeat('*a'),
  'stars and lines': repeat('*_word '),
  'double stars': repeat('**_word '),
  lines: repeat('_a_'),
  tildes: repeat('~~a'),
  backticks: repeat('`'),
  fences: repeat('```\na\n'),
  headings: repeat('# a\n'),
  quotes: repeat('> '),
  'nested lists': deeper('- a\n', 300),
  tables: repeat('|a|b|\n|-|-|\n'),
  links: repeat('[a](b '),
  definitions: repeat('[a]: b\n'),
  formulas: repeat('$a'),
  tags: repeat('<a '),
  'nested tags': nest('<b>', '</b>'),
  comments: repeat('<!--'),
  entities: repeat('&amp;'),
  attributes: repeat('<a b="'),
  substitutions: repeat('$('),
  pipes: repeat('a|'),
  redirections: repeat('>a'),
  'here documents': repeat('<<a\n'),
  assignments: repeat('a=', ';'),
  'assignments on lines': repeat('A=b\n'),
  commands: repeat('git checkout a\n'),
  globs: repeat('*/'),
  'brace lists': repeat('{a,b}'),
  'open objects': repeat('{"a":'),
  'flat objects': repeat('[{"a":"b"},'),
  'nested keys': deeper('a:\n', 300),
  paths: repeat('../'),
  addresses: repeat('http://a.b/'),
  'mail addresses': repeat('a@b.'),
  escapes: repeat('%41'),
  'combining marks': repeat('a\u0301'),
  'signs of no width': repeat('\u200B'),
  'other directions': repeat('\u202E'),
  emoji: repeat('👩‍👩‍👧'),
  ideographs: repeat('漢字'),
  times: repeat('12:30 Monday '),
  calls: repeat('<tool_call>'),
}
