import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openEnvFile } from './env-file.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'secrets-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const file = () => join(home, '.env')
const modeOf = () => (statSync(file()).mode & 0o777).toString(8)

test('a key is kept for this user alone and found again', () => {
  openEnvFile(home).set('SERVER_A', 'sk-1')
  expect([openEnvFile(home).get('SERVER_A'), modeOf()]).toEqual(['sk-1', '600'])
})

test('changing and removing a key leaves the other lines', () => {
  writeFileSync(file(), '# mine\nexport A="1\n2"\nB=2 # two\nA=3\n\nAB=4')
  const secrets = openEnvFile(home)
  secrets.set('A', 'new')
  secrets.set('C', 'five 5')
  secrets.set('B', undefined)
  expect(readFileSync(file(), 'utf8')).toBe("# mine\nA=new\n\nAB=4\nC='five 5'\n")
})

test('a file that others could read is closed to them', () => {
  writeFileSync(file(), 'A=1\n', { mode: 0o644 })
  openEnvFile(home)
  expect(modeOf()).toBe('600')
})

test('every one-line value comes back as it was', () => {
  const secrets = openEnvFile(home)
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
  expect(() => openEnvFile(home).set(name, value)).toThrow(reason)
})

test('a file that cannot be read is named and not overwritten', () => {
  mkdirSync(file())
  const secrets = openEnvFile(home)
  expect(() => secrets.get('A')).toThrow(`${file()} cannot be read: it is a folder.`)
  expect(() => secrets.set('A', 'x')).toThrow('it is a folder')
})

test('keys do not show when the object is printed', () => {
  writeFileSync(file(), 'A=SECRET\n')
  const secrets = openEnvFile(home)
  expect(inspect(secrets, { depth: 9, showHidden: true }) + JSON.stringify(secrets)).not.toContain('SECRET')
})
