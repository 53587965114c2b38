import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { LINE_BYTES } from './spool-names.ts'

/** How far a file was read. `isInside`: inside a skipped line, so skip the rest of it too. */
export type SpoolPosition = { offset: number; isInside: boolean }

/** A line, undefined if it is too long, and the position after it. `cut`: its bytes, if it has no end yet. */
export type FileLine = { line: string | undefined; to: SpoolPosition; cut?: number }

const CHUNK = 64 * 1024
const NEWLINE = 10

/**
 * Yield the lines of a file from a position on, with at most one line and one chunk in memory. An incomplete
 * last line comes as `cut`, and does not count as read. Throws if the path is not an ordinary file of this
 * user: links are never followed, and pipes never waited for.
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

/** Return whether something is a file of this user; Windows has no such owner. */
export const isOwnFile = (stats: { isFile(): boolean; uid: number }): boolean =>
  stats.isFile() && (process.getuid === undefined || stats.uid === process.getuid())
