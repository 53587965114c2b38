import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import type { Setting, SettingKind } from '../../../shared/contract/settings.ts'
import { configMigrate } from './config-actions.ts'
import { readValue, showValue } from './show-settings.ts'
import { test } from '../../../../testing/terminal/cli.ts'
import { startProxy } from '../../../../testing/net/a-proxy.ts'

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
  usedBy: [],
  where: '',
  masked: false,
  source: { from: 'default', line: null },
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
  [{ type: 'list' }, ['["/a",', '"/b c"]'], ['/a', '/b c']],
  [{ type: 'list' }, ['[]'], []],
  [{ type: 'other' }, ['[1,', '2]'], [1, 2]],
] as const)('%o of %o is %o', ([kind, words, value]) => {
  expect(readValue(aSetting(kind as SettingKind), words)).toEqual(value)
})

test.for([
  [{ type: 'switch' }, 'maybe', 'a.b is on or off.'],
  [{ type: 'number', min: 1, max: 5, whole: true }, 'three', 'a number from 1 to 5'],
  [{ type: 'auto_number', min: 1, max: 5 }, '', '“auto” or a number'],
  [{ type: 'list' }, '[1]', 'without brackets'],
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

test('the model that describes pictures is set by itself, and what that means is said', async ({
  talaria,
}) => {
  const home = talaria.folder({
    'config.yaml':
      'models:\n  auxiliary: { summary: auto }\n  servers:\n    - { id: eye, name: Eye, base_url: "https://eye.example/v1", model: gpt-4o }\n',
  })
  const config = (...words: string[]) => talaria.run(['config', ...words, '--home', home])
  const vision = 'models.auxiliary.vision'
  const set = await config('set', vision, 'server:eye')
  expect([set.code, set.stdout]).toEqual([0, `${vision}: server:eye\n`])
  expect(set.stderr).toBe(
    'If the model of a chat does not see, its pictures go to Eye at eye.example, which describes them. You are asked before the first one.\n',
  )
  expect((await config('get', vision)).stdout).toBe('server:eye\n')
  expect((await config('get', 'models.auxiliary.summary')).stdout).toBe('auto\n')
  expect((await config('set', vision, 'builtin')).stderr).toMatch(
    /does not see pictures, so it can describe none/,
  )
  expect((await config('reset', vision)).stdout).toMatch(/^models\.auxiliary\.vision: chat\n/)
  expect((await config('get', 'models.auxiliary.summary')).stdout).toBe('auto\n')
  expect((await config('set', 'models.auxiliary.sight', 'chat')).code).toBe(2)
})

test('an unknown setting and an invalid value are refused, with what is possible', async ({ talaria }) => {
  const home = talaria.folder()
  const unknown = await talaria.run(['config', 'set', 'threads', '2', '--home', home])
  const near = await talaria.run(['config', 'get', 'engine.thread', '--home', home])
  const wrong = await talaria.run(['config', 'set', 'engine.threads', '900', '--home', home])
  expect([near.code, near.stderr]).toMatchObject([2, /Did you mean: engine\.threads\?/])
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    'Unknown setting “threads”. Did you mean: engine.threads? “talaria config” lists all settings.\n',
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
      `${file}:3: unknown: there is no setting agnet (did you mean agent?). It is kept but does nothing.\n`,
  ])
})

test('alone, it prints every setting and key with where its value comes from, and no secret', async ({
  talaria,
}) => {
  const home = talaria.folder({
    'config.yaml': `engine:\n  threads: "2"\nmodels:\n  servers:\n    - { id: w, name: W, base_url: "http://me:hunter2secret@127.0.0.1:1/v1", model: m }\n`,
    '.env': 'OPENAI_API_KEY=sk-secret\n',
  })
  const env = { GROQ_API_KEY: 'gsk-secret', OPENAI_BASE_URL: 'http://127.0.0.1:2/v1', TALARIA_HOME: home }
  await talaria.startHost(home, { env })
  const { code, stdout } = await talaria.run(['config'], { env })
  expect(code).toBe(0)
  const row = (name: string) =>
    stdout
      .split('\n')
      .find(line => line.trim().startsWith(`${name} `))
      ?.split(/\s{2,}/)
  expect([row('Home'), row('threads'), row('gpu'), row('OPENAI_API_KEY'), row('GROQ_API_KEY')]).toEqual([
    ['Home', home, 'environment: TALARIA_HOME'],
    ['', 'threads', '2', 'config.yaml:2 (default: auto)'],
    ['', 'gpu', 'auto', 'default'],
    ['', 'OPENAI_API_KEY', 'set', '.env:1'],
    ['', 'GROQ_API_KEY', 'set', 'environment'],
  ])
  expect(row('OPENAI_BASE_URL')).toEqual(['', 'OPENAI_BASE_URL', 'http://127.0.0.1:2/v1', 'environment'])
  const others = [
    ['config', '--json'],
    ['config', 'view', '--all', '--json'],
    ['config', 'view', '--all'],
    ['config', 'get', 'models.servers'],
    ['config', 'get', 'OPENAI_API_KEY', '--json'],
    ['config', 'check', '--json'],
  ]
  const texts = await Promise.all(
    others.map(async args => (await talaria.run([...args, '--home', home])).stdout),
  )
  expect(JSON.parse(texts[0]!)).toMatchObject({ home: { path: home, from: 'flag --home' } })
  expect(texts.every(text => text.length > 20)).toBe(true)
  expect([stdout, ...texts].join('')).not.toMatch(/sk-secret|hunter2secret/)
})

