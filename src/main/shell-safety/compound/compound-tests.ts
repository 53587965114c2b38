import { textOfWord, type CompoundWord } from './compound-words.ts'

/** Commands that only print or compare their arguments. */
const PRINTING = new Set(['echo', 'basename', 'dirname', ':', 'true', 'false'])
const OF_FILE = /^-[fdesrwxhL]$/
const OF_TEXT = /^-[nz]$/
const COMPARES = /^(?:=|==|!=|-eq|-ne|-lt|-le|-gt|-ge)$/

/** Whether a command only prints its arguments, so that unknown text in them does no harm. */
export function onlyPrints(name: string, texts: readonly (string | undefined)[]): boolean {
  if (PRINTING.has(name)) return true
  if (name === 'command') return texts.length === 2 && /^-[vV]$/.test(texts[0] ?? '')
  // `-v` stores into a variable, and some shells evaluate numbers.
  return name === 'printf' && /^(?!-)(?:[^%\\]|%-?\d*s|%%|\\[nt])*$/.test(texts[0] ?? '%d')
}

/** Whether `test` or `[` checks a file inside the folder, or compares two texts. */
export function isReadTest(name: string, words: readonly CompoundWord[]): boolean {
  if (name !== 'test' && name !== '[') return false
  if (name === '[' && textOfWord(words.at(-1)) !== ']') return false
  let left = name === '[' ? words.slice(0, -1) : words
  if (textOfWord(left[0]) === '!') left = left.slice(1)
  const [first, second, third] = left
  if (left.length === 2) return isUnary(first, second!)
  return left.length === 3 && isValue(first!) && isValue(third!) && COMPARES.test(textOfWord(second) ?? '')
}

/** The same check for `[[ … ]]`, without comparing numbers, because it evaluates them. */
export function isReadCondition(words: readonly CompoundWord[]): boolean {
  const parts: CompoundWord[][] = [[]]
  for (const word of words)
    if (/^(?:&&|\|\|)$/.test(textOfWord(word, true) ?? '')) parts.push([])
    else parts.at(-1)!.push(word)
  return parts.every(part => {
    const left = textOfWord(part[0]) === '!' ? part.slice(1) : part
    if (left.length === 2) return isUnary(left[0], left[1]!)
    return (
      left.length === 3 &&
      isValue(left[0]!) &&
      isValue(left[2]!) &&
      /^(?:=|==|!=)$/.test(textOfWord(left[1]) ?? '')
    )
  })
}

function isUnary(flag: CompoundWord | undefined, word: CompoundWord): boolean {
  const text = textOfWord(flag) ?? ''
  if (!OF_FILE.test(text) && !OF_TEXT.test(text)) return false
  const path = textOfWord(word)
  return OF_TEXT.test(text) || path === undefined || !/^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(path)
}

/** Whether a word cannot be taken for an operator. */
const isValue = (word: CompoundWord): boolean => !/^[-!(]/.test(textOfWord(word) ?? '')

/** Find where the command of `xargs` begins, and its placeholder (`-I`); undefined for flags that do more. */
export function flagsOfXargs(
  texts: readonly (string | undefined)[],
): { at: number; place: string | undefined } | undefined {
  let place: string | undefined
  let at = 0
  for (; texts[at]?.startsWith('-'); at++) {
    const flag = texts[at]!
    if (/^-(?:[0rt]+|[0rt]*[nPL]\d+)$/.test(flag) || flag === '--no-run-if-empty' || flag === '--null')
      continue
    if (/^-[nPL]$/.test(flag) && /^\d+$/.test(texts[at + 1] ?? '')) at++
    else if (/^-I.+$/.test(flag)) place = flag.slice(2)
    else if (flag === '-I' && texts[at + 1] !== undefined) place = texts[++at]
    else return undefined
  }
  return { at, place }
}
