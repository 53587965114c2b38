import { seededNumbers } from './seeded-numbers.ts'
import { chatmlTemplate, toolsTemplate } from './templates.ts'
import { makeVocabulary } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'
import { elementCount, tensorTypes, toHalf, writeGguf } from './write-gguf.ts'
import type { GgufEntry, GgufTensor, TensorType } from './write-gguf.ts'

type Shape = {
  vocabulary: number
  width: number
  layers: number
  heads: number
  keyHeads: number
  feedForward: number
  tied: boolean
  contextTokens: number
}

/** Sizes from a unit test (1 M parameters) to the shapes of popular 0.6 B and 1.2 B models. */
const presets = {
  tiny: shape(1_024, 128, 4, 4, 2, 384, false, 8_192),
  small: shape(8_192, 256, 6, 4, 2, 768, false, 16_384),
  base: shape(16_384, 512, 8, 8, 4, 1_024, true, 32_768),
  quarter: shape(32_768, 1_024, 14, 16, 8, 3_072, true, 32_768),
  half: shape(151_936, 1_024, 28, 16, 8, 3_072, true, 32_768),
  '1b': shape(128_256, 2_048, 16, 32, 8, 8_192, true, 131_072),
} satisfies Record<string, Shape>

export type RandomGgufOptions = {
  preset?: keyof typeof presets
  type?: TensorType
  seed?: number
  contextTokens?: number
  /** False writes `<tool_call>` and similar marks as plain text. */
  toolTokens?: boolean
  /** Further control tokens, such as those of another family's template. */
  controlTokens?: readonly string[]
  /** A Jinja template, one of the two named in `templates.ts`, or none. */
  template?: 'tools' | 'chatml' | 'none' | { jinja: string }
  name?: string
  /** Writes one token twice, which makes llama.cpp abort the process that loads the file. */
  duplicateToken?: boolean
  /** Further header entries; they replace entries of the same name. */
  entries?: readonly GgufEntry[]
}

const fileType: Record<TensorType, number> = { F32: 0, F16: 1, Q4_0: 2, Q8_0: 7, Q4_K: 14 }

/**
 * Write a llama-architecture model with random weights and a working tokenizer. Its text is nonsense, but its
 * speed and memory use are realistic for its shape. The same options write the same bytes.
 */
export function makeRandomGguf(path: string, options: RandomGgufOptions = {}): void {
  const { preset = 'tiny', type = 'F16', seed = 1, name = `random-${preset}` } = options
  const size = presets[preset]
  const { toolTokens, controlTokens } = options
  const vocabulary = makeVocabulary(size.vocabulary, {
    ...(toolTokens !== undefined && { toolTokens }),
    ...(controlTokens && { controlTokens }),
  })
  if (options.duplicateToken) vocabulary.tokens[300] = vocabulary.tokens[301] ?? ''
  const next = seededNumbers(seed)
  const small = type === 'Q4_0' || type === 'Q4_K'
  const weights = makePool(type, 1 / Math.sqrt(size.width), size, next)
  const embeddings = makePool(small ? 'Q8_0' : type, 1, size, next)
  const tensors = layout(size).map(({ name, dims, pool }): GgufTensor => {
    const source = pool === 'embeddings' ? embeddings : weights
    if (pool === 'ones') return { name, dims, type: 'F32', data: () => [onesOf(size.width)] }
    return { name, dims, type: source.type, data: () => takeFrom(source, elementCount(dims), next) }
  })
  const entries: GgufEntry[] = [
    { key: 'general.architecture', type: 'string', value: 'llama' },
    { key: 'general.type', type: 'string', value: 'model' },
    { key: 'general.name', type: 'string', value: name },
    { key: 'general.file_type', type: 'u32', value: fileType[type] },
    { key: 'general.quantization_version', type: 'u32', value: 2 },
    ...shapeEntries(size, options.contextTokens ?? size.contextTokens),
    ...vocabularyEntries(vocabulary, templateText(options.template ?? 'tools')),
    ...(options.entries ?? []),
  ]
  writeGguf(path, [...new Map(entries.map(entry => [entry.key, entry])).values()], tensors)
}

/** The header entries of a byte-level BPE tokenizer that ends turns with `<|im_end|>`. */
export function vocabularyEntries(vocabulary: Vocabulary, template: string | undefined): GgufEntry[] {
  const special = (text: string) => vocabulary.id[text] ?? 0
  return [
    { key: 'tokenizer.ggml.model', type: 'string', value: 'gpt2' },
    { key: 'tokenizer.ggml.pre', type: 'string', value: 'qwen2' },
    { key: 'tokenizer.ggml.tokens', type: 'strings', value: vocabulary.tokens },
    { key: 'tokenizer.ggml.token_type', type: 'i32s', value: vocabulary.types },
    { key: 'tokenizer.ggml.merges', type: 'strings', value: vocabulary.merges },
    { key: 'tokenizer.ggml.eos_token_id', type: 'u32', value: special('<|im_end|>') },
    { key: 'tokenizer.ggml.padding_token_id', type: 'u32', value: special('<|endoftext|>') },
    { key: 'tokenizer.ggml.bos_token_id', type: 'u32', value: special('<|endoftext|>') },
    { key: 'tokenizer.ggml.add_bos_token', type: 'bool', value: false },
    ...(template === undefined
      ? []
      : [{ key: 'tokenizer.chat_template', type: 'string' as const, value: template }]),
  ]
}

