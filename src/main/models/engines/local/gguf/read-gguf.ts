import { chooseTemplate } from '../templates/choose-template.ts'
import { open } from 'node:fs/promises'
import type { EngineFailure, Sampling } from '../../../interface/engine.ts'
import { nameOtherKind } from '../../../judge-file.ts'
import { readHeader, type GgufHeader } from './gguf-header.ts'
import { quantisationOf } from './weight-types.ts'

/** Facts about a model, read before any of its weights are loaded. */
export type GgufFacts = {
  path: string
  /** Size of the file, or of all files of a split model. */
  sizeBytes: number
  architecture: string
  /** What the file contains, in words, if it is not a language model. */
  other?: string
  /** The name in the file's metadata; empty if there is none. */
  name: string
  parameters: number
  /** Number of files of the model. */
  parts: number
  layers: number
  /** The quantization, such as `Q4_K_M`, `Q8_0` or `F16`; empty if unknown. */
  quantisation: string
  /** Average bits per weight; 0 if unknown. */
  bitsPerWeight: number
  /** The licence as named in the file, such as `apache-2.0`; empty for many files. */
  licence: string
  /** The context that the model was trained on; 0 if unknown. */
  trainedTokens: number
  vocabularySize: number
  /** Whole lines of text that are a single token. */
  lines: ReadonlySet<string>
  /** Number of merge rules of a byte-pair vocabulary; 0 for other kinds. */
  mergeCount: number
  /** Size of the vector between two layers, and of the widest vector within a layer. */
  width: number
  widest: number
  heads: number
  /** Size of the key of one attention head. */
  headSize: number
  /** Memory of one context token in bytes, with keys and values in half precision. */
  contextBytesPerToken: number
  /** Bytes of weights that a processor keeps in a rearranged copy. */
  repackedBytes: number
  chatTemplate: string | undefined
  /** The sampling that the makers of the file recommend; empty for most files. */
  sampling: Sampling
  /** Set for a very small model, for which the usual buffers would be too large. */
  frugal?: true
}

/** How to read a header. */
export type ReadOptions = {
  /** Also look for duplicate tokens in the vocabulary, which make llama.cpp abort its process. */
  checkVocabulary?: boolean
  /** All files of a split model in order, if they do not have their final names yet. */
  parts?: readonly string[]
  /** Accept any single file of a split model, because the others are still being downloaded. */
  alone?: boolean
}

/**
 * Read the header of a GGUF file and check that the file is as long as its tensor table says. For a split
 * model, pass the first file: the others must be present and belong to it.
 */
export async function readGguf(path: string, options: ReadOptions = {}): Promise<GgufFacts | EngineFailure> {
  const first = await readPart(path, options)
  if ('code' in first) return first
  const paths = options.alone ? [path] : pathsOfParts(path, first, options.parts)
  if ('code' in paths) return paths
  const parts = [first]
  for (const other of paths.slice(1)) {
    const part = await readPart(other, {})
    if ('code' in part) return part.code === 'model_missing' ? lacking(part, paths.length) : part
    if (part.number !== parts.length) return notOfThisModel(other, parts.length)
    parts.push(part)
  }
  const tensors = sumOf(parts.map(part => part.header.tensors))
  if (paths.length > 1 && first.allTensors !== undefined && first.allTensors !== tensors) {
    const text = `The files of ${path} do not belong together: they hold ${tensors} of ${first.allTensors} weights.`
    return unreadable(text, downloadAgain)
  }
  const bytesByType = new Map<number, number>()
  for (const [type, bytes] of parts.flatMap(part => [...part.header.bytesByType]))
    bytesByType.set(type, (bytesByType.get(type) ?? 0) + bytes)
  const parameters = sumOf(parts.map(part => part.header.parameters))
  const other = otherKind(parts)
  return {
    path,
    sizeBytes: sumOf(parts.map(part => part.sizeBytes)),
    parameters,
    repackedBytes: sumOf(parts.map(part => part.header.repackedBytes)),
    parts: parts.length,
    quantisation: quantisationOf(first.header.values.get('general.file_type'), bytesByType),
    bitsPerWeight: bitsPerWeight(parameters, bytesByType),
    ...describe(first.header),
    ...(other !== '' && { other }),
  }
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0)

