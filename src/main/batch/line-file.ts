import { open, type FileHandle } from 'node:fs/promises'
import { fileErrorCode } from '../lib/expected-errors.ts'

/** A text file with one writer. */
export type LineFile = {
  /**
   * Append a line. Resolves to its offset in bytes once it is durable, or with `quick` once the system has
   * it, so that it survives the end of this process. Rejects if the disk refuses, and leaves no partial line.
   */
  append(line: string, options?: { quick?: boolean }): Promise<number>
  close(): Promise<void>
}

const NEWLINE = 10
const STEP = 64 * 1_024

type Waiting = { bytes: Buffer; quick: boolean; resolve(offset: number): void; reject(error: unknown): void }

/**
 * Open a text file for appending. A partial last line, left by a kill or a full disk, is removed. Lines
 * appended at the same time are written together, with one fsync.
 */
export async function openLineFile(path: string): Promise<LineFile> {
  const file = await open(path, 'a+', 0o600)
  let size = await trimToLastLine(file)
  let waiting: Waiting[] = []
  let writing: Promise<void> | undefined

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      const all = Buffer.concat(group.map(({ bytes }) => bytes))
      try {
        await file.writeFile(all)
        if (group.some(({ quick }) => !quick)) await file.datasync()
      } catch (error) {
        // A nearly full disk accepts part of a write before it refuses.
        await file.truncate(size).catch(fileErrorCode)
        for (const each of group) each.reject(error)
        continue
      }
      for (const each of group) {
        each.resolve(size)
        size += each.bytes.length
      }
    }
    writing = undefined
  }

  return {
    append(line, { quick = false } = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<number>()
      waiting.push({ bytes: Buffer.from(`${line}\n`), quick, resolve, reject })
      writing ??= write()
      return promise
    },
    async close() {
      await writing
      await file.close()
    },
  }
}

/** Remove everything after the last line break. Returns the new size. */
async function trimToLastLine(file: FileHandle): Promise<number> {
  const { size } = await file.stat()
  const step = Buffer.alloc(Math.min(STEP, size))
  let end = 0
  for (let to = size; to > 0 && end === 0; to -= step.length) {
    const from = Math.max(0, to - step.length)
    const { bytesRead } = await file.read(step, 0, to - from, from)
    end = from + step.subarray(0, bytesRead).lastIndexOf(NEWLINE) + 1
    if (end === from) end = 0
  }
  if (end < size) await file.truncate(end)
  return end
}

/** The complete lines of a file with their byte offsets, in order, up to the last line break. */
export async function* readLines(
  path: string,
): AsyncGenerator<{ line: string; offset: number; length: number }, void, void> {
  const file = await open(path, 'r')
  try {
    const chunk = Buffer.alloc(STEP)
    let rest: Buffer[] = []
    let begin = 0
    let restLength = 0
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, STEP, begin + restLength)
      if (bytesRead === 0) return
      let from = 0
      for (
        let end = chunk.indexOf(NEWLINE);
        end >= 0 && end < bytesRead;
        end = chunk.indexOf(NEWLINE, from)
      ) {
        const bytes = Buffer.concat([...rest, chunk.subarray(from, end)])
        yield { line: bytes.toString('utf8'), offset: begin, length: bytes.length }
        begin += bytes.length + 1
        rest = []
        restLength = 0
        from = end + 1
      }
      rest.push(Buffer.from(chunk.subarray(from, bytesRead)))
      restLength += bytesRead - from
    }
  } finally {
    await file.close()
  }
}
