/** Above so many characters the browser's own insertion takes seconds, so the history of the field ends instead. */
const MOST_INSERTED = 100_000

type Field = HTMLTextAreaElement | HTMLInputElement

/**
 * Make a text field hold `text` as if the user had typed what differs, so that the browser can undo it, and what was typed before it.
 * The focus stays where it is. Every change of a field that is not the user's own goes through here: setting `value` ends the
 * history of the field. Returns false when the field cannot have the focus now, as behind a dialog; it is then unchanged.
 */
export function writeInto(field: Field, text: string): boolean {
  // Browsers keep line ends as one character.
  const wanted = text.replaceAll(/\r\n?/g, '\n')
  const { value } = field
  if (wanted === value) return true
  const [start, end, added] = changeBetween(value, wanted)
  const before = document.activeElement
  field.focus({ preventScroll: true })
  if (document.activeElement !== field) return false
  field.setSelectionRange(start, end)
  // No other way keeps what can be undone.
  if (added.length <= MOST_INSERTED)
    document.execCommand(added === '' ? 'delete' : 'insertText', false, added)
  if (field.value !== wanted) field.value = wanted
  if (before !== field && before !== document.body && before instanceof HTMLElement)
    before.focus({ preventScroll: true })
  return true
}

/**
 * What is replaced in `from`, as start and end, and what stands there in `to`. Never splits a character of two code units.
 */
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
