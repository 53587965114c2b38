/** A word or number; in scripts without blanks between words, one character. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|\p{L}[\p{L}\p{M}]*|\p{N}+/gu
const SINGLE = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]$/u

/** The words of a text in order, normalised and in lower case. */
export const wordsIn = (text: string): string[] => text.normalize('NFKC').toLowerCase().match(WORD) ?? []

/** Length of the runs of words by which a text is recognised in another text. */
const RUN = 4
export const runsIn = (words: readonly string[]): string[] =>
  words.slice(0, Math.max(0, words.length - RUN + 1)).map((_, at) => words.slice(at, at + RUN).join(' '))

/** How many of the words are in a run of four that is also in `known`. */
export function countKnown(words: readonly string[], known: ReadonlySet<string>): number {
  const isIn = words.map(() => false)
  for (const [at, run] of runsIn(words).entries())
    if (known.has(run)) isIn.fill(true, at, Math.min(at + RUN, words.length))
  return isIn.filter(Boolean).length
}

/** Function words, and words that fit any summary. They do not reveal which chat it is about. */
const COMMON = new Set(
  `the and for with that this these those you your they their them there here was were been have has had will would
  should could can not but from into about what which when where who why how are its his her our out any all also just
  user users assistant wants want wanted asked ask asks said says told chat conversation message messages question questions answer
  answered answers summary done next step steps goal progress work information needed nothing none
  der die das und oder mit von für nicht ein eine einen dem den des ist sind war wurde wird hat haben auf aus bei nutzer
  möchte will les des une est sont pour avec dans que qui pas sur utilisateur los las una por para con del que utilisateur usuario
  quiere sono con per che non del della utente para com não uma dos das não`
    .split(/\s+/)
    .filter(word => word !== ''),
)

/** How many first letters must match: “nurses” matches “nursing”, “Gärten” does not match “Garten”. */
const STEM = 5

const stemOf = (word: string): string => (word.length > 3 ? word.replace(/s$/, '') : word).slice(0, STEM)

/**
 * The distinct content words of a text: names, numbers and longer words by their beginning; pairs of
 * characters in scripts without blanks.
 */
export function contentIn(text: string): Set<string> {
  const words = wordsIn(text)
  const content = new Set<string>()
  for (const [at, word] of words.entries()) {
    if (SINGLE.test(word)) {
      const next = words[at + 1]
      if (next !== undefined && SINGLE.test(next)) content.add(word + next)
    } else if (/^\p{N}/u.test(word) || (word.length > 2 && !COMMON.has(word))) content.add(stemOf(word))
  }
  return content
}

/** Capitalised names, numbers of two digits or more, and files. No match starts within a run. */
const ANCHOR =
  /(?<![\p{L}\p{N}_-])[\p{L}\p{N}_-]{0,255}\p{N}[\p{N}.,:/-]{0,255}\p{N}|(?<![\w.-])[\w.-]{0,255}(?:\/[\w.-]+)+|(?<![\w-])[\w-]{1,255}\.[a-z]{2,4}\b|(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{M}]{2,}/gu

/** The parts of a text that a translation leaves unchanged: names, numbers and files, in lower case. */
export const anchorsIn = (text: string): Set<string> =>
  new Set(
    (text.normalize('NFKC').match(ANCHOR) ?? [])
      .map(each => each.toLowerCase())
      .filter(each => !COMMON.has(each)),
  )

/** Function words that reveal the language of a text in Latin letters. */
const GRAMMAR = Object.entries({
  en: 'the and of to in is that it for was with as on are this be at by have from you they were not',
  de: 'der die das und ist nicht ein eine zu den mit von für auf dem sich im wird wurde sind ich sie er auch',
  fr: 'le la les et est un une des du dans que pour pas qui sur il elle au avec a été sont ne ce',
  es: 'el la los las y es un una de que en por para con no se del su al lo como más fue',
  it: 'il lo la gli e è un una di che in per con non si del della sono nel alla da ha come',
  pt: 'o a os as e é um uma de que em para com não se do da no na foi são por ao',
}).map(([language, words]) => ({ language, words: new Set(words.split(' ')) }))

/** The script or language of a text, as far as its function words reveal it; otherwise undefined. */
export function languageOf(text: string): string | undefined {
  const letters = text.match(/\p{L}/gu) ?? []
  const latin = letters.filter(letter => /\p{sc=Latin}/u.test(letter)).length
  if (latin < letters.length / 2) {
    const [script] = Object.entries(SCRIPTS).find(([, each]) => each.test(text)) ?? ['other']
    return script
  }
  const words = wordsIn(text)
  const [first, second] = GRAMMAR.map(({ language, words: grammar }) => ({
    language,
    count: words.filter(word => grammar.has(word)).length,
  })).toSorted((a, b) => b.count - a.count)
  return first!.count >= 3 && first!.count > second!.count ? first!.language : undefined
}

const SCRIPTS = {
  ja: /[\p{sc=Hiragana}\p{sc=Katakana}]/u,
  zh: /\p{sc=Han}/u,
  ko: /\p{sc=Hangul}/u,
  ru: /\p{sc=Cyrillic}/u,
  ar: /\p{sc=Arabic}/u,
  el: /\p{sc=Greek}/u,
}
