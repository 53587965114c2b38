import { existsSync, renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { renamePatiently, syncFolder } from '../lib/write-atomic.ts'
import { firstPart } from '../llm/model-files.ts'
import { ask } from './ask.ts'
import { copyFile } from './copy-file.ts'
import { explainDisk, explainStatus, isDiskError } from './explain.ts'
import { fetchFile, type Surroundings } from './fetch-file.ts'
import { freeNames, modelName } from './file-names.ts'
import { addUp, type Entry, type Piece, type Trouble } from './piece.ts'
import { readLinked } from './read-answer.ts'
import { receiveFile } from './receive-file.ts'
import { verify, type CheckModel } from './verify.ts'

/** What one transfer needs to be done. */
export type WorkParts = Surroundings & { check: CheckModel; idOf: (path: string) => string }

/**
 * Bring all files of a transfer in, check them, and give them their names. What went wrong is returned. Throws the signal’s
 * reason when it aborts.
 */
export async function work(
  entry: Entry,
  parts: WorkParts,
  signal: AbortSignal,
  body?: Readable,
): Promise<Trouble | undefined> {
  const { folder } = parts
  if (entry.kind === 'download' && entry.pieces.length > 1) {
    const trouble = await measure(entry.pieces, parts, signal)
    if (trouble) return trouble
  }
  for (const piece of entry.pieces) {
    const trouble = await bring(entry, piece, parts, signal, body)
    // A file with nothing in it would only be in the way.
    if (trouble && piece.doneBytes === 0) await discard(piece, folder)
    if (trouble) return trouble
  }
  entry.state = 'checking'
  entry.name = modelName(entry.pieces[0]!.name)
  addUp(entry)
  parts.onMove()
  try {
    const { trouble, bad, verified } = await verify(entry, folder, parts.check, signal)
    if (trouble) {
      for (const piece of bad) await discard(piece, folder)
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
  entry: Entry,
  piece: Piece,
  parts: WorkParts,
  signal: AbortSignal,
  body: Readable | undefined,
): Promise<Trouble | undefined> {
  if (entry.kind === 'download') return fetchFile(piece, parts, signal)
  if (entry.kind === 'copy') return copyFile(piece, parts, signal)
  if (!body) throw new Error('What a page sends is taken when it comes.')
  return receiveFile(piece, body, parts, signal)
}

/**
 * Ask how large the files of a split model are, so that the disk can be checked for all of them. A server that does not say is
 * not asked twice; one that lacks a file is found out before gigabytes of the others are here.
 */
async function measure(
  pieces: readonly Piece[],
  { fetch, now }: Surroundings,
  signal: AbortSignal,
): Promise<Trouble | undefined> {
  for (const piece of pieces) {
    if (piece.totalBytes !== null) continue
    try {
      const plain = () => ({ 'accept-encoding': 'identity' })
      const { response, linked, host } = await ask(fetch, piece.from, plain, { method: 'HEAD', signal })
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
      // Fetching meets the same trouble, and knows how to deal with it.
      return undefined
    }
  }
  return undefined
}

/** Give the files of a transfer their names; nothing that is there is replaced. */
function settle(entry: Entry, folder: string): void {
  const names = freeNames(
    entry.pieces.map(piece => piece.name),
    name => existsSync(join(folder, name)),
  )
  for (const [index, piece] of entry.pieces.entries()) {
    piece.name = names[index]!
    renamePatiently(() => renameSync(join(folder, piece.part), join(folder, piece.name)))
  }
  syncFolder(folder)
  entry.name = modelName(names[0]!)
}

/** Delete what has come of a file. */
export async function discard(piece: Piece, folder: string): Promise<void> {
  await rm(join(folder, piece.part), { force: true })
  piece.doneBytes = 0
  piece.safeBytes = 0
}
