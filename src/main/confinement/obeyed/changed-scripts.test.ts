import { expect, test } from 'vitest'
import { whoRunsChanged } from './changed-scripts.ts'

const aPackage = (scripts: Record<string, string>, rest: object = {}) => JSON.stringify({ scripts, ...rest })
const BEFORE = aPackage({ test: 'vitest', build: 'tsc', lint: 'oxlint' }, { version: '1.0.0' })

test.for([
  ['a version', aPackage({ test: 'vitest', build: 'tsc', lint: 'oxlint' }, { version: '1.0.1' }), undefined],
  ['the order of scripts', aPackage({ lint: 'oxlint', test: 'vitest', build: 'tsc' }), undefined],
  ['one script', aPackage({ test: 'node x', build: 'tsc', lint: 'oxlint' }), '`npm test`'],
  [
    'what runs before one',
    aPackage({ test: 'vitest', build: 'tsc', lint: 'oxlint', pretest: 'x' }),
    '`npm test`',
  ],
  [
    'what runs by itself',
    aPackage({ test: 'vitest', build: 'tsc', lint: 'oxlint', postinstall: 'x' }),
    '`npm install`',
  ],
  ['two scripts', aPackage({ test: 'x', build: 'y', lint: 'oxlint' }), '`npm test` and `npm run build`'],
  ['all scripts', aPackage({ a: '', b: '' }), '`npm run`'],
  [
    'what hooks of git run',
    aPackage({ test: 'vitest', build: 'tsc', lint: 'oxlint' }, { 'lint-staged': { '*': 'x' } }),
    'git hooks',
  ],
  ['all of it, since it is gone', undefined, '`npm test`, `npm run build` and `npm run lint`'],
  ['all of it, since it is no JSON', '{"scripts":', '`npm test`, `npm run build` and `npm run lint`'],
] as const)('of a package that became another in %s', ([, after, by]) => {
  expect(whoRunsChanged(BEFORE, after)).toBe(by)
})

test('a new package runs what it says', () => {
  expect(whoRunsChanged(undefined, aPackage({ dev: 'vite' }))).toBe('`npm run dev`')
  expect(whoRunsChanged(undefined, '{"name":"x"}')).toBeUndefined()
})
