import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn } from '../expected-errors.ts'

/** Return whether a window can open here. Linux needs a display server; other systems have one. */
export const hasDisplay = (env: NodeJS.ProcessEnv = process.env): boolean =>
  process.platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])

const SUPPLIES = '/sys/class/power_supply'

/**
 * Return whether this computer runs on mains power, as far as Linux reports it. Always true without a
 * battery, undefined on other systems. Batteries of mice and headsets do not count; an uninterruptible power
 * supply does.
 */
export function isOnMains(folder = SUPPLIES): boolean | undefined {
  if (folder === SUPPLIES && process.platform !== 'linux') return undefined
  const supplies = namesIn(folder)
    .map(name => {
      const says = (file: string) => firstWords(join(folder, name, file))
      return { type: says('type'), scope: says('scope'), online: says('online'), status: says('status') }
    })
    .filter(({ scope }) => scope !== 'Device')
  const batteries = supplies.filter(({ type }) => type === 'Battery' || type === 'UPS')
  const sources = supplies.filter(({ type }) => type === 'Mains' || type.startsWith('USB'))
  if (sources.some(({ type, online }) => type === 'Mains' && online === '1')) return true
  if (batteries.some(({ status }) => status === 'Discharging')) return false
  if (batteries.length === 0 || batteries.some(({ status }) => status === 'Charging')) return true
  // Just after unplugging, a battery may still report itself as full.
  return sources.length === 0 || sources.some(({ online }) => online !== '0')
}

function firstWords(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    // A power supply may disappear during the read, and some lack files.
    return ''
  }
}
