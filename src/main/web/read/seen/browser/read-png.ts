import { inflateSync } from 'node:zlib'

/** A picture in memory, with `step` bytes per pixel. */
export type Pixels = { width: number; height: number; step: number; data: Uint8Array }

/** Read a PNG as browsers write screenshots: eight bits per channel, not interlaced. Throws for any other. */
export function readPng(file: Buffer): Pixels {
  let at = 8
  let [width, height, step] = [0, 0, 0]
  const parts: Buffer[] = []
  while (at + 12 <= file.length) {
    const length = file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    const body = file.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR') {
      ;[width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)]
      step = body[9] === 2 ? 3 : body[9] === 6 ? 4 : 0
      if (body[8] !== 8 || step === 0 || body[12] !== 0 || width * height > 40_000_000)
        throw new Error('This is no PNG of a screenshot.')
    } else if (type === 'IDAT') parts.push(body)
    at += 12 + length
  }
  const row = width * step
  const raw = inflateSync(Buffer.concat(parts), { maxOutputLength: (row + 1) * height })
  const data = new Uint8Array(row * height)
  for (let y = 0; y < height; y++) undoFilter(raw, data, { y, row, step })
  return { width, height, step, data }
}

function undoFilter(
  raw: Buffer,
  data: Uint8Array,
  { y, row, step }: { y: number; row: number; step: number },
): void {
  const from = y * (row + 1) + 1
  const to = y * row
  const kind = raw[from - 1] ?? 0
  data.set(raw.subarray(from, from + row), to)
  // The row above the first one counts as zeros.
  const above = y > 0 ? data.subarray(to - row, to) : new Uint8Array(row)
  const line = data.subarray(to, to + row)
  if (kind === 2) for (let x = 0; x < row; x++) line[x] = (line[x] ?? 0) + (above[x] ?? 0)
  else if (kind === 1) for (let x = step; x < row; x++) line[x] = (line[x] ?? 0) + (line[x - step] ?? 0)
  else if (kind !== 0)
    for (let x = 0; x < row; x++) {
      const left = x >= step ? (line[x - step] ?? 0) : 0
      const up = above[x] ?? 0
      const guess = kind === 3 ? (left + up) >> 1 : paeth(left, up, x >= step ? (above[x - step] ?? 0) : 0)
      line[x] = (line[x] ?? 0) + guess
    }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}
