import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Setting, SettingKind } from '../../shared/contract/settings.ts'
import { readValue, showValue } from './config-actions.ts'
import { test } from '../../../testing/cli.ts'

const aSetting = (kind: SettingKind): Setting => ({
  path: 'a.b',
  section: 'a',
  title: 'B',
  help: 'Says b.',
  kind,
  value: null,
  standard: null,
  changed: false,
  restart: false,
})

test.for([
  [{ type: 'switch' }, ['ON'], true],
  [{ type: 'switch' }, ['no'], false],
  [{ type: 'number', min: 1, max: 5, whole: true }, ['3'], 3],
  [{ type: 'auto_number', min: 1, max: 5 }, ['auto'], 'auto'],
  [{ type: 'auto_number', min: 1, max: 5 }, ['2'], 2],
  [{ type: 'choice', options: ['a', 'b'] }, ['b'], 'b'],
  [{ type: 'text', max: 9 }, ['two', 'words'], 'two words'],
  [{ type: 'list' }, ['/a', '/b c'], ['/a', '/b c']],
  [{ type: 'list' }, [''], []],
  [{ type: 'other' }, ['[1,', '2]'], [1, 2]],
] as const)('%o of %o is %o', ([kind, words, value]) => {
  expect(readValue(aSetting(kind as SettingKind), words)).toEqual(value)
})

test.for([
  [{ type: 'switch' }, 'maybe', 'a.b is on or off.'],
  [{ type: 'number', min: 1, max: 5, whole: true }, 'three', 'a number from 1 to 5'],
  [{ type: 'auto_number', min: 1, max: 5 }, '', '“auto” or a number'],
  [{ type: 'other' }, '{', 'takes JSON'],
] as const)('%o cannot be set to “%s”', ([kind, word, why]) => {
  expect(() => readValue(aSetting(kind), [word])).toThrow(why)
})

test.for([
  ['', '(none)'],
  [[], '(none)'],
  [['/a', '/b'], '/a, /b'],
  [true, 'true'],
  [{ a: 1 }, '{"a":1}'],
] as const)('%o is shown as %s', ([value, text]) => {
  expect(showValue(value)).toBe(text)
})

test('a setting can be changed and reset in the file, and its comments stay', async ({ talaria }) => {
  const home = talaria.folder({ 'config.yaml': '# mine\nengine:\n  threads: 1 # slow\n' })
  const set = await talaria.run(['config', 'set', 'engine.threads', '2', '--home', home])
  expect([set.code, set.stdout]).toEqual([0, 'engine.threads: 2\n'])
  expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe('# mine\nengine:\n  threads: 2 # slow\n')
  const shown = await talaria.run(['config', 'show', '--home', home])
  expect(shown.stdout).toMatch(/^engine\.threads: 2 {3}\(default: auto\)\n {4}Threads of the engine\./)
  await talaria.run(['config', 'reset', 'engine', '--home', home])
  const got = await talaria.run(['config', 'get', 'engine.threads', '--home', home])
  expect(got.stdout).toBe('auto\n')
})

test('an unknown setting and an invalid value are refused, with what is possible', async ({ talaria }) => {
  const home = talaria.folder()
  const unknown = await talaria.run(['config', 'set', 'threads', '2', '--home', home])
  const wrong = await talaria.run(['config', 'set', 'engine.threads', '900', '--home', home])
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    'Unknown setting “threads”. Did you mean: engine.threads? “talaria config show --all” lists all.\n',
  ])
  expect([wrong.code, wrong.stderr.trim()]).toEqual([
    2,
    'engine.threads is 900, but must be “auto” or a whole number from 1 to 256.',
  ])
})

test('mistakes are reported with their lines', async ({ talaria }) => {
  const home = talaria.folder({ 'config.yaml': 'ui:\n  theme: purple\nagnet: {}\n' })
  const { code, stdout } = await talaria.run(['config', 'check', '--home', home])
  const file = join(home, 'config.yaml')
  expect([code, stdout]).toEqual([
    1,
    `${file}:2: ui.theme is "purple", but must be one of “system”, “light”, “dark”. It is left out.\n` +
      `${file}:3: note: there is no setting agnet. It is kept but does nothing.\n`,
  ])
})

test('an older file is migrated once, after a copy is made', async ({ talaria }) => {
  const home = talaria.folder({ 'config.yaml': 'config_version: 1\nengine:\n  gpu: true\n' })
  const first = await talaria.run(['config', 'migrate', '--home', home])
  const second = await talaria.run(['config', 'migrate', '--home', home])
  expect([first.stdout, second.stdout]).toEqual([
    expect.stringContaining('from version 1 to 4'),
    'Nothing to do: the settings already have the format of this version (4).\n',
  ])
  expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toContain('gpu: auto')
})

test('the user’s editor opens the file, and the result is checked', async ({ talaria }) => {
  const home = talaria.folder({ 'config.yaml': 'ui:\n  theme: dark\n' })
  const editor = join(talaria.folder(), 'editor.mjs')
  writeFileSync(
    editor,
    `import { appendFileSync } from 'node:fs'; appendFileSync(process.argv[2], 'agent: 3\\n')`,
  )
  const { code, stdout } = await talaria.run(['config', 'edit', '--home', home], {
    env: { VISUAL: `"${process.execPath}" "${editor}"` },
  })
  expect([code, stdout]).toEqual([1, expect.stringContaining('config.yaml:3: agent is 3')])
})