test.for([[], ['show'], ['view', 'keys'], ['check']])(
  'config %o works in an empty home',
  async (args, { talaria }) => {
    const { code, stderr } = await talaria.run(['config', ...args, '--home', talaria.folder()])
    expect([code, stderr]).toEqual([0, ''])
  },
)

test('the home may be named before the command too, and an unknown command is refused', async ({
  talaria,
}) => {
  const home = talaria.folder({ 'config.yaml': 'engine:\n  threads: 2\n' })
  const view = await talaria.run(['config', '--home', home, 'view', '--json'])
  expect(JSON.parse(view.stdout)).toMatchObject({ file: join(home, 'config.yaml'), settings: [{ value: 2 }] })
  const unknown = await talaria.run(['config', 'shwo', '--home', home])
  expect([unknown.code, unknown.stdout]).toEqual([2, ''])
})

test('a key is read from a pipe, kept in .env, shown as set, and removed', async ({ talaria }) => {
  const home = talaria.folder()
  const env = { GROQ_API_KEY: '' }
  const run = (args: string[], input?: string) =>
    talaria.run(['config', ...args, '--home', home], { env, ...(input !== undefined && { input }) })
  const set = await run(['set', 'GROQ_API_KEY'], 'gsk_1234\n')
  expect([set.code, set.stdout]).toEqual([0, 'GROQ_API_KEY: set (.env:1)\n'])
  expect(readFileSync(join(home, '.env'), 'utf8')).toBe('GROQ_API_KEY=gsk_1234\n')
  const spaced = await run(['set', 'GROQ_API_KEY', 'gsk', '1234'])
  expect([spaced.code, spaced.stderr]).toEqual([
    2,
    'The key contains a space or another character that keys do not have. Copy it again.\n',
  ])
  const none = await run(['set', 'GROQ_API_KEY'])
  expect([none.code, none.stderr]).toMatchObject([2, /through a pipe/])
  await run(['reset', 'GROQ_API_KEY'])
  expect(readFileSync(join(home, '.env'), 'utf8')).toBe('')
})

test('a broken .env and a file of a newer version are mistakes, and the newer file stays as it is', async ({
  talaria,
}) => {
  const newer = 'config_version: 99\nui:\n  theme: dark\n'
  const home = talaria.folder({ 'config.yaml': newer, '.env': 'A KEY=1\n' })
  const check = await talaria.run(['config', 'check', '--home', home])
  expect([check.code, check.stdout.trim().split('\n')]).toEqual([
    1,
    [
      `${join(home, 'config.yaml')}:1: the file was written by a newer Talaria. What this version knows of it is used. Update Talaria.`,
      `${join(home, '.env')}:1: the name before “=” has a space in it. The line is left out.`,
    ],
  ])
  const set = await talaria.run(['config', 'set', 'ui.theme', 'light', '--home', home])
  expect([set.code, set.stderr]).toMatchObject([1, /newer Talaria.* Update Talaria, then try again\.\n$/])
  const migrate = await talaria.run(['config', 'migrate', '--home', home])
  expect(migrate.code).toBe(1)
  expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe(newer)
})

test('toolsets that do not exist and keys that skills wait for are named', async ({ talaria }) => {
  const home = talaria.folder({
    'config.yaml': 'toolsets:\n  everything:\n    fils: false\n',
    '.env': 'MAPS_API_KEY=m-1\n',
  })
  const skill = (name: string, key: string) => {
    mkdirSync(join(home, 'skills', name), { recursive: true })
    const head = `name: ${name}\ndescription: Use to look up ${name}.\nprerequisites:\n  env_vars: [${key}]\n`
    writeFileSync(join(home, 'skills', name, 'SKILL.md'), `---\n${head}---\nAsk.\n`)
  }
  skill('maps', 'MAPS_API_KEY')
  skill('trains', 'TRAINS_KEY')
  const check = () => talaria.run(['config', 'check', '--home', home])
  const enter = 'Enter it with: talaria config set'
  const first = await check()
  expect([first.code, first.stdout.trim().split('\n')]).toEqual([
    0,
    [
      `${join(home, '.env')}:1: deprecated: Talaria reads SKILL_MAPS__MAPS_API_KEY, not MAPS_API_KEY. Rename it.`,
      `${join(home, 'config.yaml')}:3: unknown: toolsets.everything names “fils”, which is no toolset. Did you mean “files”?`,
      `${join(home, '.env')}: missing: the skill “maps” needs the key SKILL_MAPS__MAPS_API_KEY. ${enter} SKILL_MAPS__MAPS_API_KEY`,
      `${join(home, '.env')}: missing: the skill “trains” needs the key SKILL_TRAINS__TRAINS_KEY. ${enter} SKILL_TRAINS__TRAINS_KEY`,
    ],
  ])
  writeFileSync(join(home, '.env'), 'SKILL_MAPS__MAPS_API_KEY=m-1\nSKILL_TRAINS__TRAINS_KEY=t-1\n')
  writeFileSync(join(home, 'config.yaml'), 'toolsets:\n  everything:\n    files: false\n')
  expect((await check()).stdout).toBe(`${join(home, 'config.yaml')}: no mistakes.\n`)
})

