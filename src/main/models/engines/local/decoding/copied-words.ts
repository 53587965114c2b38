import type { LlamaModel, Token } from 'node-llama-cpp'
import type { WireMessage } from '../../../interface/engine.ts'

/**
 * Keeps a tiny model from inventing words. Its replies may use only the words of the conversation and of a
 * list in its file (`talaria.words`). The list has the other words that correct replies contain. Models
 * without such a list are unaffected.
 */
export type CopiedWords = {
  /** Return the tokens that would form an unknown word after `text`; undefined if any token is allowed. */
  wrongBehind(text: string): readonly Token[] | undefined
}

const WORD = /[\p{L}\p{N}]+/gu
const LEADING = /^[\p{L}\p{N}]*/u
const TRAILING = /(?<![\p{L}\p{N}])[\p{L}\p{N}]*$/u
/** How many characters before the end to read. No word is longer. */
const REMEMBERED = 200
const normal = 1
const wholeText = 4
const singleByte = 6

/** Return the word list in the model’s file; undefined for most models. */
function ownWords(model: LlamaModel): readonly string[] | undefined {
  const { talaria } = model.fileInfo.metadata as { talaria?: { words?: unknown } }
  const words = talaria?.words
  return Array.isArray(words) ? words.map(String) : undefined
}

/** Collect the words of a conversation; undefined for an unaffected model. */
export function copiedWords(model: LlamaModel, messages: readonly WireMessage[]): CopiedWords | undefined {
  const own = ownWords(model)
  if (!own) return undefined
  const whole = new Set(own.flatMap(formsOf))
  for (const { text } of messages) for (const word of text.match(WORD) ?? []) addForms(whole, word)
  const beginnings = new Set([''])
  for (const word of whole) for (let end = 1; end <= word.length; end++) beginnings.add(word.slice(0, end))
  const found = new Map<string, readonly Token[]>()

  /** Whether a token may follow the start of a word. */
  const isRight = (start: string, text: string): boolean => {
    const lead = LEADING.exec(text)![0]
    const word = start + lead
    if (lead.length === text.length) return beginnings.has(word)
    // A list item or heading must not start in the middle of a line.
    if (start !== '' && /^[-#] /.test(text)) return false
    return (word === '' || whole.has(word)) && beginnings.has(TRAILING.exec(text)![0])
  }
  /** Whether a multi-byte letter may follow. */
  const spellsMore = (start: string): boolean =>
    [...whole].some(word => word.startsWith(start) && (word.codePointAt(start.length) ?? 0) > 0x7f)
  return {
    wrongBehind(text) {
      const tail = text.slice(-REMEMBERED)
      // After an unfinished escape, the next letter belongs to the escape.
      if (/(?<!\\)(?:\\\\)*\\(?:u[\da-f]{0,3})?$/i.test(tail)) return undefined
      const start = TRAILING.exec(tail.replaceAll(/\\(?:u[\da-f]{4}|.)/gi, ' '))![0]
      const wrong =
        found.get(start) ??
        vocabularyOf(model).flatMap(([token, text]) =>
          (text === null ? spellsMore(start) : isRight(start, text)) ? [] : [token],
        )
      found.set(start, wrong)
      return wrong
    },
  }
}

/** Return the spellings of a word: unchanged, within a sentence, and at the start of a sentence. */
const formsOf = (word: string): string[] => [
  word,
  word.toLowerCase(),
  word.charAt(0).toUpperCase() + word.slice(1).toLowerCase(),
]
const addForms = (words: Set<string>, word: string): void => {
  for (const form of formsOf(word)) words.add(form)
}

const vocabularies = new WeakMap<LlamaModel, readonly (readonly [Token, string | null])[]>()

/** Return the texts of all writable tokens. Null for single bytes, which spell characters without a token. */
function vocabularyOf(model: LlamaModel): readonly (readonly [Token, string | null])[] {
  const known = vocabularies.get(model)
  if (known) return known
  const { ggml } = model.fileInfo.metadata.tokenizer ?? {}
  const types = ggml?.token_type ?? []
  const read = (ggml?.tokens ?? []).flatMap((text, token): [Token, string | null][] => {
    const type = Number(types[token])
    if (type === singleByte) return [[token as Token, null]]
    return [normal, wholeText].includes(type) ? [[token as Token, text.replaceAll('\u2581', ' ')]] : []
  })
  vocabularies.set(model, read)
  return read
}
