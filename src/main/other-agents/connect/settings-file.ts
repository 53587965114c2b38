import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { writeAtomic } from '../../lib/disk/durable-files.ts'
import { fileErrorCode, isRefusal, namesIn, reasonOf, type Refusal } from '../../lib/expected-errors.ts'

/** A file of another program as it is now. `text` undefined: there is none yet. */
export type SettingsFile = {
  text: string | undefined
  /** Where the file is, if the path is a link. */
  target: string | undefined
}

/** No settings are this long, in bytes. */
const MOST_BYTES = 4_000_000

/** Read a file of another program whole, with its byte order mark. A link is followed. */
export function readSettings(path: string): SettingsFile | Refusal {
  try {
    const target = linkTarget(path)
    const real = target ?? path
    const stats = statSync(real, { throwIfNoEntry: false })
    if (!stats) return { text: undefined, target }
    if (!stats.isFile()) return { refused: `${path} is not a file` }
    if (stats.size > MOST_BYTES) return { refused: `${path} is too long` }
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(real))
    return { text, target }
  } catch (error) {
    return { refused: `${path} cannot be read: ${reasonOf(fileErrorCode(error))}` }
  }
}

function linkTarget(path: string): string | undefined {
  let at = path
  // Longer chains are circles.
  for (let step = 0; step < 20; step++) {
    if (!lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) return at === path ? undefined : at
    at = resolve(dirname(at), readlinkSync(at))
  }
  throw Object.assign(new Error('A link leads in a circle.'), { code: 'ELOOP' })
}

/** Why a file could not be written or removed; undefined where nothing speaks against it. Nothing is written. */
export function whyUnwritable(path: string): string | undefined {
  const read = readSettings(path)
  if (isRefusal(read)) return read.refused
  const real = read.target ?? path
  try {
    const mode = statSync(real, { throwIfNoEntry: false })?.mode
    // Replacing it would work, but whoever took that bit away meant it.
    if (mode !== undefined && (mode & 0o200) === 0) return `${path} is read-only`
    accessSync(folderThere(dirname(real)), constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return `${path} cannot be written: ${reasonOf(fileErrorCode(error))}`
  }
}

function folderThere(folder: string): string {
  return statSync(folder, { throwIfNoEntry: false }) ? folder : folderThere(dirname(folder))
}

/** The folders above a file that are not there yet, the outermost first. */
export function missingAbove(path: string): string[] {
  const folder = dirname(path)
  return statSync(folder, { throwIfNoEntry: false }) ? [] : [...missingAbove(folder), folder]
}

/** Replace a file by `after`, or remove it, if it is still as it was read. A link stays, and the file it names is written. */
export function writeSettings(
  path: string,
  { before, after }: { before: string | undefined; after: string | undefined },
): Refusal | undefined {
  const now = readSettings(path)
  if (isRefusal(now)) return now
  if (now.text !== before) return { refused: `${path} was changed in the meantime` }
  const real = now.target ?? path
  sweepUnfinished(path)
  try {
    if (after === undefined) {
      if (now.text !== undefined) unlinkSync(real)
    } else {
      mkdirSync(dirname(real), { recursive: true, mode: 0o700 })
      writeAtomic(real, after, before === undefined ? { mode: 0o600 } : {})
    }
    return undefined
  } catch (error) {
    return { refused: `${path} cannot be written: ${reasonOf(fileErrorCode(error))}` }
  }
}

/** Remove what a write of ours left beside a file when it was killed. */
export function sweepUnfinished(path: string): void {
  const read = readSettings(path)
  const real = isRefusal(read) ? path : (read.target ?? path)
  const begin = `.${basename(real)}.`
  for (const name of namesIn(dirname(real)))
    if (name.startsWith(begin) && /^[0-9a-f]{12}\.tmp$/.test(name.slice(begin.length)))
      rmSync(join(dirname(real), name), { force: true })
}

/** Remove folders that were made for a file, if nothing is in them by now. The innermost is the last one. */
export function removeEmpty(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder)
    } catch (error) {
      // Something is in it, or it is gone.
      fileErrorCode(error)
      return
    }
  }
}
