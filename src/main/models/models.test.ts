import { statSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { splitGguf } from '../../../testing/gguf/split.ts'
import { Fault } from '../../shared/rpc.ts'
import { resourcePath } from '../lib/disk/shipped-files.ts'
import type { LocalModel } from './describe-model.ts'
import { isFailure, type EngineFailure } from './interface/engine.ts'
import { readGguf } from './engines/local/gguf/read-gguf.ts'
import type { OptionsEntry } from './model-options.ts'
import { createModelIds } from './files/model-ids.ts'
import { createModels, type Models, type ModelSources } from './models.ts'
import { describeEngine, scriptedEngine } from '../../../testing/models/scripted.ts'

type LoadHow = NonNullable<Parameters<Models['load']>[1]>

const DEMO = resourcePath('models/talaria-mini.gguf')

let folder: string
let home: string
let settings: { default: string; files: string[]; options: Record<string, OptionsEntry> }
let remote: string[]
let loaded: [model: LocalModel, how: LoadHow | undefined][]

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'talaria-models-')))
  home = join(folder, 'home')
  await mkdir(join(home, 'models'), { recursive: true })
  settings = { default: 'builtin', files: [], options: {} }
  remote = []
  loaded = []
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Models on servers; the registry only needs the list. */
const someServers = (): ModelSources['servers'] => ({
  list: () => remote.map(id => describeEngine(remoteEngine(id))),
  has: id => remote.includes(id),
  engineFor: id => (remote.includes(id) ? remoteEngine(id) : undefined),
  async forget(id) {
    const was = remote.includes(id)
    remote = remote.filter(each => each !== id)
    return was
  },
})
const remoteEngine = (id: string) => scriptedEngine({ replies: [], modelId: id, name: 'Home' })

function aRegistry(changes: Partial<ModelSources> = {}): Models {
  return createModels({
    home,
    ids: createModelIds(home, () => settings.files),
    config: {
      get current() {
        return { models: settings }
      },
      set: (path, value) => {
        const name = path.slice('models.'.length)
        settings = { ...settings, [name]: value ?? 'builtin' }
      },
    },
    servers: someServers(),
    local: {
      engine: model => scriptedEngine({ replies: [], modelId: model.id, name: model.name }),
      load: async (model, how) => void loaded.push([model, how]),
    },
    readGguf,
    ...changes,
  })
}

/** Create a model file with that name below `folder`. */
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

test('the built-in model is always listed, as a demo that says real work needs a bigger one', async () => {
  expect(await aRegistry().list()).toEqual([
    {
      id: 'builtin',
      name: 'Built-in demo model',
      kind: 'builtin',
      detail: 'Tiny, and only for a first look. Real work needs a bigger model.',
      sizeBytes: statSync(DEMO).size,
      contextTokens: expect.any(Number),
      demo: true,
      problem: null,
      file: expect.objectContaining({ owned: false, vision: '', architecture: 'llama' }),
      server: null,
      options: {},
      tools: null,
    },
  ])
})

test('models in Talaria’s folder and one level below are found, other files are ignored', async () => {
  const deep = await aModelAt('home', 'models', 'maker', 'deep', 'too-deep.gguf')
  await aModelAt('home', 'models', 'maker', 'Below.GGUF')
  await aModelAt('home', 'models', 'top.Q4_K_M.gguf')
  await aModelAt('home', 'models', 'mmproj-top.gguf')
  await writeFile(join(home, 'models', 'README.md'), 'Hello')
  const models = await aRegistry().list()
  expect(models.map(({ id, name }) => [id, name])).toEqual([
    ['builtin', 'Built-in demo model'],
    ['file:models/maker/Below.GGUF', 'Below'],
    ['file:models/top.Q4_K_M.gguf', 'top.Q4_K_M'],
  ])
  expect(models.some(model => model.id.includes(deep))).toBe(false)
})

