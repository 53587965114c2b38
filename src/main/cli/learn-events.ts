import { LearningEvent } from '../../shared/contract/learning.ts'
import { parseJson } from '../lib/expected-errors.ts'

/** A line of an events file: the event, or what is wrong with it. Numbers count from 1, including empty lines. */
export type EventLine = { number: number; event: LearningEvent } | { number: number; wrong: string }

/** Maximum characters of an event that the host accepts. */
const MAX_EVENT_CHARS = 4_000_000

/** Stream events from JSON lines; an invalid line does not end the stream. */
export async function* readEvents(text: AsyncIterable<string>): AsyncGenerator<EventLine> {
  for await (const { number, line } of linesOf(text)) {
    if (line === undefined)
      yield { number, wrong: `it is longer than ${MAX_EVENT_CHARS.toLocaleString('en')} characters` }
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

/** Split streamed text into lines; an overlong line becomes undefined and is not kept in memory. */
async function* linesOf(
  text: AsyncIterable<string>,
): AsyncGenerator<{ number: number; line: string | undefined }> {
  let number = 1
  let parts: string[] = []
  let length = 0
  const take = (part: string) => {
    length += part.length
    if (length <= MAX_EVENT_CHARS) parts.push(part)
    else parts = []
  }
  const end = () => {
    const line = length > MAX_EVENT_CHARS ? undefined : parts.join('')
    parts = []
    length = 0
    // A byte order mark does not belong to the first line.
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

/** Events to send in one request. */
export type Batch = { events: LearningEvent[]; sessions: number }

/** Limits of one request to the host, with a margin for its other fields. */
const MAX_EVENTS = 100_000
const MAX_BYTES = 1_000_000

/**
 * Group whole sessions into as few batches as possible. Counters are per session, so any grouping gives the
 * same result. A session that is too large for one batch gets its own.
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
    const fits = last && last.bytes + bytes <= MAX_BYTES && last.events.length + own.length <= MAX_EVENTS
    if (!fits) batches.push({ events: own, sessions: 1, bytes })
    else {
      last.events.push(...own)
      last.bytes += bytes
      last.sessions++
    }
  }
  return batches
}
