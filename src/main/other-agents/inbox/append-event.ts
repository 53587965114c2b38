import { randomUUID } from 'node:crypto'
import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { formatBytes } from '../../../shared/text/amounts.ts'
import { Fault } from '../../../shared/rpc.ts'
import { fileErrorCode, reasonOf } from '../../lib/expected-errors.ts'
import { isProgramName, isSessionName, LINE_BYTES, SPOOL } from './spool-names.ts'

/** An event in another program, without its session and time. */
export type HappenedEvent =
  | { type: 'tool_result'; name: string; arguments: Record<string, unknown>; ok: boolean; text: string }
  | { type: 'session_end' }

type Where = { home: string; agent: string; session: string; cwd: string }

/** Maximum size of a file that is not being read, in bytes. */
const FILE_BYTES = 50_000_000

/**
 * Append an event to the spool, as scripts inside other programs do: one line with one write, for this user
 * only, without a host. Returns how many characters did not fit. Throws a Fault that says why nothing was
 * written.
 */
export function appendEvent({ home, agent, session, cwd }: Where, event: HappenedEvent, now: number): number {
  if (!isProgramName(agent))
    throw new Fault(
      'bad_input',
      'A program is named by letters, digits, dots, dashes and underscores, at most 60.',
    )
  if (!isSessionName(agent, session))
    throw new Fault(
      'bad_input',
      'A session is named by letters, digits, dots, dashes and underscores, at most 190.',
    )
  // `v` comes first: readers recognise the start of a line by it, even after half a line.
  const lineOf = (given: HappenedEvent) =>
    `${JSON.stringify({ v: 1, id: randomUUID(), at: now, cwd, event: given })}\n`
  let line = lineOf(event)
  let left = 0
  if (Buffer.byteLength(line) > LINE_BYTES && event.type === 'tool_result') {
    const text = fitText(event.text, LINE_BYTES - Buffer.byteLength(lineOf({ ...event, text: '' })))
    left = event.text.length - text.length
    line = lineOf({ ...event, text })
  }
  if (Buffer.byteLength(line) > LINE_BYTES)
    throw new Fault('bad_input', `An event has at most ${formatBytes(LINE_BYTES)}. Its input is too long.`)
  const folder = join(home, SPOOL, agent)
  const path = join(folder, `${session}.jsonl`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const each of [join(home, SPOOL), folder])
      if (!lstatSync(each).isDirectory()) throw Object.assign(new Error(each), { code: 'ENOTDIR' })
    writeLine(path, line)
  } catch (error) {
    throw error instanceof Fault
      ? error
      : new Fault('not_ready', `${path} cannot be written: ${reasonOf(fileErrorCode(error))}.`)
  }
  return left
}

function writeLine(path: string, line: string): void {
  // Windows lacks these flags, which then count as 0.
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const file = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o600)
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw Object.assign(new Error(path), { code: 'EEXIST' })
    if (stats.size > FILE_BYTES)
      throw new Fault('not_ready', `${path} is full. Start Talaria, which reads it within a minute.`)
    // A full disk may leave half a line; the reader skips it.
    if (writeSync(file, line) < Buffer.byteLength(line))
      throw Object.assign(new Error(path), { code: 'ENOSPC' })
  } finally {
    closeSync(file)
  }
}

/** Return the beginning of a text that fits into so many bytes as a JSON string. */
function fitText(text: string, bytes: number): string {
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const length = Buffer.byteLength(JSON.stringify(text.slice(0, middle))) - 2
    if (length <= bytes) low = middle
    else high = middle - 1
  }
  return text.slice(0, low)
}
