import { type Refusal } from '../../lib/expected-errors.ts'

/** The reading of a name in an archive: a safe path, a path out of the folder, or an unusable name. */
type EntryPath = { path: string } | { outside: true } | Refusal

/** Maximum length of a file's path in a skill; Windows allows little more. */
const MAX_PATH_CHARS = 400

const DEVICES = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(\.|$)/i

// Characters that Windows forbids in names, and invisible ones.
const UNFIT = /[<>:"|?*]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\uFFFD]/u

/**
 * Check a name in every way that a system could read it: with either separator, encoded, absolute, with a
 * drive or a device. A name that leaves the folder on any system counts as leaving it.
 */
export function entryPath(name: string): EntryPath {
  for (const reading of readingsOf(name))
    if (/^([/\\]|~[/\\]|[a-z]:)/i.test(reading) || reading.split(/[/\\]/).some(isUp)) return { outside: true }
  const path = name.replaceAll('\\', '/').replace(/^(\.\/+)+/, '')
  if (path.length > MAX_PATH_CHARS) return { refused: 'its path is too long' }
  for (const part of path.split('/')) {
    if (part === '' || part === '.') return { refused: 'its path is not in order' }
    if (DEVICES.test(part)) return { refused: 'Windows would take it for a device' }
    if (UNFIT.test(part)) return { refused: 'its name has characters that not every system allows' }
    if (/[.\s]$|^\s/.test(part)) return { refused: 'its name begins with a space, or ends with one or a dot' }
  }
  // An encoded separator or dot has no honest use.
  if (/%(2e|2f|5c|00)/i.test(path)) return { refused: 'its name is encoded' }
  return { path: path.normalize('NFC') }
}

/** Whether a part goes up: two dots, also with the trailing dots and spaces that Windows strips. */
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
