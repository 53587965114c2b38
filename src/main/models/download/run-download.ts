import { existsSync, renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { renamePatiently, syncFolder } from '../../lib/disk/durable-files.ts'
import { firstPart } from '../files/model-paths.ts'
import { sendRequest, readLinked } from './send-request.ts'
import { copyFile, receiveFile } from './local-files.ts'
import { explainDisk, explainStatus, isDiskError } from './explain-failure.ts'
import { fetchFile, type Fetched, type FetchContext } from './fetch-file.ts'
import { findPartsHere, hashFile } from './find-here.ts'
import { freshPathOf } from './take-body.ts'
import { freeNames, modelNameOf, isPart, nameOfAddress } from './target-names.ts'
import { updateTotals, type DownloadEntry, type Piece, type DownloadProblem } from './download-entry.ts'

/** The dependencies of one download. */
type DownloadContext = FetchContext & {
  check: CheckModel
  idOf: (path: string) => string
  /** The files of the installed models. */
  known: () => Promise<readonly string[]>
}

/**
 * Fetch all files of a download, verify them, and give them their final names. Returns the problem, if any.
 * Throws the signal’s reason if it aborts.
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
    const here = entry.again
      ? undefined
      : await findPartsHere(entry.pieces.map(asWanted), await parts.known())
    if (here !== undefined) return endWith(entry, here, parts)
  }
  // A file whose pieces do not belong together is compared with the whole one, once.
  for (let compared = false; ; compared = true) {
    for (const piece of entry.pieces) {
      const came = await bring(entry, piece, parts, signal, body)
      // Do not leave an empty file behind.
      if (came && piece.doneBytes === 0) await discardPiece(piece, folder)
      if (came && 'here' in came) return endWith(entry, came.here, parts)
      if (came) return came
    }
    entry.state = 'checking'
    entry.name = modelNameOf(entry.pieces[0]!.name)
    updateTotals(entry)
    parts.onMove()
    try {
      const { trouble, bad, verified } = await verifyFiles(entry, folder, parts.check, signal)
      if (!trouble) {
        entry.verified = verified
        settle(entry, folder)
        break
      }
      // Copies and uploads can be repeated: delete them. Downloaded bytes stay until better ones have
      // arrived.
      if (entry.kind !== 'download') for (const piece of bad) await discardPiece(piece, folder)
      else for (const piece of bad) piece.suspect = await isDoubtful(entry, piece, parts)
      const mended = bad.filter(piece => piece.pieced)
      if (compared || entry.kind !== 'download' || mended.length === 0) return trouble
      for (const piece of mended) piece.pieced = false
      parts.onNote('The parts of the file do not match, so Talaria compares it with the one on the server.')
      entry.state = 'running'
    } catch (error) {
      if (signal.aborted || !isDiskError(error)) throw error
      return explainDisk(error, entry.name)
    }
  }
  const [first] = entry.pieces
  entry.modelId = /^mmproj/i.test(first!.name) ? null : parts.idOf(join(folder, firstPart(first!.name)))
  return undefined
}

/** Whether a rejected file may differ from the server's. A complete model of another kind does not. */
async function isDoubtful(
  { pieces }: DownloadEntry,
  piece: Piece,
  { folder, readExtent }: DownloadContext,
): Promise<boolean> {
  if (pieces.length > 1 || piece.sha256 !== '' || piece.announced !== '') return true
  const extent = await readExtent(join(folder, piece.part))
  return typeof extent !== 'object' || extent.endsAt > piece.doneBytes
}

/** Return the server's name and the size of a file, whatever its name is here. */
const asWanted = ({ from, totalBytes }: Piece) => ({ name: nameOfAddress(from), totalBytes })

/** End a download whose file was already on this computer. */
function endWith(entry: DownloadEntry, path: string, { idOf, onMove }: DownloadContext): undefined {
  entry.here = true
  entry.modelId = /^mmproj/i.test(basename(path)) ? null : idOf(path)
  entry.name = modelNameOf(basename(path))
  onMove()
}

function bring(
  entry: DownloadEntry,
  piece: Piece,
  parts: DownloadContext,
  signal: AbortSignal,
  body: Readable | undefined,
): Promise<Fetched> {
  if (entry.kind === 'download') return fetchFile(piece, parts, signal)
  if (entry.kind === 'copy') return copyFile(piece, parts, signal)
  if (!body) throw new Error('What a page sends is taken when it comes.')
  return receiveFile(piece, body, parts, signal)
}

/**
 * Request the sizes of all parts of a split model, so that disk space can be checked for all of them. A
 * server that reports no size is not asked again. This also finds a missing part before gigabytes of the
 * others are downloaded.
 */
async function measure(
  pieces: readonly Piece[],
  around: FetchContext,
  signal: AbortSignal,
): Promise<DownloadProblem | undefined> {
  for (const piece of pieces) {
    if (piece.totalBytes !== null) continue
    try {
      const plain = () => ({ 'accept-encoding': 'identity' })
      const { response, linked, host } = await sendRequest(around, piece.from, plain, {
        method: 'HEAD',
        signal,
      })
      const { status, headers } = response
      if (status === 404 || status === 410) {
        const { fix } = explainStatus(status, host, headers, around.now())
        return { text: `${host} does not have ${piece.name}, a part of this model.`, fix }
      }
      // A login page also has a length.
      if (/^text\/html\b/i.test(headers.get('content-type') ?? '')) continue
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
  const path = join(folder, piece.part)
  for (const each of [path, freshPathOf(path)]) await rm(each, { force: true })
  piece.doneBytes = 0
  piece.safeBytes = 0
}

/**
 * Check the header of a model and report the problem, if any, naming files by path. `parts` are all files of
 * a split model. `alone` accepts a single part whose others are still to come.
 */
export type CheckModel = (
  path: string,
  how?: { parts?: readonly string[]; alone?: boolean },
) => Promise<DownloadProblem | undefined>

/**
 * Verify a download before it counts as a model: its checksums if known, and its header. `verified` is true
 * if every file had a checksum. Throws the signal’s reason if it aborts.
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
    if (expected !== '' && (await hashFile(paths[index]!, signal)) !== expected)
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

const otherContent = ({ name, sha256 }: Piece): DownloadProblem => ({
  text: `The content of ${name} does not match its checksum, so the file is not used.`,
  fix:
    sha256 === ''
      ? 'The downloaded file is kept but not used. Resume to compare it with the file on the server, or remove it.'
      : 'The downloaded file is kept but not used. If the checksum was wrong, start again with the right one. Otherwise resume to compare the file with the one on the server, or remove it.',
})
