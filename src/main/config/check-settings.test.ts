import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rootFolder } from '../lib/disk/shipped-files.ts'
import { checkSettings, listKeys } from './check-settings.ts'
import { knownKeys, type KnownKey } from './known-keys.ts'
import { loadConfig } from './load.ts'
import { openSecrets } from './secrets.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'check-'))
})
afterEach(() => rmSync(home, { recursive: true }))

async function parts(
  files: Record<string, string>,
  { env = {}, needed = [] }: { env?: NodeJS.ProcessEnv; needed?: KnownKey[] } = {},
) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text)
  const secrets = await openSecrets(home, { env })
  return { config: loadConfig(home), secrets, neededKeys: () => needed }
}
const server = (id: string, address: string) =>
  `models:\n  servers:\n    - { id: ${id}, name: Work, base_url: "${address}", model: m }\n`

describe('the list of keys', () => {
  test('every key says what it is for, where to get it and what uses it', () => {
    const wrong = knownKeys.filter(
      ({ help, where, usedBy }) =>
        !/^\p{Lu}.*\.$/u.test(help) || !/^(https:\/\/\S+|.*\.)$/.test(where) || usedBy.length === 0,
    )
    expect(wrong).toEqual([])
    expect(new Set(knownKeys.map(each => each.name)).size).toBe(knownKeys.length)
    expect(knownKeys.filter(each => /(KEY|TOKEN)$/.test(each.name) !== each.masked)).toEqual([])
  })

  test('every name that the servers read is in it', () => {
    const text = readFileSync(join(rootFolder(), 'src/main/models/server-entry.ts'), 'utf8')
    const names = new Set(text.match(/\b[A-Z]+_(API_KEY|BASE_URL|MODEL)\b/g))
    expect(names.size).toBeGreaterThan(6)
    expect([...names].filter(name => !knownKeys.some(each => each.name === name))).toEqual([])
  })

  test('a key has its source and never its value; an address has both', async () => {
    const given = await parts(
      { '.env': '# mine\nOPENAI_API_KEY=sk-secret\n' },
      { env: { MISTRAL_API_KEY: 'sk-other', OPENAI_BASE_URL: 'http://own:1/v1' } },
    )
    const keys = listKeys(given)
    const find = (name: string) => keys.find(each => each.name === name)
    expect(find('OPENAI_API_KEY')).toMatchObject({ value: null, source: { from: '.env', line: 2 } })
    expect(find('MISTRAL_API_KEY')).toMatchObject({ value: null, source: { from: 'environment' } })
    expect(find('OPENAI_BASE_URL')).toMatchObject({ value: 'http://own:1/v1' })
    expect(find('GROQ_API_KEY')).toMatchObject({ value: null, source: null, missingFor: [] })
    expect(JSON.stringify(keys)).not.toMatch(/sk-secret|sk-other/)
  })

  test('what needs a key that is not there is named, and gone once it is', async () => {
    const needed = [
      { name: 'LOOK_KEY', help: 'Key of look.', where: 'Ask.', usedBy: ['look'], masked: true },
      { name: 'GROQ_API_KEY', help: 'Other words.', where: 'Ask.', usedBy: ['hear'], masked: true },
    ]
    const find = async (env: NodeJS.ProcessEnv) =>
      listKeys(await parts({}, { env, needed }))
        .filter(({ name }) => needed.some(each => each.name === name))
        .map(({ name, help, usedBy, missingFor }) => [name, help, usedBy, missingFor])
    const groq = knownKeys.find(each => each.name === 'GROQ_API_KEY')!.help
    const users = ['hear', 'models on servers']
    expect(await find({})).toEqual([
      ['LOOK_KEY', 'Key of look.', ['look'], ['look']],
      ['GROQ_API_KEY', groq, users, ['hear']],
    ])
    expect(await find({ LOOK_KEY: 'x', GROQ_API_KEY: 'y' })).toEqual([
      ['LOOK_KEY', 'Key of look.', ['look'], []],
      ['GROQ_API_KEY', groq, users, []],
    ])
  })
})

