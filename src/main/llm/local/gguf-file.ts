import { open } from 'node:fs/promises'
import type { EngineFailure, Sampling } from '../engine.ts'
import { trainedTokens } from './demo-model.ts'
import { readHeader } from './gguf-header.ts'
import type { GgufHeader } from './gguf-header.ts'

/** What is worth knowing of a model before any of its weights are loaded. */
export type GgufFacts = {
  path: string
  /** Of all parts, when the model is split over several files. */
  sizeBytes: number
  architecture: string
  /** What the file calls itself; empty when it does not say. */
  name: string
  parameters: number
  /** The context that the model was trained on; 0 when the file does not say. */
  trainedTokens: number
  vocabularySize: number
  /** Rules by which a byte-pair vocabulary joins tokens; 0 for other kinds. */
  mergeCount: number
  /** Numbers that one token is between two layers, and in the widest place within a layer. */
  width: number
  widest: number
  heads: number
  /** Numbers in the key of one attention head. */
  headSize: number
  /** Memory that one token of context takes, in bytes, with keys and values in half precision. */
  contextBytesPerToken: number
  /** Weights that a processor keeps a rearranged copy of, in bytes. */
  repackedBytes: number
  chatTemplate: string | undefined
  /** What the makers of the file recommend; empty for most files. */
  sampling: Sampling
}

/** What is read; anything longer or stranger than this is not a model that anybody made in earnest. */
export type ReadOptions = {
  /** Also look for a token that is in the vocabulary twice, which makes llama.cpp end its process. */
  checkVocabulary?: boolean
}

/** Read the header of a GGUF file and check that the file is as long as its table of weights says. */
export async function readGguf(path: string, options: ReadOptions = {}): Promise<GgufFacts | EngineFailure> {
  const first = await readPart(path, options)
  if ('code' in first) return first
  let { sizeBytes, parameters, repackedBytes } = first
  const parts = Number(first.header.values.get('split.count') ?? 1)
  for (const other of otherParts(path, parts)) {
    const part = await readPart(other, {})
    if ('code' in part) return part
    sizeBytes += part.sizeBytes
    parameters += part.parameters
    repackedBytes += part.repackedBytes
  }
  return { path, sizeBytes, parameters, repackedBytes, ...describe(first.header) }
}

type Part = Pick<GgufHeader, 'parameters' | 'repackedBytes'> & { header: GgufHeader; sizeBytes: number }

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
    const { parameters, repackedBytes } = header
    return { header, sizeBytes: stats.size, parameters, repackedBytes }
  } catch (error) {
    return cannotOpen(path, error)
  } finally {
    await file.close()
  }
}

/** The further files of a model that is split, named `…-00001-of-00003.gguf` and counted from one. */
function otherParts(path: string, count: number): string[] {
  const name = /^(.*-)00001-of-(\d{5})\.gguf$/.exec(path)
  if (!name || Number(name[2]) !== count || count > 1_000) return []
  return Array.from(
    { length: count - 1 },
    (_, index) => `${name[1]}${String(index + 2).padStart(5, '0')}-of-${name[2]}.gguf`,
  )
}

function describe(
  header: GgufHeader,
): Omit<GgufFacts, 'path' | 'sizeBytes' | 'parameters' | 'repackedBytes'> {
  const { values, vocabularySize, mergeCount } = header
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
    trainedTokens: trainedTokens(name, Math.floor(number('context_length'))),
    vocabularySize,
    mergeCount,
    width,
    widest: Math.max(number('feed_forward_length'), width),
    heads,
    headSize: keySize,
    contextBytesPerToken: keyHeads * (keySize + valueSize) * 2,
    chatTemplate: text('tokenizer.chat_template') || undefined,
    sampling: recommendedSampling(values),
  }
}

/** Layers with keys and values of their own: some use those of an earlier layer, some remember in another way. */
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
