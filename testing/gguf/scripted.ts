import { seededNumbers } from './seeded-numbers.ts'
import { onesOf, vocabularyEntries } from './random.ts'
import { toolsTemplate } from './templates.ts'
import { byteCharacters, makeVocabulary, tokenType } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'
import { toHalf, writeGguf } from './write-gguf.ts'
import type { GgufTensor } from './write-gguf.ts'

export type ScriptedGgufOptions = {
  /**
   * The reply when no rule applies; as numbers, its bytes, each at most once and none of them a line feed.
   */
  reply?: string | readonly number[]
  /** The reply has no end: after its last token it continues at this character, or byte, of the reply. */
  goesOnAt?: number
  /** At most four; if the context contains the texts of several, the last rule wins. */
  rules?: readonly { when: string; reply: string }[]
  contextTokens?: number
  name?: string
  /** A Jinja template whose generation prompt ends with a line feed. */
  template?: string
  /** The token that ends a turn; `<|im_end|>` by default. */
  end?: string
  /** Texts that are control tokens. */
  tokens?: readonly string[]
}

const TURN_END = '<|im_end|>'

const width = 512
const heads = 8
const head = width / heads
const feedForward = 32
/** The last 16 numbers of the width stay free of the random directions that distinguish tokens. */
const directions = width - 16
const flagAt = width - 16
const markAt = width - 8
const biasAt = width - 1
const scale = 2

/**
 * Write a real one-layer model whose weights are set by hand so that it says what a test wants. Its file asks
 * for temperature 0, where it does so exactly.
 *
 * Every token has its own random direction, and the output matrix maps a token to the one that follows it in
 * a script, so a reply is a chain that starts at the line feed after `<|im_start|>assistant`. A rule's text
 * is one token of the vocabulary; an attention head looks for it anywhere in the context and raises the first
 * token of that rule's chain.
 */
export function makeScriptedGguf(path: string, options: ScriptedGgufOptions = {}): void {
  const { reply = 'Hello.', rules = [], contextTokens = 8_192, name = 'scripted' } = options
  if (rules.length > 4) throw new Error('A scripted model takes at most four rules.')
  const vocabulary = makeVocabulary(1_024)
  const { end = TURN_END, tokens = [] } = options
  vocabulary.tokens[vocabulary.id[TURN_END] ?? 0] = end
  const script = writeScript(vocabulary, reply, rules, tokens)
  const { embeddings, outputs } = connect(vocabulary, script, options.goesOnAt)
  const attention = lookForMarks(rules.length)
  const count = vocabulary.tokens.length
  const number = (key: string, value: number) => ({ key: `llama.${key}`, type: 'u32' as const, value })
  writeGguf(
    path,
    [
      { key: 'general.architecture', type: 'string', value: 'llama' },
      { key: 'general.type', type: 'string', value: 'model' },
      { key: 'general.name', type: 'string', value: name },
      { key: 'general.file_type', type: 'u32', value: 1 },
      // At any other temperature it would occasionally say something else.
      { key: 'general.sampling.temp', type: 'f32', value: 0 },
      number('context_length', contextTokens),
      number('embedding_length', width),
      number('block_count', 1),
      number('feed_forward_length', feedForward),
      number('attention.head_count', heads),
      number('attention.head_count_kv', heads),
      number('rope.dimension_count', head),
      number('vocab_size', count),
      { key: 'llama.attention.layer_norm_rms_epsilon', type: 'f32', value: 1e-6 },
      { key: 'llama.rope.freq_base', type: 'f32', value: 1e9 },
      ...vocabularyEntries(vocabulary, options.template ?? toolsTemplate),
    ],
    [
      matrix('token_embd', [width, count], embeddings),
      ones('output_norm'),
      matrix('output', [width, count], outputs),
      ones('blk.0.attn_norm'),
      matrix('blk.0.attn_q', [width, width], attention.query),
      matrix('blk.0.attn_k', [width, width], attention.key),
      matrix('blk.0.attn_v', [width, width], attention.value),
      matrix('blk.0.attn_output', [width, width], attention.output),
      ones('blk.0.ffn_norm'),
      matrix('blk.0.ffn_gate', [width, feedForward], new Float32Array(width * feedForward)),
      matrix('blk.0.ffn_up', [width, feedForward], new Float32Array(width * feedForward)),
      matrix('blk.0.ffn_down', [feedForward, width], new Float32Array(width * feedForward)),
    ],
  )
}

type Script = { marks: number[]; chains: number[][] }

/**
 * Add the tokens that the rules and replies need, and turn every reply into a chain of tokens used only
 * there.
 */
