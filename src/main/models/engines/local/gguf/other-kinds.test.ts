import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomModel } from '../../../../../../testing/gguf/cached.ts'
import { splitGguf } from '../../../../../../testing/gguf/split.ts'
import { writeGguf, type GgufEntry } from '../../../../../../testing/gguf/write-gguf.ts'
import { chatFacts } from '../../../describe-model.ts'
import { isFailure } from '../../../interface/engine.ts'
import { readGguf } from './read-gguf.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talaria-kinds-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const text = (key: string, value: string): GgufEntry => ({ key, type: 'string', value })
const number = (key: string, value: number): GgufEntry => ({ key, type: 'u32', value })
const kind = (architecture: string, type = 'model') => [
  text('general.architecture', architecture),
  text('general.type', type),
]
const tokens: GgufEntry = { key: 'tokenizer.ggml.tokens', type: 'strings', value: ['a', 'b'] }
const WORDS = 'token_embd.weight'

type Row = [what: string, entries: GgufEntry[], weights: string[], says: string]

test.for<Row>([
  [
    'an adapter',
    [...kind('llama', 'adapter'), text('adapter.type', 'lora')],
    ['blk.0.attn_q.weight.lora_a'],
    'an adapter (LoRA)',
  ],
  [
    'an adapter by its weights only',
    kind('qwen3'),
    ['blk.0.attn_q.weight.lora_a', 'blk.0.attn_q.weight.lora_b'],
    'an adapter (LoRA)',
  ],
  [
    'an adapter that changes words too',
    [...kind('llama', 'adapter'), tokens],
    ['token_embd.weight.lora_a', WORDS],
    'an adapter (LoRA)',
  ],
  ['an adapter for pictures', [], ['lora_unet_down_blocks_0.lora_down.weight'], 'an adapter (LoRA)'],
  [
    'a control vector',
    [text('general.architecture', 'controlvector')],
    ['direction.1', 'direction.2'],
    'a control vector',
  ],
  [
    'an importance matrix',
    [text('general.type', 'imatrix'), number('imatrix.chunk_count', 4)],
    ['blk.0.attn_q.weight.in_sum2'],
    'an importance matrix',
  ],
  [
    'an importance matrix without a type',
    [],
    ['blk.0.attn_q.weight.in_sum2', 'blk.0.attn_q.weight.counts'],
    'an importance matrix',
  ],
  [
    'a vocabulary',
    [...kind('llama'), number('llama.context_length', 2_048), tokens],
    [],
    'a vocabulary without a model',
  ],
  [
    'a video model',
    kind('wan'),
    ['patch_embedding.weight', 'blocks.0.cross_attn.k.weight'],
    'a model that makes videos (wan)',
  ],
  [
    'another video model',
    kind('ltxv'),
    ['transformer_blocks.0.attn1.to_k.weight'],
    'a model that makes videos (ltxv)',
  ],
  [
    'a picture model',
    kind('flux'),
    ['double_blocks.0.img_attn.proj.weight'],
    'a model that makes pictures (flux)',
  ],
  [
    'a picture model of Qwen',
    kind('qwen_image'),
    ['transformer_blocks.0.attn.to_k.weight'],
    'a model that makes pictures (qwen_image)',
  ],
  [
    'a picture model without a header',
    [],
    ['model.diffusion_model.input_blocks.0.0.weight'],
    'a model that makes pictures or videos',
  ],
  [
    'an unknown picture model',
    kind('newpaint'),
    ['single_blocks.0.linear1.weight'],
    'a model that makes pictures or videos (newpaint)',
  ],
  ['a speech model', kind('whisper'), ['encoder.conv1.weight'], 'a model for speech (whisper)'],
  ['a voice', kind('wavtokenizer-dec'), [WORDS], 'a model for speech (wavtokenizer-dec)'],
  [
    'eyes',
    kind('clip', 'mmproj'),
    ['v.blk.0.attn_q.weight', 'mm.0.weight'],
    'the part of another model that sees pictures',
  ],
  ['ears', kind('clip', 'mmproj'), ['a.blk.0.attn_q.weight'], 'the part of another model that hears sounds'],
  ['an embedding model', kind('bert'), [WORDS], 'an embedding model (bert)'],
  [
    'an embedding model on a chat architecture',
    [...kind('qwen3'), number('qwen3.pooling_type', 3)],
    [WORDS],
    'an embedding model (qwen3)',
  ],
  [
    'an embedding model by its name',
    [...kind('gemma3'), text('general.name', 'Little Embedding 0.3B')],
    [WORDS],
    'an embedding model (gemma3)',
  ],
  [
    'a ranking model on a chat architecture',
    [...kind('qwen3'), number('qwen3.pooling_type', 4)],
    [WORDS],
    'a model that ranks texts (qwen3)',
  ],
  [
    'a model that sorts',
    kind('llama'),
    [WORDS, 'cls.output.weight'],
    'a model that sorts texts into classes (llama)',
  ],
  ['some other weights', kind('eagle9'), ['fc.weight'], 'no language model (eagle9)'],
  ['no name of a kind', [], [WORDS], 'a file that does not name its kind of model'],
])('%s is called what it is, and not damaged', async ([what, entries, weights, says]) => {
  const path = join(folder, `${what} – 模型.gguf`)
  const data = () => [new Uint8Array(256)]
  writeGguf(
    path,
    entries,
    weights.map(name => ({ name, dims: [64], type: 'F32', data })),
  )
  const facts = await chatFacts(readGguf)(path)
  if (!isFailure(facts)) throw new Error('It passes for a model for chats.')
  expect(facts.text).toContain(`is not made for chats: it is ${says}`)
  expect(facts.fix).toContain('Nothing is wrong with the file.')
})

test('models for chats stay what they are, split ones too', async () => {
  const [first = ''] = splitGguf(randomModel(), join(folder, 'big'), { parts: 3, bareFirst: true })
  for (const path of [randomModel(), first]) expect(isFailure(await chatFacts(readGguf)(path))).toBe(false)
  const alone = await readGguf(first, { alone: true })
  expect(isFailure(alone) || alone.other).toBeUndefined()
  const unset = join(folder, 'unset.gguf')
  writeGguf(
    unset,
    [...kind('llama'), number('llama.pooling_type', 0)],
    [{ name: WORDS, dims: [64], type: 'F32', data: () => [new Uint8Array(256)] }],
  )
  expect(isFailure(await chatFacts(readGguf)(unset))).toBe(false)
})
