import { rm } from 'node:fs/promises'
import { openPart, type PartFile } from './part-file.ts'
import type { RetryVerdict } from './explain-failure.ts'

/** How long a model file has to be, from the header of what has come of it; otherwise why that cannot be told yet. */
export type ReadExtent = (
  path: string,
) => Promise<{ dataAt: number; endsAt: number; exact: boolean } | 'magic' | 'version' | 'cut' | 'damaged'>

/** What a body came to. Whatever it is, bytes that had come before are given up only for better ones. */
export type Taken =
  /** The file is complete. */
  | 'whole'
  /** It ended before the length that was announced. */
  | 'early'
  /** It ended as announced, and the header of the file says that more belongs to it. */
  | 'short'
  /** It is no model file. */
  | 'alien'
  /** It does not end where the file ends. */
  | 'endless'
  /** It is another part of the file than was asked for. */
  | 'elsewhere'
  /** There is no room for it. */
  | RetryVerdict

/** A body, where it begins in the file, and how long the file is said to be. */
export type Incoming = {
  body: AsyncIterable<Uint8Array>
  at: number
  totalBytes: number | null
  /** Called before the first byte is kept, with whether the file is another one than before. */
  settle: (changed: boolean) => Promise<RetryVerdict | undefined>
  /** Called for each chunk. Throws to stop. */
  onChunk: () => void
  onMove: () => void
}

const MAGIC = 'GGUF'
/** Magic, version and both counts, which begin the file. */
const HEAD = 24
const COMPARED = 1 << 20
/** What may follow the last weight, in a body that announces no length. */
const MOST_AFTER = 64 << 20

/**
 * Take a body into a file. What is there already is compared with what comes, and stays where both are equal. Bytes that
 * differ are given up only after the new ones have shown a whole header, and a length that goes with it.
 */
export async function takeBody(incoming: Incoming, part: PartFile, readExtent: ReadExtent): Promise<Taken> {
  /** What came before and has not been given up. */
  let held = part.bytes
  const freshPath = freshPathOf(part.path)
  let total = incoming.totalBytes
  let position = incoming.at
  let pending = Buffer.alloc(0)
  let begun = false
  /** Holds other content until that has proven itself. */
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

  /** Bytes that go beyond the announced length: which of them belong to the file. */
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

  /** What comes is not what is here, from this position on. */
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

  /** Let the new content take the place of the old once it has a whole header. */
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
      // The file is shorter than what is here, and all that it needs is the same.
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
      // Four bytes tell what is no model file at all.
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

/** Where other content of a file waits until it has proven itself. */
export const freshPathOf = (path: string): string => path.replace(/(\.part)?$/, '.new.part')

/** How many bytes two pieces have in common at their beginning. */
function equalBytes(left: Buffer, right: Buffer): number {
  const length = Math.min(left.length, right.length)
  if (left.subarray(0, length).equals(right.subarray(0, length))) return length
  let at = 0
  while (left[at] === right[at]) at++
  return at
}
