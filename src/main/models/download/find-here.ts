import { createHash } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { allPartPaths } from '../files/model-paths.ts'
import type { WantedFile } from './fetch-file.ts'
import { sendRequest, type RequestContext } from './send-request.ts'
import type { DownloadEntry } from './download-entry.ts'

const HASHED = 1 << 20
/** How many bytes to compare of files with the same name and size, at the start, middle and end. */
const SAMPLE = 64 << 10

/** A known model file. */
export type KnownFile = { id: string; path: string }

/**
 * Find a file with the wanted content among `paths`. It must have the size that the server announces, and its
 * checksum. Without a checksum, the name and samples must be equal.
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

/** Find a split model with these part names and sizes, and return its first file. */
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

/** Return the first file of a finished download, if all of its files are still in the folder, unchanged. */
export async function findArrived(entry: DownloadEntry, folder: string): Promise<string | undefined> {
  for (const piece of entry.pieces)
    if ((await sizeOf(join(folder, piece.name))) !== piece.doneBytes) return undefined
  const [first] = entry.pieces
  return first && join(folder, first.name)
}

/** Compute the SHA-256 checksum of a file. Throws the signal’s reason if it aborts. */
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

/** Fetch some bytes of a file on a server. Undefined if that fails; the file then counts as different. */
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
      // Leaving the loop cancels the rest of the response.
      if (bytes >= to - from) break
    }
    return bytes < to - from ? undefined : Buffer.concat(chunks).subarray(0, to - from)
  } catch {
    // The download itself will meet the same error, and reports it.
    signal.throwIfAborted()
    return undefined
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  const stats = await stat(path).catch(() => undefined)
  return stats?.isFile() ? stats.size : undefined
}
