import { readFileSync, statSync } from 'node:fs'
import { stampOf } from './follow-links.ts'
import { readGitConfig, type GitSetting } from './git/read-git-config.ts'

/** Larger configurations and hooks are not written by git or by people. */
const MAX_BYTES = 1_000_000
/** Files that are remembered at most. */
const MAX_KNOWN = 5_000
/** A file that was written just now could be written again without another stamp: clocks of file systems tick slowly. */
const SURE_MS = 50n

/**
 * Reads something from files and remembers it until they change: their stamps cost a hundredth of reading them. The result is
 * undefined for what is too large, no file, or unreadable, and `missing` where there is nothing.
 */
function createCachedReader<T>(read: (bytes: Buffer) => T, missing: T): (path: string) => T | undefined {
  const known = new Map<string, { stamp: string; value: T }>()
  return path => {
    try {
      const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
      if (!stats) return missing
      // A device or a pipe could block.
      if (!stats.isFile() || stats.size > MAX_BYTES) return undefined
      const stamp = stampOf(stats)
      const before = known.get(path)
      if (before?.stamp === stamp) return before.value
      const value = read(readFileSync(path))
      if (known.size >= MAX_KNOWN) known.clear()
      if (BigInt(Date.now()) - stats.ctimeMs > SURE_MS) known.set(path, { stamp, value })
      return value
    } catch {
      // The command cannot read what this process cannot read.
      return undefined
    }
  }
}

/** The settings of a configuration of git; none if it is missing, undefined if it cannot be read. */
export const readSettings: (path: string) => readonly GitSetting[] | undefined = createCachedReader<
  readonly GitSetting[]
>(bytes => readGitConfig(bytes.toString('utf8')), [])

/** The text of a small file; empty if it is missing, undefined if it cannot be read. */
export const readTextOf: (path: string) => string | undefined = createCachedReader(
  bytes => bytes.toString('utf8'),
  '',
)
