import { z } from 'zod'
import { Transfer } from '../../../shared/contract/download.ts'

/** One file of a download: what is known about it, and how much of it has arrived. */
export const Piece = z.object({
  /** Its address or path; empty for an upload. */
  from: z.string(),
  /** Its final name in the folder of models. */
  name: z.string(),
  /** Its temporary name there, until it is complete and verified. */
  part: z.string(),
  doneBytes: z.number(),
  /** Bytes that are certainly on disk, even after a power cut. */
  safeBytes: z.number(),
  totalBytes: z.number().nullable(),
  /** Validators from the source, to notice a change; empty when it sent none. */
  etag: z.string(),
  modified: z.string(),
  /** The checksum known in advance, and the one that the server announced; empty when there is none. */
  sha256: z.string(),
  announced: z.string(),
})
export type Piece = z.infer<typeof Piece>

/** A saved download, with its files and its id in the catalogue. */
export const DownloadEntry = Transfer.extend({ pieces: z.array(Piece).min(1), catalogueId: z.string() })
export type DownloadEntry = z.infer<typeof DownloadEntry>

/** What went wrong, and what the user can do about it. */
export type DownloadProblem = { text: string; fix: string }

/** A file of which nothing has arrived yet. */
export const newPiece = (piece: Pick<Piece, 'from' | 'name' | 'part'> & Partial<Piece>): Piece => ({
  doneBytes: 0,
  safeBytes: 0,
  totalBytes: null,
  etag: '',
  modified: '',
  sha256: '',
  announced: '',
  ...piece,
})

/** Update the totals of a download from its files. */
export function updateTotals(entry: DownloadEntry): void {
  entry.doneBytes = entry.pieces.reduce((sum, piece) => sum + piece.doneBytes, 0)
  entry.totalBytes = entry.pieces.some(piece => piece.totalBytes === null)
    ? null
    : entry.pieces.reduce((sum, piece) => sum + (piece.totalBytes ?? 0), 0)
}

/** Bytes still to come, as far as known. */
export const missingBytes = ({
  doneBytes,
  totalBytes,
}: Pick<DownloadEntry, 'doneBytes' | 'totalBytes'>): number =>
  Math.max(0, (totalBytes ?? doneBytes) - doneBytes)
