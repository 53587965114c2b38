import { expect, test } from 'vitest'
import type { Key, Setting } from '../../../shared/contract/settings.ts'
import { diagnosticsOf, groupsOf, isResettable, readSection } from './setting-texts.ts'
import { sectionOf, sections } from '../../../shared/words/setting-words.ts'
import { findSettings, things } from './find-settings.ts'

const aSetting = (path: string, given: Partial<Setting> = {}): Setting => ({
  path,
  section: path.split('.')[0] ?? '',
  title: path,
  help: '',
  kind: { type: 'switch' },
  value: true,
  standard: false,
  changed: true,
  restart: false,
  usedBy: ['every chat'],
  where: '',
  masked: false,
  source: { from: 'default', line: null },
  ...given,
})
const gpu = aSetting('engine.gpu', {
  title: 'Graphics card',
  help: 'Used where the engine finds it.',
  kind: { type: 'choice', options: ['auto', 'off'] },
})
const theme = aSetting('ui.theme', { title: 'Colours', help: 'Light or dark.' })
const all = [gpu, theme, aSetting('ui.setup_done', { title: 'First run' })]
const groq: Key = {
  name: 'GROQ_API_KEY',
  help: 'Key of Groq.',
  where: 'https://console.groq.com/keys',
  usedBy: ['models on servers'],
  masked: true,
  value: null,
  source: null,
  missingFor: [],
}
const found = (query: string) =>
  findSettings(query, { settings: all, keys: [groq] }).map(({ section, settings, keys, things }) => [
    section,
    ...settings.map(({ path }) => path),
    ...keys.map(({ name }) => name),
    ...things.map(({ id }) => id),
  ])

test('every word must match, in any order and case', () => {
  expect(found('CARD graph')).toEqual([['models', 'engine.gpu']])
  expect(found('card colours')).toEqual([])
})

test('a setting is found by its path, help and choices, and a section by its name', () => {
  for (const query of ['engine.gpu', 'engine finds', 'do not use it'])
    expect(found(query)).toEqual([['models', 'engine.gpu']])
  expect(found('appearance')).toEqual([['general', 'general']])
})

test('a key is found by its name, by what it is for and by what uses it, and a setting by what uses it', () => {
  for (const query of ['groq_api', 'key of groq', 'console.groq', 'models on servers'])
    expect(found(query)).toEqual([['privacy', 'GROQ_API_KEY']])
  expect(found('every chat card')).toEqual([['models', 'engine.gpu']])
})

test('items that are not settings are found too, but internal settings are not', () => {
  expect(found('hermes')).toEqual([['data', 'import']])
  expect(found('first run')).toEqual([])
  expect(new Set(things.map(({ id }) => id)).size).toBe(things.length)
})

test('an empty search finds nothing', () => {
  expect(found('  ')).toEqual([])
})

test('an unknown setting is put under General, and an unknown section in the address opens the first one', () => {
  expect(sectionOf(aSetting('weather.rain'))).toBe('general')
  expect(groupsOf([aSetting('weather.rain'), ...all], 'general').map(([name]) => name)).toEqual([
    'weather',
    'ui',
  ])
  expect([readSection('weather'), readSection(null), readSection('usage')]).toEqual([
    sections[0],
    sections[0],
    'usage',
  ])
})

test('only changed settings without a page of their own can be reset here', () => {
  expect(isResettable(gpu)).toBe(true)
  expect(isResettable({ ...gpu, changed: false })).toBe(false)
  expect(isResettable(aSetting('models.servers', { kind: { type: 'other' } }))).toBe(false)
  expect(isResettable(aSetting('ui.setup_done'))).toBe(false)
})

test('diagnostics name the changed settings, but contain no text, path, model or server', () => {
  const text = diagnosticsOf(
    {
      hello: null,
      engine: {
        phase: 'ready',
        modelId: '/home/ada/secret.gguf',
        modelName: 'secret',
        progress: null,
        contextTokens: 4_096,
        hosting: 'process',
        error: null,
        fix: null,
        fixes: [],
        notice: null,
      },
      locked: true,
    },
    [
      { ...gpu, value: 'off' },
      aSetting('skills.folders', { kind: { type: 'list' }, value: ['/home/ada/secret'] }),
      aSetting('models.fast', { kind: { type: 'text', max: 100 }, value: 'secret' }),
      aSetting('models.servers', { kind: { type: 'other' }, value: [{ base_url: 'https://secret' }] }),
      { ...theme, changed: false },
    ],
    'A browser',
  )
  expect(text).not.toContain('secret')
  expect(text.split('\n').slice(1)).toEqual([
    'Window: A browser',
    'Engine: ready, process, context 4096',
    'Offline lock: on',
    'Changed settings:',
    '  engine.gpu: off',
    '  skills.folders',
    '  models.fast',
    '  models.servers',
    '',
  ])
})
