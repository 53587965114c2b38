import { existsSync, renameSync } from 'node:fs'
import { rm, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createHash } from 'node:crypto'
import { renamePatiently, syncFolder } from '../../lib/durable-files.ts'
import { firstPart } from '../files/model-paths.ts'
import { sendRequest, readLinked } from './send-request.ts'
import { copyFile, receiveFile } from './local-files.ts'
import { explainDisk, explainStatus, isDiskError } from './explain-failure.ts'
import { fetchFile, type FetchContext } from './fetch-file.ts'
import { freeNames, modelNameOf, isPart } from './target-names.ts'
import { updateTotals, type DownloadEntry, type Piece, type DownloadProblem } from './download-entry.ts'

/** What one download needs. */
type DownloadContext = FetchContext & { check: CheckModel; idOf: (path: string) => string }

/**
 * Fetch all files of a download, verify them, and give them their final names. Returns what went wrong. Throws the
 * signal’s reason when it aborts.
 */
export async function runDownload(
  entry: DownloadEntry,
  parts: DownloadContext,
  signal: AbortSignal,
  body?: Readable,
): Promise<DownloadProblem | undefined> {
  const { folder } = parts
  if (entry.kind === 'download' && entry.pieces.length > 1) {
    const trouble = await measure(entry.pieces, parts, signal)
    if (trouble) return trouble
  }
  for (const piece of entry.pieces) {
    const trouble = await bring(entry, piece, parts, signal, body)
    // Do not leave an empty file behind.
    if (trouble && piece.doneBytes === 0) await discardPiece(piece, folder)
    if (trouble) return trouble
  }
  entry.state = 'checking'
  entry.name = modelNameOf(entry.pieces[0]!.name)
  updateTotals(entry)
  parts.onMove()
  try {
    const { trouble, bad, verified } = await verifyFiles(entry, folder, parts.check, signal)
    if (trouble) {
      for (const piece of bad) await discardPiece(piece, folder)
      return trouble
    }
    entry.verified = verified
    settle(entry, folder)
  } catch (error) {
    if (signal.aborted || !isDiskError(error)) throw error
    return explainDisk(error, entry.name)
  }
  const [first] = entry.pieces
  entry.modelId = /^mmproj/i.test(first!.name) ? null : parts.idOf(join(folder, firstPart(first!.name)))
  return undefined
}

function bring(
  entry: DownloadEntry,
  piece: Piece,
  parts: DownloadContext,
  signal: AbortSignal,
  body: Readable | undefined,
): Promise<DownloadProblem | undefined> {
  if (entry.kind === 'download') return fetchFile(piece, parts, signal)
  if (entry.kind === 'copy') return copyFile(piece, parts, signal)
  if (!body) throw new Error('What a page sends is taken when it comes.')
  return receiveFile(piece, body, parts, signal)
}

/**
 * Ask for the sizes of all parts of a split model, so that disk space can be checked for all of them. A server that
 * reports no size is not asked again. A missing part is found before gigabytes of the others are downloaded.
 */
async function measure(
  pieces: readonly Piece[],
  { fetch, now }: FetchContext,
  signal: AbortSignal,
): Promise<DownloadProblem | undefined> {
  for (const piece of pieces) {
    if (piece.totalBytes !== null) continue
    try {
      const plain = () => ({ 'accept-encoding': 'identity' })
      const { response, linked, host } = await sendRequest(fetch, piece.from, plain, {
        method: 'HEAD',
        signal,
      })
      const { status, headers } = response
      if (status === 404 || status === 410) {
        const { fix } = explainStatus(status, host, headers, now())
        return { text: `${host} has no ${piece.name}, which is a part of this model.`, fix }
      }
      const sizeBytes =
        linked?.sizeBytes ?? readLinked(headers)?.sizeBytes ?? Number(headers.get('content-length'))
      if (response.ok && sizeBytes > 0) piece.totalBytes = sizeBytes
    } catch (error) {
      if (signal.aborted) throw error
      // The download itself will meet the same error, and handles it.
      return undefined
    }
  }
  return undefined
}

/** Give the files of a download their final names. Existing files are never replaced. */
function settle(entry: DownloadEntry, folder: string): void {
  const names = freeNames(
    entry.pieces.map(piece => piece.name),
    name => existsSync(join(folder, name)),
  )
  for (const [index, piece] of entry.pieces.entries()) {
    piece.name = names[index]!
    renamePatiently(() => renameSync(join(folder, piece.part), join(folder, piece.name)))
  }
  syncFolder(folder)
  entry.name = modelNameOf(names[0]!)
}

/** Delete the received bytes of a file. */
export async function discardPiece(piece: Piece, folder: string): Promise<void> {
  await rm(join(folder, piece.part), { force: true })
  piece.doneBytes = 0
  piece.safeBytes = 0
}

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
async function verifyFiles(
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
