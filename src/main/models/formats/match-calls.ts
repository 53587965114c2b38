import type { Call, Format } from './format-types.ts'
import { formats, type FormatId } from './format-table.ts'
import { writeCalls } from './write-calls.ts'

/** The text that a chat template writes for `probeCalls`, after its usual prefix; one text per variant. */
export type WrittenProbes = { one: readonly string[]; two: readonly string[] }

const probe = (name: string): Call => ({
  name,
  // In alphabetical order, because some templates sort arguments.
  arguments: { count: 3, list: ['a b', 'c'], text: 'probe words' },
})

/** Calls whose spelling distinguishes formats: a number, a list and a text. No template has these names. */
export const probeCalls: readonly [Call, Call] = [probe('probe0tool'), probe('probe1tool')]

/**
 * Find the known format in which a template writes calls; undefined if none matches. Blanks, quotation marks
 * and call ids are ignored. If several formats match, the longest wins: a list between marks is also a bare
 * list. The text between two calls decides only between formats that write a single call alike.
 */
export function matchFormat({ one, two }: WrittenProbes): FormatId | undefined {
  const alike = ids.filter(id => writes(one, id, probeCalls.slice(0, 1)))
  const both = alike.filter(id => writes(two, id, probeCalls))
  const length = (id: FormatId) => spelled(formats[id], probeCalls.slice(0, 1)).length
  return (both.length > 0 ? both : alike).toSorted((a, b) => length(b) - length(a))[0]
}

const ids = Object.values(formats).map(({ id }) => id)

const spelled = (format: Format, calls: readonly Call[]) => plain(writeCalls(format, calls).text)

function writes(texts: readonly string[], id: FormatId, calls: readonly Call[]): boolean {
  const format = formats[id]
  const own = spelled(format, calls)
  // Without marks, a call counts only at the start of the reply.
  return texts.some(text =>
    format.where === 'start' ? plain(text).startsWith(own) : plain(text).includes(own),
  )
}

const ID = /"(?:id|tool_call_id|call_id)":"?\w+"?/.source
const plain = (text: string): string =>
  text
    .replace(/\s+/g, '')
    .replaceAll("'", '"')
    .replace(new RegExp(`,${ID}|${ID},`, 'g'), '')
    .replace(/\[CALL_ID\]\w{9}/g, '[CALL_ID]')
