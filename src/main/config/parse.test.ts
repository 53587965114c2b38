import { expect, test } from 'vitest'
import { configMigrations, migrateConfig, parseConfig } from './parse.ts'

test('numbers in quotation marks are numbers', () => {
  const { config, flaws } = parseConfig(`memory: { user_limit: "20000" }
tools: { timeout_s: ' 2.5' }
engine: { threads: "4" }
models:
  default: "7"
  servers:
    - { id: a, name: A, base_url: http://127.0.0.1:1, model: m, context_tokens: "4096" }
`)
  expect(config).toMatchObject({
    memory: { user_limit: 20_000 },
    tools: { timeout_s: 2.5 },
    engine: { threads: 4 },
    models: { default: '7', servers: [{ context_tokens: 4_096 }] },
  })
  expect(flaws).toEqual([])
})

test('a number in quotation marks that is not allowed is told as it was written', () => {
  const { config, flaws } = parseConfig('memory: { user_limit: "20", notes_limit: "many" }')
  expect(config.memory).toMatchObject({ user_limit: 1_375, notes_limit: 2_200 })
  expect(flaws.map(flaw => flaw.text)).toEqual([
    'memory.user_limit is "20", but must be a whole number from 200 to 100000',
    'memory.notes_limit is "many", but must be a whole number from 200 to 100000',
  ])
})

const all = (id: string) => ({
  summary: id,
  draft: id,
  recap: id,
  vision: id,
  transcription: 'chat',
})

test('the model for work beside the chats, one name until version 3, is one for each kind of work since version 4', () => {
  const { document } = parseConfig('config_version: 3\nmodels:\n  auxiliary: auto # mine\n  fast: x\n')
  expect(migrateConfig(document, configMigrations)).toBe(3)
  expect(document.toJS()).toEqual({
    config_version: 4,
    settings_version: 3,
    models: { auxiliary: all('auto'), fast: 'x' },
  })
  const text = document.toString()
  expect(text).toContain('# mine')
  expect(parseConfig(text)).toMatchObject({ config: { models: { auxiliary: all('auto') } }, flaws: [] })
})

test.for([
  ['one name', 'server:a', all('server:a')],
  ['some kinds of work', '{ draft: auto }', { ...all('chat'), draft: 'auto' }],
] as const)('models.auxiliary may hold %s', ([, written, expected]) => {
  const { config, flaws } = parseConfig(`models:\n  auxiliary: ${written}\n`)
  expect([config.models.auxiliary, flaws]).toEqual([expected, []])
})

test.for(["''", '3.5', '{ draft: [] }'])(
  'with %s as models.auxiliary the other settings are kept',
  written => {
    const { config, flaws } = parseConfig(`ui: { theme: dark }\nmodels:\n  auxiliary: ${written}\n`)
    expect([config.ui.theme, config.models.auxiliary]).toEqual(['dark', all('chat')])
    expect(flaws.map(flaw => flaw.id)).toEqual([expect.stringMatching(/^config-models\.auxiliary/)])
  },
)

test('a model of its own for pictures is nothing to report', () => {
  for (const auxiliary of ['{ vision: server:eye }', 'server:all', JSON.stringify(all('auto'))])
    expect(parseConfig(`models:\n  auxiliary: ${auxiliary}\n`).unknown).toEqual([])
})

test.for([
  ['at the top', 'ui: { theme: dark }\nmemory: {}\nui: {}\n', 'line 3, column 1', 'ui'],
  ['in a group', 'ui:\n  theme: dark\n  theme: light\n', 'line 3, column 3', 'theme'],
  ['between braces', 'ui: { theme: dark, theme: light }', 'line 1, column 20', 'theme'],
] as const)('a key that is there twice %s is a mistake', ([, text, where, key]) => {
  expect(parseConfig(text).flaws).toEqual([
    {
      id: 'config-syntax',
      where,
      text: `“${key}” is there twice`,
      effect: 'All settings have their defaults.',
    },
  ])
})

test('of many unknown settings the first ones are named, and the others counted', () => {
  const { unknown } = parseConfig(Array.from({ length: 1_020 }, (_, at) => `key${at}: 1\n`).join(''))
  expect(unknown).toHaveLength(21)
  expect([unknown[19]?.where, unknown[20]?.text]).toEqual(['line 20', '1,000 more settings are unknown'])
})

test('a file of more than 250,000 characters is not read, and says so', () => {
  const long = `ui: { theme: dark }\n${'#'.repeat(250_000)}`
  const { config, flaws } = parseConfig(long)
  expect([config.ui.theme, flaws[0]?.text]).toEqual(['system', 'it is longer than 250,000 characters'])
  expect(parseConfig(long.slice(0, 250_000))).toMatchObject({ config: { ui: { theme: 'dark' } }, flaws: [] })
})
