import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadConfig } from './load.ts'
import { parseConfig, type ConfigMigration } from './parse.ts'

let home: string
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'config-'))))
afterEach(() => rmSync(home, { recursive: true }))

const file = () => join(home, 'config.yaml')
const read = () => readFileSync(file(), 'utf8')
const backups = () => (existsSync(join(home, 'backups')) ? readdirSync(join(home, 'backups')).toSorted() : [])
const aConfig = (text: string) => {
  writeFileSync(file(), text)
  return loadConfig(home)
}
const server = (id: string) => ({ id, name: id, base_url: 'http://localhost:11434/v1', model: 'qwen' })

test('without a file every setting has its default, and no file is created', () => {
  const config = loadConfig(home)
  expect(config.notices).toEqual([])
  expect(existsSync(file())).toBe(false)
  expect(config.current).toEqual({
    config_version: 4,
    settings_version: 4,
    agent: { max_iterations: 60, sub_agent_steps: 60, sub_agent_tokens: 1_200_000 },
    tools: { timeout_s: 30, result_limit: 50_000, error_limit: 2_048 },
    toolsets: { everything: {}, folders: {}, own: {} },
    terminal: { sandbox: 'auto' },
    approvals: { default: 'ask', wait_minutes: 10, second_look: false },
    chats: { titles_by: 'local', keep_deleted_days: 30 },
    engine: {
      context_tokens: 8_192,
      threads: 'auto',
      hosting: 'process',
      gpu: 'auto',
      state_cache_gib: 2,
      idle_unload_minutes: 15,
    },
    mcp: { servers: [], project_servers: [] },
    memory: { user_limit: 1_375, notes_limit: 2_200, use_in_chats: true, learn_from_chats: true },
    skills: {
      use_in_chats: true,
      learn_from_chats: true,
      folders: [],
      trusted_projects: [],
      allowed_links: [],
      trusted_publishers: [],
    },
    learning: {
      mode: 'ask',
      memory_nudge: 10,
      skill_nudge: 10,
      turn_calls: 5,
      end_turns: 6,
      end_minutes: 15,
      idle_seconds: 20,
      only_on_mains: false,
      budget_tokens: 50_000,
      review_steps: 8,
      foreign_reviews_a_day: 20,
      trajectories: false,
    },
    compaction: { trigger: 0.5, first_messages: 3, last_tokens: 20_000, summary_share: 0.2 },
    models: {
      default: 'builtin',
      files: [],
      servers: [],
      options: {},
      fallback: [],
      routing: 'off',
      fast: '',
      mixtures: [],
      auxiliary: { summary: 'chat', draft: 'chat', recap: 'chat', vision: 'chat', transcription: 'chat' },
    },
    backup: { daily: true },
    batch: { distributions: {} },
    network: expect.objectContaining({ offline: false, proxy: '', no_proxy: '', allow_fake_dns: false }),
    desktop: expect.objectContaining({ notify_titles: false, keep_running: false, quick_window: false }),
    api: { enabled: false, port: 4_737, agent_tools: false, origins: [] },
    web: { sources_off: [], sources_first: [], private_hosts: [], look_in_browser: false },
    gateway: { telegram_address: 'https://api.telegram.org' },
    updates: { check_at_start: false },
    ui: expect.objectContaining({ theme: 'system', text_size: 'normal', keys: {}, setup_done: false }),
  })
})

test('the first change creates the file, and the next start reads it', () => {
  const config = loadConfig(home)
  config.set('ui.theme', 'dark')
  config.set('models.servers', [server('a')])
  expect(config.current.ui.theme).toBe('dark')
  expect(loadConfig(home).current).toEqual(config.current)
  expect(read()).toMatch(
    /^# Settings of Talaria\..*\nconfig_version: 4\nsettings_version: 4\nui:\n {2}theme: dark\nmodels:\n/,
  )
})

test('a change keeps comments, order and unknown settings', () => {
  const config = aConfig(
    [
      '# mine',
      'ui:',
      '  theme: dark # at night',
      '  font: Inter',
      'agent: { max_iterations: 7 } # short',
      '',
      '# the end',
      '',
    ].join('\r\n'),
  )
  config.set('ui.theme', 'light')
  expect(read().split('\n')).toEqual([
    '# mine',
    'ui:',
    '  theme: light # at night',
    '  font: Inter',
    'agent: { max_iterations: 7 } # short',
    '',
    '# the end',
    '',
  ])
})

