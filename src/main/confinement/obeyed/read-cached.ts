import { readFileSync, statSync } from 'node:fs'
import { stampOf } from './follow-links.ts'
import { readGitConfig, type GitSetting } from './git/read-git-config.ts'

/** Maximum size of a file to read; real configurations and hooks are smaller. */
const MAX_BYTES = 1_000_000
/** Maximum number of files that are remembered. */
const MAX_KNOWN = 5_000
/** A file written this recently could be written again with the same stamp: disk clocks are coarse. */
const SURE_MS = 50n

/**
 * Create a reader that remembers its results until the files change: a stamp takes a hundredth of the time of
 * reading. Returns undefined for files that are too large, special or unreadable, and `missing` for missing
 * ones.
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
      // A command cannot read what this process cannot read.
      return undefined
    }
  }
}

/** The settings of a git configuration; empty if it is missing, undefined if it cannot be read. */
export const readSettings: (path: string) => readonly GitSetting[] | undefined = createCachedReader<
  readonly GitSetting[]
>(bytes => readGitConfig(bytes.toString('utf8')), [])

/** The text of a small file; empty if it is missing, undefined if it cannot be read. */
export const readTextOf: (path: string) => string | undefined = createCachedReader(
  bytes => bytes.toString('utf8'),
  '',
)
