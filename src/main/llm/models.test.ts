import { copyFile, mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Fault } from '../../shared/rpc.ts'
import { resourcePath } from '../lib/places.ts'
import type { LocalModel } from './describe-model.ts'
import { isFailure, type EngineFailure } from './engine.ts'
import { readGguf } from './local/gguf-file.ts'
import { createModels, type Models, type ModelSources } from './models.ts'
import { scriptedEngine } from './scripted.ts'
import type { ServerEntry } from './server-entry.ts'

const DEMO = resourcePath('models/talaria-demo.gguf')

let folder: string
let home: string
let settings: { default: string; files: string[]; servers: ServerEntry[] }
let keys: Record<string, string | undefined>
let loaded: LocalModel[]

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'talaria-models-')))
  home = join(folder, 'home')
  await mkdir(join(home, 'models'), { recursive: true })
  settings = { default: 'builtin', files: [], servers: [] }
  keys = {}
  loaded = []
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function aRegistry(changes: Partial<ModelSources> = {}): Models {
  return createModels({
    home,
    config: {
      get current() {
        return { models: settings }
      },
      set: (path, value) => {
        const name = path.slice('models.'.length)
        settings = { ...settings, [name]: value ?? 'builtin' }
      },
    },
    secrets: { get: name => keys[name], set: (name, value) => void (keys[name] = value) },
    local: {
      engine: model => scriptedEngine({ replies: [], modelId: model.id, name: model.name }),
      load: async model => void loaded.push(model),
    },
    readGguf,
    report: error => {
      throw error
    },
    ...changes,
  })
}

/** A model file of that name below `folder`. */
async function aModelAt(...path: string[]): Promise<string> {
  const file = join(folder, ...path)
  await mkdir(join(file, '..'), { recursive: true })
  await copyFile(DEMO, file)
  return file
}

const idsOf = async (models: Models) => (await models.list()).map(model => model.id)
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof Fault ? `${error.code}: ${error.message}` : error),
  )
const failureOf = async (work: Promise<object>): Promise<EngineFailure> => {
  const value = await work
  if (!isFailure(value)) throw new Error('It did not fail.')
  return value
}

test('the built-in model is always there, is called a demo, and says that real work needs a bigger one', async () => {
  expect(await aRegistry().list()).toEqual([
    {
      id: 'builtin',
      name: 'Built-in demo model',
      kind: 'builtin',
      detail: 'Tiny, and only for a first look. Real work needs a bigger model.',
      sizeBytes: 3_756_864,
      contextTokens: expect.any(Number),
      demo: true,
      problem: null,
    },
  ])
})

test('models in the own folder and one level below are found, whatever else lies there', async () => {
  const deep = await aModelAt('home', 'models', 'maker', 'deep', 'too-deep.gguf')
  const below = await aModelAt('home', 'models', 'maker', 'Below.GGUF')
  const top = await aModelAt('home', 'models', 'top.Q4_K_M.gguf')
  await aModelAt('home', 'models', 'mmproj-top.gguf')
  await writeFile(join(home, 'models', 'README.md'), 'Hello')
  const models = await aRegistry().list()
  expect(models.map(({ id, name }) => [id, name])).toEqual([
    ['builtin', 'Built-in demo model'],
    [`file:${below}`, 'Below'],
    [`file:${top}`, 'top.Q4_K_M'],
  ])
  expect(models.some(model => model.id.includes(deep))).toBe(false)
})

test('a model in several files is listed once, by its first file', async () => {
  for (const part of [1, 2, 3]) await aModelAt('home', 'models', `big-0000${part}-of-00003.gguf`)
  const models = await aRegistry().list()
  expect(models.slice(1).map(({ id, name }) => [id, name])).toEqual([
    [`file:${join(home, 'models', 'big-00001-of-00003.gguf')}`, 'big'],
  ])
})

test('a file is described by what is in it and where it lies', async () => {
  const path = await aModelAt('elsewhere', 'tiny.gguf')
  const model = await aRegistry().add(path)
  expect(model).toEqual({
    id: `file:${path}`,
    name: 'tiny',
    kind: 'file',
    detail: expect.stringMatching(/^3\.\d million parameters · llama · .*elsewhere$/),
    sizeBytes: 3_756_864,
    contextTokens: expect.any(Number),
    demo: false,
    problem: null,
  })
  expect(settings.files).toEqual([path])
})

test('a path may be relative, in quotes, below the home folder, a URL, or a folder with one model in it', async () => {
  const path = await aModelAt('some folder', 'tiny.gguf')
  const spellings = [
    relative(process.cwd(), path),
    ` "${path}" `,
    `'${path}'`,
    `~/${relative(homedir(), path)}`,
    `file://${path.replaceAll(' ', '%20')}`,
    join(folder, 'some folder'),
  ]
  for (const spelling of spellings) {
    settings.files = []
    expect((await aRegistry().add(spelling)).id).toBe(`file:${path}`)
  }
})

