import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SUPPLIES = '/sys/class/power_supply'

/**
 * Whether this computer runs on mains power, as far as the system says so; what has no battery always does. The batteries of
 * mice and headsets do not count, that of an uninterruptible supply does.
 */
export function isOnMains(folder = SUPPLIES): boolean {
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
  // Just unplugged, a battery may call itself full for a while.
  return sources.length === 0 || sources.some(({ online }) => online !== '0')
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // Other systems do not tell it in files.
    return []
  }
}

function firstWords(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    // A supply may be pulled out while it is looked at, and some do not tell everything.
    return ''
  }
}
