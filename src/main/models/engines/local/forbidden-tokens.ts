import type { LlamaModel, Token, TokenBias } from 'node-llama-cpp'
import { readTokenBytes } from './token-bytes.ts'

/**
 * What must not be written while a grammar holds a reply. A grammar sees text only, and the text of `<|im_start|>` is a
 * fine piece of any string, though its token would begin a new message. It also takes bytes that are no UTF-8 for a
 * character, and then counts fewer of them than whoever reads the text.
 */
export type ForbiddenTokens = {
  /** Nothing is forbidden. */
  none: TokenBias
  /** Every token that is no text and every byte that cannot follow `last`, or all but those that `gbnf` asks for by their text. */
  inCall(gbnf?: string): Forbidden
  /** In free text, these and every token that is no text. */
  inText(tokens: readonly Token[]): TokenBias
  /** Only this token may come. */
  allBut(token: Token): TokenBias
}

/** What must not follow a token; nor must `more`, where there is any. */
export type Forbidden = (last: Token | undefined, more?: readonly Token[]) => TokenBias

/** What llama.cpp calls unknown, control and unused tokens; their text is not what a tokenizer would make of it. */
const noText = new Set([2, 3, 5])
/** Far beyond any logit, and still a number. */
const certainly = 10_000

const known = new WeakMap<LlamaModel, Promise<ForbiddenTokens>>()

/** The tokens that a model may not write inside a call; found once for each model. */
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
  // The types are numbers or big integers, depending on who wrote the file.
  for (let token = 0; token < vocabulary.types.length; token++) {
    if (noText.has(Number(vocabulary.types[token]))) markup.push(token as Token)
  }
  const bytes = readTokenBytes(vocabulary)
  // The library lets tokens that end a reply through; a grammar admits them at its own end only.
  const forbid = (tokens: readonly number[]) => new TokenBias(model.tokenizer).set(tokens as Token[], 'never')
  /** Made once for each list, of which there are few and long ones. */
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

/** The literals of a grammar that markup could be part of: few of them, while some vocabularies have thousands of tags. */
function markupIn(gbnf: string): string {
  const literals = gbnf.match(/"(?:[^"\\]|\\.)*"/g) ?? []
  return literals
    .filter(literal => /[<[]/.test(literal))
    .map(literal => literal.replaceAll(/\\(["\\])/g, '$1'))
    .join('\n')
}
