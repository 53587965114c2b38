import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { randomModel } from '../../../../../../testing/gguf/cached.ts'
import { splitGguf } from '../../../../../../testing/gguf/split.ts'
import { chatmlTemplate } from '../../../../../../testing/gguf/templates.ts'
import { resourcePath } from '../../../../lib/disk/shipped-files.ts'
import { readGguf, type ReadOptions } from './read-gguf.ts'

const folder = mkdtempSync(join(tmpdir(), 'gguf-'))
afterAll(() => rmSync(folder, { recursive: true }))

const whole = readFileSync(randomModel({ preset: 'tiny', type: 'Q8_0' }))
const licence = (value: string) => ({ key: 'general.license', type: 'string' as const, value })
let files = 0
const save = (bytes: Uint8Array | string): string => {
  const path = join(folder, `${++files}.gguf`)
  writeFileSync(path, bytes)
  return path
}
const change = (edit: (bytes: Buffer) => void): Buffer => {
  const copy = Buffer.from(whole)
  edit(copy)
  return copy
}

test('a model file gives its dimensions, its template and its recommended sampling', async () => {
  const path = randomModel({
    preset: 'tiny',
    template: 'chatml',
    contextTokens: 2_048,
    entries: [
      { key: 'general.sampling.temp', type: 'f32', value: 0.5 },
      { key: 'general.sampling.top_k', type: 'u32', value: 20 },
    ],
  })
  expect(await readGguf(path)).toEqual({
    path,
    sizeBytes: readFileSync(path).length,
    architecture: 'llama',
    name: 'random-tiny',
    parameters: 1_049_728,
    parts: 1,
    layers: 4,
    quantisation: 'F16',
    bitsPerWeight: expect.closeTo(16, 1),
    licence: '',
    trainedTokens: 2_048,
    vocabularySize: 1_024,
    lines: new Set(),
    mergeCount: 759,
    width: 128,
    widest: 384,
    heads: 4,
    headSize: 32,
    // 4 layers, 2 heads of 32 numbers for keys and the same for values, 2 bytes each
    contextBytesPerToken: 1_024,
    repackedBytes: 0,
    chatTemplate: chatmlTemplate,
    sampling: { temperature: 0.5, topK: 20 },
  })
})

/** A tiny model, 4 layers with 2 key heads of 32 numbers each, with these entries added to its header. */
const bytesPerToken = async (...entries: { key: string; value: number }[]) => {
  const changed = entries.map(entry => ({ ...entry, key: `llama.${entry.key}`, type: 'u32' as const }))
  const facts = await readGguf(randomModel({ entries: changed }))
  return 'code' in facts ? facts : facts.contextBytesPerToken
}

test('the memory per token counts only layers with a KV cache', async () => {
  expect(await bytesPerToken()).toBe(4 * 2 * 64 * 2)
  expect(await bytesPerToken({ key: 'attention.shared_kv_layers', value: 3 })).toBe(1 * 2 * 64 * 2)
  expect(await bytesPerToken({ key: 'full_attention_interval', value: 4 })).toBe(1 * 2 * 64 * 2)
  expect(await bytesPerToken({ key: 'attention.value_length', value: 16 })).toBe(4 * 2 * 48 * 2)
})

test('key heads that differ between layers are added up', async () => {
  const key = 'llama.attention.head_count_kv'
  const path = randomModel({ entries: [{ key, type: 'i32s', value: [2, 0, 1, 0] }] })
  expect(await readGguf(path)).toMatchObject({ contextBytesPerToken: 3 * 64 * 2 })
})

test('weights that a processor repacks are counted, embeddings are not', async () => {
  const layers = 4 * (128 * 128 * 2 + 128 * 64 * 2 + 128 * 384 * 3)
  const outputs = process.arch === 'arm64' ? 1_024 * 128 : 0
  const facts = await readGguf(randomModel({ type: 'Q4_0' }))
  // The vocabulary of such a file is Q8_0.
  expect(facts).toMatchObject({ repackedBytes: (layers / 32) * 18 + (outputs / 32) * 34 })
})

