import { z } from 'zod'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Transfer } from '../../../shared/contract/models/download.ts'
import { parseJson } from '../../lib/expected-errors.ts'
import { writeAtomic } from '../../lib/disk/durable-files.ts'

/** One file of a download, with its progress. */
export const Piece = z.object({
  /** The address or path of the source; empty for an upload. */
  from: z.string(),
  /** The final name in the models folder. */
  name: z.string(),
  /** The temporary name in that folder, until the file is complete and verified. */
  part: z.string(),
  doneBytes: z.number(),
  /** Bytes that are certainly on disk, even after a power cut. */
  safeBytes: z.number(),
  totalBytes: z.number().nullable(),
  /** Validators from the source, to notice a change; empty if it sent none. */
  etag: z.string(),
  modified: z.string(),
  /** The checksum known in advance, and the one that the server announced; empty if there is none. */
  sha256: z.string(),
  announced: z.string(),
  /** Whether the file came in more than one answer, which may not belong together. */
  pieced: z.boolean().default(false),
  /** Whether the content is doubtful. It is then compared with the whole file when the download resumes. */
  suspect: z.boolean().default(false),
})
export type Piece = z.infer<typeof Piece>

/** A saved download, with its files and its id in the catalogue. */
export const DownloadEntry = Transfer.extend({
  pieces: z.array(Piece).min(1),
  catalogueId: z.string(),
  /** Whether to download the file although it is already on this computer. */
  again: z.boolean().default(false),
})
export type DownloadEntry = z.infer<typeof DownloadEntry>

/** A problem, and what the user can do about it. */
export type DownloadProblem = { text: string; fix: string }

/** Create a file of which nothing has arrived yet. */
export const newPiece = (piece: Pick<Piece, 'from' | 'name' | 'part'> & Partial<Piece>): Piece => ({
  doneBytes: 0,
  safeBytes: 0,
  totalBytes: null,
  etag: '',
  modified: '',
  sha256: '',
  announced: '',
  pieced: false,
  suspect: false,
  ...piece,
})

/** Update the totals of a download from its files. */
export function updateTotals(entry: DownloadEntry): void {
  entry.doneBytes = entry.pieces.reduce((sum, piece) => sum + piece.doneBytes, 0)
  entry.totalBytes = entry.pieces.some(piece => piece.totalBytes === null)
    ? null
    : entry.pieces.reduce((sum, piece) => sum + (piece.totalBytes ?? 0), 0)
}

/** Return the number of bytes still to come, as far as known. */
export const missingBytes = ({
  doneBytes,
  totalBytes,
}: Pick<DownloadEntry, 'doneBytes' | 'totalBytes'>): number =>
  Math.max(0, (totalBytes ?? doneBytes) - doneBytes)

const State = z.object({ version: z.literal(1), transfers: z.array(DownloadEntry) })

const pathIn = (home: string) => join(home, 'transfers.json')

/** The note on downloads that were running when Talaria ended or crashed. */
const INTERRUPTED = 'Talaria was closed in the meantime. Resume to continue where it stopped.'
const PAGE_GONE = {
  error: 'Talaria was closed while the page sent this file.',
  fix: 'Drop the file on the window again, or enter its path.',
}

/**
 * Load the downloads of this home folder. None resumes automatically, because nothing goes to the network at
 * startup. An unreadable file is reported and ignored.
 */
export function loadDownloads(home: string, report: (error: unknown) => void): DownloadEntry[] {
  let text
  try {
    text = readFileSync(pathIn(home), 'utf8')
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
  const still = { ...entry, bytesPerSecond: null, secondsLeft: null, retryAt: null }
  if (!['waiting', 'running', 'checking'].includes(entry.state)) return still
  if (entry.kind === 'upload') return { ...still, state: 'failed', ...PAGE_GONE }
  return { ...still, state: 'paused', note: INTERRUPTED }
}

/** Save all downloads. Their bytes are stored separately, so a failure loses only the list. */
export function saveDownloads(home: string, transfers: readonly DownloadEntry[]): void {
  const kept = transfers.map(entry => ({ ...entry, bytesPerSecond: null, secondsLeft: null }))
  const state: z.input<typeof State> = { version: 1, transfers: kept }
  // Addresses may contain keys.
  writeAtomic(pathIn(home), `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
}
