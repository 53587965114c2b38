import { join } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { explainDisk, isDiskError } from './explain.ts'
import type { Surroundings } from './fetch-file.ts'
import { openPart } from './part-file.ts'
import type { Piece, Trouble } from './piece.ts'

/**
 * Write down what a page sends, from the beginning, and not a byte more than it said that it would. What went wrong is returned.
 * Throws the signal’s reason when it aborts.
 */
export async function receiveFile(
  piece: Piece,
  body: Readable,
  around: Surroundings,
  signal: AbortSignal,
): Promise<Trouble | undefined> {
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
      // Whoever sends too much is still told so on the same connection.
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

const broken = (text: string): Trouble => ({
  text,
  fix: 'Drop the file on the window again, or type its path.',
})