test('the quantisation comes from the header, or else from most of the weights', async () => {
  const kindOf = async (type: 'Q4_0' | 'Q8_0' | 'Q4_K', fileType?: number) => {
    const entries =
      fileType === undefined ? [] : [{ key: 'general.file_type', type: 'u32' as const, value: fileType }]
    const facts = await readGguf(randomModel({ preset: 'base', type, entries }))
    return 'code' in facts ? facts.text : [facts.quantisation, Math.round(facts.bitsPerWeight * 10) / 10]
  }
  expect([await kindOf('Q4_K'), await kindOf('Q4_K', 15), await kindOf('Q4_K', 1_024 + 15)]).toEqual([
    ['Q4_K_S', 5.7],
    ['Q4_K_M', 5.7],
    ['Q4_K_M', 5.7],
  ])
  // The label of the original, and an unknown label.
  expect([await kindOf('Q4_0', 1), await kindOf('Q8_0', 0), await kindOf('Q8_0', 999)]).toEqual([
    ['Q4_0', 5.7],
    ['Q8_0', 8.5],
    ['Q8_0', 8.5],
  ])
})

test('the licence is its name, and a full licence text is cut', async () => {
  const licenceOf = async (value: string) => {
    const facts = await readGguf(randomModel({ entries: [licence(value)] }))
    return 'code' in facts ? facts.text : facts.licence
  }
  expect(await licenceOf(' apache-2.0\n')).toBe('apache-2.0')
  expect(await licenceOf('Permission is hereby granted '.repeat(10))).toHaveLength(80)
})

test('the built-in model is the one that Talaria looks for', async () => {
  expect(await readGguf(resourcePath('models/talaria-mini.gguf'))).toMatchObject({
    name: 'talaria-mini',
    architecture: 'llama',
    trainedTokens: 2_048,
    sampling: {},
    frugal: true,
  })
})

test.for<[what: string, path: () => string, code: string, says: RegExp]>([
  ['missing', () => join(folder, 'gone.gguf'), 'model_missing', /^There is no model file at .*gone\.gguf\.$/],
  ['below a file', () => join(save('x'), 'a.gguf'), 'model_missing', /^There is no model file at /],
  ['empty', () => save(''), 'model_unreadable', / is empty\.$/],
  [
    'a web page',
    () => save('<!DOCTYPE html><html></html>'),
    'model_unreadable',
    / is not a GGUF model file\.$/,
  ],
  ['of three bytes', () => save('GGU'), 'model_unreadable', / is not a GGUF model file\.$/],
  ['a folder', () => folder, 'model_unreadable', / is a folder, not a model file\.$/],
  [
    'cut in the header',
    () => save(whole.subarray(0, 2_000)),
    'model_unreadable',
    /ends inside its header\.$/,
  ],
  [
    'cut in the data',
    () => save(whole.subarray(0, -40_000)),
    'model_unreadable',
    /is cut short: it has 1,112,096 of 1,152,096 bytes\.$/,
  ],
  [
    'of version 1',
    () => save(change(bytes => bytes.writeUInt32LE(1, 4))),
    'model_unreadable',
    /of version 1, which cannot be read\.$/,
  ],
  [
    'big-endian',
    () => save(change(bytes => bytes.writeUInt32BE(3, 4))),
    'model_unreadable',
    /for big-endian machines/,
  ],
  [
    'claiming 2^60 entries',
    () => save(change(bytes => bytes.writeBigUInt64LE(2n ** 60n, 16))),
    'model_unreadable',
    /its header makes no sense\.$/,
  ],
  [
    'claiming a text of 2^60 bytes',
    () => save(change(bytes => bytes.writeBigUInt64LE(2n ** 60n, 24))),
    'model_unreadable',
    /points beyond the end of the file\.$/,
  ],
])('a file that is %s is refused by name, with a fix', async ([, path, code, says]) => {
  const file = path()
  const failure = await readGguf(file)
  expect(failure).toMatchObject({ code, text: expect.stringMatching(says), fix: expect.stringMatching(/\S/) })
  expect('text' in failure && failure.text).toContain(file)
})

test('an unreadable file is refused with the reason', async context => {
  context.skip(process.getuid?.() === 0, 'root may read every file')
  context.skip(process.platform === 'win32', 'Windows has no such modes')
  const path = save(whole)
  chmodSync(path, 0o000)
  expect(await readGguf(path)).toEqual({
    code: 'model_unreadable',
    text: `Talaria may not read ${path}.`,
    fix: 'Allow your user to read the file.',
  })
})

