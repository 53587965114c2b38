import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createModelNamer, readOllamaStore } from './model-namer.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talaria-names-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Write a file; only its name matters. */
async function put(name: string, text = ''): Promise<string> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
  return path
}

test.for<[model: string, beside: string[], vision: string]>([
  ['gemma-3-4b-it-Q4_K_M.gguf', ['mmproj-model-f16.gguf'], 'mmproj-model-f16.gguf'],
  ['gemma-3-4b-it-Q4_K_M.gguf', ['gemma-3-4b-it-Q8_0.gguf', 'mmproj-F16.gguf'], 'mmproj-F16.gguf'],
  [
    'gemma-3-4b-it-Q4_K_M.gguf',
    ['qwen3-8b.gguf', 'mmproj-gemma-3-4b-it-f16.gguf'],
    'mmproj-gemma-3-4b-it-f16.gguf',
  ],
  [
    'gemma-3-4b-it-UD-IQ2_XXS.gguf',
    ['qwen3.gguf', 'gemma-3-4b-it.mmproj-bf16.gguf'],
    'gemma-3-4b-it.mmproj-bf16.gguf',
  ],
  ['big-Q8_0-00001-of-00002.gguf', ['big-Q8_0-00002-of-00002.gguf', 'mmproj-big.gguf'], 'mmproj-big.gguf'],
  ['gemma-3-4b-it-Q4_K_M.gguf', ['qwen3-8b.gguf', 'mmproj-F16.gguf'], ''],
  ['gemma-3-4b-it-Q4_K_M.gguf', ['readme-about-mmproj.txt'], ''],
])('for %s beside %j the projector is “%s”', async ([model, beside, vision]) => {
  for (const name of beside) await put(name)
  const named = await createModelNamer()(await put(model))
  expect(basename(named.vision)).toBe(vision)
})

test('a file is named after itself, or after its folder if the name is generic, without part numbers', async () => {
  const nameOf = createModelNamer()
  const names = ['a/Some.Model-Q4_K_M.gguf', 'Jan-v1-4B/model.gguf', 'a/big-00001-of-00003.gguf']
  const paths = await Promise.all(names.map(name => put(name)))
  expect((await Promise.all(paths.map(nameOf))).map(each => each.name)).toEqual([
    'Some.Model-Q4_K_M',
    'Jan-v1-4B',
    'big',
  ])
})

const blobName = (letter: string) => `blobs/sha256-${letter.repeat(64)}`
const manifestOf = (letter: string) =>
  JSON.stringify({
    layers: [{ mediaType: 'application/vnd.ollama.image.model', digest: `sha256:${letter.repeat(64)}` }],
  })

test('a model that Ollama added after its store was read gets its name too', async () => {
  const nameOf = createModelNamer()
  await put('manifests/registry/library/qwen3/8b', manifestOf('a'))
  const first = await nameOf(await put(blobName('a')))
  await put('manifests/registry/somebody/tuned/latest', manifestOf('b'))
  const second = await nameOf(await put(blobName('b')))
  const nobodys = await nameOf(await put(blobName('c')))
  expect([first.name, second.name, nobodys.name]).toEqual([
    'qwen3:8b',
    'somebody/tuned:latest',
    `sha256-${'c'.repeat(12)}`,
  ])
})

test('a manifest that is damaged, or points out of the store, is ignored', async () => {
  const outside = 'sha256:../../../etc/passwd'
  const layer = { mediaType: 'application/vnd.ollama.image.model', digest: outside }
  await put('manifests/registry/library/bad/1', '{"layers":')
  await put('manifests/registry/library/bad/2', JSON.stringify({ layers: [layer] }))
  await put('manifests/registry/library/bad/3', '{}')
  await put('manifests/registry/library/good/latest', manifestOf('a'))
  expect(await readOllamaStore(folder)).toEqual([
    { name: 'good:latest', path: join(folder, blobName('a')), vision: '' },
  ])
  expect(await readOllamaStore(join(folder, 'nowhere'))).toEqual([])
})
