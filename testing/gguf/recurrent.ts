import { vocabularyEntries } from './random.ts'
import { seededNumbers } from './seeded-numbers.ts'
import { chatmlTemplate } from './templates.ts'
import { makeVocabulary } from './vocabulary.ts'
import { elementCount, writeGguf, type GgufEntry, type GgufTensor } from './write-gguf.ts'

const [vocabularySize, width, layers] = [1_024, 64, 2]
const [inner, state, kernel, rank] = [128, 16, 4, 4]

/**
 * Write a tiny recurrent model (Mamba) with random weights. It has no keys and values: its context is a
 * single state, which cannot be rolled back.
 */
export function makeRecurrentGguf(path: string): void {
  const next = seededNumbers(3)
  const vocabulary = makeVocabulary(vocabularySize)
  const number = (key: string, value: number): GgufEntry => ({ key: `mamba.${key}`, type: 'u32', value })
  const entries: GgufEntry[] = [
    { key: 'general.architecture', type: 'string', value: 'mamba' },
    { key: 'general.name', type: 'string', value: 'recurrent' },
    number('context_length', 8_192),
    number('embedding_length', width),
    number('feed_forward_length', 0),
    number('attention.head_count', 0),
    number('block_count', layers),
    number('ssm.conv_kernel', kernel),
    number('ssm.inner_size', inner),
    number('ssm.state_size', state),
    number('ssm.time_step_rank', rank),
    { key: 'mamba.attention.layer_norm_rms_epsilon', type: 'f32', value: 1e-5 },
    ...vocabularyEntries(vocabulary, chatmlTemplate),
  ]
  const tensor = (name: string, dims: readonly number[], value: () => number): GgufTensor => ({
    name,
    dims,
    type: 'F32',
    data: () => [new Uint8Array(Float32Array.from({ length: elementCount(dims) }, value).buffer)],
  })
  const around = (size: number) => () => ((next() / 2 ** 32) * 2 - 1) * size
  const one = () => 1
  const layer = (at: number): GgufTensor[] => [
    tensor(`blk.${at}.attn_norm.weight`, [width], one),
    tensor(`blk.${at}.ssm_in.weight`, [width, 2 * inner], around(0.3)),
    tensor(`blk.${at}.ssm_conv1d.weight`, [kernel, inner], around(0.5)),
    tensor(`blk.${at}.ssm_conv1d.bias`, [inner], around(0.1)),
    tensor(`blk.${at}.ssm_x.weight`, [inner, rank + 2 * state], around(0.3)),
    tensor(`blk.${at}.ssm_dt.weight`, [rank, inner], around(0.5)),
    tensor(`blk.${at}.ssm_dt.bias`, [inner], around(0.5)),
    // Negative, so that earlier input fades.
    tensor(`blk.${at}.ssm_a`, [state, inner], () => -0.1 - (next() / 2 ** 32) * 0.5),
    tensor(`blk.${at}.ssm_d`, [inner], one),
    tensor(`blk.${at}.ssm_out.weight`, [inner, width], around(0.3)),
  ]
  writeGguf(path, entries, [
    tensor('token_embd.weight', [width, vocabularySize], around(1)),
    tensor('output_norm.weight', [width], one),
    ...Array.from({ length: layers }, (_, at) => layer(at)).flat(),
  ])
}
