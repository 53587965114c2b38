import { createHash } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { allPartPaths } from '../files/model-paths.ts'
import type { WantedFile } from './fetch-file.ts'
import { sendRequest, type RequestContext } from './send-request.ts'
import type { DownloadEntry } from './download-entry.ts'

const HASHED = 1 << 20
/** How much of a file of equal name and size is compared, at its beginning, in its middle and at its end. */
const SAMPLE = 64 << 10

/** A known model file. */
export type KnownFile = { id: string; path: string }

/**
 * The file of this content that is here already: of the size that the server announces and with its checksum, or, without one,
 * with the same name and equal samples.
 */
export async function findHere(
  wanted: WantedFile,
  paths: readonly string[],
  request: RequestContext,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { name, sizeBytes, sha256 } = wanted
  const isNamed = (path: string) => basename(path).toLowerCase() === name.toLowerCase()
  const ordered = [...new Set(paths)].toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
  for (const path of ordered) {
    if (sha256 === '' && !isNamed(path)) continue
    const size = await sizeOf(path)
    if (size === undefined || size !== sizeBytes) continue
    const isSame =
      sha256 === ''
        ? await hasEqualSamples(path, wanted, request, signal)
        : (await hashFile(path, signal)) === sha256
    if (isSame) return path
  }
  return undefined
}

/** The first file of a split model whose parts are all here, with these names and sizes. */
export async function findPartsHere(
  parts: readonly { name: string; totalBytes: number | null }[],
  paths: readonly string[],
): Promise<string | undefined> {
  for (const path of paths) {
    const own = allPartPaths(path)
    if (own.length !== parts.length) continue
    const same = await Promise.all(
      own.map(async (each, index) => {
        const part = parts[index]
        const isNamed = basename(each).toLowerCase() === part?.name.toLowerCase()
        return isNamed && part !== undefined && (await sizeOf(each)) === part.totalBytes
      }),
    )
    if (same.every(Boolean)) return path
  }
  return undefined
}

/** The first file of a download that has ended, if all of its files still lie in the folder as they came. */
export async function findArrived(entry: DownloadEntry, folder: string): Promise<string | undefined> {
  for (const piece of entry.pieces)
    if ((await sizeOf(join(folder, piece.name))) !== piece.doneBytes) return undefined
  const [first] = entry.pieces
  return first && join(folder, first.name)
}

/** The SHA-256 checksum of a file. Throws the signal’s reason when it aborts. */
export async function hashFile(path: string, signal: AbortSignal): Promise<string> {
  await using file = await open(path)
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(HASHED)
  for (;;) {
    signal.throwIfAborted()
    const { bytesRead } = await file.read(buffer, 0, HASHED)
    if (bytesRead === 0) return hash.digest('hex')
    hash.update(buffer.subarray(0, bytesRead))
  }
}

async function hasEqualSamples(
  path: string,
  { address, sizeBytes }: WantedFile,
  request: RequestContext,
  signal: AbortSignal,
): Promise<boolean> {
  await using file = await open(path)
  const last = Math.max(0, sizeBytes - SAMPLE)
  for (const from of new Set([0, Math.floor(last / 2), last])) {
    const theirs = await fetchSample(address, from, Math.min(sizeBytes, from + SAMPLE), request, signal)
    if (!theirs || theirs.length === 0) return false
    const ours = Buffer.alloc(theirs.length)
    await file.read(ours, 0, ours.length, from)
    if (!ours.equals(theirs)) return false
  }
  return true
}

/** Some bytes of a file on a server; undefined if it does not send them, in which case the file counts as another one. */
async function fetchSample(
  address: string,
  from: number,
  to: number,
  request: RequestContext,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const headers = (): Record<string, string> => ({
    'accept-encoding': 'identity',
    ...(from > 0 && { range: `bytes=${from}-` }),
  })
  try {
    const { response } = await sendRequest(request, address, headers, { method: 'GET', signal })
    const range = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1]
    const isThere = from === 0 ? response.status === 200 : response.status === 206 && Number(range) === from
    if (!isThere) {
      await response.body?.cancel()
      return undefined
    }
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk)
      bytes += chunk.length
      // Leaving the loop cancels what a server sends beyond the sample.
      if (bytes >= to - from) break
    }
    return bytes < to - from ? undefined : Buffer.concat(chunks).subarray(0, to - from)
  } catch {
    // The download itself will meet the same error, and says it.
    signal.throwIfAborted()
    return undefined
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  const stats = await stat(path).catch(() => undefined)
  return stats?.isFile() ? stats.size : undefined
}
