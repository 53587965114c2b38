import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { randomModel } from '../../../../testing/gguf/cached.ts'
import { splitGguf } from '../../../../testing/gguf/split.ts'
import { PACE, weightBytesPerSecond } from './describe-machine.ts'
import type { ModelFiles } from './open-model-files.ts'
import {
  aComputer,
  aDeskOn,
  faultOf,
  GB,
  put,
  SMALL,
  STOPPED,
  TINY,
  type Computer,
} from '../../../../testing/models/model-files.ts'

let computer: Computer
let folder: string
let home: string

beforeEach(async () => {
  computer = await aComputer()
  ;({ folder, home } = computer)
})
afterEach(() => computer.leave())

const aDesk = () => aDeskOn(computer)
const aFile = (source: string, ...path: string[]) => put(source, join(folder, ...path))
const namesOf = async (work: ReturnType<ModelFiles['look']>) => (await work).map(file => file.name)

test('a file can be inspected without adding it: its facts, its fit and duplicates', async () => {
  const { files, models } = aDesk()
  const known = await aFile(TINY, 'known.gguf')
  await models.add(known)
  const copy = await aFile(TINY, 'stick', 'copy.gguf')
  await symlink(known, join(folder, 'stick', 'link.gguf'))
  const [found] = await files.look(copy)
  expect(found).toMatchObject({
    path: copy,
    name: 'copy',
    app: '',
    sizeBytes: (await stat(TINY)).size,
    parts: 1,
    knownAs: null,
    copyOf: `file:${known}`,
    problem: null,
    file: { quantisation: 'F16', format: { id: 'hermes', from: 'template' }, owned: false },
    fit: { label: 'memory', contextTokens: 4_096, freedBytes: 0, totalBytes: 8 * GB },
  })
  const [link] = await files.look(join(folder, 'stick', 'link.gguf'))
  expect([link?.knownAs, link?.copyOf]).toEqual([`file:${known}`, null])
  expect(computer.settings.files).toEqual([known])
  await aFile(TINY, 'home', 'models', 'own.gguf')
  expect((await files.look(copy))[0]?.copyOf).toBe('file:models/own.gguf')
})

test('a model of the same size with other weights is not a duplicate', async () => {
  const { files, models } = aDesk()
  await models.add(await aFile(TINY, 'one.gguf'))
  const other = await aFile(TINY, 'other.gguf')
  const bytes = await readFile(other)
  // Somewhere in the weights, so that the header stays the same.
  bytes.fill(7, bytes.length - 600_000, bytes.length - 400_000)
  await writeFile(other, bytes)
  expect((await files.look(other))[0]?.copyOf).toBeNull()
})

test('a folder is searched some levels deep, with split models once, and unusable files reported', async () => {
  const { files } = aDesk()
  splitGguf(TINY, join(folder, 'stick', 'maker', 'big', 'big'), { parts: 2, bareFirst: true })
  await aFile(TINY, 'stick', 'maker', 'small', 'small.gguf')
  await aFile(TINY, 'stick', 'maker', 'small', 'mmproj-small.gguf')
  await aFile(TINY, 'stick', '.Trash-1000', 'thrown-away.gguf')
  await aFile(TINY, 'stick', '._big.gguf')
  await writeFile(join(folder, 'stick', 'notes.gguf'), 'Dear diary, today I saw a model.')
  const found = await files.look(`"${join(folder, 'stick')}"`)
  expect(found.map(({ name, problem, file }) => [name, problem, file?.vision.slice(-17)])).toEqual([
    ['big', null, ''],
    ['small', null, 'mmproj-small.gguf'],
    ['notes', expect.stringMatching(/is not a GGUF model file\. Choose /), undefined],
  ])
  await mkdir(join(folder, 'empty'))
  expect(await files.look(join(folder, 'empty'))).toEqual([])
  expect(await faultOf(files.look(join(folder, 'gone')))).toBe(
    `not_found: There is nothing at ${join(folder, 'gone')}.`,
  )
})

test('an image projector is reported as such', async () => {
  const { files } = aDesk()
  const entries = [{ key: 'general.architecture', type: 'string' as const, value: 'clip' }]
  const path = await aFile(randomModel({ entries }), 'mmproj-model-f16.gguf')
  expect((await files.look(path))[0]?.problem).toMatch(/^This file only lets a model see images/)
})

