/** Splits a text at matches of the query words, ignoring case. */
export function findWords(text: string, query: string): { text: string; hit: boolean }[] {
  const words = query.split(/\s+/u).filter(word => word !== '')
  if (words.length === 0) return [{ text, hit: false }]
  const pattern = new RegExp(`(${words.map(word => RegExp.escape(word)).join('|')})`, 'giu')
  return text
    .split(pattern)
    .map((part, index) => ({ text: part, hit: index % 2 === 1 }))
    .filter(part => part.text !== '')
}