test('a file is described by its content and its folder', async () => {
  const path = await aModelAt('elsewhere', 'tiny.gguf')
  const model = await aRegistry().add(path)
  expect(model).toEqual({
    id: `file:${path}`,
    name: 'tiny',
    kind: 'file',
    detail: expect.stringMatching(/^\d\.\d million parameters · llama · .*elsewhere$/),
    sizeBytes: statSync(DEMO).size,
    contextTokens: expect.any(Number),
    demo: false,
    problem: null,
    file: expect.objectContaining({
      path,
      folder: expect.stringMatching(/elsewhere$/),
      owned: false,
      parts: 1,
      architecture: 'llama',
      parameters: expect.any(Number),
      quantisation: expect.stringMatching(/^\w+$/),
      bitsPerWeight: expect.any(Number),
      trainedTokens: 2_048,
      licence: expect.any(String),
      base: false,
      templateProblem: null,
      madeForTools: false,
      format: { id: 'hermes', name: 'Hermes JSON', from: expect.any(String) },
      vision: '',
    }),
    server: null,
    options: {},
    tools: null,
  })
  expect(settings.files).toEqual([path])
})

test('a path may be relative, quoted, start with ~, be a file URL, or a folder with one model', async () => {
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
  await expect(aRegistry().add('file:///models/100%.gguf')).rejects.toBeInstanceOf(Fault)
})

test('a known model is not added again, even under another name', async () => {
  const own = await aModelAt('home', 'models', 'own.gguf')
  const linked = await aModelAt('linked.gguf')
  const models = aRegistry()
  await models.add(linked)
  await symlink(linked, join(folder, 'other-name.gguf'))
  const again = [linked, join(folder, 'other-name.gguf'), own, DEMO].map(path => models.add(path))
  expect((await Promise.all(again)).map(model => model.id)).toEqual([
    `file:${linked}`,
    `file:${linked}`,
    'file:models/own.gguf',
    'builtin',
  ])
  expect(settings.files).toEqual([linked])
})

test('any part of a split model adds the whole', async () => {
  const [first = '', second = ''] = splitGguf(DEMO, join(folder, 'big'), { parts: 2 })
  expect((await aRegistry().add(second)).id).toBe(`file:${first}`)
  expect(settings.files).toEqual([first])
})

test('a file that is not a model is refused with the reason and a fix', async () => {
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
    `bad_input: ${join(folder, 'empty')} contains no GGUF file.`,
    `bad_input: ${join(folder, 'two')} contains 2 models. Choose one: a.gguf, b.gguf.`,
  ])
  expect(settings.files).toEqual([])
})

test('an embedding model is refused', async () => {
  const path = await aModelAt('embed.gguf')
  const models = aRegistry({
    async readGguf(file) {
      const facts = await readGguf(file)
      return isFailure(facts) ? facts : { ...facts, architecture: 'nomic-bert' }
    },
  })
  expect(await faultOf(models.add(path))).toBe(
    `bad_input: ${path} is not made for chats: it is a nomic-bert model. Nothing is wrong with the file. Choose a model that is made to follow instructions.`,
  )
})

