// German and the Nordic languages write some letters in two ways, and a letter may be separate from its
// accent.
const WRITTEN: Record<string, string> = {
  ß: 'ß|ss',
  ä: 'ä|a\u0308|ae|æ',
  ö: 'ö|o\u0308|oe|ø',
  ü: 'ü|u\u0308|ue',
  å: 'å|a\u030a|aa',
  æ: 'æ|ae|ä',
  ø: 'ø|oe|ö',
  ss: 'ss|ß',
  ae: 'ae|ä|a\u0308|æ',
  oe: 'oe|ö|o\u0308|ø',
  ue: 'ue|ü|u\u0308',
  aa: 'aa|å|a\u030a',
}
const PIECE = /ss|ae|oe|ue|aa|./gisu

/**
 * The pattern that finds a text in a message: literal, ignoring case as Unicode folds it, with any whitespace
 * for a space, and with ß as ss and ü as ue or the other way round. Undefined if there is nothing to find.
 * The host counts matches with it, and the window marks them.
 */
export function findPattern(query: string): RegExp | undefined {
  const words = query.normalize('NFC').trim().split(/\s+/u).filter(Boolean)
  if (words.length === 0) return undefined
  return new RegExp(words.map(inAnySpelling).join(String.raw`\s+`), 'giu')
}

function inAnySpelling(word: string): string {
  // `RegExp.escape` writes the first letter as a code, so a word without such letters is escaped as a whole.
  const pieces = word.match(PIECE) ?? []
  const spelled = pieces.map(piece => WRITTEN[piece.toLowerCase()])
  if (spelled.every(each => each === undefined)) return RegExp.escape(word)
  return pieces.map((piece, at) => (spelled[at] ? `(?:${spelled[at]})` : RegExp.escape(piece))).join('')
}