function writeScript(
  vocabulary: Vocabulary,
  reply: string | readonly number[],
  rules: NonNullable<ScriptedGgufOptions['rules']>,
  further: readonly string[],
): Script {
  const { tokens, types, id } = vocabulary
  const known = new Set(tokens)
  const define = (text: string, type: number = tokenType.userDefined): number => {
    const present = id[text]
    if (present !== undefined) return present
    if (known.has(text)) throw new Error(`Already a token: ${JSON.stringify(text)}`)
    known.add(text)
    const token = tokens.push(text) - 1
    types.push(type)
    id[text] = token
    return token
  }
  for (const text of further) define(text, tokenType.control)
  const marks = rules.map(rule => define(rule.when))
  const used = new Set(marks)
  const chainOf = (text: string | readonly number[]): number[] => {
    if (typeof text !== 'string') return text.map(byte => tokens.indexOf(byteCharacters()[byte] ?? ''))
    const chain: number[] = []
    const append = (token: number) => {
      used.add(token)
      chain.push(token)
    }
    for (const part of splitAtTokens(text, id)) {
      const special = id[part]
      if (special !== undefined && part.startsWith('<') && !used.has(special)) append(special)
      else appendWords(part, { known, tokens, types, chain, append, define })
    }
    return chain
  }
  return { marks, chains: [reply, ...rules.map(rule => rule.reply)].map(chainOf) }
}

/** Split a text at tags that are tokens; other tags are ordinary words. */
function splitAtTokens(text: string, id: Vocabulary['id']): string[] {
  const parts: string[] = ['']
  for (const part of text.split(/(<\|?\/?[a-z_]+\|?>)/)) {
    if (id[part] === undefined || !part.startsWith('<')) parts[parts.length - 1] += part
    else parts.push(part, '')
  }
  return parts.filter(part => part !== '')
}

type Writing = {
  known: Set<string>
  tokens: string[]
  types: number[]
  chain: number[]
  append: (token: number) => void
  define: (text: string) => number
}

/**
 * Split a text into words. A word that already is a token is joined with the next one, or the last one with
 * the previous.
 */
function appendWords(text: string, { known, tokens, types, chain, append, define }: Writing): void {
  let pending = ''
  for (const word of text.match(/\s*\S+|\s+$/g) ?? [text]) {
    pending += word
    if (known.has(pending) || pending.trim() === '') continue
    append(define(pending))
    pending = ''
  }
  if (pending === '') return
  const last = chain.at(-1)
  if (last !== undefined && types[last] === tokenType.userDefined) {
    chain.pop()
    append(define((tokens[last] ?? '') + pending))
  } else append(define(pending))
}

function connect({ tokens, id }: Vocabulary, { marks, chains }: Script, goesOnAt: number | undefined) {
  const next = seededNumbers(3)
  const embeddings = new Float32Array(tokens.length * width)
  const outputs = new Float32Array(tokens.length * width)
  for (let token = 0; token < tokens.length; token++) {
    const direction = embeddings.subarray(token * width, token * width + directions)
    for (let i = 0; i < directions; i++) direction[i] = (next() & 1 ? 1 : -1) + (next() / 2 ** 32 - 0.5)
    const length = Math.hypot(...direction)
    for (let i = 0; i < directions; i++) direction[i] = (direction[i] ?? 0) / length
    embeddings[token * width + biasAt] = 1
  }
  marks.forEach((token, rule) => (embeddings[token * width + markAt + rule] = 1))

  const link = (from: number, to: number, weight: number) => {
    for (let i = 0; i < directions; i++) {
      const at = to * width + i
      outputs[at] = (outputs[at] ?? 0) + scale * weight * (embeddings[from * width + i] ?? 0)
    }
  }
  const start = tokens.indexOf('\u010a') // a line feed in byte-level form
  const end = id[TURN_END] ?? 0
  outputs[end * width + biasAt] = scale * 0.3
  chains.forEach((chain, index) => {
    const first = chain[0] ?? end
    link(start, first, index === 0 ? 1 : 0.9)
    if (index > 0) outputs[first * width + flagAt + index - 1] = scale * 0.2 * index
    const behind = index === 0 && goesOnAt !== undefined ? tokenAt(tokens, chain, goesOnAt) : end
    chain.forEach((token, at) => link(token, chain[at + 1] ?? behind, 1))
  })
  return { embeddings, outputs }
}

/** The token of a chain that contains a character of its text. */
function tokenAt(tokens: readonly string[], chain: readonly number[], wanted: number): number {
  let behind = 0
  const found = chain.find(token => (behind += tokens[token]?.length ?? 0) > wanted)
  if (found === undefined) throw new Error('A reply cannot go on behind its end.')
  return found
}

/**
 * One attention head per rule: its query is constant, its key is the rule's mark, and its value sets the
 * rule's flag.
 */
function lookForMarks(rules: number) {
  const make = () => new Float32Array(width * width)
  const attention = { query: make(), key: make(), value: make(), output: make() }
  for (let rule = 0; rule < rules; rule++) {
    // The slowest rotary pair, so that the distance to the mark hardly matters.
    const slow = (rule * head + head - 2) * width
    attention.query[slow + biasAt] = 1.2
    attention.key[slow + markAt + rule] = 1.2
    attention.value[rule * head * width + markAt + rule] = 1
    attention.output[(flagAt + rule) * width + rule * head] = 1 / 13
  }
  return attention
}

function matrix(name: string, dims: [number, number], values: Float32Array): GgufTensor {
  const data = () => {
    const halves = Uint16Array.from(values, value => (value === 0 ? 0 : toHalf(value)))
    return [new Uint8Array(halves.buffer)]
  }
  return { name: `${name}.weight`, dims, type: 'F16', data }
}

const ones = (name: string): GgufTensor => ({
  name: `${name}.weight`,
  dims: [width],
  type: 'F32',
  data: () => [onesOf(width)],
})
