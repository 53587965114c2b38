import type { StrangersMark } from './contract/messages.ts'

/** Says whose texts from outside the person has read, as the history of a chat does. */
export function sayRead(marks: readonly StrangersMark[]): string {
  const sources = [...new Set(marks.map(({ source }) => source))]
  const named =
    sources.length > 1 ? `${sources.slice(0, -1).join(', ')} and ${sources.at(-1)}` : (sources[0] ?? '')
  return `You have read the ${marks.length > 1 ? 'texts' : 'text'} of ${named}`
}
