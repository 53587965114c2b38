import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

const NEWLINE = 10
/** How many bytes to read at a time when searching for the end of the last complete line. */
const STEP = 64 * 1_024

/**
 * Append a line to a file with a single writer, completely or not at all. A partial line left by a full disk
 * or a crash is removed. Throws the system's error if the disk is full.
 */
export function appendLine(path: string, line: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = openSync(path, 'a+', 0o600)
  try {
    const size = wholeLines(file)
    try {
      writeAll(file, Buffer.from(`${line}\n`))
    } catch (error) {
      ftruncateSync(file, size)
      throw error
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Remove everything after the last line break of a file, which a crash left. Returns the new size. */
export function trimToLines(path: string): number {
  const file = openSync(path, 'r+')
  try {
    return wholeLines(file)
  } finally {
    closeSync(file)
  }
}

/** Remove everything after the last line break. Returns the new size. */
function wholeLines(file: number): number {
  const { size } = fstatSync(file)
  const end = afterLastNewline(file, size)
  if (end < size) ftruncateSync(file, end)
  return end
}

function afterLastNewline(file: number, size: number): number {
  const step = Buffer.alloc(Math.min(STEP, size))
  for (let to = size; to > 0;) {
    const from = Math.max(0, to - step.length)
    // The last byte is usually the line break, so read only that byte first.
    const begin = to === size ? size - 1 : from
    const read = readSync(file, step, 0, to - begin, begin)
    const at = step.lastIndexOf(NEWLINE, read - 1)
    if (at >= 0) return begin + at + 1
    to = begin
  }
  return 0
}

/** A nearly full disk accepts part of a write before it refuses. */
function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
}
