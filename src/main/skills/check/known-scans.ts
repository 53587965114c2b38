import type { ScanFinding } from '../../../shared/contract/learned/skills.ts'
import { hashOf } from '../../lib/shown-hash.ts'

/** A file of a skill, as a scan reads it. */
export type ScannedFile = { path: string; text: string }

/** What a scan found in files, by `keyOfFile`: what a thread hands to the host, so that it need not scan them again. */
export type KnownScans = readonly (readonly [key: string, findings: ScanFinding[]])[]

/** Shorter files are scanned in about a millisecond, where all patterns are compiled. */
const LEAST_LENGTH = 500
const MOST_KNOWN = 2_000
const known = new Map<string, ScanFinding[]>()

/** The identity of a file for a scan; undefined when it is too short to be remembered. */
export function keyOfFile({ path, text }: ScannedFile): string | undefined {
  if (text.length < LEAST_LENGTH) return undefined
  return hashOf([path, text])
}

/** Keep what was found in files, the newest ones. */
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

/** What is known of a file. */
export function knownScan(file: ScannedFile): ScanFinding[] | undefined {
  const key = keyOfFile(file)
  return key === undefined ? undefined : known.get(key)
}
