import { z } from 'zod'
import { Transfer } from '../../shared/contract/transfers.ts'

/** One file of a transfer: what is known of it, and how much of it is here. */
export const Piece = z.object({
  /** Its address or path; empty for what a page sends. */
  from: z.string(),
  /** What it will be called in the folder of models. */
  name: z.string(),
  /** What it is called there until it is whole and was checked. */
  part: z.string(),
  doneBytes: z.number(),
  /** Bytes that the disk has for certain, also after a power cut. */
  safeBytes: z.number(),
  totalBytes: z.number().nullable(),
  /** What the source said of its state, so that a change is noticed; empty when it did not. */
  etag: z.string(),
  modified: z.string(),
  /** A checksum that was known beforehand, and one that the server announced; empty when there is none. */
  sha256: z.string(),
  announced: z.string(),
})
export type Piece = z.infer<typeof Piece>

/** A transfer as it is kept, with its files and the id that it has in the catalogue. */
export const Entry = Transfer.extend({ pieces: z.array(Piece).min(1), catalogueId: z.string() })
export type Entry = z.infer<typeof Entry>

/** Why something could not be done, and what a person can do about it. */
export type Trouble = { text: string; fix: string }

/** A file of which nothing is here yet. */
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

/** Bring the sums of a transfer up to date with its files. */
export function addUp(entry: Entry): void {
  entry.doneBytes = entry.pieces.reduce((sum, piece) => sum + piece.doneBytes, 0)
  entry.totalBytes = entry.pieces.some(piece => piece.totalBytes === null)
    ? null
    : entry.pieces.reduce((sum, piece) => sum + (piece.totalBytes ?? 0), 0)
}

/** Bytes that are still to come, as far as that is known. */
export const missingBytes = ({ doneBytes, totalBytes }: Pick<Entry, 'doneBytes' | 'totalBytes'>): number =>
  Math.max(0, (totalBytes ?? doneBytes) - doneBytes)
