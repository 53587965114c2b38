import type { NewForeignEvent } from '../../db/learning/foreign-tables.ts'
import { fileErrorCode, isRefusal } from '../../lib/expected-errors.ts'
import { cleanEvent } from './clean-event.ts'
import { readLines, type SpoolPosition } from './read-lines.ts'
import { readSpoolLine } from './spool-line.ts'

/** A file to read from a position on, and its session. */
export type SpoolJob = { path: string; session: string; from: SpoolPosition }

/** How many lines were lost. */
type LostLines = { tooLong: number; otherVersion: number; refused: number }

/** Events of a file ready to be stored, and the position after them. */
export type SpoolBatch = {
  events: NewForeignEvent[]
  folder: string
  model: string
  to: SpoolPosition
  lost: LostLines
  /** Bytes of an incomplete last line, which is not read. */
  cut: number
  /** Why the file could not be read further, as a system error code. */
  failed?: string
}

/** Maximum size of a batch, so that making or storing it takes a few milliseconds. */
export type BatchSize = { events: number; chars: number }

/** Yield the events of a file in batches; the last one ends with the file. `check` may throw to stop. */
export async function* readSpool(
  { path, session, from }: SpoolJob,
  { events: mostEvents, chars: mostChars }: BatchSize,
  check: () => void,
): AsyncGenerator<SpoolBatch> {
  let batch = emptyBatch(from)
  let chars = 0
  try {
    for (const { line, to, cut = 0 } of readLines(path, from)) {
      chars += line?.length ?? 0
      const isTaken = take(batch, session, line, cut > 0)
      // A last line that can be parsed is complete, even without a line end.
      batch.to = isTaken ? { ...to, offset: to.offset + cut } : to
      if (!isTaken) batch.cut = cut
      // A cut line is the last one; its waiting bytes are reported in the last batch.
      if (cut > 0 || (batch.events.length < mostEvents && chars < mostChars)) continue
      yield batch
      check()
      batch = emptyBatch(batch.to)
      chars = 0
    }
  } catch (error) {
    batch.failed = fileErrorCode(error)
  }
  yield batch
}

const emptyBatch = (to: SpoolPosition): SpoolBatch => ({
  events: [],
  folder: '',
  model: '',
  to,
  lost: { tooLong: 0, otherVersion: 0, refused: 0 },
  cut: 0,
})

/** Add a line's event to a batch. Returns whether the line is done; a cut one may still be completed. */
function take(batch: SpoolBatch, session: string, line: string | undefined, isCut: boolean): boolean {
  const { events, lost } = batch
  if (line === undefined) lost.tooLong++
  if (line === undefined || line.trim() === '') return true
  const read = readSpoolLine(session, line)
  if (isRefusal(read)) {
    if (isCut) return false
    if ('isOtherVersion' in read) lost.otherVersion++
    else lost.refused++
    return true
  }
  const clean = cleanEvent(read)
  if (!clean) return true
  events.push({ eventId: clean.id, event: clean.event })
  batch.folder = clean.folder || batch.folder
  batch.model = clean.model || batch.model
  return true
}
