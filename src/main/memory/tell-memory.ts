import { many } from '../../shared/text/amounts.ts'
import { endSentence, listPoints, quoteWords, textIn, writeWords } from '../tools/tell/plain-markdown.ts'
import { forPerson, tellFailed } from '../tools/tell/tell-failure.ts'

type Input = Record<string, unknown>
type Result = { ok: boolean; text: string }

/** Maximum number of entries and changes to name. */
const MOST_NAMED = 20

/** A sentence about saved, corrected or forgotten entries, in their own words. */
export function tellMemory(input: Input, { ok, text }: Result): string {
  if (!ok) return tellRefused(input, text)
  const { message, replaced } = readSuccess(text)
  const changes = changesIn(input)
  const full = /(?<!\d)(\d+) of (\d+) characters are in use/.exec(message)
  const room = full ? ` Memory is nearly full: ${full[1]} of ${full[2]} characters are in use.` : ''
  if (message.startsWith('Entry already exists.'))
    return endSentence(
      `I know that already: ${changes.map(each => quoteWords(textIn(each, 'content'))).join(', ')}`,
    )
  const [only] = changes
  if (changes.length === 1 && only) return `${changeInWords(only, input, replaced)}${room}`
  const known = /(?<!\d)(\d+) entr(?:y was|ies were) there already/.exec(message)?.[1]
  const points = changes.map((each, at) => changeInWords(each, input, replacedAt(replaced, at)))
  const already = known === undefined ? '' : ` I knew ${known} of them already.`
  return `I made ${many(points.length, 'change')} to memory:\n\n${listPoints(points, MOST_NAMED)}\n\n${`${already}${room}`.trim()}`.trim()
}

/** Parse the tool's JSON result. */
function readSuccess(text: string): { message: string; replaced?: unknown } {
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read === 'object' && read !== null && 'message' in read && typeof read.message === 'string')
      return { message: read.message, ...('replaced' in read && { replaced: read.replaced }) }
  } catch {
    // The result may be truncated; the call itself shows what was done.
  }
  return { message: text }
}

const replacedAt = (replaced: unknown, at: number): unknown =>
  typeof replaced === 'object' && replaced !== null
    ? Object.entries(replaced).find(([key]) => key === String(at + 1))?.[1]
    : undefined

function changesIn(input: Input): Input[] {
  const { operations } = input
  const isInput = (value: unknown): value is Input => typeof value === 'object' && value !== null
  const several = Array.isArray(operations) ? operations.filter(each => isInput(each)) : []
  return several.length > 0 ? several : [input]
}

function changeInWords(change: Input, { target }: Input, replaced?: unknown): string {
  const action = textIn(change, 'action') || 'add'
  const content = textIn(change, 'content')
  const meant = textIn(change, 'old_text')
  if (action === 'remove')
    return endSentence(`I have forgotten what I knew about ${quoteWords(meant || content)}`)
  if (action === 'replace') {
    const was = typeof replaced === 'string' ? replaced : meant
    return endSentence(
      `I have corrected that: ${quoteWords(content)}${was === '' ? '' : `, instead of ${quoteWords(was)}`}`,
    )
  }
  const where =
    target === 'user'
      ? 'I will remember'
      : target === 'project'
        ? 'I have noted for this folder'
        : 'I have noted'
  return endSentence(`${where}: ${quoteWords(content)}`)
}

function tellRefused(input: Input, reason: string): string {
  const [first = '', ...rest] = reason.split('\n')
  const entries = rest.flatMap(line => (line.startsWith('- ') ? [writeWords(line.slice(2))] : []))
  const list = (title: string) =>
    entries.length === 0 ? '' : `\n\n${title}\n\n${listPoints(entries, MOST_NAMED)}`
  const none = /No entry holds “([^]*?)”\.( There are no entries\.)?/.exec(reason)
  if (none) {
    const nothing = none[2] === undefined ? '' : ' Nothing is saved yet.'
    return `I found nothing saved about ${quoteWords(none[1] ?? '')}, so nothing was changed.${nothing}${list('This is saved:')}`
  }
  const several = /(?<!\d)(\d+) entries hold “([^]*?)”\. Give a longer part/.exec(reason)
  if (several)
    return `${several[1]} saved entries fit ${quoteWords(several[2] ?? '')}, so nothing was changed. Which one do you mean?${list('They are:')}`
  const full = /^Not saved: this would take (\d+) of (\d+) characters/.exec(first)
  if (full)
    return `I did not save that, because memory is full: it would take ${full[1]} of ${full[2]} characters. Remove something first.${list('This is saved:')}`
  const flaw = /^“[^]*” was not saved: it ([^\n]*)$/.exec(first)?.[1]
  if (flaw !== undefined) return `I did not save that, because it ${writeWords(flaw)}`
  const order = /is an order, which would be obeyed again in every chat\. [^]*“([^]*)”$/.exec(reason)?.[1]
  if (order !== undefined)
    return endSentence(
      `I did not save that, because it is an order. I could save it as a statement: ${quoteWords(order)}`,
    )
  if (/^(?:content|old_text) is (?:missing|empty)|^Nothing to do|is missing: add, replace/.test(reason))
    return textIn(input, 'action') === 'remove'
      ? 'It was not clear what to forget, so nothing was changed.'
      : 'It was not clear what to remember, so nothing was saved.'
  if (reason.startsWith('Not saved, as before')) return 'That could not be saved, as before.'
  if (reason.includes('would leave no entry in this file'))
    return 'That would forget everything, so nothing was changed.'
  return tellFailed('change memory', forPerson(first))
}
