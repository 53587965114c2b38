import type { Pixels } from './pixels.ts'

const MOST_CODES = 4_096

/**
 * Decode the first frame of a GIF, on white, because the picture library does not support GIF. Undefined if
 * it is damaged. Missing data stays white.
 */
export function decodeGifFrame(bytes: Uint8Array): Pixels | undefined {
  const short = (at: number) => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)
  const [width, height, flags] = [short(6), short(8), bytes[10] ?? 0]
  const tableLength = (given: number) => (given & 0x80 ? 3 << ((given & 7) + 1) : 0)
  let at = 13 + tableLength(flags)
  let clear = -1
  while (bytes[at] === 0x21) {
    // A control block may declare a colour as transparent.
    if (bytes[at + 1] === 0xf9 && (bytes[at + 3] ?? 0) & 1) clear = bytes[at + 6] ?? -1
    at = endOfBlocks(bytes, at + 2)
  }
  if (bytes[at] !== 0x2c) return undefined
  const frame = { left: short(at + 1), top: short(at + 3), width: short(at + 5), height: short(at + 7) }
  const own = bytes[at + 9] ?? 0
  const colours = own & 0x80 ? at + 10 : 13
  const from = at + 10 + tableLength(own)
  if (!((own | flags) & 0x80) || frame.width * frame.height > width * height * 4) return undefined
  const codes = unpackCodes(joinBlocks(bytes, from + 1), bytes[from] ?? 0, frame.width * frame.height)
  if (!codes) return undefined

  const rgba = new Uint8Array(width * height * 4).fill(255)
  const rows = own & 0x40 ? interlacedRows(frame.height) : Array.from({ length: frame.height }, (_, y) => y)
  for (const [index, row] of rows.entries())
    for (let column = 0; column < frame.width; column++) {
      const code = codes[index * frame.width + column]!
      const [x, y] = [frame.left + column, frame.top + row]
      if (code === clear || code === NOTHING || x >= width || y >= height) continue
      for (let part = 0; part < 3; part++)
        rgba[(y * width + x) * 4 + part] = bytes[colours + code * 3 + part] ?? 0
    }
  return { width, height, rgba }
}

/** Marks a pixel without a code. */
const NOTHING = 0xffff

function endOfBlocks(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at]) at += bytes[at]! + 1
  return at + 1
}

function joinBlocks(bytes: Uint8Array, from: number): Uint8Array {
  const parts: Uint8Array[] = []
  for (let at = from; bytes[at]; at += bytes[at]! + 1) parts.push(bytes.subarray(at + 1, at + 1 + bytes[at]!))
  return Buffer.concat(parts)
}

/** The order in which the rows of an interlaced frame are stored. */
const interlacedRows = (height: number): number[] =>
  [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ].flatMap(([first = 0, step = 1]) => {
    const rows: number[] = []
    for (let row = first; row < height; row += step) rows.push(row)
    return rows
  })

/** Unpack LZW, starting with codes of `size` bits, into `length` colour indexes. */
function unpackCodes(data: Uint8Array, size: number, length: number): Uint16Array | undefined {
  if (size < 1 || size > 8) return undefined
  const out = new Uint16Array(length).fill(NOTHING)
  const [clear, end] = [1 << size, (1 << size) + 1]
  const before = new Uint16Array(MOST_CODES)
  const last = new Uint8Array(MOST_CODES)
  const lengths = new Uint16Array(MOST_CODES)
  for (let code = 0; code < clear; code++) {
    last[code] = code
    lengths[code] = 1
  }
  let [bits, next, old, filled] = [size + 1, end + 1, -1, 0]
  function write(given: number): void {
    let code = given
    for (let to = filled + lengths[given]! - 1; to >= filled; to--) {
      if (to < length) out[to] = last[code]!
      if (to > filled) code = before[code]!
    }
    filled += lengths[given]!
  }
  let [held, count, at] = [0, 0, 0]
  while (filled < length) {
    while (count < bits && at < data.length) {
      held |= data[at++]! << count
      count += 8
    }
    if (count < bits) break
    const code = held & ((1 << bits) - 1)
    held >>>= bits
    count -= bits
    if (code === end) break
    if (code === clear) {
      ;[bits, next, old] = [size + 1, end + 1, -1]
      continue
    }
    if (code > next || (code === next && old < 0)) return undefined
    if (old >= 0 && next < MOST_CODES) {
      before[next] = old
      lengths[next] = lengths[old]! + 1
      // A code used while it is being defined begins and ends with the same index.
      last[next] = firstOf(code === next ? old : code)
      next++
      if (next === 1 << bits && bits < 12) bits++
    }
    if (lengths[code] === 0) return undefined
    write(code)
    old = code
  }
  return out

  function firstOf(given: number): number {
    let code = given
    for (let left = lengths[given]!; left > 1; left--) code = before[code]!
    return last[code]!
  }
}
