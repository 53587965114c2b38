import type { NewForeignEvent } from '../../db/learning/foreign-tables.ts'
import { fileErrorCode, isRefusal } from '../../lib/expected-errors.ts'
import { cleanEvent } from './clean-event.ts'
import { readLines, type SpoolPosition } from './read-lines.ts'
import { readSpoolLine } from './spool-line.ts'

/** A file to read on from a position, and the session whose events it holds. */
export type SpoolJob = { path: string; session: string; from: SpoolPosition }

/** Lines that came to nothing. */
type LostLines = { tooLong: number; otherVersion: number; refused: number }

/** Events of a file, ready to be stored, and how far it is read with them. */
export type SpoolBatch = {
  events: NewForeignEvent[]
  folder: string
  model: string
  to: SpoolPosition
  lost: LostLines
  /** Bytes of a last line without its end, which is not read. */
  cut: number
  /** Why the file could not be read on, as a code of the system. */
  failed?: string
}

/** How much a batch holds, so that making or storing it takes a few milliseconds. */
export type BatchSize = { events: number; chars: number }

/** The events of a file, batch by batch; the last one ends where the file does. `check` may throw to stop it. */
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
      // A last line that can be read is whole, though its end is missing.
      batch.to = isTaken ? { ...to, offset: to.offset + cut } : to
      if (!isTaken) batch.cut = cut
      // A cut line is the last one, and how much of it waits is told with the end.
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

/** Put what a line says into a batch. Returns whether it is done with; a cut line that says nothing yet may still be completed. */
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
