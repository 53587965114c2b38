import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { LINE_BYTES } from './spool-names.ts'

/** How far a file was read. `isInside`: the middle of a line that is left out, so what comes up to its end is left out too. */
export type SpoolPosition = { offset: number; isInside: boolean }

/** A line, undefined when it is longer than a line may be, and how far the file is read with it. `cut`: its bytes, when it has no end yet. */
export type FileLine = { line: string | undefined; to: SpoolPosition; cut?: number }

const CHUNK = 64 * 1024
const NEWLINE = 10

/**
 * The lines of a file from a position on, with at most one line and one chunk of it in memory. A last line without its end
 * comes as `cut`, and is not counted as read. Throws when the path is no file of this user that can be opened as it is: a link is
 * never followed, and nothing waits for a pipe.
 */
export function* readLines(path: string, from: SpoolPosition): Generator<FileLine> {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(file)
    if (!isOwnFile(stats)) throw Object.assign(new Error('not a file of this user'), { code: 'EPERM' })
    const chunk = Buffer.alloc(CHUNK)
    let { offset, isInside } = from
    let parts: Buffer[] = []
    let bytes = 0
    for (;;) {
      const read = readSync(file, chunk, 0, CHUNK, offset + bytes)
      if (read === 0) break
      let at = 0
      for (let end = chunk.indexOf(NEWLINE); end >= 0 && end < read; end = chunk.indexOf(NEWLINE, at)) {
        const length = bytes + end - at
        const isLeftOut = isInside || length > LINE_BYTES
        offset += length + 1
        const to = { offset, isInside: false }
        if (!isLeftOut)
          yield { line: Buffer.concat([...parts, chunk.subarray(at, end)]).toString('utf8'), to }
        else if (!isInside) yield { line: undefined, to }
        else yield { line: '', to }
        isInside = false
        parts = []
        bytes = 0
        at = end + 1
      }
      bytes += read - at
      if (!isInside && bytes > LINE_BYTES) {
        isInside = true
        yield { line: undefined, to: { offset: offset + bytes, isInside } }
      }
      if (!isInside) parts.push(Buffer.from(chunk.subarray(at, read)))
      else {
        offset += bytes
        bytes = 0
        parts = []
      }
    }
    if (isInside) yield { line: '', to: { offset, isInside } }
    else if (bytes > 0)
      yield { line: Buffer.concat(parts).toString('utf8'), to: { offset, isInside }, cut: bytes }
  } finally {
    closeSync(file)
  }
}

/** Whether something is a file, and of this user; Windows knows no such owner. */
export const isOwnFile = (stats: { isFile(): boolean; uid: number }): boolean =>
  stats.isFile() && (process.getuid === undefined || stats.uid === process.getuid())