test('a missing file stays listed with its problem, and works again once it is back', async () => {
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

test('a file is read again only after it has changed', async () => {
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

test('every kind of model has its engine, and an unknown one is reported', async () => {
  const path = await aModelAt('not-listed.gguf')
  const models = aRegistry()
  remote = ['server:home']
  const names: unknown[] = []
  for (const each of [
    'builtin',
    `file:${path}`,
    'server:home',
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
    'model_missing',
    'model_missing',
    'model_missing',
  ])
})

test('only local models are loaded, with the given options, and an unknown model fails', async () => {
  const models = aRegistry()
  remote = ['server:home']
  const results = [
    await models.load('builtin', { anyway: true }),
    await models.load('server:home'),
    (await models.load('nonsense'))?.code,
  ]
  expect([results, loaded.map(([model, how]) => [model.id, how])]).toEqual([
    [undefined, undefined, 'model_missing'],
    [['builtin', { anyway: true }]],
  ])
})

test('a model’s options are listed with it, replaced as a whole, and removed with it', async () => {
  const path = await aModelAt('tiny.gguf')
  const id = `file:${path}`
  const models = aRegistry()
  await models.add(path)
  const set = await models.setOptions(id, { contextTokens: 4_096, topP: 0.9 })
  expect([set.options, settings.options]).toEqual([
    { contextTokens: 4_096, topP: 0.9 },
    { [id]: { context_tokens: 4_096, top_p: 0.9 } },
  ])
  const changing = models.setOptions('builtin', { threads: 2 })
  expect(settings.options).toMatchObject({ builtin: { threads: 2 } })
  await changing
  await models.setOptions(id, { gpuLayers: 0, format: 'glm' })
  expect((await models.list()).map(model => model.options)).toEqual([
    { threads: 2 },
    { gpuLayers: 0, format: 'glm' },
  ])
  await models.setOptions('builtin', {})
  await models.forget(id)
  expect(settings.options).toEqual({})
  expect(await faultOf(models.setOptions(id, { threads: 1 }))).toMatch(/^not_found: /)
})

test('a model of Ollama has its name and its projector everywhere', async () => {
  const digests = ['ab', 'cd'].map(each => each.repeat(32))
  const [blob, vision] = await Promise.all(digests.map(each => aModelAt('ollama', 'blobs', `sha256-${each}`)))
  const manifests = join(folder, 'ollama', 'manifests', 'registry', 'library', 'qwen3')
  await mkdir(manifests, { recursive: true })
  const layers = digests.map((digest, index) => ({
    mediaType: `application/vnd.ollama.image.${index === 0 ? 'model' : 'projector'}`,
    digest: `sha256:${digest}`,
  }))
  await writeFile(join(manifests, '8b'), JSON.stringify({ layers }))
  const models = aRegistry()
  const { name, file } = await models.add(blob!)
  const engine = await models.engineFor(`file:${blob}`)
  const names = [name, isFailure(engine) ? engine.text : engine.name]
  expect([names, file?.vision]).toEqual([['qwen3:8b', 'qwen3:8b'], vision])
})

test('only files really inside Talaria’s folder count as its own', async () => {
  await aModelAt('home', 'models', 'own.gguf')
  await aModelAt('stick', 'far.gguf')
  await symlink(join(folder, 'stick'), join(home, 'models', 'stick'))
  const [, far, own] = await aRegistry().list()
  expect([far?.name, far?.file?.owned, own?.name, own?.file?.owned]).toEqual(['far', false, 'own', true])
})

test('forgetting a model removes the link or the server, never a file, and resets the default', async () => {
  const linked = await aModelAt('linked.gguf')
  const own = await aModelAt('home', 'models', 'own.gguf')
  const models = aRegistry()
  await models.add(linked)
  const id = 'server:x'
  remote = [id]
  await models.setDefault(id)
  await models.forget(id)
  await models.forget(`file:${linked}`)
  const refused = [`file:${own}`, 'builtin', id].map(each => faultOf(models.forget(each)))
  expect([await idsOf(models), models.defaultId(), remote, isFailure(await readGguf(linked))]).toEqual([
    ['builtin', 'file:models/own.gguf'],
    'builtin',
    [],
    false,
  ])
  expect(await Promise.all(refused)).toEqual([
    `bad_input: own.gguf is in Talaria’s own folder. To remove the model, delete the file.`,
    'bad_input: The built-in model belongs to Talaria and stays.',
    `not_found: The model “${id}” no longer exists.`,
  ])
})

test('a file made the default is listed', async () => {
  const path = await aModelAt('tiny.gguf')
  const models = aRegistry()
  await models.setDefault(`file:${path}`)
  expect([models.defaultId(), settings.files]).toEqual([`file:${path}`, [path]])
  expect(await faultOf(models.setDefault('server:none'))).toBe(
    'not_found: The model “server:none” no longer exists.',
  )
})

test('links in the configuration may start with a tilde', async () => {
  const path = await aModelAt('tiny.gguf')
  settings.files = [`~/${relative(homedir(), path)}`]
  const models = aRegistry()
  expect(await idsOf(models)).toEqual(['builtin', `file:${path}`])
  await models.forget(`file:${path}`)
  expect(settings.files).toEqual([])
})
