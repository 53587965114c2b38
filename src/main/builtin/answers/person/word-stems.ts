/** Words that carry no meaning for a search. */
const STOP = new Set(
  (
    'a an the and or but of to in on at by for from with without as is am are was were be been being do does did done have has had having ' +
    'i me my mine myself you your yours we our us he him his she her hers it its they them their this that these those there here ' +
    'what which who whom whose when where why how can could would should will shall may might must not no yes if then than so such ' +
    'very too also just only still again ever never now about into out up down over under more most some any all both each few other ' +
    'own same tell told say said saying know knows known remember save saved mention mentioned please thing things anything something ' +
    'everything stuff much many lot get got go goes going let user person really actually still already before earlier called name named ' +
    'think want kind type sort old mean regarding concerning'
  ).split(' '),
)

/** Words that mean nearly the same when people talk about themselves; the first of each row represents it. */
const ROWS = [
  'like likes liked love loves enjoy enjoys prefer prefers preferred favourite favorite fond adore adores preference fan preferences',
  'dislike dislikes hate hates detest avoid avoids',
  'live lives living lived home reside resides moved address based residence',
  'work works working worked job employer employed company profession occupation career workplace living',
  'drive drives driving car cars vehicle',
  'birthday born birthdate birth',
  'wife spouse married',
  'husband married spouse',
  'kid kids child children son daughter sons daughters',
  'mother mum mom mama',
  'father dad papa',
  'colour colours color colors',
  'language languages speak speaks spoken',
  'allergy allergies allergic intolerant intolerance',
  'eat eats food foods diet meal',
  'drink drinks beverage',
  'pet pets dog dogs cat cats',
  'phone telephone mobile',
  'email mail e-mail',
  'hobby hobbies pastime',
  'brother brothers sibling siblings',
  'sister sisters sibling siblings',
  'use uses using used',
  'editor ide',
  'doctor physician',
  'boss manager chief',
  'size sizes',
]
const MEANT = new Map<string, Set<string>>()
for (const row of ROWS) {
  const words = row.split(' ')
  for (const word of words) {
    const near = MEANT.get(word) ?? new Set<string>()
    for (const each of words) near.add(each)
    MEANT.set(word, near)
  }
}

/** Remove the usual English endings from a word. */
export function cutEnding(word: string): string {
  const bare = word.replace(/'s?$/, '')
  if (bare.length > 4 && bare.endsWith('ies')) return `${bare.slice(0, -3)}y`
  if (bare.length > 5 && /(?:ing|ed)$/.test(bare))
    return bare
      .replace(/(?:ing|ed)$/, '')
      .replace(/([^aeiouls])\1$/, '$1')
      .replace(/e$/, '')
  if (bare.length > 3 && /(?:s|x|z|ch|sh)es$/.test(bare)) return bare.slice(0, -2)
  const single = bare.length > 3 && bare.endsWith('s') && !/[su]s$/.test(bare) ? bare.slice(0, -1) : bare
  return single.length > 4 ? single.replace(/e$/, '') : single
}

/** The content words of a text, in lower case. */
export const contentWords = (text: string): string[] => wordsIn(text).filter(word => !STOP.has(word))

/** All words of a text in lower case, without possessive endings. */
export const wordsIn = (text: string): string[] =>
  (
    text
      .normalize('NFC')
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? []
  ).map(word => word.replace(/'s?$/, ''))

/** Whether the words of a text include a word, one of its forms, or one with nearly the same meaning. */
export function holdsWord(words: ReadonlySet<string>, stems: ReadonlySet<string>, word: string): boolean {
  if (words.has(word) || stems.has(cutEnding(word))) return true
  return [...(MEANT.get(word) ?? [])].some(near => words.has(near))
}

/** Whether two longer words differ by only a letter or two, like a mistyped name. */
export function isMistyped(word: string, other: string): boolean {
  if (word.length < 5 || Math.abs(word.length - other.length) > 1 || word[0] !== other[0]) return false
  let at = 0
  while (at < word.length && word[at] === other[at]) at++
  const [a, b] = [word.slice(at), other.slice(at)]
  return (
    a.slice(1) === b.slice(1) ||
    a.slice(1) === b ||
    a === b.slice(1) ||
    (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2))
  )
}
