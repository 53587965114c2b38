import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openEnvFile, readEnv } from './env-file.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'env-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const file = () => join(home, '.env')
const modeOf = () => (statSync(file()).mode & 0o777).toString(8)

test('a key is stored in a private file and found again', () => {
  openEnvFile(file()).set('SERVER_A', 'sk-1')
  expect([openEnvFile(file()).get('SERVER_A'), modeOf()]).toEqual(['sk-1', '600'])
})

test('changing or removing a key leaves the other lines', () => {
  writeFileSync(file(), '# mine\nexport A="1\n2"\nB=2 # two\nA=3\n\nAB=4')
  const secrets = openEnvFile(file())
  secrets.set('A', 'new')
  secrets.set('C', 'five 5')
  secrets.set('B', undefined)
  expect(readFileSync(file(), 'utf8')).toBe("# mine\nA=new\n\nAB=4\nC='five 5'\n")
})

test('a file readable by others is made private', () => {
  writeFileSync(file(), 'A=1\n', { mode: 0o644 })
  openEnvFile(file())
  expect(modeOf()).toBe('600')
})

test('every one-line value is read back unchanged', () => {
  const secrets = openEnvFile(file())
  const key = fc.string({ unit: fc.constantFrom(...'aZ09-_.=+/#$"\'` \\n€'.split('')), maxLength: 20 })
  fc.assert(
    fc.property(key, value => {
      fc.pre(!(value.includes('"') && value.includes("'") && value.includes('`')) && !value.includes('\\n'))
      secrets.set('KEY', value)
      expect(secrets.get('KEY')).toBe(value)
    }),
    { numRuns: 60 },
  )
})

test.for([
  ['A B', 'x', /cannot be the name/],
  ['A', 'x\ny', /one line of text/],
  ['A', `'"\``, /three kinds of quotes/],
] as const)('%s = %j is refused', ([name, value, reason]) => {
  expect(() => openEnvFile(file()).set(name, value)).toThrow(reason)
})

test('an unreadable file is reported and not overwritten', () => {
  mkdirSync(file())
  const secrets = openEnvFile(file())
  expect(() => secrets.get('A')).toThrow(`${file()} cannot be read: it is a folder.`)
  expect(() => secrets.set('A', 'x')).toThrow('it is a folder')
})

test('printing the object does not show keys', () => {
  writeFileSync(file(), 'A=SECRET\n')
  const secrets = openEnvFile(file())
  expect(inspect(secrets, { depth: 9, showHidden: true }) + JSON.stringify(secrets)).not.toContain('SECRET')
})

test.for([
  ['no equals sign', 'sk-123', 'it has no “=”. A line is NAME=value'],
  ['a colon', 'A: 1', 'it has no “=”. A line is NAME=value'],
  ['no name', '=1', 'there is no name before “=”'],
  ['a name with a space', 'MY KEY=1', 'the name before “=” has a space in it'],
  ['a name with a dash', 'A-B=1', 'a name has only letters, digits and “_”, and begins with no digit'],
  [
    'a name that begins with a digit',
    '1A=1',
    'a name has only letters, digits and “_”, and begins with no digit',
  ],
  ['an open quotation mark', 'A="1', 'its quotation mark is not closed'],
] as const)('a line with %s is named, and the lines around it count', ([, line, text]) => {
  const read = readEnv(`FIRST=1\n${line}\nLAST="2"\n`)
  expect(read.broken).toEqual([{ line: 2, text }])
  expect({ ...read.values }).toEqual({ FIRST: '1', LAST: '2' })
  expect([...read.lines]).toEqual([
    ['FIRST', 1],
    ['LAST', 3],
  ])
})

test.for([
  ['spaces around', ' A = 1 ', '1'],
  ['export', 'export A=1', '1'],
  ['a comment', 'A=1 # one', '1'],
  ['an indented comment with “=” before', '#\n #= \nA=1', '1'],
  ['spaces without a value', 'A= \nB=1', ''],
  ['a byte order mark', '\uFEFFA=1', '1'],
  ['Windows line ends', 'A=1\r\n', '1'],
  ['several lines', 'A="x\nQg==\ny"', 'x\nQg==\ny'],
] as const)('%s are read', ([, text, value]) => {
  expect(readEnv(text)).toMatchObject({ values: { A: value }, broken: [] })
})

test('for any lines, one that is right counts, whatever stands before it', () => {
  const line = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'AB1 =#"\'`-é'.split('')), maxLength: 12 }),
    fc.constantFrom('export A=1', 'A="x', "B='", '=', 'A=`'),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), lines => {
      const { values, lines: numbers } = readEnv([...lines, 'GOOD_KEY=1'].join('\n'))
      expect([values['GOOD_KEY'], numbers.get('GOOD_KEY')]).toEqual(['1', lines.length + 1])
    }),
    { numRuns: 300 },
  )
})

test('lines of blanks, and quotation marks that are never closed, are read in few steps', () => {
  const { broken } = readEnv(
    `${' '.repeat(100_000)}x\nexport${' '.repeat(100_000)}=1\nA=1${' '.repeat(100_000)}`,
  )
  expect(broken.map(({ line }) => line)).toEqual([1, 2])
  expect(readEnv('A="\nB=\'\n'.repeat(5_000)).broken).toHaveLength(10_000)
})
