import { Fault } from '../../../shared/rpc.ts'
import { limits, visibleName, type LeftOut } from './source.ts'

/** Collects the files of a source, and the names that are left out with the reason. */
type FileList<T> = {
  /** Add a file. Throws a Fault when its path leads out of the archive. */
  add(name: string, entry: Omit<T, 'path'>): void
  /** Check the name of a folder, which must not lead out of the archive either. */
  checkFolder(name: string): void
  leaveOut(name: string, why: string): void
  files: (T & { path: string })[]
  leftOut: LeftOut[]
}

/** Files that tools leave behind; they are skipped silently. */
const LITTER =
  /(^|[/\\])(\.git|node_modules|__pycache__|\.venv|__MACOSX|\.DS_Store|Thumbs\.db|desktop\.ini)([/\\]|$)/

/** Whether a file never belongs to a skill. */
export const isLitter = (name: string): boolean => LITTER.test(name)

/**
 * Start a list of files. `what` names the source in a refusal, such as “This zip”. Names in a `realFolder` come from the
 * file system and cannot lead out of it.
 */
export function createFileList<T extends { bytes: number }>(
  what: string,
  { realFolder = false } = {},
): FileList<T> {
  const files: (T & { path: string })[] = []
  const seen = new Set<string>()
  const left: LeftOut[] = []
  let names = 0

  function seeOne() {
    if (++names > limits.seen)
      throw new Fault(
        'bad_input',
        `${what} holds more than ${count(limits.seen)} files. Choose a folder in it.`,
      )
  }

  const leaveOut = (name: string, why: string): void => void left.push({ name, why })

  function outside(name: string) {
    if (realFolder) return leaveOut(name, 'its name looks like a path out of the folder')
    throw new Fault(
      'bad_input',
      `${what} is refused whole: it names “${visibleName(name)}”, which would lie outside of the skill.`,
    )
  }

  return {
    files,
    leaveOut(name, why) {
      seeOne()
      leaveOut(name, why)
    },
    checkFolder(name) {
      seeOne()
      if ('outside' in entryPath(name)) outside(name)
    },
    add(name, entry) {
      seeOne()
      if (isLitter(name)) return
      const found = entryPath(name)
      if ('outside' in found) return outside(name)
      if ('unfit' in found) return leaveOut(name, found.unfit)
      if ((entry as { bytes: number }).bytes > limits.fileBytes)
        return leaveOut(name, `it is larger than ${limits.fileBytes / 1e6} MB`)
      const key = sameFileKey(found.path)
      if (seen.has(key)) return leaveOut(name, 'another file has the same name')
      seen.add(key)
      files.push({ ...(entry as T), path: found.path })
    },
    leftOut: left,
  }
}

const count = (number: number) => number.toLocaleString('en')

/** How to treat a name in an archive: a safe path, a path out of the folder, or an unusable name. */
type EntryPath = { path: string } | { outside: true } | { unfit: string }

const DEVICES = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(\.|$)/i
// Characters that Windows forbids in names, and invisible ones.
const UNFIT = /[<>:"|?*]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\uFFFD]/u

/**
 * Check a name the way any system could read it: either separator, encoded, absolute, with a drive or a device. A name
 * that leaves the folder on any system is treated as leaving it.
 */
export function entryPath(name: string): EntryPath {
  for (const reading of readingsOf(name))
    if (/^([/\\]|~[/\\]|[a-z]:)/i.test(reading) || reading.split(/[/\\]/).some(isUp)) return { outside: true }
  const path = name.replaceAll('\\', '/').replace(/^(\.\/+)+/, '')
  if (path.length > limits.pathChars) return { unfit: 'its path is too long' }
  for (const part of path.split('/')) {
    if (part === '' || part === '.') return { unfit: 'its path is not in order' }
    if (DEVICES.test(part)) return { unfit: 'Windows would take it for a device' }
    if (UNFIT.test(part)) return { unfit: 'its name has characters that not every system allows' }
    if (/[.\s]$|^\s/.test(part)) return { unfit: 'its name begins with a space, or ends with one or a dot' }
  }
  // An encoded separator or dot has no honest use.
  if (/%(2e|2f|5c|00)/i.test(path)) return { unfit: 'its name is encoded' }
  return { path: path.normalize('NFC') }
}

/** Two dots, also with the trailing dots and spaces that Windows strips. */
const isUp = (part: string) => /^[.\s]+$/.test(part) && part.replaceAll(/\s/g, '').length > 1

/** The name as is, normalised, and URL-decoded once and twice. */
function readingsOf(name: string): string[] {
  const readings = [name, name.normalize('NFKC')]
  for (let turn = 0; turn < 2; turn++) {
    const decoded = readings
      .at(-1)!
      .replaceAll(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    readings.push(decoded)
  }
  return readings
}

/** Paths with the same key are one file on case-insensitive systems. */
const sameFileKey = (path: string): string => path.normalize('NFC').toLowerCase()
