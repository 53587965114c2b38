import { readFileSync, realpathSync, statSync } from 'node:fs'
import { posixZone } from './posix-zone.ts'

/** The IANA zone of this computer. `because`: the source of the name, unless the system gave it. */
export type ComputerZone = { zone: string; because: string | undefined }

/** What a system reports about its zone; tests replace it. */
export type ZoneSource = {
  /** The value of TZ. */
  variable: string | undefined
  /** The zone of this process's clocks, which may have no name. */
  resolved: string | undefined
  /** Read a small file, and resolve a link; both undefined if missing. */
  read(path: string): Buffer | undefined
  follow(path: string): string | undefined
}

/** Return the zone of this computer: UTC if nothing names another. */
export function zoneOfComputer(source: ZoneSource = ofThisProcess()): ComputerZone {
  if (named && source.variable === named.zone) return named
  const given = source.variable?.replace(/^:/, '').trim()
  if (given === undefined) {
    const zone = known(source.resolved)
    return zone === undefined ? ofSystem(source, 'This computer does not name its time zone') : plain(zone)
  }
  const said = `The time zone “${shown(source.variable ?? '')}” (TZ) has no name`
  // By convention, a variable that is set but empty means UTC.
  if (given === '') return { zone: 'UTC', because: 'The time zone (TZ) is empty, which means UTC.' }
  const asName = known(given.replace(/^(?:posix|right)\//, ''))
  if (asName !== undefined) return plain(asName)
  const meant = given.startsWith('/') ? ofFile(given, source) : posixZone(given)
  if (meant !== undefined) return { zone: meant, because: `${said}; ${meant} is used.` }
  return ofSystem(source, said)
}

/**
 * Give this process's clocks a named zone if TZ has none, so that times are shown as schedules mean them.
 * Child processes get the same name. A variable that looks like a name is left alone, since checking takes 15
 * ms.
 */
export function nameTimeZone(): void {
  const { TZ } = process.env
  if (TZ === undefined || TZ === 'UTC' || /^[A-Z][a-z]+\/[A-Z]\w+$/.test(TZ)) return
  const found = zoneOfComputer()
  if (found.because === undefined) return
  process.env['TZ'] = found.zone
  named = found
}

/** The zone that this process was given in place of an unnamed one. */
let named: ComputerZone | undefined

const plain = (zone: string): ComputerZone => ({ zone, because: undefined })

/** Return a zone's name as the system writes it; undefined for anything else, such as an offset. */
function known(name: string | undefined): string | undefined {
  if (name === undefined || !/^[A-Z]/i.test(name) || /^(?:Etc\/Unknown|undefined)$/i.test(name))
    return undefined
  try {
    // Keep an old name, because it is what the user set.
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function ofSystem(source: ZoneSource, said: string): ComputerZone {
  const written = known(source.read('/etc/timezone')?.toString('utf8').trim())
  if (written !== undefined)
    return { zone: written, because: `${said}; ${written} is used, from /etc/timezone.` }
  const linked = ofFile('/etc/localtime', source)
  if (linked !== undefined)
    return { zone: linked, because: `${said}; ${linked} is used, from /etc/localtime.` }
  return { zone: 'UTC', because: `${said}, and nothing else names it; UTC is used.` }
}

/** Return the zone's name for a zone file: from its path, its link target, or the rule at its end. */
function ofFile(path: string, source: ZoneSource): string | undefined {
  for (const each of [path, source.follow(path)]) {
    const [, name] = /\/zoneinfo(?:\/(?:posix|right))?\/([\w+/-]+)$/.exec(each ?? '') ?? []
    const zone = known(name)
    if (zone !== undefined) return zone
  }
  // A computer's own zone file is often a copy; its name is in a file next to it.
  if (path === '/etc/localtime') {
    const written = known(source.read('/etc/timezone')?.toString('utf8').trim())
    if (written !== undefined) return written
  }
  const bytes = source.read(path)
  if (bytes?.toString('latin1', 0, 4) !== 'TZif') return undefined
  return posixZone(bytes.toString('latin1').trimEnd().split('\n').at(-1) ?? '')
}

const MOST_BYTES = 65_536

const ofThisProcess = (): ZoneSource => ({
  variable: process.env['TZ'],
  resolved: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  // A device such as /dev/zero has no end.
  read: path =>
    attempted(() => (statSync(path).isFile() ? readFileSync(path).subarray(-MOST_BYTES) : undefined)),
  follow: path => attempted(() => realpathSync(path)),
})

function attempted<T>(read: () => T | undefined): T | undefined {
  try {
    return read()
  } catch {
    // An unreadable file names no zone, whatever the reason.
    return undefined
  }
}

const shown = (text: string): string => text.slice(0, 60).replace(/\p{C}/gu, '?')
