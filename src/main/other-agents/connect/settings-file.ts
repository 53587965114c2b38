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

/** The current state of another program's file. `text` undefined: it does not exist. */
export type SettingsFile = {
  text: string | undefined
  /** The real path of the file, if the path is a link. */
  target: string | undefined
}

/** Maximum size of settings, in bytes. */
const MOST_BYTES = 4_000_000

/** Read another program's file completely, with its byte order mark. Follows links. */
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
  // Longer chains are cycles.
  for (let step = 0; step < 20; step++) {
    if (!lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) return at === path ? undefined : at
    at = resolve(dirname(at), readlinkSync(at))
  }
  throw Object.assign(new Error('A link leads in a circle.'), { code: 'ELOOP' })
}

/** Return why a file could not be written or removed; undefined if it could. Writes nothing. */
export function whyUnwritable(path: string): string | undefined {
  const read = readSettings(path)
  if (isRefusal(read)) return read.refused
  const real = read.target ?? path
  try {
    const mode = statSync(real, { throwIfNoEntry: false })?.mode
    // Replacing it would work, but it was made read-only on purpose.
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

/** Return the missing parent folders of a file, outermost first. */
export function missingAbove(path: string): string[] {
  const folder = dirname(path)
  return statSync(folder, { throwIfNoEntry: false }) ? [] : [...missingAbove(folder), folder]
}

/** Replace a file by `after`, or remove it, if unchanged since it was read. Writes through links. */
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

/** Remove temporary files that a killed write of ours left next to a file. */
export function sweepUnfinished(path: string): void {
  const read = readSettings(path)
  const real = isRefusal(read) ? path : (read.target ?? path)
  const begin = `.${basename(real)}.`
  for (const name of namesIn(dirname(real)))
    if (name.startsWith(begin) && /^[0-9a-f]{12}\.tmp$/.test(name.slice(begin.length)))
      rmSync(join(dirname(real), name), { force: true })
}

/** Remove empty folders that were created for a file. The innermost is last in the list. */
export function removeEmpty(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder)
    } catch (error) {
      // The folder is not empty, or gone.
      fileErrorCode(error)
      return
    }
  }
}