test('an older file is migrated once, after a copy is made', async ({ talaria }) => {
  const home = talaria.folder({ 'config.yaml': 'config_version: 1\nengine:\n  gpu: true\n' })
  const first = await talaria.run(['config', 'migrate', '--yes', '--home', home])
  const second = await talaria.run(['config', 'migrate', '--home', home])
  expect([first.stdout, second.stdout]).toEqual([
    expect.stringContaining('from version 1 to 4'),
    'Nothing to do: config.yaml already has the format of this version (4), and there are no new settings.\n',
  ])
  expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toContain('gpu: auto')
})

test('without a terminal, new settings are named and nothing is changed; --yes takes the defaults', async ({
  talaria,
}) => {
  const old = '# mine\nconfig_version: 3\nterminal:\n  sandbox: on\n'
  const home = talaria.folder({ 'config.yaml': old })
  await expect(configMigrate({ home })).rejects.toMatchObject({
    code: 'bad_input',
    message: expect.stringMatching(/^Nothing was changed, .*: approvals\.second_look, chats\..*--yes/),
  })
  expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe(old)
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => written.mockRestore())
  expect(await configMigrate({ home, yes: true, json: true })).toBe(true)
  expect(JSON.parse(String(written.mock.lastCall?.[0]))).toMatchObject({
    from: 3,
    to: 4,
    isChanged: true,
    settings: expect.arrayContaining([
      expect.objectContaining({
        path: 'backup.daily',
        title: 'A backup every day',
        value: true,
        standard: true,
      }),
    ]),
  })
  expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe(
    '# mine\nconfig_version: 4\nsettings_version: 4\nterminal:\n  sandbox: on\n',
  )
  await configMigrate({ home: talaria.folder() })
  expect(written.mock.lastCall?.[0]).toMatch(/^Nothing to do/)
})

test('on a terminal each new setting is asked for, and a wrong answer once more', async ({ talaria }) => {
  const home = talaria.folder({ 'config.yaml': 'config_version: 3\n' })
  const migrate = talaria.startOnTerminal(['config', 'migrate', '--home', home])
  await migrate.shows('Confine commands (terminal.sandbox)')
  migrate.types('maybe\n')
  await migrate.shows('must be one of “auto”, “on”, “off”')
  migrate.types('on\n')
  await migrate.shows('Second look by a model (approvals.second_look)')
  // More than there are new settings: each keeps its default.
  migrate.types('\n'.repeat(40))
  const { code, stdout } = await migrate.ended
  expect([code, stdout]).toEqual([0, expect.stringContaining('chats.keep_deleted_days: 30 (default)')])
  expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe(
    'config_version: 4\nsettings_version: 4\nterminal:\n  sandbox: on\n',
  )
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

test('a chat takes the proxy of the setting, the ledger says so, and a wrong address is refused', async ({
  talaria,
  expect,
}) => {
  const { home, model } = await talaria.servedHome()
  model.reply({ text: 'Here I am.' })
  const port = Number(new URL(model.baseUrl).port)
  await using proxy = await startProxy({ hosts: { 'models.example.test': port } })
  const set = (path: string, value: string) => talaria.run(['config', 'set', path, value, '--home', home])
  const servers = [
    {
      id: 'test',
      name: 'Far',
      base_url: 'http://models.example.test/v1',
      model: 'qwen3-8b',
      context_tokens: 8_192,
    },
  ]
  writeFileSync(join(home, 'config.yaml'), JSON.stringify({ models: { default: 'server:test', servers } }))
  expect((await set('network.proxy', 'socks5://127.0.0.1:1')).code).toBe(2)
  expect((await set('network.proxy', `http://anna:secret-word@127.0.0.1:${proxy.port}`)).code).toBe(0)
  const { code, stdout, stderr } = await talaria.run(['chat', '-q', 'Hello', '--home', home])
  expect([code, stdout, stderr]).toEqual([0, 'Here I am.\n', ''])
  expect(proxy.asked).toContain('POST http://models.example.test/v1/chat/completions')
  const ledger = (await talaria.run(['network', 'list', '--json', '--home', home])).stdout
  expect(ledger).toContain(`through the proxy 127.0.0.1:${proxy.port}`)
  expect(ledger).not.toContain('secret-word')
})