test('a model that is known is not added again, under whatever name', async () => {
  const own = await aModelAt('home', 'models', 'own.gguf')
  const linked = await aModelAt('linked.gguf')
  const models = aRegistry()
  await models.add(linked)
  await symlink(linked, join(folder, 'other-name.gguf'))
  const again = [linked, join(folder, 'other-name.gguf'), own, DEMO].map(path => models.add(path))
  expect((await Promise.all(again)).map(model => model.id)).toEqual([
    `file:${linked}`,
    `file:${linked}`,
    `file:${own}`,
    'builtin',
  ])
  expect(settings.files).toEqual([linked])
})

test('any part of a model in several files adds the whole', async () => {
  for (const part of [1, 2]) await aModelAt(`big-0000${part}-of-00002.gguf`)
  expect((await aRegistry().add(join(folder, 'big-00002-of-00002.gguf'))).id).toBe(
    `file:${join(folder, 'big-00001-of-00002.gguf')}`,
  )
})

test('what is no model is refused with the reason and what to do', async () => {
  const text = join(folder, 'notes.gguf')
  await writeFile(text, 'These are my notes, and they are long enough to be looked at.')
  const cut = await aModelAt('cut.gguf')
  await truncate(cut, 1_000_000)
  await aModelAt('two', 'a.gguf')
  await aModelAt('two', 'b.gguf')
  await mkdir(join(folder, 'empty'))
  const models = aRegistry()
  const faults: unknown[] = []
  for (const path of [join(folder, 'gone.gguf'), text, cut, join(folder, 'empty'), join(folder, 'two')])
    faults.push(await faultOf(models.add(path)))
  expect(faults).toEqual([
    expect.stringMatching(/^bad_input: There is no model file at .*gone\.gguf\. [A-Z].*\.$/),
    expect.stringMatching(/^bad_input: .*notes\.gguf is not a GGUF model file\. [A-Z].*\.$/),
    expect.stringMatching(/^bad_input: .*cut\.gguf is cut short.* [A-Z].*\.$/),
    `bad_input: There is no GGUF file in ${join(folder, 'empty')}.`,
    `bad_input: There are 2 models in ${join(folder, 'two')}; choose one of them: a.gguf, b.gguf.`,
  ])
  expect(settings.files).toEqual([])
})

test('a model that only makes embeddings is refused', async () => {
  const path = await aModelAt('embed.gguf')
  const facts = { sizeBytes: 1, architecture: 'nomic-bert', parameters: 1, trainedTokens: 0 }
  const models = aRegistry({ readGguf: async () => facts })
  expect(await faultOf(models.add(path))).toBe(
    `bad_input: ${path} is not made for chats: it is a nomic-bert model. Choose a model that is made to follow instructions.`,
  )
})

test('a file that vanished stays listed with its problem, and works again when it is back', async () => {
  const path = await aModelAt('tiny.gguf')
  const models = aRegistry()
  await models.add(path)
  await rm(path)
  const [, gone] = await models.list()
  const failure = await failureOf(models.engineFor(`file:${path}`))
  await copyFile(DEMO, path)
  const [, back] = await models.list()
  expect([gone?.problem, failure.code, failure.text, back?.problem]).toEqual([
    `There is no model file at ${path}.`,
    'model_missing',
    `There is no model file at ${path}.`,
    null,
  ])
})

test('a file is read again only when it has changed', async () => {
  const path = await aModelAt('tiny.gguf')
  const read: string[] = []
  const models = aRegistry({
    readGguf: async file => {
      read.push(file)
      return readGguf(file)
    },
  })
  await models.add(path)
  await models.list()
  await models.list()
  expect(read).toEqual([path, DEMO])
})

test('every kind of model has its engine, and an unknown one says so', async () => {
  const path = await aModelAt('not-listed.gguf')
  const models = aRegistry({ extra: [scriptedEngine({ replies: [], modelId: 'extra', name: 'Extra' })] })
  const { id } = await models.addServer({
    name: 'Home',
    baseUrl: 'http://nas:11434',
    model: 'qwen3:8b',
    apiKey: '',
  })
  const names: unknown[] = []
  for (const each of [
    'builtin',
    `file:${path}`,
    id,
    'extra',
    'server:none',
    'file:relative.gguf',
    'nonsense',
  ]) {
    const engine = await models.engineFor(each)
    names.push(isFailure(engine) ? engine.code : [engine.modelId, engine.name])
  }
  expect(names).toEqual([
    ['builtin', 'Built-in demo model'],
    [`file:${path}`, 'not-listed'],
    ['server:home', 'Home'],
    ['extra', 'Extra'],
    'model_missing',
    'model_missing',
    'model_missing',
  ])
})

