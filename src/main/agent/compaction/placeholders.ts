/** Maximum depth of values that are shortened and searched. No tool takes values that deep. */
export const MAX_DEPTH = 40

/**
 * The note after the beginning of a text or list of an old call. It states what happened to the rest and
 * gives no order, so that models read it as a remark on the call. A model may still copy it into a later
 * call; `placeholderRefusal` recognises it by its first words.
 */
export const beginningNote = (count: number, what: 'characters' | 'items'): string =>
  `[Only the beginning is shown here; the call ran with all ${count.toLocaleString('en-US')} ${what}.]`

/** Notes that models read in place of omitted text: one kind for calls, three for shortened results. */
const PLACEHOLDERS = [
  /\[\s{0,3}only the beginning is shown here\b[^\]\n]{0,80}\]?/i,
  /\[The rest was left out to make room\. Call the tool again if you need it\.\]/,
  /\[[\w.:-]{1,80}: [\d,]{1,20} characters were here, beginning: /,
  /\[… [\d,]{1,20} characters cut; /,
]

/**
 * Why a call with one of these notes in its arguments is refused: the note would replace the real text in a
 * file. Undefined for any other call.
 */
export function placeholderRefusal(args: Record<string, unknown>): string | undefined {
  for (const [name, value] of Object.entries(args)) {
    // The text of `old_string` must be in the file already, and is removed by the call.
    if (name === 'old_string') continue
    const quote = quoteIn(value, 0)
    if (quote !== undefined)
      return `Nothing was done: ${name} holds “${quote.trim()}”. That is a remark of this conversation, in place of a text that was left out of it to make room; it stands in no file. Call the tool again with the whole text itself. What you no longer see of it, read again first.`
  }
  return undefined
}

function quoteIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string')
    return PLACEHOLDERS.map(each => each.exec(value)?.[0]).find(quote => quote !== undefined)
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined
  for (const item of Object.values(value)) {
    const quote = quoteIn(item, depth + 1)
    if (quote !== undefined) return quote
  }
  return undefined
}
