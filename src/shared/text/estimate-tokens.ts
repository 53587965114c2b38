/**
 * Tokens per part of a text, fitted on English prose, source code, JSON and logs with the vocabularies of GPT-4o and
 * Llama 3, taking the higher count each time. An overestimate drops old messages a little early; an underestimate
 * makes the server reject the prompt.
 */
const WORD = 0.8
const LONG_WORD_LETTER = 0.15
const DIGITS = 1.4
const MARK = 0.6
const REPEATED = 0.02
const SPACE = 0.3
const NEWLINE = 1.4
/**
 * Other scripts, per UTF-16 unit. New vocabularies cover them well and old ones hardly, so these values are in
 * between.
 */
const ACCENTED = 0.7
const ALPHABET = 0.4
const SYLLABLE = 0.75
const IDEOGRAPH = 0.8
const EMOJI = 1.3

/**
 * Estimate the tokens of a text from its characters alone, in one pass and without a vocabulary. Measured error:
 * within ±13 % on English, source code, JSON and logs; -30 to +30 % on other European languages, Cyrillic, Arabic and
 * CJK; up to a factor of two on scripts that vocabularies treat very differently (Indic, Thai).
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  let previous = 0
  let run = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const kind = kindOf(code)
    // A capital after a small letter starts a new word, as in camelCase.
    const continues = kind === kindOf(previous) && !(code < 97 && previous >= 97 && previous <= 122)
    run = continues ? run + 1 : 1
    tokens += kind === 'other' ? costOfOther(code) : costOfAscii(kind, code, previous, run)
    previous = code
  }
  return Math.ceil(tokens)
}

type Kind = 'letter' | 'digit' | 'space' | 'mark' | 'other'

function kindOf(code: number): Kind {
  if (code > 127) return 'other'
  if ((code | 32) >= 97 && (code | 32) <= 122) return 'letter'
  if (code >= 48 && code <= 57) return 'digit'
  return code <= 32 ? 'space' : 'mark'
}

function costOfAscii(kind: Exclude<Kind, 'other'>, code: number, previous: number, run: number): number {
  if (kind === 'letter') return run === 1 ? WORD : run > 7 ? LONG_WORD_LETTER : 0
  if (kind === 'digit') return run % 3 === 1 ? DIGITS : 0
  if (code === previous) return REPEATED
  if (kind === 'mark') return MARK
  // An indent merges with its line break, and a single space with the word after it.
  return code === 10 ? NEWLINE : previous === 10 || code === 13 ? REPEATED : SPACE
}

function costOfOther(code: number): number {
  if (code < 0x250) return ACCENTED
  if (code < 0x700) return ALPHABET // Greek, Cyrillic, Armenian, Hebrew, Arabic
  if (code < 0x1e00) return SYLLABLE // Indic scripts, Thai, Georgian, Khmer
  if (code < 0x2000) return ACCENTED // Vietnamese, old Greek
  if (code < 0x2e80) return MARK
  if (code < 0xd800) return IDEOGRAPH // CJK, kana, hangul
  return code < 0xe000 ? EMOJI : IDEOGRAPH // a surrogate pair counts twice
}
