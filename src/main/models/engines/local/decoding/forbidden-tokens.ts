import type { LlamaModel, Token, TokenBias } from 'node-llama-cpp'
import { readTokenBytes } from './token-bytes.ts'

/**
 * Tokens that must not be written while a grammar constrains a reply. A grammar sees only text: it admits
 * `<|im_start|>` as part of any string, although its token would start a new message. It also accepts invalid
 * UTF-8 as a character, and then counts fewer characters than a reader of the text does.
 */
type ForbiddenTokens = {
  /** Forbid nothing. */
  none: TokenBias
  /** Forbid every non-text token and every byte that cannot follow `last`, except tokens named in `gbnf`. */
  inCall(gbnf?: string): Forbidden
  /** In free text: forbid these tokens and every non-text token. */
  inText(tokens: readonly Token[]): TokenBias
  /** Allow only this token. */
  allBut(token: Token): TokenBias
}

/** Returns the bias after token `last`. The tokens of `more` are forbidden as well. */
export type Forbidden = (last: Token | undefined, more?: readonly Token[]) => TokenBias

/** The types that llama.cpp calls unknown, control and unused. Tokenizing text never yields such tokens. */
const noText = new Set([2, 3, 5])
/** A logit far larger than any real one, but finite. */
const certainly = 10_000

const known = new WeakMap<LlamaModel, Promise<ForbiddenTokens>>()

/** Find the tokens that a model may not write inside a call. Computed once per model. */
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
  /** Cache a bias per list: there are few lists, and they are long. */
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

/** Return the literals of a grammar that could be markup: few, while vocabularies have thousands of tags. */
function markupIn(gbnf: string): string {
  const literals = gbnf.match(/"(?:[^"\\]|\\.)*"/g) ?? []
  return literals
    .filter(literal => /[<[]/.test(literal))
    .map(literal => literal.replaceAll(/\\(["\\])/g, '$1'))
    .join('\n')
}
