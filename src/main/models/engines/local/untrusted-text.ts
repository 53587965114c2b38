/** What looks like markup of a model: `<tool_call>`, `<|im_end|>`, `<｜tool▁sep｜>`, `[TOOL_CALLS]`. */
const markup = /<[^<>\s]{1,64}>|\[\/?[A-Z_]{2,32}\]/g

/** Some vocabularies hold HTML tags as single tokens; in a text about HTML they are what is meant. */
const html =
  /^<\/?(?:a|b|i|u|p|em|br|hr|h[1-6]|[uod]l|li|d[td]|div|span|strong|code|pre|table|thead|tbody|tfoot|t[rdh]|caption|su[bp]|blockquote|img|small|mark|del|ins)>$/

/**
 * Find the markup that would become a token of its own wherever it stands in a text. `texts` are the tokens that the
 * makers of the model defined. Undefined when there is none.
 */
export function findMarkup(texts: readonly string[]): RegExp | undefined {
  const found = new Set(texts.flatMap(text => text.match(markup) ?? []).filter(text => !html.test(text)))
  if (found.size === 0) return undefined
  const longestFirst = [...found].toSorted((a, b) => b.length - a.length)
  return new RegExp(longestFirst.map(text => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'g')
}

/**
 * Cut a text inside each piece of markup, after its first character. Read one by one, the pieces spell the same text,
 * and none of them holds a token that only the program or the model itself may write.
 */
export function cutMarkup(text: string, pattern: RegExp | undefined): string[] {
  if (!pattern) return [text]
  const pieces: string[] = []
  let start = 0
  for (const { index } of text.matchAll(pattern)) {
    pieces.push(text.slice(start, index + 1))
    start = index + 1
  }
  pieces.push(text.slice(start))
  return pieces
}