test('a changed list keeps the comments of its remaining entries', () => {
  const config = aConfig('models:\n  files:\n    - /a.gguf # small\n    - /b.gguf # big\n')
  config.set('models.files', ['/b.gguf', '/c.gguf'])
  expect(read()).toBe('models:\n  files:\n    - /b.gguf # big\n    - /c.gguf\n')
})

test('undefined restores the default', () => {
  const config = aConfig('ui:\n  theme: dark\n  send_with: mod_enter\n')
  config.set('ui.theme', undefined)
  expect([config.current.ui, read()]).toMatchObject([
    { theme: 'system', send_with: 'mod_enter' },
    'ui:\n  send_with: mod_enter\n',
  ])
})

test('an empty group means defaults, and can be written into', () => {
  const config = aConfig('ui:\nagent:\n  max_iterations:\n')
  expect([config.notices, config.current.agent.max_iterations]).toEqual([[], 60])
  config.set('ui.theme', 'dark')
  expect(loadConfig(home).current.ui.theme).toBe('dark')
})

test('a manual edit made meanwhile is kept', () => {
  const config = aConfig('ui:\n  theme: dark\n')
  writeFileSync(file(), 'ui:\n  theme: dark\nagent:\n  max_iterations: 3\n')
  config.set('ui.send_with', 'mod_enter')
  expect(config.current).toMatchObject({
    agent: { max_iterations: 3 },
    ui: { theme: 'dark', send_with: 'mod_enter' },
  })
})

test('an invalid setting is reported with its line and the allowed values, and the others apply', () => {
  const config = aConfig('approvals:\n  default: yolo\nagent:\n  max_iterations: 9\n')
  expect(config.current).toMatchObject({ approvals: { default: 'ask' }, agent: { max_iterations: 9 } })
  expect(config.notices).toEqual([
    {
      id: 'config-approvals.default',
      level: 'error',
      text: 'config.yaml: line 2: approvals.default is "yolo", but must be one of “chat_only”, “ask”, “reads”, “full”, “none”. It is left out.',
      fix: expect.stringContaining(join(home, 'backups', 'config-invalid-')),
    },
  ])
})

test.for([
  [
    'agent: { max_iterations: many }',
    'agent.max_iterations is "many", but must be a whole number from 1 to 500',
  ],
  ['agent: { max_iterations: 0 }', 'agent.max_iterations is 0, but must be a whole number from 1 to 500'],
  ['engine: { threads: -1 }', 'engine.threads is -1, but must be “auto” or a whole number from 1 to 256'],
  ['engine: { gpu: 1 }', 'engine.gpu is 1, but must be one of “auto”, “off”, “cuda”, “vulkan”, “metal”'],
  ['engine: fast', 'engine is "fast", but must be a group of settings'],
  ['- a', 'the file is ["a"], but must be a group of settings'],
  ['models: { files: /a.gguf }', 'models.files is "/a.gguf", but must be a list of paths'],
  [
    'models: { servers: [{ id: a, name: a, model: m, base_url: ftp://x }] }',
    'models.servers.0.base_url is "ftp://x", but must be an address that begins with http:// or https://',
  ],
  [
    'models: { servers: [{ id: a }] }',
    'models.servers.0.model is missing; it must be a text of 1 to 200 characters',
  ],
] as const)('%s: %s', ([text, expected]) => {
  const { notices, current } = aConfig(text)
  expect(notices.map(notice => notice.text)).toEqual([`config.yaml: line 1: ${expected}. It is left out.`])
  expect(current).toEqual(loadConfig(mkdtempSync(join(home, 'empty-'))).current)
})

test('an invalid server is left out, and the others stay', () => {
  const wrong = { ...server('b'), base_url: 'nowhere' }
  const config = aConfig(JSON.stringify({ models: { servers: [server('a'), wrong, wrong, server('d')] } }))
  expect(config.current.models.servers.map(each => each.id)).toEqual(['a', 'd'])
  expect(config.notices.map(notice => notice.id)).toEqual([
    'config-models.servers.1.base_url',
    'config-models.servers.2.base_url',
  ])
})