test('a duplicate token is found when the vocabulary is checked', async () => {
  const path = randomModel({ duplicateToken: true })
  expect(await readGguf(path)).toMatchObject({ architecture: 'llama' })
  expect(await readGguf(path, { checkVocabulary: true })).toMatchObject({
    code: 'model_unreadable',
    text: `${path} is damaged: its vocabulary holds the same token twice.`,
  })
  expect(await readGguf(randomModel(), { checkVocabulary: true })).toMatchObject({ architecture: 'llama' })
})

describe('a model split into several files', () => {
  const source = randomModel({ preset: 'base', type: 'Q4_K', entries: [licence('mit')] })
  let cut = 0
  const cutInto = (parts: number, bareFirst = false) =>
    splitGguf(source, join(folder, `cut-${++cut}`, 'm'), { parts, bareFirst })
  const sizeOf = (paths: readonly string[]) => paths.reduce((sum, path) => sum + statSync(path).size, 0)
  const failureOf = async (path: string, options?: ReadOptions) => {
    const failure = await readGguf(path, options)
    return 'code' in failure ? failure : 'no failure'
  }

  test.for([false, true])(
    'equals the model in one file; its first file without weights: %s',
    async bareFirst => {
      const paths = cutInto(3, bareFirst)
      expect(await readGguf(paths[0]!)).toEqual({
        ...(await readGguf(source)),
        path: paths[0],
        sizeBytes: sizeOf(paths),
        parts: 3,
      })
    },
  )

  test('must have all its files, none of them truncated', async () => {
    const [first = '', second = '', third = ''] = cutInto(3)
    truncateSync(third, statSync(third).size - 100_000)
    expect(await failureOf(first)).toMatchObject({
      text: expect.stringContaining(`${third} is cut short: it`),
    })
    rmSync(second)
    expect(await failureOf(first)).toEqual({
      code: 'model_missing',
      text: `There is no model file at ${second}.`,
      fix: 'The model is split over 3 files. Put all of them into one folder, or download what is missing.',
    })
  })

  test('must have its own files, in order', async () => {
    const [first = '', second = '', third = ''] = cutInto(3)
    copyFileSync(second, third)
    expect(await failureOf(first)).toMatchObject({ text: `${third} is not file 3 of its model.` })
    copyFileSync(source, third)
    expect(await failureOf(first)).toMatchObject({ text: `${third} is not file 3 of its model.` })
    copyFileSync(cutInto(5)[2]!, third)
    expect(await failureOf(first)).toMatchObject({
      text: `The files of ${first} do not belong together: they hold 65 of 74 weights.`,
    })
  })

  test('must start with its first file, under a name by which the others can be found', async () => {
    const [first = '', second = ''] = cutInto(2)
    expect(await failureOf(second)).toMatchObject({ text: `${second} is only file 2 of 2 of a model.` })
    const renamed = join(dirname(first), 'renamed.gguf')
    copyFileSync(first, renamed)
    expect(await failureOf(renamed)).toMatchObject({
      text: `${renamed} is the first of 2 files of a model, and its name does not end in -00001-of-00002.gguf as it has to.`,
    })
  })

  test('can be inspected before its files have their final names, and while some are missing', async () => {
    const paths = cutInto(3)
    const parts = paths.map(path => `${path}.part`)
    for (const [index, path] of paths.entries()) renameSync(path, parts[index]!)
    expect(await readGguf(parts[0]!, { parts })).toMatchObject({ parts: 3, sizeBytes: sizeOf(parts) })
    for (const path of parts) expect(await readGguf(path, { alone: true })).toMatchObject({ path, parts: 1 })
    expect(await failureOf(parts[0]!, { parts: [parts[0]!, parts[2]!, parts[1]!] })).toMatchObject({
      text: `${parts[2]} is not file 2 of its model.`,
    })
    expect(await failureOf(source, { parts: [source, source] })).toMatchObject({
      text: `${source} is not the first of several files.`,
    })
  })
})

test('whatever happened to a header, reading it returns facts or a reason', async () => {
  const header = whole.subarray(0, 40_000)
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ at: fc.nat(header.length - 8), bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }) }),
        {
          maxLength: 4,
        },
      ),
      fc.nat(header.length),
      async (edits, length) => {
        const bytes = Buffer.from(header.subarray(0, length))
        for (const { at, bytes: changed } of edits) if (at + changed.length <= length) bytes.set(changed, at)
        const path = join(folder, 'fuzz.gguf')
        writeFileSync(path, bytes)
        const result = await readGguf(path)
        expect('code' in result ? result.text : result.path).toContain(path)
      },
    ),
    { numRuns: 100 },
  )
})
