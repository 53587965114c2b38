import { z } from 'zod'
import { LearningEvent } from '../../../shared/contract/learned/learning.ts'
import { parseJson } from '../../lib/expected-errors.ts'

/**
 * One line that a script of ours inside another program appends to `<home>/inbox/<agent>/<session>.jsonl`: an event without its session,
 * which the name of the file tells. `v` comes first. `id` is made of what the program itself names (a call, a prompt), so that the same
 * event has it again when it comes a second time.
 */
const SpoolLine = z.object({
  v: z.literal(1),
  id: z.string().min(1).max(200),
  at: z.number(),
  /** The folder that the program works in. */
  cwd: z.string().max(4_096).default(''),
  model: z.string().max(200).default(''),
  /** A LearningEvent without `session` and `at`. */
  event: z.record(z.string(), z.unknown()),
})

/** An event of a session of another program, as its line says it. */
export type SpoolEvent = { id: string; folder: string; model: string; event: LearningEvent }
/** Why a line is none; `isOtherVersion`: a script of another version of Talaria wrote it. */
export type RefusedLine = { refused: string; isOtherVersion?: true }

/** What a line says, for a session; or why it is none. */
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

/** How every line begins. A quotation mark in a string of JSON has a backslash before it, so no text holds this. */
const BEGINS = '{"v":'
/** How many beginnings are tried in a line, and how many levels an event may have. */
const MOST_TRIES = 20
const MOST_DEEP = 50

/** The value of a line. Behind half a line, which a killed program or a full disk left, the next one goes on in the same line. */
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

/** Whether a value has more levels than that. What is deeper would exhaust the stack of whoever walks through it. */
function isDeeperThan(value: unknown, most: number): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true
    level = level.flatMap(each => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return false
}
