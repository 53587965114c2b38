import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { homeOption, resolveHome } from './home.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'home-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a given folder precedes the environment, and both precede the default', () => {
  const given = join(folder, 'given')
  const env = { TALARIA_HOME: join(folder, 'env') }
  expect([resolveHome(given, env), resolveHome(undefined, env)]).toEqual([given, env.TALARIA_HOME])
})

test('a new home folder is private and contains backups, logs and models', () => {
  const home = resolveHome(join(folder, 'deep', 'home'), {})
  expect((statSync(home).mode & 0o777).toString(8)).toBe('700')
  expect(readdirSync(home).toSorted()).toEqual(['backups', 'logs', 'models'])
})

test('a relative path and ~ are made absolute', () => {
  const fromHere = relative(process.cwd(), join(folder, 'a'))
  const fromHome = `~/${relative(homedir(), join(folder, 'b'))}`
  expect([resolveHome(fromHere, {}), resolveHome(fromHome, {})]).toEqual([
    join(folder, 'a'),
    join(folder, 'b'),
  ])
})

test('a command names the home unless it is the usual one, however it was chosen', () => {
  const usual = join(homedir(), '.talaria')
  expect([homeOption(undefined, {}), homeOption('~/.talaria', {}), homeOption(usual, {})]).toEqual([
    '',
    '',
    '',
  ])
  expect(homeOption('/tmp/second', {})).toBe(' --home /tmp/second')
  expect(homeOption(undefined, { TALARIA_HOME: '/tmp/third' })).toBe(' --home /tmp/third')
  expect(homeOption('/tmp/my home', {})).toBe(' --home "/tmp/my home"')
})

test.for([
  ['file', 'a file is in the way'],
  ['file/below', 'a part of its path is not a folder'],
] as const)('a home folder at %s is refused with the reason and what to do', ([path, reason]) => {
  writeFileSync(join(folder, 'file'), '')
  expect(() => resolveHome(join(folder, path), {})).toThrow(
    `Talaria cannot use the folder ${join(folder, path)}: ${reason}. Choose another one with --home or TALARIA_HOME.`,
  )
})

test.runIf(process.platform === 'linux')(
  'a home folder where the system lets nobody make one is refused',
  () => {
    expect(() => resolveHome('/proc/nope/deep', {})).toThrow(
      'Talaria cannot use the folder /proc/nope/deep: the system makes no folder there. Choose another one',
    )
  },
)
