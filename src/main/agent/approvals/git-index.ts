import { readFileSync } from 'node:fs'
import { obeyedByName } from '../../confinement/obeyed/obeyed-names.ts'
import { isCredential, mayHoldKeys } from '../../files/paths/credential-paths.ts'

const GITLINK = 0o160000
const TREE = 0o040000
const ENTRY_BYTES = 62

/** An obeyed file and what the index stores about it: time in seconds, size in bytes. */
export type TrackedFile = { path: string; modified: number; size: number }

/** The paths in an index that matter for safety: submodules, a file that may hold keys, obeyed files. */
type IndexFacts = {
  submodules: readonly string[]
  secret: string | undefined
  obeyed: readonly TrackedFile[]
}

/**
 * Read the index file of a repository (versions 2 to 4). A missing file gives empty facts. Undefined for an
 * unreadable file, and for a split or sparse index, whose entries are elsewhere. Source: gitformat-index(5).
 */
export function readIndex(path: string): IndexFacts | undefined {
  let index: Buffer
  try {
    index = readFileSync(path)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? { submodules: [], secret: undefined, obeyed: [] }
      : undefined
  }
  if (index.length < 12 || index.toString('latin1', 0, 4) !== 'DIRC') return undefined
  const [version, count] = [index.readUInt32BE(4), index.readUInt32BE(8)]
  if (version < 2 || version > 4) return undefined
  const submodules: string[] = []
  const obeyed: TrackedFile[] = []
  let secret: string | undefined
  let at = 12
  let previous = ''
  for (let entry = 0; entry < count; entry++) {
    if (at + ENTRY_BYTES + 1 > index.length) return undefined
    const start = at
    const mode = index.readUInt32BE(at + 24)
    const isExtended = (index.readUInt16BE(at + 60) & 0x4000) !== 0
    let name = at + ENTRY_BYTES + (isExtended ? 2 : 0)
    let kept = ''
    if (version === 4) {
      const dropped = readOffset(index, name)
      name = dropped.next
      kept = previous.slice(0, previous.length - dropped.value)
    }
    const end = index.indexOf(0, name)
    if (end < 0) return undefined
    previous = kept + index.toString('latin1', name, end)
    if (mode === TREE) return undefined
    if (mode === GITLINK) submodules.push(Buffer.from(previous, 'latin1').toString('utf8'))
    if (obeyedByName(previous)?.tier === 1)
      obeyed.push({
        path: Buffer.from(previous, 'latin1').toString('utf8'),
        modified: index.readUInt32BE(start + 8),
        size: index.readUInt32BE(start + 36),
      })
    if (secret === undefined && (isCredential(previous) || mayHoldKeys(previous))) secret = previous
    at = version === 4 ? end + 1 : at + Math.ceil((end - at + 1) / 8) * 8
  }
  return index.indexOf('link', at, 'latin1') < 0 ? { submodules, secret, obeyed } : undefined
}

/** Read a number of variable length, encoded like the offsets in pack files. */
function readOffset(bytes: Buffer, from: number): { value: number; next: number } {
  let at = from
  let value = bytes[at]! & 0x7f
  while ((bytes[at]! & 0x80) !== 0 && at < from + 5) value = ((value + 1) << 7) + (bytes[++at]! & 0x7f)
  return { value, next: at + 1 }
}
