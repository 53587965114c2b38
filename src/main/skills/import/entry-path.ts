import { limits } from './limits.ts'

/** What a name in an archive comes to: a path below a folder, a way out of it, or a file that cannot be kept. */
export type EntryPath = { path: string } | { outside: true } | { unfit: string }

const DEVICES = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(\.|$)/i
// What Windows does not allow in a name, and what nobody can see.
const UNFIT = /[<>:"|?*]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\uFFFD]/u

/**
 * Read a name as any system could read it: with either separator, encoded, absolute, with a drive or a device. What could
 * lead out of the folder on one of them leads out of it here.
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
  // A name that reads differently when it is decoded is for nobody's good.
  if (/%(2e|2f|5c|00)/i.test(path)) return { unfit: 'its name is encoded' }
  return { path: path.normalize('NFC') }
}

/** Two dots, or what Windows makes of dots and spaces at the end of a name. */
const isUp = (part: string) => /^[.\s]+$/.test(part) && part.replaceAll(/\s/g, '').length > 1

/** The name, and what becomes of it when it is decoded once and twice, or folded to plain characters. */
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

/** Two paths with one such key are one file on the systems that do not tell capitals apart. */
export const sameFileKey = (path: string): string => path.normalize('NFC').toLowerCase()
