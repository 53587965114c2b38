import { rm } from 'node:fs/promises'
import { openPart, type PartFile } from './part-file.ts'
import type { RetryVerdict } from './explain-failure.ts'

/**
 * Return the required length of a model file, from the header of a partial download, or why it is unknown.
 */
export type ReadExtent = (
  path: string,
) => Promise<{ dataAt: number; endsAt: number; exact: boolean } | 'magic' | 'version' | 'cut' | 'damaged'>

/** The result of reading a body. In every case, bytes on disk are replaced only by better ones. */
export type Taken =
  /** The file is complete. */
  | 'whole'
  /** The body ended before the announced length. */
  | 'early'
  /** The body ended as announced, but the file's header says that more belongs to it. */
  | 'short'
  /** The body is not a model file. */
  | 'alien'
  /** The body continues beyond the end of the file. */
  | 'endless'
  /** The body is a different part of the file than requested. */
  | 'elsewhere'
  /** There is not enough disk space. */
  | RetryVerdict

/** A body, its offset in the file, and the announced length of the file. */
export type Incoming = {
  body: AsyncIterable<Uint8Array>
  at: number
  totalBytes: number | null
  /** Called before the first byte is kept. `changed`: the file differs from the earlier one. */
  settle: (changed: boolean) => Promise<RetryVerdict | undefined>
  /** Called for each chunk. Throws to stop. */
  onChunk: () => void
  onMove: () => void
}

const MAGIC = 'GGUF'
/** Length of the start of a file: magic, version and both counts. */
const HEAD = 24
const COMPARED = 1 << 20
/** Maximum number of bytes after the last weight, in a body of unannounced length. */
const MOST_AFTER = 64 << 20

/**
 * Read a body into a file. Bytes on disk are compared with the new ones, and stay if both are equal. Bytes
 * that differ are replaced only after the new ones have a complete header and a matching length.
 */
