import { z } from 'zod'
import { LearningEvent } from '../../../shared/contract/learned/learning.ts'
import { parseJson } from '../../lib/expected-errors.ts'

/**
 * A line that our script inside another program appends to `<home>/inbox/<agent>/<session>.jsonl`: an event
 * without its session, which is in the file name. `v` comes first. `id` is derived from the program's own ids
 * (a call, a prompt), so that a repeated event has the same one.
 */
const SpoolLine = z.object({
  v: z.literal(1),
  id: z.string().min(1).max(200),
  at: z.number(),
  /** The program's working folder. */
  cwd: z.string().max(4_096).default(''),
  model: z.string().max(200).default(''),
  /** A LearningEvent without `session` and `at`. */
  event: z.record(z.string(), z.unknown()),
})

/** An event of another program's session, as read from its line. */
export type SpoolEvent = { id: string; folder: string; model: string; event: LearningEvent }
/** Why a line is invalid; `isOtherVersion`: it was written by a script of another Talaria version. */
export type RefusedLine = { refused: string; isOtherVersion?: true }

/** Read the event of a line for a session, or return why it is invalid. */
export function readSpoolLine(session: string, line: string): SpoolEvent | RefusedLine {
  const value = parseLine(line)
  if (value === undefined) return { refused: 'it is not JSON' }
  const { v } = (typeof value === 'object' ? (value ?? {}) : {}) as { v?: unknown }
  if (typeof v === 'number' && v !== 1) return { refused: `it has version ${v}`, isOtherVersion: true }
  if (isDeeperThan(value, MOST_DEEP)) return { refused: 'it is nested too deeply' }
  const read = SpoolLine.safeParse(value)
  if (!read.success) return { refused: read.error.issues[0]!.message }
  const { id, at, cwd, model } = read.data
  const event = LearningEvent.safeParse({ ...read.data.event, session, at })
  return event.success
    ? { id, folder: cwd, model, event: event.data }
    : { refused: event.error.issues[0]!.message }
}

/** The start of every line. In a JSON string, quotation marks are escaped, so no text contains this. */
const BEGINS = '{"v":'
/** Maximum number of line starts to try in a line, and of levels in an event. */
const MOST_TRIES = 20
const MOST_DEEP = 50

/** Parse a line. After half a line, left by a kill or a full disk, the next event is on the same line. */
function parseLine(line: string): unknown {
  const whole = parseJson(line)
  if (whole !== undefined) return whole
  let from = line.indexOf(BEGINS, 1)
  for (let tried = 0; from > 0 && tried < MOST_TRIES; tried++) {
    const value = parseJson(line.slice(from))
    if (value !== undefined) return value
    from = line.indexOf(BEGINS, from + 1)
  }
  return undefined
}

/** Return whether a value has more levels than this, which would overflow the stack of other code. */
function isDeeperThan(value: unknown, most: number): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true
    level = level.flatMap(each => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return false
}
