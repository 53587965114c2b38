import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { isPart } from './target-names.ts'
import type { DownloadEntry, Piece, DownloadProblem } from './piece.ts'

/**
 * Check the header of a model and report what is wrong with it, naming files by path. `parts` are all files of a
 * split model; `alone` accepts a single part whose others are still to come.
 */
export type CheckModel = (
  path: string,
  how?: { parts?: readonly string[]; alone?: boolean },
) => Promise<DownloadProblem | undefined>

const chunkBytes = 1 << 20

/**
 * Verify a download before it counts as a model: its checksums where known, and its header. `verified` is true if
 * every file had a checksum. Throws the signal’s reason when it aborts.
 */
export async function verifyFiles(
  { pieces }: Pick<DownloadEntry, 'pieces'>,
  folder: string,
  check: CheckModel,
  signal: AbortSignal,
): Promise<{ trouble: DownloadProblem | undefined; bad: Piece[]; verified: boolean }> {
  const paths = pieces.map(piece => join(folder, piece.part))
  for (const [index, piece] of pieces.entries()) {
    const expected = piece.sha256 || piece.announced
    if (expected !== '' && (await sha256Of(paths[index]!, signal)) !== expected)
      return { trouble: otherContent(piece), bad: [piece], verified: false }
  }
  // A page uploads the parts of a split model one at a time.
  const how = pieces.length > 1 ? { parts: paths } : { alone: isPart(pieces[0]!.name) }
  const trouble = await check(paths[0]!, how)
  if (!trouble) return { trouble, bad: [], verified: pieces.every(each => each.sha256 || each.announced) }
  const bad = pieces.filter((_, index) => trouble.text.includes(paths[index]!))
  const text = pieces.reduce((text, { name }, index) => text.replaceAll(paths[index]!, name), trouble.text)
  return { trouble: { ...trouble, text }, bad, verified: false }
}

const otherContent = ({ name }: Piece): DownloadProblem => ({
  text: `${name} is not what it should be: its content does not match its checksum, so it was deleted.`,
  fix: 'Try again. If it happens again, fetch the file from another address.',
})

async function sha256Of(path: string, signal: AbortSignal): Promise<string> {
  await using file = await open(path)
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(chunkBytes)
  for (;;) {
    signal.throwIfAborted()
    const { bytesRead } = await file.read(buffer, 0, chunkBytes)
    if (bytesRead === 0) return hash.digest('hex')
    hash.update(buffer.subarray(0, bytesRead))
  }
}