function bitsPerWeight(parameters: number, bytesByType: ReadonlyMap<number, number>): number {
  const sizes = [...bytesByType.values()]
  // An unknown weight type has an unknown size.
  if (parameters === 0 || sizes.includes(0)) return 0
  return (sizes.reduce((sum, bytes) => sum + bytes, 0) * 8) / parameters
}

function otherKind(parts: readonly Part[]): string {
  const [{ header, count }] = parts as [Part]
  const { values, vocabularySize } = header
  const text = (key: string) => {
    const value = values.get(key)
    return typeof value === 'string' ? value : ''
  }
  const architecture = text('general.architecture')
  return nameOtherKind({
    architecture,
    type: text('general.type'),
    name: text('general.name'),
    pooling: Number(values.get(`${architecture}.pooling_type`) ?? 0),
    keys: [...values.keys()],
    vocabularySize,
    tensors: sumOf(parts.map(part => part.header.tensors)),
    signs: new Set(parts.flatMap(part => [...part.header.signs])),
    isWhole: parts.length >= count,
  })
}

/** One file of a model and its position in a split model. */
type Part = {
  header: GgufHeader
  sizeBytes: number
  /** The index of the file, from zero; undefined if the model is not split. */
  number: number | undefined
  count: number
  /** The total number of tensors in all files. */
  allTensors: number | undefined
}

async function readPart(path: string, options: ReadOptions): Promise<Part | EngineFailure> {
  let file
  try {
    file = await open(path)
  } catch (error) {
    return cannotOpen(path, error)
  }
  try {
    const stats = await file.stat()
    if (stats.isDirectory()) {
      return unreadable(`${path} is a folder, not a model file.`, 'Choose a file that ends in .gguf.')
    }
    if (stats.size === 0) return unreadable(`${path} is empty.`, downloadAgain)
    const header = await readHeader(file, stats.size, options)
    if ('problem' in header) return explain(path, header)
    if (header.endsAt > stats.size) {
      const text = `${path} is cut short: it has ${count(stats.size)} of ${count(header.endsAt)} bytes.`
      return unreadable(text, downloadAgain)
    }
    const number = (key: string) => {
      const value = header.values.get(key)
      return typeof value === 'number' ? value : undefined
    }
    return {
      header,
      sizeBytes: stats.size,
      number: number('split.no'),
      count: number('split.count') ?? 1,
      allTensors: number('split.tensors.count'),
    }
  } catch (error) {
    return cannotOpen(path, error)
  } finally {
    await file.close()
  }
}

const mostParts = 1_000

/**
 * Return the files of the model that starts with this one. Their names must follow the pattern exactly,
 * because llama.cpp finds the other files by name.
 */
function pathsOfParts(
  path: string,
  { number = 0, count }: Part,
  given?: readonly string[],
): readonly string[] | EngineFailure {
  if (number > 0) {
    const text = `${path} is only file ${number + 1} of ${count} of a model.`
    return unreadable(text, 'Choose the first of them; its name has 00001 in it.')
  }
  if (given?.length === count) return given
  if (given && count <= 1) return unreadable(`${path} is not the first of several files.`, downloadAgain)
  if (count <= 1) return [path]
  const ending = `-00001-of-${digits(count)}.gguf`
  if (count <= mostParts && path.endsWith(ending)) return splitFilePaths(path, count)
  const text = `${path} is the first of ${count} files of a model, and its name does not end in ${ending} as it has to.`
  return unreadable(text, 'Give all files the names that they had, or download them again.')
}

/**
 * Return all files of a model split into `count` files, given the first. They are named
 * `…-00001-of-00003.gguf` and counted from one.
 */
export function splitFilePaths(path: string, count: number): string[] {
  if (count <= 1) return [path]
  const before = path.slice(0, -'00001-of-00001.gguf'.length)
  return Array.from({ length: count }, (_, index) => `${before}${digits(index + 1)}-of-${digits(count)}.gguf`)
}

const digits = (number: number) => String(number).padStart(5, '0')

const lacking = ({ code, text }: EngineFailure, count: number): EngineFailure => ({
  code,
  text,
  fix: `The model is split over ${count} files. Put all of them into one folder, or download what is missing.`,
})

const notOfThisModel = (path: string, index: number): EngineFailure =>
  unreadable(`${path} is not file ${index + 1} of its model.`, downloadAgain)

type OfAllParts =
  | 'path'
  | 'sizeBytes'
  | 'parameters'
  | 'repackedBytes'
  | 'parts'
  | 'quantisation'
  | 'bitsPerWeight'
  | 'other'

