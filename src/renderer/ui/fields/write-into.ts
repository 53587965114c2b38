/**
 * Maximum number of characters for the browser's own insertion, which takes seconds for longer text. Above
 * it, the undo history of the field is lost.
 */
const MOST_INSERTED = 100_000

type Field = HTMLTextAreaElement | HTMLInputElement

/**
 * Set the text of a field as if the user had typed the difference, so that the browser can undo it and
 * earlier typing. The focus does not move. Every programmatic change of a field goes through here, because
 * setting `value` clears the undo history. Returns false, without a change, if the field cannot be focused
 * now, such as behind a dialog.
 */
export function writeInto(field: Field, text: string): boolean {
  // Browsers store a line break as one character.
  const wanted = text.replaceAll(/\r\n?/g, '\n')
  const { value } = field
  if (wanted === value) return true
  const [start, end, added] = changeBetween(value, wanted)
  const before = document.activeElement
  field.focus({ preventScroll: true })
  if (document.activeElement !== field) return false
  field.setSelectionRange(start, end)
  // Only this way keeps the undo history.
  if (added.length <= MOST_INSERTED)
    document.execCommand(added === '' ? 'delete' : 'insertText', false, added)
  if (field.value !== wanted) field.value = wanted
  if (before !== field && before !== document.body && before instanceof HTMLElement)
    before.focus({ preventScroll: true })
  return true
}

/** The replaced range of `from`, and its replacement from `to`. Never splits a surrogate pair. */
function changeBetween(from: string, to: string): [start: number, end: number, added: string] {
  const most = Math.min(from.length, to.length)
  let start = 0
  while (start < most && from[start] === to[start]) start++
  if (isHigh(from, start - 1) || isHigh(to, start - 1)) start--
  let same = 0
  while (same < most - start && from.at(-1 - same) === to.at(-1 - same)) same++
  if (isHigh(from, from.length - same - 1) || isHigh(to, to.length - same - 1)) same = Math.max(0, same - 1)
  return [start, from.length - same, to.slice(start, to.length - same)]
}

const isHigh = (text: string, at: number) => at >= 0 && /[\uD800-\uDBFF]/.test(text[at] ?? '')
