import type { FileHandle } from 'node:fs/promises'

/** Reads a file from front to back through one small buffer. Reading past the end throws a `RangeError`. */
export type ByteCursor = {
  readonly size: number
  readonly position: number
  /** Return the next `count` bytes, valid until the next call. */
  view(count: number): Promise<DataView>
  u32(): Promise<number>
  /** Read an unsigned 64-bit number. Values above 2^53 are rounded; no file is that long. */
  u64(): Promise<number>
  text(length: number): Promise<string>
  skip(count: number): void
  /** Skip a length-prefixed text if it is entirely in the buffer. */
  skipText(): boolean
}

const bufferBytes = 256 << 10

/** Open a cursor at the start of a file of known length. */
export function openCursor(file: FileHandle, size: number): ByteCursor {
  let buffer = Buffer.alloc(0)
  let start = 0
  let at = 0

  const fill = async (count: number): Promise<void> => {
    if (start + at + count > size) throw new RangeError('The file ends here')
    if (at >= 0 && at + count <= buffer.length) return
    start += at
    at = 0
    const wanted = Math.min(Math.max(count, bufferBytes), size - start)
    const next = Buffer.allocUnsafe(wanted)
    let filled = 0
    while (filled < wanted) {
      const { bytesRead } = await file.read(next, filled, wanted - filled, start + filled)
      if (bytesRead === 0 && filled >= count) break
      if (bytesRead === 0) throw new RangeError('The file became shorter')
      filled += bytesRead
    }
    buffer = next.subarray(0, filled)
  }
  const take = async (count: number): Promise<Buffer> => {
    await fill(count)
    at += count
    return buffer.subarray(at - count, at)
  }

  return {
    size,
    get position() {
      return start + at
    },
    async view(count) {
      const bytes = await take(count)
      return new DataView(bytes.buffer, bytes.byteOffset, count)
    },
    u32: async () => (await take(4)).readUInt32LE(),
    u64: async () => Number((await take(8)).readBigUInt64LE()),
    text: async length => (await take(length)).toString('utf8'),
    skip(count) {
      if (start + at + count > size) throw new RangeError('The file ends here')
      at += count
    },
    skipText() {
      if (at + 8 > buffer.length) return false
      const length = buffer.readUInt32LE(at) + buffer.readUInt32LE(at + 4) * 2 ** 32
      if (at + 8 + length > buffer.length) return false
      at += 8 + length
      return true
    },
  }
}