export async function takeBody(incoming: Incoming, part: PartFile, readExtent: ReadExtent): Promise<Taken> {
  /** How many earlier bytes are still kept. */
  let held = part.bytes
  const freshPath = freshPathOf(part.path)
  let total = incoming.totalBytes
  let position = incoming.at
  let pending = Buffer.alloc(0)
  let begun = false
  /** A second file for different content until its header is checked. */
  let fresh: PartFile | undefined
  let nextLook = 64 << 10

  async function begin(): Promise<Taken | undefined> {
    begun = true
    const isStart = pending.toString('latin1', 0, 4) === MAGIC
    if (position === 0) {
      if (!isStart) return 'alien'
      return held === 0 ? incoming.settle(false) : undefined
    }
    // Some servers send the whole file and call it a range.
    const known = isStart ? await part.read(0, HEAD) : undefined
    if (known && known.length === HEAD && pending.subarray(0, HEAD).equals(known)) {
      position = 0
      return undefined
    }
    return position === held ? incoming.settle(false) : undefined
  }

  /** Cut bytes beyond the announced length, unless the file's header says that they belong to the file. */
  async function within(bytes: Buffer): Promise<{ bytes: Buffer; isLast: boolean }> {
    if (total === null || position + bytes.length <= total) return { bytes, isLast: false }
    const extent = await readExtent((fresh ?? part).path)
    const isEnough = typeof extent === 'object' ? extent.endsAt <= total : extent !== 'cut'
    if (isEnough) return { bytes: bytes.subarray(0, Math.max(0, total - position)), isLast: true }
    total = null
    return { bytes, isLast: false }
  }

  async function feed(given: Buffer): Promise<Taken | undefined> {
    const { bytes, isLast } = await within(given)
    let rest = bytes
    while (rest.length > 0) {
      if (fresh || position >= held) {
        await (fresh ?? part).append(rest)
        position += rest.length
        rest = rest.subarray(rest.length)
      } else {
        const old = await part.read(position, Math.min(rest.length, held - position, COMPARED))
        const same = equalBytes(old, rest)
        position += same
        rest = rest.subarray(same)
        const trouble =
          same < old.length ? await differ() : position === held ? await incoming.settle(false) : undefined
        if (trouble) return trouble
      }
    }
    if (fresh && position >= nextLook) {
      nextLook = position * 2
      const trouble = await prove(fresh)
      if (trouble) return trouble
    }
    if (!fresh) incoming.onMove()
    if (isLast) return finish()
    return isEndless()
  }

  /** Handle new content that differs from the file on disk, from this position on. */
  async function differ(): Promise<Taken | undefined> {
    if (incoming.at > 0 && position >= incoming.at) return 'elsewhere'
    const extent = await readExtent(part.path)
    if (typeof extent === 'object' && position >= extent.dataAt) {
      if (total !== null && total < extent.endsAt) return 'short'
      await part.cutTo(position)
      held = position
      return incoming.settle(true)
    }
    fresh = await openPart(freshPath, 0, () => {})
    for (let from = 0; from < position;) {
      const bytes = await part.read(from, Math.min(COMPARED, position - from))
      if (bytes.length === 0) break
      await fresh.append(bytes)
      from += bytes.length
    }
    return undefined
  }

  /** Replace the old content by the new once the new one has a complete header. */
  async function prove(candidate: PartFile): Promise<Taken | undefined> {
    const extent = await readExtent(candidate.path)
    if (extent === 'cut') return undefined
    if (typeof extent === 'string') return 'alien'
    if (total !== null && total < extent.endsAt) return 'short'
    fresh = undefined
    await part.replaceBy(candidate)
    held = 0
    return incoming.settle(true)
  }

  async function isEndless(): Promise<Taken | undefined> {
    if (total !== null || fresh || position < held || position < nextLook) return undefined
    nextLook = Math.max(position * 2, MOST_AFTER)
    const extent = await readExtent(part.path)
    return typeof extent === 'object' && extent.exact && position > extent.endsAt + MOST_AFTER
      ? 'endless'
      : undefined
  }

  async function finish(): Promise<Taken> {
    const isAll = total === null || position >= total
    if (fresh) {
      const trouble = await prove(fresh)
      if (trouble) return trouble
    }
    if (fresh || !isAll) return 'early'
    const extent = await readExtent(part.path)
    if (typeof extent === 'object' ? position < extent.endsAt : extent === 'cut') return 'short'
    if (position < part.bytes) {
      // The body is shorter than the file on disk, but complete and equal up to its end.
      if (typeof extent !== 'object') return 'early'
      await part.cutTo(position)
    }
    return 'whole'
  }

  try {
    for await (const chunk of incoming.body) {
      incoming.onChunk()
      if (begun) {
        const taken = await feed(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
        if (taken) return taken
        continue
      }
      pending = Buffer.concat([pending, chunk])
      // Four bytes are enough to recognise a body that is not a model file.
      const isAlien = position === 0 && pending.length >= 4 && pending.toString('latin1', 0, 4) !== MAGIC
      if (pending.length < HEAD && !isAlien) continue
      const taken = (await begin()) ?? (await feed(pending))
      if (taken) return taken
    }
    const taken = begun ? undefined : ((await begin()) ?? (await feed(pending)))
    return taken ?? (await finish())
  } finally {
    await fresh?.close()
    await rm(freshPath, { force: true })
  }
}

/** Return the path for different content of a file until its header is checked. */
export const freshPathOf = (path: string): string => path.replace(/(\.part)?$/, '.new.part')

/** Count the equal bytes at the start of two buffers. */
function equalBytes(left: Buffer, right: Buffer): number {
  const length = Math.min(left.length, right.length)
  if (left.subarray(0, length).equals(right.subarray(0, length))) return length
  let at = 0
  while (left[at] === right[at]) at++
  return at
}
