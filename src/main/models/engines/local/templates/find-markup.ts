/** Markup of models, such as `<tool_call>`, `<|im_end|>`, `<｜tool▁sep｜>`, `[TOOL_CALLS]`, `]<]minimax[>[`. */
const markup = /\]<\]\w{1,32}\[>\[|<[^<>\s]{1,64}>|\[\/?[A-Z_]{2,32}\]/g

/** HTML tags. Some vocabularies have them as single tokens, but in a text about HTML they are plain text. */
const html =
  /^<\/?(?:a|b|i|u|p|em|br|hr|h[1-6]|[uod]l|li|d[td]|div|span|strong|code|pre|table|thead|tbody|tfoot|t[rdh]|caption|su[bp]|blockquote|img|small|mark|del|ins)>$/

/**
 * Build a pattern for the markup that would become a token anywhere in a text. `texts` are the tokens that
 * the makers of the model defined. Undefined if none of them is markup.
 */
export function findMarkup(texts: readonly string[]): RegExp | undefined {
  const found = new Set(texts.flatMap(text => text.match(markup) ?? []).filter(text => !html.test(text)))
  if (found.size === 0) return undefined
  const longestFirst = [...found].toSorted((a, b) => b.length - a.length)
  return new RegExp(longestFirst.map(text => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'g')
}

/**
 * Cut a text inside each piece of markup, after its first character. Tokenized one by one, the pieces spell
 * the same text without any token that only our code or the model may write.
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

/**
 * Split a text into the markup within `spans` (from and to) and the rest. The text between two marks stays in
 * one piece, even across the end of a span, because the model was trained on it that way.
 */
export function splitMarked(
  text: string,
  spans: readonly (readonly [from: number, to: number])[],
  pattern: RegExp | undefined,
): { text: string; isMarkup: boolean }[] {
  const pieces: { text: string; isMarkup: boolean }[] = []
  let done = 0
  const add = (to: number, isMarkup: boolean) => {
    if (to > done) pieces.push({ text: text.slice(done, to), isMarkup })
    done = to
  }
  for (const { 0: mark, index } of pattern ? text.matchAll(pattern) : []) {
    const end = index + mark.length
    if (!spans.some(([from, to]) => from <= index && end <= to)) continue
    add(index, false)
    add(end, true)
  }
  add(text.length, false)
  return pieces
}
