import { seededNumbers } from './seeded-numbers.ts'

/** How llama.cpp treats a token: plain text, a control token, or text that always becomes this one token. */
export const tokenType = { normal: 1, control: 3, userDefined: 4 } as const

/** A byte-level BPE vocabulary; `id` finds the special tokens. */
export type Vocabulary = {
  tokens: string[]
  types: number[]
  merges: string[]
  id: Record<string, number>
}

const controlTokens = ['<|endoftext|>', '<|im_start|>', '<|im_end|>']
const toolTokens = [
  '<think>',
  '</think>',
  '<tool_call>',
  '</tool_call>',
  '<tool_response>',
  '</tool_response>',
]

const joints = ['\n\n', '  ', '    ', '":', '",', '": "', '{"', '"}', '}}', '[]', '()', '=>', '//', ', ']
const words =
  `the of and to in is you that it he was for on are as with his they at be this have from or one had by word but not what
all were we when your can said there use an each which she do how their if will up other about out many then them these so some her would
make like him into time has look two more write go see number no way could people my than first water been call who oil its now find long
down day did get come made may part over new sound take only little work know place year live me back give most very after thing our just
name good sentence man think say great where help through much before line right too mean old any same tell boy follow came want show also
around form three small set put end does another well large must big even such because turn here why ask went men read need land different
home us move try kind hand picture again change off play spell air away animal house point page letter mother answer found study still
learn should world user assistant system tool tools call function name arguments result error file path content text string number object
array boolean json schema search query open close read write list delete create update run command shell message model token memory note
task skill agent session context prompt response request server client browser window button click page url http https data value key type
true false null required description parameters property properties example output input code python javascript typescript return const let
import export class async await promise test build install package version config setting option default start stop status`.split(
    /\s+/,
  )

/** Build a vocabulary of exactly `size` tokens: bytes, common words, made-up words, then the special tokens. */
export function makeVocabulary(
  size: number,
  options: { toolTokens?: boolean; controlTokens?: readonly string[] } = {},
): Vocabulary {
  const special = [
    ...[...controlTokens, ...(options.controlTokens ?? [])].map(text => ({ text, type: tokenType.control })),
    ...(options.toolTokens === false ? [] : toolTokens.map(text => ({ text, type: tokenType.userDefined }))),
  ]
  const table = byteCharacters()
  const tokens = table.slice()
  const seen = new Set(tokens)
  const merges: string[] = []
  const hasRoom = () => tokens.length < size - special.length
  const add = (text: string) => {
    const [first = '', ...rest] = [...Buffer.from(text, 'utf8')].map(byte => table[byte] ?? '')
    let left = first
    for (const right of rest) {
      if (!hasRoom()) return
      const joined = left + right
      if (!seen.has(joined)) {
        seen.add(joined)
        tokens.push(joined)
        merges.push(`${left} ${right}`)
      }
      left = joined
    }
  }
  for (const text of joints) add(text)
  for (const word of words) add(` ${word}`)
  for (const word of words) add(word)
  for (const word of words) add(` ${word.charAt(0).toUpperCase()}${word.slice(1)}`)
  for (const next = seededNumbers(7); hasRoom();) add(syntheticWord(next))

  const types: number[] = tokens.map(() => tokenType.normal)
  const id: Record<string, number> = {}
  for (const { text, type } of special) {
    id[text] = tokens.length
    tokens.push(text)
    types.push(type)
  }
  return { tokens, types, merges, id }
}

/** The printable character for each byte in byte-level BPE. */
export function byteCharacters(): string[] {
  const table: string[] = []
  let next = 256
  for (let byte = 0; byte < 256; byte++) {
    const printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174
    table.push(String.fromCodePoint(printable ? byte : next++))
  }
  return table
}

/** A pronounceable word to fill the vocabulary, like the long tail of a real one. */
function syntheticWord(next: () => number): string {
  const consonants = 'bcdfghjklmnprstvwz'
  const pick = (letters: string) => letters.charAt(next() % letters.length)
  let word = next() & 1 ? ' ' : ''
  for (let left = 1 + (next() % 3); left > 0; left--) {
    word += pick(consonants) + pick('aeiou') + (next() & 1 ? pick(consonants) : '')
  }
  return word
}
