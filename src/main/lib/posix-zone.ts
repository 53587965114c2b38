/**
 * Zones by POSIX rule, as in TZ and at the end of zone files, such as `CET-1CEST`. The dates of the rule are
 * left out: no two of these zones share both names and the offset.
 */
const SUMMER_ZONES: Record<string, string> = {
  'CET-1CEST': 'Europe/Berlin',
  'MET-1MEST': 'Europe/Berlin',
  'MEZ-1MESZ': 'Europe/Berlin',
  WET0WEST: 'Europe/Lisbon',
  GMT0BST: 'Europe/London',
  'IST-1GMT0': 'Europe/Dublin',
  GMT0IST: 'Europe/Dublin',
  'EET-2EEST': 'Europe/Athens',
  'IST-2IDT': 'Asia/Jerusalem',
  EST5EDT: 'America/New_York',
  CST6CDT: 'America/Chicago',
  MST7MDT: 'America/Denver',
  PST8PDT: 'America/Los_Angeles',
  AKST9AKDT: 'America/Anchorage',
  HST10HDT: 'America/Adak',
  AST4ADT: 'America/Halifax',
  'NST3:30NDT': 'America/St_Johns',
  CST5CDT: 'America/Havana',
  'AEST-10AEDT': 'Australia/Sydney',
  'ACST-9:30ACDT': 'Australia/Adelaide',
  'NZST-12NZDT': 'Pacific/Auckland',
}

/** The database has no zones for half and quarter hours, so use the largest place with that offset. */
const ODD_OFFSETS: Record<string, string> = {
  '-5:30': 'Asia/Kolkata',
  '-5:45': 'Asia/Kathmandu',
  '-3:30': 'Asia/Tehran',
  '-4:30': 'Asia/Kabul',
  '-6:30': 'Asia/Yangon',
  '-8:45': 'Australia/Eucla',
  '-9:30': 'Australia/Darwin',
  '9:30': 'Pacific/Marquesas',
}

const NAME = String.raw`(?:[A-Za-z]{3,8}|<[A-Za-z0-9+-]{3,8}>)`
const OFFSET = String.raw`[+-]?\d{1,3}(?::\d{2}){0,2}`
const RULE = new RegExp(
  `^(?<name>${NAME})(?<offset>${OFFSET})(?:(?<summer>${NAME})(?<ahead>${OFFSET})?(?:,[-,./:\\dJM]{1,60})?)?$`,
)

/** Return the IANA name for a POSIX rule; undefined if it is not one, or no zone follows it. */
export function posixZone(rule: string): string | undefined {
  const { name = '', offset, summer, ahead = '' } = RULE.exec(rule.trim())?.groups ?? {}
  if (offset === undefined) return undefined
  const [hours = 0, minutes = 0] = offset.split(':').map(each => Math.abs(Number(each)))
  if (hours > 14 || minutes > 59) return undefined
  const sign = offset.startsWith('-') && hours + minutes > 0 ? '-' : ''
  const short = `${sign}${hours}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`
  if (summer !== undefined) {
    const key = `${name}${short}${summer}`.toUpperCase()
    return SUMMER_ZONES[key] ?? SUMMER_ZONES[`${key}${ahead}`]
  }
  if (minutes !== 0) return ODD_OFFSETS[short]
  if (hours === 0) return 'UTC'
  // Both count hours west of Greenwich. No zone is 13 hours or more to the west.
  return sign === '' && hours > 12 ? undefined : `Etc/GMT${sign === '' ? '+' : '-'}${hours}`
}
