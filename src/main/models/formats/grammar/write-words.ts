import {
  charactersOf,
  type CharacterSet,
  removeCharacters,
  writeClass,
  alternatives,
  groupedAlternatives,
  literal,
  sequence,
  type Rules,
} from './gbnf-rules.ts'

/** A word, and the rules for what follows it. */
export type Word = readonly [text: string, behind: string]

/**
 * One of several words. Common prefixes are written once, so that a grammar tracks only the alternatives that are
 * still possible.
 */
export function writeWords(words: readonly Word[]): string {
  const byFirst = new Map<string, Word[]>()
  for (const [text, behind] of words) {
    const [first = ''] = text
    byFirst.set(first, [...(byFirst.get(first) ?? []), [text, behind]])
  }
  const options = [...byFirst].flatMap(([first, some]) => {
    if (first === '') return some.map(([, behind]) => behind)
    const shared = sharedStart(some.map(([text]) => text))
    if (some.length === 1) return [sequence(literal(shared), some[0]![1])]
    const rest = some.map(([text, behind]): Word => [text.slice(shared.length), behind])
    return [sequence(literal(shared), inGroup(writeWords(rest)))]
  })
  return alternatives(options)
}

const inGroup = (options: string) => (options === '""' ? '' : `(${options})`)

function sharedStart(texts: readonly string[]): string {
  let shared = texts[0] ?? ''
  for (const text of texts) {
    let length = 0
    while (length < shared.length && shared[length] === text[length]) length++
    shared = shared.slice(0, length)
  }
  // Do not split a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(shared) ? shared.slice(0, -1) : shared
}

/** A non-empty word of these characters other than `words`. */
export function writeOtherWord(rules: Rules, words: readonly string[], characters: CharacterSet): string {
  const more = rules.rule(`${writeClass(characters)}*`)
  const write = (left: readonly string[]): string => {
    const firsts = [...new Set(left.map(word => Array.from(word)[0]).filter(first => first !== undefined))]
    const others = removeCharacters(characters, charactersOf(firsts.join('')))
    return rules.rule(
      alternatives([
        ...(left.includes('') ? [] : ['']),
        ...(others.length > 0 ? [sequence(writeClass(others), more)] : []),
        ...firsts.map(first =>
          sequence(
            literal(first),
            groupedAlternatives([
              write(left.filter(word => word.startsWith(first)).map(word => word.slice(first.length))),
            ]),
          ),
        ),
      ]),
    )
  }
  return write([...words, ''])
}