describe('the check', () => {
  const found = async (...given: Parameters<typeof parts>) =>
    checkSettings(await parts(...given)).map(({ file, line, kind, text }) => [
      `${file.slice(home.length + 1)}:${line} ${kind}`,
      text,
    ])

  test('an empty home has nothing to tell', async () => {
    expect(await found({})).toEqual([])
  })

  test('lines of .env are told by number, without what is in them', async () => {
    const text = [
      'MY KEY=sk-1',
      'MISTRAL_API_KEY=sk one',
      'GROQ_API_KEY=“sk-2”',
      'OPENAI_API_BASE=http://own:1',
      'GROK_API_KEY=x',
      'OTHER=1',
      'SKILL_GIF_SEARCH__TENOR_API_KEY=may have spaces',
      'XAI_API_KEY=xai-1',
    ].join('\n')
    const told = await found({ '.env': text })
    expect(told).toEqual([
      ['.env:1 mistake', 'the name before “=” has a space in it. The line is left out.'],
      [
        '.env:2 mistake',
        'MISTRAL_API_KEY contains a space or another character that keys do not have. Copy it again.',
      ],
      [
        '.env:3 mistake',
        'GROQ_API_KEY contains a space or another character that keys do not have. Copy it again.',
      ],
      ['.env:4 deprecated', 'Talaria reads OPENAI_BASE_URL, not OPENAI_API_BASE. Rename it.'],
      [
        '.env:5 unknown',
        'nothing reads GROK_API_KEY (did you mean GROQ_API_KEY?). It is kept but does nothing.',
      ],
      ['.env:6 unknown', 'nothing reads OTHER. It is kept but does nothing.'],
    ])
    expect(JSON.stringify(told)).not.toContain('sk-')
  })

  test('an .env that cannot be read is a mistake, and keys of the environment still count', async () => {
    mkdirSync(join(home, '.env'))
    const given = await parts({}, { env: { GROQ_API_KEY: 'x' } })
    expect(checkSettings(given)).toMatchObject([{ line: null, severity: 'error', text: /it is a folder/ }])
    expect(listKeys(given).find(each => each.name === 'GROQ_API_KEY')?.source?.from).toBe('environment')
  })

  test.for([
    ['https://api.openai.com/v1', {}, true],
    ['https://api.openai.com/v1', { OPENAI_API_KEY: 'x' }, false],
    ['https://api.openai.com/v1', { TALARIA_SERVER_W_KEY: 'x' }, false],
    // Whether these servers need a key is unknown.
    ['http://127.0.0.1:11434/v1', {}, false],
    ['https://models.example.org/v1', {}, false],
  ] as const)('a server at %s with %o: its key is missing: %s', async ([address, env, isMissing]) => {
    const told = await found({ 'config.yaml': server('w', address) }, { env })
    const text =
      'the server “Work” needs the key TALARIA_SERVER_W_KEY. Enter it with: talaria config set TALARIA_SERVER_W_KEY'
    expect(told).toEqual(isMissing ? [['config.yaml:3 missing', text]] : [])
  })

  test('files, folders and servers that are not there are named with their lines', async () => {
    const yaml = [
      'models:',
      '  default: server:gone',
      '  fallback: [builtin, server:gone]',
      '  files:',
      '    - /nowhere/a.gguf',
      'skills:',
      '  folders:',
      `    - ${home}`,
      '    - /nowhere/skills',
    ].join('\n')
    expect(await found({ 'config.yaml': yaml })).toEqual([
      ['config.yaml:2 missing', 'models.default names server:gone, and there is no such server.'],
      ['config.yaml:3 missing', 'models.fallback names server:gone, and there is no such server.'],
      ['config.yaml:5 missing', 'models.files names /nowhere/a.gguf, which is not there.'],
      ['config.yaml:9 missing', 'skills.folders names /nowhere/skills, which is not there.'],
    ])
  })

  test('old forms in a file without a version are deprecated, and a similar name is suggested', async () => {
    const yaml = 'engine:\n  gpu: true\n  thread: 2\nmodels:\n  options:\n    builtin:\n      dialect: glm\n'
    expect(await found({ 'config.yaml': yaml })).toEqual([
      [
        'config.yaml:2 deprecated',
        'engine.gpu is “auto” or “off” since version 2, which was true or false. It is left out. “talaria config migrate” brings it up to date.',
      ],
      [
        'config.yaml:3 unknown',
        'there is no setting engine.thread (did you mean engine.threads?). It is kept but does nothing.',
      ],
      [
        'config.yaml:7 deprecated',
        'dialect is called format since version 3. It is kept but does nothing. “talaria config migrate” brings it up to date.',
      ],
    ])
  })

  test('a password in an address is not repeated', async () => {
    const told = await found({ 'config.yaml': server('w', 'ftp://me:hunter2secret@host/v1') })
    expect(told).toHaveLength(1)
    expect(JSON.stringify(told)).not.toContain('hunter2secret')
  })
})

const aConfig = (text: string) => {
  writeFileSync(join(home, 'config.yaml'), text)
  return loadConfig(home)
}
const read = (name: string) => readFileSync(join(home, name), 'utf8')

test('the line of a setting is told where its value is used', () => {
  const text = 'engine:\n  threads: 2\n  gpu: wrong\n  hosting:\nmodels:\n  files:\n    - /a\n    - /b\n'
  const config = aConfig(text)
  const lines = [
    'engine.threads',
    'engine.gpu',
    'engine.hosting',
    'ui.theme',
    'models.files',
    'models.files.1',
  ]
  expect(lines.map(config.lineOf)).toEqual([2, undefined, undefined, undefined, 7, 8])
  writeFileSync(join(home, 'config.yaml'), text.replace('wrong', 'off'))
  config.set('engine.threads', undefined)
  expect(['engine.threads', 'engine.gpu'].map(config.lineOf)).toEqual([undefined, 2])
})

test('old forms in a file without a version are renamed on request, after a copy', () => {
  const text = 'engine:\n  gpu: false # mine\nmodels:\n  options:\n    builtin: { dialect: glm }\n'
  const config = aConfig(text)
  expect(config.renameOldForms()).toBe(true)
  expect(config.current).toMatchObject({
    engine: { gpu: 'off' },
    models: { options: { builtin: { format: 'glm' } } },
  })
  expect(read('config.yaml')).toContain('gpu: off # mine')
  expect(readdirSync(join(home, 'backups'))).toEqual(
    expect.arrayContaining([expect.stringMatching(/^config-old-/)]),
  )
  expect([config.renameOldForms(), config.problems()]).toEqual([false, []])
})
