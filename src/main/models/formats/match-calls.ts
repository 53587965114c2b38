import type { Call, Format } from './format-types.ts'
import { formats, type FormatId } from './format-table.ts'
import { writeCalls } from './write-calls.ts'

/** What a chat template writes for the calls of `probeCalls`, behind what it writes before any reply; in any variants. */
export type WrittenProbes = { one: readonly string[]; two: readonly string[] }

const probe = (name: string): Call => ({
  name,
  // In alphabetical order, in which some templates write arguments.
  arguments: { count: 3, list: ['a b', 'c'], text: 'probe words' },
})

/**
 * Calls whose spelling tells formats apart: with a number, a list and a text. The names are found in no template.
 */
export const probeCalls: readonly [Call, Call] = [probe('probe0tool'), probe('probe1tool')]

/**
 * The format in which a template writes calls; undefined if it is none of ours. Blanks, quotation marks and the ids
 * of calls do not count. Where several formats match, as a list between marks is also a bare list, the longest one
 * does. How two calls follow one another decides only between formats that write one call alike.
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
  // Without marks, a call is one only where the reply starts.
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
