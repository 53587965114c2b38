import { join } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { constants } from 'node:fs'
import { copyFile as clone, open, rm, stat } from 'node:fs/promises'
import { explainDisk, isDiskError } from './explain-failure.ts'
import type { FetchContext } from './fetch-file.ts'
import { openPart } from './part-file.ts'
import type { Piece, DownloadProblem } from './download-entry.ts'

/**
 * Write an uploaded file from its beginning, and no more bytes than announced. Returns the problem, if any.
 * Throws the signal’s reason if it aborts.
 */
export async function receiveFile(
  piece: Piece,
  body: Readable,
  around: FetchContext,
  signal: AbortSignal,
): Promise<DownloadProblem | undefined> {
  const { totalBytes } = piece
  try {
    const trouble = await around.room()
    if (trouble) return trouble
    const part = await openPart(join(around.folder, piece.part), 0, bytes => {
      piece.safeBytes = bytes
    })
    piece.doneBytes = 0
    try {
      addAbortSignal(signal, body)
      // Keep the connection open, so that a client that sends too much still gets the error.
      for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
        if (totalBytes !== null && part.bytes + chunk.length > totalBytes)
          return broken(`More of ${piece.name} was sent than was announced.`)
        await part.append(chunk)
        piece.doneBytes = part.bytes
        around.onMove()
      }
    } finally {
      await part.close()
    }
    return part.bytes === totalBytes ? undefined : broken(`The page stopped sending ${piece.name}.`)
  } catch (error) {
    if (signal.aborted) throw error
    if (isDiskError(error) && error.syscall !== 'read') return explainDisk(error, piece.name)
    return broken(`The page stopped sending ${piece.name}.`)
  }
}

const broken = (text: string): DownloadProblem => ({
  text,
  fix: 'Drop the file on the window again, or enter its path.',
})

const chunkBytes = 4 << 20

/**
 * Copy a local file, resuming an earlier copy, or clone its blocks if the file system supports that, which
 * takes no time or space. Returns the problem, if any. Throws the signal’s reason if it aborts, and keeps the
 * bytes copied so far.
 */
export async function copyFile(
  piece: Piece,
  around: FetchContext,
  signal: AbortSignal,
): Promise<DownloadProblem | undefined> {
  const to = join(around.folder, piece.part)
  try {
    const before = await stampOf(piece.from)
    if (before.stamp !== piece.modified) piece.doneBytes = 0
    piece.modified = before.stamp
    piece.totalBytes = before.size
    if (piece.doneBytes === 0 && (await shareBlocks(piece.from, to))) {
      piece.doneBytes = before.size
      piece.safeBytes = before.size
    } else {
      const trouble = await around.room()
      if (trouble) return trouble
      await copyBytes(piece, to, around, signal)
    }
    around.onMove()
    if ((await stampOf(piece.from)).stamp === before.stamp) return undefined
    piece.doneBytes = 0
    return {
      text: `${piece.from} changed while it was being copied.`,
      fix: 'Resume once the file no longer changes.',
    }
  } catch (error) {
    if (signal.aborted || !isDiskError(error)) throw error
    if (error.path === piece.from || error.syscall === 'read')
      return {
        text: `${piece.from} can no longer be read.`,
        fix: 'Check whether it was moved or its disk was removed, then resume.',
      }
    return explainDisk(error, piece.name)
  }
}

async function copyBytes(piece: Piece, to: string, around: FetchContext, signal: AbortSignal) {
  await using source = await open(piece.from)
  const part = await openPart(to, piece.doneBytes, bytes => {
    piece.safeBytes = bytes
    around.onSafe()
  })
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes)
    for (;;) {
      signal.throwIfAborted()
      const { bytesRead } = await source.read(buffer, 0, chunkBytes, part.bytes)
      if (bytesRead === 0) break
      await part.append(buffer.subarray(0, bytesRead))
      piece.doneBytes = part.bytes
      around.onMove()
    }
  } finally {
    await part.close()
  }
}

/** Clone the blocks of a file. Only some file systems can, and only within one volume. */
async function shareBlocks(from: string, to: string): Promise<boolean> {
  try {
    await rm(to, { force: true })
    await clone(from, to, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if (!isDiskError(error)) throw error
    await rm(to, { force: true })
    return false
  }
}

async function stampOf(path: string): Promise<{ size: number; stamp: string }> {
  const { size, mtimeMs } = await stat(path)
  return { size, stamp: `${size} ${mtimeMs}` }
}
