/**
 * Split a text into the markup that stands within `spans` (from and to) and everything else. Text stays in one piece
 * between two marks, also where a span ends, because that is how the model wrote and read it when it was trained.
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
