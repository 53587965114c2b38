import { expect, test } from 'vitest'
import { whoRunsChanged } from './deciding-parts.ts'

const SCRIPTS = { test: 'vitest', build: 'tsc', lint: 'oxlint' }
const aPackage = (scripts: Record<string, string>, rest: object = {}) => JSON.stringify({ scripts, ...rest })
const BEFORE = aPackage(SCRIPTS, { version: '1.0.0' })
const change = (after: string, before: string | undefined = BEFORE) =>
  whoRunsChanged('web/package.json', [before, after], '`npm`')

test.for([
  ['a version', aPackage(SCRIPTS, { version: '1.0.1' }), undefined],
  ['a dependency', aPackage(SCRIPTS, { dependencies: { zod: '4.0.0' } }), undefined],
  ['a dependency in a folder', aPackage(SCRIPTS, { dependencies: { own: 'file:own' } }), '`npm install`'],
  ['the order of scripts', aPackage({ lint: 'oxlint', test: 'vitest', build: 'tsc' }), undefined],
  ['one script', aPackage({ ...SCRIPTS, test: 'node x' }), '`npm test`'],
  ['what runs before one', aPackage({ ...SCRIPTS, pretest: 'x' }), '`npm test`'],
  ['what runs by itself', aPackage({ ...SCRIPTS, postinstall: 'x' }), '`npm install`'],
  ['two scripts', aPackage({ ...SCRIPTS, test: 'x', build: 'y' }), '`npm run build`, `npm test`'],
  ['what hooks of git run', aPackage(SCRIPTS, { 'lint-staged': { '*': 'x' } }), 'git hooks'],
] as const)('of a package that became another in %s', ([, after, by]) => {
  expect(change(after)).toBe(by)
})

test('a new file counts by what it says, and an equal one is no change', () => {
  expect(whoRunsChanged('package.json', [undefined, aPackage({ dev: 'vite' })], '`npm`')).toBe(
    '`npm run dev`',
  )
  expect(whoRunsChanged('package.json', [undefined, '{"name":"x"}'], '`npm`')).toBeUndefined()
  expect(whoRunsChanged('Makefile', ['all:\n', 'all: x\n'], '`make`')).toBe('`make`')
  expect(whoRunsChanged('Makefile', ['all:\n', 'all:\n'], '`make`')).toBeUndefined()
})
