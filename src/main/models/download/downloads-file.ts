import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../lib/expected-errors.ts'
import { writeAtomic } from '../../lib/durable-files.ts'
import { updateTotals, DownloadEntry } from './piece.ts'

const State = z.object({ version: z.literal(1), transfers: z.array(DownloadEntry) })

const path = (home: string) => join(home, 'transfers.json')

/** The note on downloads that were running when Talaria ended, for whatever reason. */
const INTERRUPTED = 'Talaria was closed meanwhile. Resume to go on where it stopped.'
const PAGE_GONE = {
  error: 'Talaria was closed while the page sent this file.',
  fix: 'Drop the file on the window again, or type its path.',
}

/**
 * The downloads as they were when this home folder was last used. None resumes automatically: nothing goes to the
 * network at startup. An unreadable file is reported and ignored.
 */
export function loadDownloads(home: string, report: (error: unknown) => void): DownloadEntry[] {
  let text
  try {
    text = readFileSync(path(home), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') report(error)
    return []
  }
  const state = State.safeParse(parseJson(text))
  if (!state.success) {
    report(state.error)
    return []
  }
  return state.data.transfers.map(interrupted)
}

function interrupted(entry: DownloadEntry): DownloadEntry {
  // Bytes after the last sync may be damaged, so count only those that are certainly on disk.
  for (const piece of entry.pieces)
    piece.doneBytes = entry.state === 'done' ? piece.doneBytes : piece.safeBytes
  updateTotals(entry)
  const still = { ...entry, bytesPerSecond: null, secondsLeft: null }
  if (!['waiting', 'running', 'checking'].includes(entry.state)) return still
  if (entry.kind === 'upload') return { ...still, state: 'failed', ...PAGE_GONE }
  return { ...still, state: 'paused', note: INTERRUPTED }
}

/** Save all downloads. Their bytes are stored separately, so a failure loses only the list. */
export function saveDownloads(home: string, transfers: readonly DownloadEntry[]): void {
  const kept = transfers.map(entry => ({ ...entry, bytesPerSecond: null, secondsLeft: null }))
  const state: z.input<typeof State> = { version: 1, transfers: kept }
  // Addresses may contain keys.
  writeAtomic(path(home), `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
}
