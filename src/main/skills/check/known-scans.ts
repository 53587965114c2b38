import type { ScanFinding } from '../../../shared/contract/learned/skills.ts'
import { hashOf } from '../../lib/shown-hash.ts'

/** A file of a skill as input of a scan. */
export type ScannedFile = { path: string; text: string }

/** Findings in files, by `keyOfFile`. The host gets them from a thread and need not scan the files again. */
export type KnownScans = readonly (readonly [key: string, findings: ScanFinding[]])[]

/** Shorter files are scanned in about a millisecond with compiled patterns, so they are not cached. */
const LEAST_LENGTH = 500
const MOST_KNOWN = 2_000
const known = new Map<string, ScanFinding[]>()

/** The identity of a file for a scan; undefined if it is too short to be cached. */
export function keyOfFile({ path, text }: ScannedFile): string | undefined {
  if (text.length < LEAST_LENGTH) return undefined
  return hashOf([path, text])
}

/** Cache the findings in files. The oldest entries are evicted. */
export function rememberScans(scans: KnownScans): void {
  for (const [key, findings] of scans) {
    known.delete(key)
    known.set(key, findings)
  }
  for (const oldest of known.keys()) {
    if (known.size <= MOST_KNOWN) return
    known.delete(oldest)
  }
}

/** The cached findings in a file; undefined if it is not cached. */
export function knownScan(file: ScannedFile): ScanFinding[] | undefined {
  const key = keyOfFile(file)
  return key === undefined ? undefined : known.get(key)
}