test('the folders of LM Studio, Jan, GPT4All and Ollama are searched, also where they were moved', async () => {
  const moved = join(folder, 'big-disk', 'llms')
  await aFile(TINY, 'person', '.lmstudio', 'models', 'maker', 'repo', 'studio.gguf')
  await writeFile(
    join(folder, 'person', '.lmstudio', 'settings.json'),
    JSON.stringify({ downloadsFolder: moved }),
  )
  await aFile(SMALL, 'big-disk', 'llms', 'maker', 'repo', 'elsewhere.gguf')
  await aFile(TINY, 'person', '.local/share/Jan/data/llamacpp/models', 'Jan-v1-4B', 'model.gguf')
  await aFile(TINY, 'person', '.local/share/nomic.ai/GPT4All', 'nous.gguf')
  const digest = 'cd'.repeat(32)
  const blob = await aFile(TINY, 'person/.ollama/models/blobs', `sha256-${digest}`)
  const manifests = join(folder, 'person/.ollama/models/manifests/registry')
  const manifest = JSON.stringify({
    layers: [{ mediaType: 'application/vnd.ollama.image.model', digest: `sha256:${digest}` }],
  })
  for (const [maker, model, tag, text] of [
    ['library', 'llama3.2', '3b', manifest],
    ['library', 'llama3.2', 'latest', manifest],
    ['somebody', 'broken', 'latest', '{"layers":'],
  ] as const) {
    await mkdir(join(manifests, maker, model), { recursive: true })
    await writeFile(join(manifests, maker, model, tag), text)
  }

  const { files, looked } = await aDesk().files.scanApps()
  expect(files.map(({ app, name, problem }) => [app, name, problem])).toEqual([
    ['LM Studio', 'elsewhere', null],
    ['LM Studio', 'studio', null],
    ['Jan', 'Jan-v1-4B', null],
    ['GPT4All', 'nous', null],
    ['Ollama', 'llama3.2:3b', null],
  ])
  expect(files.at(-1)?.path).toBe(blob)
  expect(looked).toContain('LM Studio: ~/.lmstudio/models')
  expect(looked).toContain(`LM Studio: ${moved}`)
})

test('without these programs nothing is found and nothing fails', async () => {
  const { files, looked } = await aDesk().files.scanApps()
  expect(files).toEqual([])
  expect(looked.length).toBeGreaterThan(3)
})

test('a model in Talaria’s folder is deleted with its parts, projector, folder and settings', async () => {
  const { files, models } = aDesk()
  splitGguf(TINY, join(home, 'models/big/big'), { parts: 3 })
  await aFile(TINY, 'home/models/big', 'mmproj-big.gguf')
  await aFile(TINY, 'home/models', 'kept.gguf')
  const id = `file:${join(home, 'models/big/big-00001-of-00003.gguf')}`
  await models.setOptions(id, { threads: 2 })
  await models.setDefault(id)
  await files.deleteFile(id)
  expect(await readdir(join(home, 'models'))).toEqual(['kept.gguf'])
  expect((await models.list()).map(model => model.id)).toEqual(['builtin', 'file:models/kept.gguf'])
  expect(computer.settings).toEqual({ default: 'builtin', files: [], options: {} })
})

test('a projector stays if another model uses it, and so does a folder with other files', async () => {
  const { files } = aDesk()
  for (const name of ['gemma-Q4_0.gguf', 'gemma-Q8_0.gguf', 'mmproj-gemma.gguf'])
    await aFile(TINY, 'home/models/gemma', name)
  await files.deleteFile(`file:${join(home, 'models/gemma/gemma-Q4_0.gguf')}`)
  expect((await readdir(join(home, 'models/gemma'))).toSorted()).toEqual([
    'gemma-Q8_0.gguf',
    'mmproj-gemma.gguf',
  ])
})

test('files outside Talaria’s folder are never deleted, even through linked folders', async () => {
  const { files, models } = aDesk()
  const linked = await aFile(TINY, 'linked.gguf')
  await models.add(linked)
  const far = await aFile(TINY, 'stick', 'far.gguf')
  await symlink(join(folder, 'stick'), join(home, 'models', 'stick'))
  const ids = [`file:${linked}`, `file:${join(home, 'models/stick/far.gguf')}`, 'builtin', 'file:/etc/passwd']
  const faults: unknown[] = []
  for (const id of ids) faults.push(await faultOf(files.deleteFile(id)))
  expect(faults).toEqual([
    expect.stringMatching(/^bad_input: linked is not in Talaria’s own folder/),
    expect.stringMatching(/^bad_input: far is not in/),
    expect.stringMatching(/^bad_input: Built-in demo model is not in/),
    'not_found: The model “file:/etc/passwd” no longer exists.',
  ])
  expect((await Promise.all([linked, far].map(path => stat(path)))).map(each => each.isFile())).toEqual([
    true,
    true,
  ])
})

test('a link in Talaria’s folder is deleted, and its target is not', async () => {
  const { files } = aDesk()
  const target = await aFile(TINY, 'stick', 'target.gguf')
  const link = join(home, 'models', 'link.gguf')
  await symlink(target, link)
  await files.deleteFile(`file:${link}`)
  expect([await readdir(join(home, 'models')), (await stat(target)).isFile()]).toEqual([[], true])
})

test('a broken file can be deleted, a loaded one cannot', async () => {
  const { files } = aDesk()
  const broken = join(home, 'models', 'broken.gguf')
  await writeFile(broken, 'GGUF')
  const loaded = await aFile(TINY, 'home/models', 'loaded.gguf')
  computer.engine = { ...STOPPED, phase: 'ready', modelId: 'file:models/loaded.gguf', contextTokens: 2_048 }
  await files.deleteFile(`file:${broken}`)
  expect(await faultOf(files.deleteFile(`file:${loaded}`))).toBe('busy: loaded is loaded. Unload it first.')
  expect(await readdir(join(home, 'models'))).toEqual(['loaded.gguf'])
})