test('a file that is not YAML is never overwritten: it is copied once, and the error is located', () => {
  const text = 'ui:\n  theme: dark\n agent: [1\n'
  const config = aConfig(text)
  loadConfig(home)
  expect(config.current.ui.theme).toBe('system')
  expect(config.notices).toEqual([
    expect.objectContaining({ id: 'config-syntax', text: expect.stringMatching(/line [34], column/) }),
  ])
  expect(() => config.set('ui.theme', 'dark')).toThrow(/config\.yaml has a mistake \(line .*Correct it/)
  expect([read(), backups()]).toEqual([text, [expect.stringMatching(/^config-invalid-[0-9a-f]{8}\.yaml$/)]])
  expect(readFileSync(join(home, 'backups', backups()[0] ?? ''), 'utf8')).toBe(text)
})

test('once the file is corrected, settings can be saved without a restart', () => {
  const config = aConfig('ui: [')
  writeFileSync(file(), 'ui:\n  send_with: mod_enter\n')
  config.set('ui.theme', 'dark')
  expect(config.current.ui).toMatchObject({ theme: 'dark', send_with: 'mod_enter' })
})

test('a value that is not allowed is refused and changes nothing', () => {
  const config = aConfig('ui:\n  theme: dark\n')
  expect(() => config.set('agent.max_iterations', 0)).toThrow(
    'agent.max_iterations is 0, but must be a whole number from 1 to 500.',
  )
  expect([read(), config.current.agent.max_iterations]).toEqual(['ui:\n  theme: dark\n', 60])
})

test('an unknown setting is kept and reported', () => {
  const config = aConfig('agent:\n  max_iteration: 3\nmodels:\n  servers: []\nfuture: true\n')
  expect(config.notices.map(({ level, text }) => [level, text])).toEqual([
    [
      'warning',
      'config.yaml: line 2: there is no setting agent.max_iteration (did you mean agent.max_iterations?). It is kept but does nothing.',
    ],
    ['warning', 'config.yaml: line 5: there is no setting future. It is kept but does nothing.'],
  ])
  config.set('ui.theme', 'dark')
  expect(read()).toContain('max_iteration: 3')
})

test('a file of a newer version is read as far as possible, and not written', () => {
  const config = aConfig('config_version: 5\nui:\n  theme: dark\n')
  expect(config.current.ui.theme).toBe('dark')
  expect(config.notices[0]?.text).toContain('line 1: the file was written by a newer Talaria')
  expect(() => config.set('ui.theme', 'light')).toThrow(/newer Talaria/)
})

test('an older file is copied, then migrated, and keeps its comments', () => {
  const renamed: ConfigMigration = document => {
    document.setIn(['ui', 'theme'], document.getIn(['look']))
    document.delete('look')
  }
  const old = '# mine\nconfig_version: 1\nlook: dark # at night\n'
  writeFileSync(file(), old)
  expect(loadConfig(home, [renamed]).current.ui.theme).toBe('dark')
  expect(read()).toBe('# mine\nconfig_version: 2\nsettings_version: 1\nui:\n  theme: dark\n')
  expect(backups()).toEqual([expect.stringMatching(/^config-v1-/)])
  expect(readFileSync(join(home, 'backups', backups()[0] ?? ''), 'utf8')).toBe(old)
})

test('manual edits are read on request, and the changed settings are named', () => {
  const config = aConfig('ui:\n  theme: dark\n')
  writeFileSync(file(), 'ui:\n  theme: light\nengine:\n  threads: 2\n')
  expect(config.current.ui.theme).toBe('dark')
  expect(config.reload()).toEqual(['engine.threads', 'ui.theme'])
  expect([config.current.ui.theme, config.reload()]).toEqual(['light', []])
})

test.for([
  ['true', 'auto'],
  ['false', 'off'],
] as const)('a graphics card set to %s is “%s” since version 2', ([was, is]) => {
  const config = aConfig(`config_version: 1\nengine:\n  gpu: ${was} # mine\n  threads: 2\n`)
  expect([config.current.engine.gpu, config.notices]).toEqual([is, []])
  expect(read()).toBe(`config_version: 4\nsettings_version: 1\nengine:\n  gpu: ${is} # mine\n  threads: 2\n`)
  expect(backups()).toEqual([expect.stringMatching(/^config-v1-/)])
})

test('a model’s call format, called “dialect” until version 2, is “format” since version 3', () => {
  const file = (version: string, key: string) =>
    `config_version: ${version}\nmodels:\n  options:\n    builtin:\n      # mine\n      ${key}: glm # tried\n      threads: 2\n    "file:/m/a.gguf":\n      ${key}: hermes\n`
  const config = aConfig(file('2', 'dialect'))
  expect([config.current.models.options, config.notices]).toEqual([
    { builtin: { format: 'glm', threads: 2 }, 'file:/m/a.gguf': { format: 'hermes' } },
    [],
  ])
  expect(read()).toBe(file('4\nsettings_version: 2', 'format'))
  expect(backups()).toEqual([expect.stringMatching(/^config-v2-/)])
})

test.for([
  ['nothing', 'models: {}\n', {}],
  ['no map', 'models:\n  options:\n    builtin: 3\n', {}],
  [
    'both names',
    'models:\n  options:\n    builtin: { format: hermes, dialect: glm }\n',
    { builtin: { format: 'hermes' } },
  ],
] as const)('settings of version 2 with %s as a model’s format can still be read', ([, text, options]) => {
  expect(aConfig(`config_version: 2\n${text}`).current.models.options).toEqual(options)
})

test('settings of one model are found by its id, and invalid ones are left out', () => {
  const config = aConfig(
    'models:\n  options:\n    "file:/m/a.gguf": { threads: 2, top_p: 7 }\n    builtin: { temperature: 0 }\n',
  )
  const options = { 'file:/m/a.gguf': { threads: 2 }, builtin: { temperature: 0 } }
  expect(config.current.models.options).toEqual(options)
  expect(config.problems()).toMatchObject([
    {
      line: 3,
      text: 'models.options.file:/m/a.gguf.top_p is 7, but must be a number from 0 to 1. It is left out.',
    },
  ])
})

test('the last five copies of the configuration are kept', () => {
  for (let n = 0; n < 8; n += 1) aConfig(`ui: [${n}`)
  expect(backups()).toHaveLength(5)
})

test.for([
  ['a folder', () => mkdirSync(file()), 'it is a folder'],
  ['no text', () => writeFileSync(file(), Buffer.from([0xff, 0xfe, 0x00])), 'it is not UTF-8 text'],
  ['a megabyte', () => writeFileSync(file(), '#'.repeat(1_000_001)), 'is too big'],
] as const)('a file that is %s leads to defaults and a notice', ([, make, reason]) => {
  make()
  const config = loadConfig(home)
  expect([config.current.ui.theme, config.notices[0]?.text]).toEqual([
    'system',
    expect.stringContaining(reason),
  ])
  expect(() => config.set('ui.theme', 'dark')).toThrow(reason)
})

test('in a file with only mistakes they are not listed one by one', () => {
  const { notices, current } = aConfig(`models: { files: [${'1,'.repeat(1_000)}] }`)
  expect([notices.length, current.models.files]).toEqual([21, []])
})

test.for([
  ['deep brackets', '['.repeat(20_000), 'it is nested too deeply or refers to itself'],
  ['a reference to itself', 'ui: &ui { theme: *ui }', 'it is nested too deeply or refers to itself'],
  [
    'two documents',
    'ui: {}\n---\nui: {}',
    'line 2, column 1: it holds more than one document (a line of ---)',
  ],
] as const)('a file with %s is refused with the reason', ([, text, reason]) => {
  expect(aConfig(text).notices[0]?.text).toContain(reason)
})

test('endlessly multiplying references are refused', () => {
  const layers = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, at, all) =>
    at === 0 ? `${name}: &${name} [1, 1]` : `${name}: &${name} [${`*${all[at - 1]}, `.repeat(9)}]`,
  )
  expect(aConfig(layers.join('\n')).notices[0]).toMatchObject({ id: 'config-syntax' })
})

test('the file is private, because server addresses may contain passwords', () => {
  const config = loadConfig(home)
  config.set('ui.theme', 'dark')
  expect((statSync(file()).mode & 0o777).toString(8)).toBe('600')
})

test('for any text, reading does not throw and gives a complete configuration', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom('dark', 1, true, null, [], [{}], { id: 'a' }))
  const names = ['config_version', 'agent', 'engine', 'models', 'ui', '__proto__', 'constructor', 'x']
  const keys = fc.constantFrom(...names, 'servers', 'theme', 'threads')
  const tree = fc.dictionary(fc.constantFrom(...names), fc.oneof(value, fc.dictionary(keys, value)))
  const texts = fc.oneof(
    tree.map(each => JSON.stringify(each)),
    fc.string({ unit: 'binary', maxLength: 200 }),
  )
  fc.assert(
    fc.property(texts, text => {
      const names = Object.keys(parseConfig(text).config).join(' ')
      expect(names).toMatch(/^config_version .*toolsets terminal .*engine .*mcp network web .*ui$/)
    }),
    { numRuns: 100 },
  )
})
