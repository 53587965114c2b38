import type { LlamaModel, Token, TokenBias } from 'node-llama-cpp'

/**
 * Tokens that must not be written while a grammar constrains a reply. A grammar sees only text: it admits
 * `<|im_start|>` as part of any string, although its token would start a new message. It also accepts invalid UTF-8
 * as a character, and then counts fewer characters than a reader of the text does.
 */
type ForbiddenTokens = {
  /** Forbids nothing. */
  none: TokenBias
  /**
   * Forbids every non-text token and every byte that cannot follow `last`, except the tokens that `gbnf` asks for by
   * their text.
   */
  inCall(gbnf?: string): Forbidden
  /** In free text: forbids these tokens and every non-text token. */
  inText(tokens: readonly Token[]): TokenBias
  /** Allows only this token. */
  allBut(token: Token): TokenBias
}

/** The bias after token `last`; `more` tokens are forbidden as well. */
export type Forbidden = (last: Token | undefined, more?: readonly Token[]) => TokenBias

/** What llama.cpp calls unknown, control and unused tokens. A tokenizer would not produce them from their text. */
const noText = new Set([2, 3, 5])
/** Far larger than any logit, but finite. */
const certainly = 10_000

const known = new WeakMap<LlamaModel, Promise<ForbiddenTokens>>()

/** The tokens that a model may not write inside a call. Computed once per model. */
export function forbiddenTokens(model: LlamaModel): Promise<ForbiddenTokens> {
  const found = known.get(model) ?? find(model)
  known.set(model, found)
  return found
}

async function find(model: LlamaModel): Promise<ForbiddenTokens> {
  const { TokenBias } = await import('node-llama-cpp')
  const { ggml } = model.fileInfo.metadata.tokenizer ?? {}
  const vocabulary = { kind: ggml?.model ?? '', texts: ggml?.tokens ?? [], types: ggml?.token_type ?? [] }
  const markup: Token[] = []
  // The types are numbers or bigints, depending on the program that wrote the file.
  for (let token = 0; token < vocabulary.types.length; token++) {
    if (noText.has(Number(vocabulary.types[token]))) markup.push(token as Token)
  }
  const bytes = readTokenBytes(vocabulary)
  // The library always lets end-of-reply tokens through. The grammar admits them at its own end only.
  const forbid = (tokens: readonly number[]) => new TokenBias(model.tokenizer).set(tokens as Token[], 'never')
  /** Cached per list: there are few lists, and they are long. */
  const remembered = (always: readonly number[]) => {
    const known = new WeakMap<readonly Token[], TokenBias>()
    return (tokens: readonly Token[]): TokenBias => {
      const bias = known.get(tokens) ?? forbid([...always, ...tokens])
      known.set(tokens, bias)
      return bias
    }
  }
  return {
    none: new TokenBias(model.tokenizer),
    inCall(gbnf = '') {
      const literals = markupIn(gbnf)
      const isAsked = (token: Token) => literals !== '' && literals.includes(vocabulary.texts[token] ?? '\0')
      const always = [...markup.filter(token => !isAsked(token)), ...bytes.never]
      const text = forbid(always)
      const textBut = remembered(always)
      const inCharacters = new Map(
        [...bytes.behind].map(([lead, bad]) => [lead, forbid([...always, ...bad])]),
      )
      return (last, more) => {
        const lead = last === undefined ? undefined : bytes.leads.get(last)
        const inCharacter = lead !== undefined && inCharacters.get(lead)
        if (inCharacter) return inCharacter
        return more ? textBut(more) : text
      }
    },
    inText: remembered(markup),
    allBut: token => new TokenBias(model.tokenizer).set(token, { logit: certainly }),
  }
}

/**
 * The literals of a grammar that could contain markup. There are few, while some vocabularies have thousands of tags.
 */
function markupIn(gbnf: string): string {
  const literals = gbnf.match(/"(?:[^"\\]|\\.)*"/g) ?? []
  return literals
    .filter(literal => /[<[]/.test(literal))
    .map(literal => literal.replaceAll(/\\(["\\])/g, '$1'))
    .join('\n')
}

/** Tokens that could produce invalid UTF-8. */
type TokenBytes = {
  /** Tokens with a byte that occurs in no text. */
  never: number[]
  /** Tokens that end with a lead byte that not every continuation byte may follow. */
  leads: Map<number, number>
  /** For each such lead byte, the tokens that start with an invalid continuation. */
  behind: Map<number, number[]>
}

/** Lead bytes after which only part of 80 to BF is valid, with the invalid range. */
const badSeconds: ReadonlyMap<number, readonly [from: number, to: number]> = new Map([
  [0xe0, [0x80, 0x9f]],
  [0xed, [0xa0, 0xbf]],
  [0xf0, [0x80, 0x8f]],
  [0xf4, [0x90, 0xbf]],
])
const isNever = (byte: number): boolean => byte === 0xc0 || byte === 0xc1 || byte >= 0xf5

const normal = 1
const byteToken = 6

/**
 * Analyse the bytes of a vocabulary. `kind` is the file's name for it: `gpt2` writes each byte as a character, others
 * have tokens like `<0xE0>`. Tokens of a trained model are pieces of valid text, so only the seam between two tokens
 * can be invalid.
 */
export function readTokenBytes(vocabulary: {
  kind: string
  texts: readonly string[]
  types: readonly unknown[]
}): TokenBytes {
  const found: TokenBytes = {
    never: [],
    leads: new Map(),
    behind: new Map([...badSeconds.keys()].map(lead => [lead, []])),
  }
  const { kind, texts, types } = vocabulary
  for (const [token, text] of texts.entries()) {
    const type = Number(types[token])
    let first: number | undefined
    let last: number | undefined
    if (type === byteToken) first = last = Number.parseInt(text.slice(1, -1), 16)
    else if (kind === 'gpt2' && type === normal) {
      first = byteOf(text.charCodeAt(0))
      last = byteOf(text.charCodeAt(text.length - 1))
    }
    if ((first !== undefined && isNever(first)) || (last !== undefined && isNever(last)))
      found.never.push(token)
    if (last !== undefined && badSeconds.has(last)) found.leads.set(token, last)
    if (first === undefined || first < 0x80 || first > 0xbf) continue
    for (const [lead, [from, to]] of badSeconds) {
      if (first >= from && first <= to) found.behind.get(lead)?.push(token)
    }
  }
  return found
}

/** The byte behind a character of a byte-level vocabulary. Printable characters represent themselves. */
function byteOf(code: number): number | undefined {
  if (code >= 0xa1 && code <= 0xff && code !== 0xad) return code
  if (code === 323) return 0xad
  return code >= 290 && code <= 322 ? code - 290 + 0x80 : undefined
}