test('loading is for local models; it fails for what is not there', async () => {
  const models = aRegistry()
  const { id } = await models.addServer({ name: 'Home', baseUrl: 'http://nas:11434', model: 'm', apiKey: '' })
  const results = [await models.load('builtin'), await models.load(id), (await models.load('nonsense'))?.code]
  expect([results, loaded.map(model => model.id)]).toEqual([
    [undefined, undefined, 'model_missing'],
    ['builtin'],
  ])
})

test('a server is kept without its key, which is kept apart', async () => {
  const models = aRegistry()
  const server = { name: 'Büro 2', baseUrl: 'https://llm.example.org/', model: ' gpt-4o ', apiKey: ' sk-1 ' }
  expect(await models.addServer(server)).toEqual({
    id: 'server:buro-2',
    name: 'Büro 2',
    kind: 'server',
    detail: 'gpt-4o · llm.example.org',
    sizeBytes: null,
    contextTokens: null,
    demo: false,
    problem: null,
  })
  expect([settings.servers, keys]).toEqual([
    [{ id: 'buro-2', name: 'Büro 2', base_url: 'https://llm.example.org/v1', model: 'gpt-4o' }],
    { TALARIA_SERVER_BURO_2_KEY: 'sk-1' },
  ])
})

test('the same server again gets its new name and key', async () => {
  const models = aRegistry()
  const add = (baseUrl: string, name: string, apiKey: string) =>
    models.addServer({ name, baseUrl, model: 'm', apiKey })
  await add('http://a', 'Work', 'k1')
  await add('http://a', 'Office', 'k2')
  expect([settings.servers.map(({ id, name }) => [id, name]), keys['TALARIA_SERVER_WORK_KEY']]).toEqual([
    [['work', 'Office']],
    'k2',
  ])
})

test('a server whose key cannot be kept is not added', async () => {
  const secrets = {
    get: () => undefined,
    set: () => {
      throw new Fault('bad_input', 'A key is one line of text.')
    },
  }
  const add = aRegistry({ secrets }).addServer({ name: 'X', baseUrl: 'http://a', model: 'm', apiKey: 'k' })
  expect([await faultOf(add), settings.servers]).toEqual(['bad_input: A key is one line of text.', []])
})

test('the engine of a server is kept until its key or its settings change', async () => {
  const models = aRegistry()
  const server = { name: 'X', baseUrl: 'http://a', model: 'm', apiKey: 'k1' }
  const { id } = await models.addServer(server)
  const first = await models.engineFor(id)
  const same = await models.engineFor(id)
  await models.addServer({ ...server, apiKey: 'k2' })
  expect([same === first, (await models.engineFor(id)) === first]).toEqual([true, false])
})

test('forgetting removes the link or the server with its key, never a file, and a default falls back', async () => {
  const linked = await aModelAt('linked.gguf')
  const own = await aModelAt('home', 'models', 'own.gguf')
  const models = aRegistry()
  await models.add(linked)
  const { id } = await models.addServer({ name: 'X', baseUrl: 'http://a', model: 'm', apiKey: 'k' })
  await models.setDefault(id)
  await models.forget(id)
  await models.forget(`file:${linked}`)
  const refused = [`file:${own}`, 'builtin', id].map(each => faultOf(models.forget(each)))
  expect([
    await idsOf(models),
    models.defaultId(),
    settings.servers,
    keys,
    isFailure(await readGguf(linked)),
  ]).toEqual([['builtin', `file:${own}`], 'builtin', [], { TALARIA_SERVER_X_KEY: undefined }, false])
  expect(await Promise.all(refused)).toEqual([
    `bad_input: own.gguf lies in Talaria’s own folder. Remove the file from ${join(home, 'models')} to be rid of it.`,
    'bad_input: The built-in model belongs to Talaria and stays.',
    `not_found: The model “${id}” is not here any more.`,
  ])
})

test('a default that is gone gives way to the built-in model; a file becomes known when it becomes the default', async () => {
  const path = await aModelAt('tiny.gguf')
  const models = aRegistry()
  settings.default = 'server:gone'
  const before = models.defaultId()
  await models.setDefault(`file:${path}`)
  expect([before, models.defaultId(), settings.files]).toEqual(['builtin', `file:${path}`, [path]])
  expect(await faultOf(models.setDefault('server:none'))).toBe(
    'not_found: The model “server:none” is not here any more.',
  )
})

test('links that a person wrote into the configuration may begin with a tilde', async () => {
  const path = await aModelAt('tiny.gguf')
  settings.files = [`~/${relative(homedir(), path)}`]
  const models = aRegistry()
  expect(await idsOf(models)).toEqual(['builtin', `file:${path}`])
  await models.forget(`file:${path}`)
  expect(settings.files).toEqual([])
})