test('a file that cannot be deleted is named, and the model stays listed', async context => {
  context.skip(process.platform === 'win32', 'Windows knows no such right')
  context.skip(process.getuid?.() === 0, 'root may delete everything')
  const { files, models } = aDesk()
  const path = await aFile(TINY, 'home/models', 'mine.gguf')
  await chmod(join(home, 'models'), 0o500)
  try {
    expect(await faultOf(files.deleteFile(`file:${path}`))).toBe(
      'not_ready: mine.gguf cannot be deleted: this user may not.',
    )
    expect(await models.list()).toHaveLength(2)
  } finally {
    await chmod(join(home, 'models'), 0o700)
  }
})

test('the fit uses the model’s own context, or else that of the settings, and counts memory to be freed', async () => {
  const { files, models } = aDesk()
  const small = await aFile(SMALL, 'small.gguf')
  const id = `file:${small}`
  await models.add(small)
  const general = await files.fit(id)
  await models.setOptions(id, { contextTokens: 2_048 })
  const own = await files.fit(id)
  const asked = await files.fit(id, { contextTokens: 8_192 })
  expect([general, own, asked].map(fit => fit.contextTokens)).toEqual([4_096, 2_048, 8_192])
  expect(own.contextBytes).toBeLessThan(general.contextBytes)

  computer.room = { ...computer.room, freedBytes: 1 * GB }
  const again = await files.fit(id)
  expect([again.freedBytes, again.availableBytes]).toEqual([1 * GB, 7 * GB])
})

test('a fit without waiting for the search for a graphics card says that it is an estimate', async () => {
  const path = await aFile(SMALL, 'a.gguf')
  const { files } = aDesk()
  const exact = await files.fit(`file:${path}`)
  expect(exact).toMatchObject({ label: 'memory', uncertain: '' })
  expect(await files.fit(`file:${path}`, { now: true })).toEqual({
    ...exact,
    uncertain: 'Talaria is still looking for a graphics card. These figures are without one.',
  })
  computer.expectedGpu = { backend: 'vulkan', names: ['A card'], totalBytes: 4 * GB, freeBytes: 4 * GB }
  expect(await files.fit(`file:${path}`, { now: true })).toMatchObject({
    label: 'gpu',
    uncertain: 'Talaria is still checking the graphics card. These figures are from last time.',
  })
})

test('the computer is shown with its free memory, and judged by what a model could get', async () => {
  const { files } = aDesk()
  computer.room = { ...computer.room, availableBytes: 1 * GB, freedBytes: 4 * GB }
  expect(await files.machine()).toMatchObject({
    totalBytes: 8 * GB,
    freeBytes: 1 * GB,
    comfortableBytes: Math.floor(Math.min(4 * GB, weightBytesPerSecond() / PACE.fair)),
    modelsFolder: join(home, 'models'),
    gpu: null,
  })
})

test('a file that is not listed has a fit too', async () => {
  const path = await aFile(SMALL, 'unlisted.gguf')
  expect(await aDesk().files.fit(`file:${path}`, { contextTokens: 2_048 })).toMatchObject({
    label: 'memory',
    contextTokens: 2_048,
  })
  expect(computer.settings.files).toEqual([])
})

test('the fit of a missing file, or of a server, is refused with the reason', async () => {
  const { files, models } = aDesk()
  const path = await aFile(TINY, 'tiny.gguf')
  await models.add(path)
  await rm(path)
  expect(await faultOf(files.fit(`file:${path}`))).toMatch(/^not_ready: There is no model file at .* Check /)
  expect(await faultOf(files.fit('server:x'))).toMatch(/^not_found: /)
})

test('models are named after their files', async () => {
  const { files } = aDesk()
  await aFile(TINY, 'stick', 'Some Model.Q4_K_M.gguf')
  expect(await namesOf(files.look(join(folder, 'stick')))).toEqual(['Some Model.Q4_K_M'])
})

test('a default that is gone is listed with its problem and stays the default until another is chosen', async () => {
  const { models } = aDesk()
  const shown: unknown[] = []
  for (const gone of ['server:gone', 'file:/far/models/gone.gguf', 'file:models/gone.gguf', 'nonsense']) {
    computer.settings = { ...computer.settings, default: gone }
    shown.push([models.defaultId(), (await models.list()).find(({ id }) => id === gone)?.problem])
  }
  expect(shown).toEqual([
    ['server:gone', 'The model “server:gone” no longer exists.'],
    ['file:/far/models/gone.gguf', 'There is no model file at /far/models/gone.gguf.'],
    ['file:models/gone.gguf', `There is no model file at ${join(home, 'models/gone.gguf')}.`],
    ['nonsense', 'The model “nonsense” no longer exists.'],
  ])
  await models.forget('nonsense')
  expect(models.defaultId()).toBe('builtin')
})
