import { expect, test } from 'vitest'
import { newSettings, settingsHandlers, settingsOf } from './settings-handlers.ts'
import { aHome } from '../../../testing/host/a-host.ts'
import { loadConfig } from './load.ts'
import { Config, SETTINGS_VERSION } from './schema.ts'

const reading = (current: Config) => ({ current, lineOf: () => undefined })
const standard = reading(Config.parse({}))
const described = settingsOf(standard)
const settingOf = (path: string, config: Parameters<typeof settingsOf>[0]) =>
  settingsOf(config).find(each => each.path === path)

test('every setting has a title, a help text that ends with a full stop, and a kind that fits its default', () => {
  const wrong = described.filter(({ title, help, kind, standard: value }) => {
    const fits = {
      switch: typeof value === 'boolean',
      number: typeof value === 'number',
      auto_number: value === 'auto' || typeof value === 'number',
      choice: typeof value === 'string' && kind.type === 'choice' && kind.options.includes(value),
      text: typeof value === 'string',
      list: Array.isArray(value),
      other: true,
    }
    return title === '' || !/[.]$/.test(help) || !fits[kind.type]
  })
  expect(wrong).toEqual([])
  expect(new Set(described.map(each => each.title)).size).toBeGreaterThan(40)
})

test('every setting names what uses it, and its source says default or the line of the file', () => {
  expect(described.filter(({ usedBy }) => usedBy.length === 0)).toEqual([])
  expect(described.filter(({ masked }) => masked).map(({ path }) => path)).toEqual([
    'models.servers',
    'network.proxy',
  ])
  const config = {
    current: Config.parse({ engine: { threads: 2 } }),
    lineOf: (path: string) => (path === 'engine.threads' ? 3 : undefined),
  }
  expect(settingOf('engine.threads', config)?.source).toEqual({ from: 'config.yaml', line: 3 })
  expect(settingOf('engine.gpu', config)?.source).toEqual({ from: 'default', line: null })
})

test('numbers have limits, and choices have their options', () => {
  const kinds = Object.fromEntries(described.map(({ path, kind }) => [path, kind]))
  expect([
    kinds['agent.max_iterations'],
    kinds['tools.timeout_s'],
    kinds['engine.threads'],
    kinds['ui.theme'],
    kinds['models.fast'],
    kinds['skills.folders'],
    kinds['models.servers'],
    kinds['network.offline'],
  ]).toEqual([
    { type: 'number', min: 1, max: 500, whole: true },
    { type: 'number', min: 1, max: 3_600, whole: false },
    { type: 'auto_number', min: 1, max: 256 },
    { type: 'choice', options: ['system', 'light', 'dark'] },
    { type: 'text', max: 4_096 },
    { type: 'list' },
    { type: 'other' },
    { type: 'switch' },
  ])
})

test('a setting that differs from its default is marked', () => {
  const config = reading(Config.parse({ engine: { threads: 2 }, skills: { folders: ['/a'] } }))
  const changed = settingsOf(config).filter(each => each.changed)
  expect(changed.map(({ path, value, standard: was }) => [path, value, was])).toEqual([
    ['engine.threads', 2, 'auto'],
    ['skills.folders', ['/a'], []],
  ])
  expect(settingsOf(standard).filter(each => each.changed)).toEqual([])
  expect(settingOf('engine.threads', standard)).toMatchObject({ value: 'auto', changed: false })
})

test('only names in the schema are settings', () => {
  using home = aHome()
  const config = loadConfig(home.path)
  const set = settingsHandlers({
    config,
    secrets: { trace: () => undefined } as never,
    neededKeys: () => [],
    flaws: () => [],
    keyChanged: () => {},
    publish: () => {},
  })['settings.set']
  expect(set({ path: 'ui.theme', value: 'dark' })).toMatchObject({ path: 'ui.theme', value: 'dark' })
  expect(set({ path: 'models.options', value: {} })).toMatchObject({ path: 'models.options' })
  for (const path of ['ui.nothing', 'config_version', 'ui', '__proto__.x'])
    expect(() => set({ path, value: 1 }), path).toThrow(`Unknown setting “${path}”.`)
})

test.for([
  ['nothing', '', true],
  ['no version', 'ui:\n  theme: dark\n', true],
  ['version 3', 'config_version: 3\n', true],
  ['version 4', 'config_version: 4\n', false],
  ['version 4, but settings of version 3', 'config_version: 4\nsettings_version: 3\n', true],
  ['a newer version', 'config_version: 99\n', false],
  ['a mistake', 'config_version: 3\nui:\n  theme: pink\n', false],
  ['a broken line', 'ui: [\n', false],
] as const)('a file with %s has new settings: %o', ([, file, has]) => {
  expect(newSettings(file).some(({ path }) => path === 'terminal.sandbox')).toBe(has)
})

test('a setting that the file has is not new, and a settings version is never above the newest', () => {
  const file = 'config_version: 3\nterminal:\n  sandbox: off\n'
  expect(newSettings(file).map(({ path }) => path)).not.toContain('terminal.sandbox')
  expect(newSettings(`settings_version: ${SETTINGS_VERSION}\n`)).toEqual([])
  expect(newSettings(`settings_version: ${SETTINGS_VERSION - 1}\n`)).not.toEqual([])
})