/** The bytes of `count` ones in single precision. */
export const onesOf = (count: number): Uint8Array => new Uint8Array(new Float32Array(count).fill(1).buffer)

function shape(
  vocabulary: number,
  width: number,
  layers: number,
  heads: number,
  keyHeads: number,
  feedForward: number,
  tied: boolean,
  contextTokens: number,
): Shape {
  return { vocabulary, width, layers, heads, keyHeads, feedForward, tied, contextTokens }
}

function templateText(template: NonNullable<RandomGgufOptions['template']>): string | undefined {
  if (typeof template === 'object') return template.jinja
  return { tools: toolsTemplate, chatml: chatmlTemplate, none: undefined }[template]
}

function shapeEntries(size: Shape, contextTokens: number): GgufEntry[] {
  const number = (key: string, value: number): GgufEntry => ({ key: `llama.${key}`, type: 'u32', value })
  return [
    number('context_length', contextTokens),
    number('embedding_length', size.width),
    number('block_count', size.layers),
    number('feed_forward_length', size.feedForward),
    number('attention.head_count', size.heads),
    number('attention.head_count_kv', size.keyHeads),
    number('rope.dimension_count', size.width / size.heads),
    number('vocab_size', size.vocabulary),
    { key: 'llama.attention.layer_norm_rms_epsilon', type: 'f32', value: 1e-5 },
    { key: 'llama.rope.freq_base', type: 'f32', value: 500_000 },
  ]
}

type Slot = { name: string; dims: number[]; pool: 'weights' | 'embeddings' | 'ones' }

function layout({ vocabulary, width, layers, heads, keyHeads, feedForward, tied }: Shape): Slot[] {
  const head = width / heads
  const layer = (index: number): Slot[] => {
    const weight = (name: string, dims: number[]): Slot => ({
      name: `blk.${index}.${name}.weight`,
      dims,
      pool: dims.length === 1 ? 'ones' : 'weights',
    })
    return [
      weight('attn_norm', [width]),
      weight('attn_q', [width, heads * head]),
      weight('attn_k', [width, keyHeads * head]),
      weight('attn_v', [width, keyHeads * head]),
      weight('attn_output', [heads * head, width]),
      weight('ffn_norm', [width]),
      weight('ffn_gate', [width, feedForward]),
      weight('ffn_up', [width, feedForward]),
      weight('ffn_down', [feedForward, width]),
    ]
  }
  return [
    { name: 'token_embd.weight', dims: [width, vocabulary], pool: 'embeddings' },
    { name: 'output_norm.weight', dims: [width], pool: 'ones' },
    ...(tied ? [] : [{ name: 'output.weight', dims: [width, vocabulary], pool: 'embeddings' as const }]),
    ...Array.from({ length: layers }, (_, index) => layer(index)).flat(),
  ]
}

type Pool = { type: TensorType; bytes: Buffer; blocks: number; per: number; blockBytes: number }

/** Random quantized blocks to cut all weights of a type from, so that large files are written quickly. */
function makePool(type: TensorType, deviation: number, size: Shape, next: () => number): Pool {
  const { per, bytes: blockBytes } = tensorTypes[type]
  const blocks = Math.min(1 << 21, size.vocabulary * size.width) / per
  const bytes = Buffer.alloc(blocks * blockBytes)
  const amplitude = deviation * Math.sqrt(3)
  for (let block = 0; block < blocks; block++) fillBlock(type, bytes, block * blockBytes, amplitude, next)
  return { type, bytes, blocks, per, blockBytes }
}

function fillBlock(type: TensorType, bytes: Buffer, at: number, amplitude: number, next: () => number): void {
  const uniform = () => ((next() / 2 ** 32) * 2 - 1) * amplitude
  switch (type) {
    case 'F32':
      bytes.writeFloatLE(uniform(), at)
      return
    case 'F16':
      bytes.writeUInt16LE(toHalf(uniform()), at)
      return
    case 'Q8_0':
      bytes.writeUInt16LE(toHalf(amplitude / 127), at)
      for (let i = 2; i < 34; i++) bytes.writeInt8((next() % 255) - 127, at + i)
      return
    case 'Q4_0':
      bytes.writeUInt16LE(toHalf(amplitude / 8), at)
      for (let i = 2; i < 18; i++) bytes.writeUInt8(next() & 255, at + i)
      return
    case 'Q4_K': {
      // A weight is d scale q - dmin min with q in 0..15; equal scales and minima centre it on zero.
      const scale = 32
      const minimum = 60
      bytes.writeUInt16LE(toHalf(amplitude / 8 / scale), at)
      bytes.writeUInt16LE(toHalf(((amplitude / 8) * 7.5) / minimum), at + 2)
      for (let i = 4; i < 8; i++) {
        bytes.writeUInt8((scale & 63) | ((scale >> 4) << 6), at + i)
        bytes.writeUInt8((minimum & 63) | ((minimum >> 4) << 6), at + i + 4)
        bytes.writeUInt8((scale & 15) | ((minimum & 15) << 4), at + i + 8)
      }
      for (let i = 16; i < 144; i++) bytes.writeUInt8(next() & 255, at + i)
    }
  }
}

function* takeFrom(pool: Pool, elements: number, next: () => number): Generator<Uint8Array> {
  for (let left = elements / pool.per; left > 0;) {
    const start = next() % pool.blocks
    const count = Math.min(left, pool.blocks - start, 1 << 16)
    yield pool.bytes.subarray(start * pool.blockBytes, (start + count) * pool.blockBytes)
    left -= count
  }
}
