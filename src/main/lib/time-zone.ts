import { readFileSync, realpathSync, statSync } from 'node:fs'
import { posixZone } from './posix-zone.ts'

/** The zone of this computer by its IANA name; `because` says where the name comes from, unless the system gave it. */
export type ComputerZone = { zone: string; because: string | undefined }

/** What a system says of its zone; a test gives another one. */
export type ZoneSource = {
  /** The variable TZ. */
  variable: string | undefined
  /** What the clocks of this process follow, which may be no name at all. */
  resolved: string | undefined
  /** The text of a small file and the path that a link leads to; undefined where there is none. */
  read(path: string): Buffer | undefined
  follow(path: string): string | undefined
}

/** The zone of this computer. There always is one: UTC when nothing names another. */
export function zoneOfComputer(source: ZoneSource = ofThisProcess()): ComputerZone {
  if (named && source.variable === named.zone) return named
  const given = source.variable?.replace(/^:/, '').trim()
  if (given === undefined) {
    const zone = known(source.resolved)
    return zone === undefined ? ofSystem(source, 'This computer does not name its time zone') : plain(zone)
  }
  const said = `The time zone “${shown(source.variable ?? '')}” (TZ) has no name`
  // As everywhere: a variable that is set and empty means UTC.
  if (given === '') return { zone: 'UTC', because: 'The time zone (TZ) is empty, which means UTC.' }
  const asName = known(given.replace(/^(?:posix|right)\//, ''))
  if (asName !== undefined) return plain(asName)
  const meant = given.startsWith('/') ? ofFile(given, source) : posixZone(given)
  if (meant !== undefined) return { zone: meant, because: `${said}; ${meant} is used.` }
  return ofSystem(source, said)
}

/**
 * Give the clocks of this process a zone with a name where TZ has none, so that times are shown as schedules mean them. What
 * runs from here is given the same name. A variable that looks like a name is left alone, since asking takes 15 ms.
 */
export function nameTimeZone(): void {
  const { TZ } = process.env
  if (TZ === undefined || TZ === 'UTC' || /^[A-Z][a-z]+\/[A-Z]\w+$/.test(TZ)) return
  const found = zoneOfComputer()
  if (found.because === undefined) return
  process.env['TZ'] = found.zone
  named = found
}

/** What this process was given instead of a zone without a name. */
let named: ComputerZone | undefined

const plain = (zone: string): ComputerZone => ({ zone, because: undefined })

/** A name as the system writes it; undefined for what is no name of a zone, such as an offset. */
function known(name: string | undefined): string | undefined {
  if (name === undefined || !/^[A-Z]/i.test(name) || /^(?:Etc\/Unknown|undefined)$/i.test(name))
    return undefined
  try {
    // An old name stays: it is known to whoever set it.
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

/** The name of a file of the zone database: of its path, of where it leads, or of the rule at its end. */
function ofFile(path: string, source: ZoneSource): string | undefined {
  for (const each of [path, source.follow(path)]) {
    const [, name] = /\/zoneinfo(?:\/(?:posix|right))?\/([\w+/-]+)$/.exec(each ?? '') ?? []
    const zone = known(name)
    if (zone !== undefined) return zone
  }
  // A computer's own zone is often a copy, beside which its name is written.
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
    // What cannot be read names no zone, whatever the reason.
    return undefined
  }
}

const shown = (text: string): string => text.slice(0, 60).replace(/\p{C}/gu, '?')