function describe(header: GgufHeader): Omit<GgufFacts, OfAllParts> {
  const { values, vocabularySize, lines, mergeCount } = header
  const text = (key: string) => {
    const value = values.get(key)
    return typeof value === 'string' ? value : ''
  }
  const architecture = text('general.architecture')
  const name = text('general.name').trim()
  const number = (key: string) => Number(values.get(`${architecture}.${key}`) ?? 0) || 0
  const heads = number('attention.head_count')
  const width = number('embedding_length')
  const headSize = heads > 0 ? width / heads : 0
  const keySize = number('attention.key_length') || headSize
  const valueSize = number('attention.value_length') || headSize
  const keyHeads =
    header.sums.get(`${architecture}.attention.head_count_kv`) ??
    layersWithKeys(number) * (number('attention.head_count_kv') || heads)
  return {
    architecture,
    name,
    licence: text('general.license').trim().slice(0, longestLicence),
    layers: Math.floor(number('block_count')),
    trainedTokens: Math.floor(number('context_length')),
    vocabularySize,
    lines,
    mergeCount,
    width,
    widest: Math.max(number('feed_forward_length'), width),
    heads,
    headSize: keySize,
    contextBytesPerToken: keyHeads * (keySize + valueSize) * 2,
    chatTemplate:
      chooseTemplate(text('tokenizer.chat_template'), text('tokenizer.chat_template.tool_use')) || undefined,
    sampling: recommendedSampling(values),
    ...(isBuiltinModel({ name }) && { frugal: true }),
  }
}

/** Count the layers with their own keys and values. Some reuse an earlier layer's, some are recurrent. */
function layersWithKeys(number: (key: string) => number): number {
  const layers = Math.max(0, number('block_count') - number('attention.shared_kv_layers'))
  return Math.ceil(layers / Math.max(1, number('full_attention_interval')))
}

function recommendedSampling(values: GgufHeader['values']): Sampling {
  const keys = { temp: 'temperature', top_k: 'topK', top_p: 'topP', min_p: 'minP' } as const
  const sampling: Sampling = {}
  for (const [key, name] of Object.entries(keys)) {
    const value = values.get(`general.sampling.${key}`)
    if (typeof value === 'number' && Number.isFinite(value)) sampling[name as keyof Sampling] = value
  }
  return sampling
}

/** Maximum length of a licence name. Some files contain the whole text instead. */
const longestLicence = 80

const downloadAgain = 'Download the file again, or choose another model.'

const unreadable = (text: string, fix: string): EngineFailure => ({ code: 'model_unreadable', text, fix })

function explain(path: string, { problem, detail }: { problem: string; detail: string }): EngineFailure {
  if (problem === 'magic') {
    return unreadable(`${path} is not a GGUF model file.`, 'Choose a file that ends in .gguf.')
  }
  if (problem === 'version') {
    return unreadable(`${path} is a GGUF file ${detail}, which cannot be read.`, downloadAgain)
  }
  if (problem === 'cut') return unreadable(`${path} is cut short: it ends inside its header.`, downloadAgain)
  return unreadable(`${path} is damaged: ${detail}.`, downloadAgain)
}

function cannotOpen(path: string, error: unknown): EngineFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return {
      code: 'model_missing',
      text: `There is no model file at ${path}.`,
      fix: 'Check whether it was moved or deleted, or choose another model.',
    }
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return unreadable(`Talaria may not read ${path}.`, 'Allow your user to read the file.')
  }
  const reason = error instanceof Error ? error.message : String(error)
  return unreadable(`${path} cannot be read: ${reason}.`, 'Check the disk, or choose another model.')
}

const count = (bytes: number) => bytes.toLocaleString('en-US')

/** The built-in model's name in its file (`training/layout.py`). */
const NAME = 'talaria-mini'

/**
 * Whether a model is the built-in one. It was trained on greedy replies in one format, with tool results as
 * user messages.
 */
export const isBuiltinModel = ({ name }: { name: string }): boolean => name === NAME

/** Parameters below which a model often repeats itself, and seldom ends a long answer. */
const SMALL_PARAMETERS = 1e9

/** Whether a model is small. Does not apply to the built-in one, which was trained for its size. */
export const isSmallModel = ({ name, parameters }: Pick<GgufFacts, 'name' | 'parameters'>): boolean =>
  parameters < SMALL_PARAMETERS && !isBuiltinModel({ name })
