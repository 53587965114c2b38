/** Words that stand in nearly every text, so that a search for them finds nothing in particular. */
const COMMON = new Set(
  `an and are as at be by can do does for from how i if in into is it its me my of on or so that the their then there this to up us was we what when where which who why will with you your`.split(
    ' ',
  ),
)

/** Return the words of a query without common words and single letters, or all words if no others are there. */
export function tellingWords(query: string): string[] {
  const words = query.split(/\s+/u).filter(word => word !== '')
  const telling = words.filter(word => !/^[a-z]$/i.test(word) && !COMMON.has(word.toLowerCase()))
  return telling.length > 0 ? telling : words
}
