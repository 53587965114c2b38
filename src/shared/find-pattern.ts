/**
 * What finds a text in a message: literally, in any case as Unicode folds it, with any space where the text has some. Undefined when
 * there is nothing to find. The host counts with it, and the window marks with it.
 */
export function findPattern(query: string): RegExp | undefined {
  const words = query.trim().split(/\s+/u).filter(Boolean)
  if (words.length === 0) return undefined
  return new RegExp(words.map(word => RegExp.escape(word)).join(String.raw`\s+`), 'giu')
}
