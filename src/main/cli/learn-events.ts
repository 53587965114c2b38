import { LearningEvent } from '../../shared/contract/learning.ts'
import { parseJson } from '../lib/parse-json.ts'

/** A line of a file of events: the event, or what is wrong with it. Numbers count from 1, empty lines included. */
export type EventLine = { number: number; event: LearningEvent } | { number: number; wrong: string }

/** No event that the host takes is longer, in characters. */
const LONGEST = 4_000_000

/** Read events from JSON lines, as they come; a line that is none stops nothing. */
export async function* readEvents(text: AsyncIterable<string>): AsyncGenerator<EventLine> {
  for await (const { number, line } of linesOf(text)) {
    if (line === undefined)
      yield { number, wrong: `it is longer than ${LONGEST.toLocaleString('en')} characters` }
    else if (line.trim() !== '') yield { number, ...eventIn(line) }
  }
}

function eventIn(line: string): { event: LearningEvent } | { wrong: string } {
  const value = parseJson(line)
  if (value === undefined) return { wrong: 'it is no JSON' }
  const read = LearningEvent.safeParse(value)
  if (read.success) return { event: read.data }
  const { path, message } = read.error.issues[0]!
  return { wrong: path.length === 0 ? message : `“${path.join('.')}”: ${message}` }
}

/** Lines of a text that comes in pieces; one that is too long is undefined and is not kept in memory. */
async function* linesOf(
  text: AsyncIterable<string>,
): AsyncGenerator<{ number: number; line: string | undefined }> {
  let number = 1
  let parts: string[] = []
  let length = 0
  const take = (part: string) => {
    length += part.length
    if (length <= LONGEST) parts.push(part)
    else parts = []
  }
  const end = () => {
    const line = length > LONGEST ? undefined : parts.join('')
    parts = []
    length = 0
    // A mark of the byte order is no part of the first line.
    return { number, line: number++ === 1 ? line?.replace(/^\uFEFF/, '') : line }
  }
  for await (const piece of text) {
    let from = 0
    for (let to = piece.indexOf('\n'); to >= 0; to = piece.indexOf('\n', from)) {
      take(piece.slice(from, to))
      from = to + 1
      yield end()
    }
    take(piece.slice(from))
  }
  if (length > 0) yield end()
}

/** Events that are sent together. */
export type Batch = { events: LearningEvent[]; sessions: number }

/** What one message to the host may hold, with room for what is around the events. */
const MOST_EVENTS = 100_000
const MOST_BYTES = 1_000_000

/**
 * Put whole sessions together into as few batches as the host takes: what is counted is counted by session, so it does not
 * matter which ones travel together. A session that is too large for one batch is a batch of its own.
 */
export function batchesOf(events: readonly LearningEvent[]): Batch[] {
  const sessions = new Map<string, { events: LearningEvent[]; bytes: number }>()
  for (const event of events) {
    const own = sessions.get(event.session) ?? { events: [], bytes: 0 }
    own.events.push(event)
    own.bytes += Buffer.byteLength(JSON.stringify(event)) + 1
    sessions.set(event.session, own)
  }
  const batches: (Batch & { bytes: number })[] = []
  for (const { events: own, bytes } of sessions.values()) {
    const last = batches.at(-1)
    const fits = last && last.bytes + bytes <= MOST_BYTES && last.events.length + own.length <= MOST_EVENTS
    if (!fits) batches.push({ events: own, sessions: 1, bytes })
    else {
      last.events.push(...own)
      last.bytes += bytes
      last.sessions++
    }
  }
  return batches
}
