import { join } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { explainDisk, isDiskError } from './explain-failure.ts'
import type { FetchContext } from './fetch-file.ts'
import { openPart } from './part-file.ts'
import type { Piece, DownloadProblem } from './piece.ts'

/**
 * Write an uploaded file from its beginning, and no more bytes than announced. Returns what went wrong. Throws the
 * signal’s reason when it aborts.
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
      // The connection stays open, so that a client that sends too much still gets the error.
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
  fix: 'Drop the file on the window again, or type its path.',
})
