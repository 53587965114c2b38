import { type Form, readPattern } from './pattern.ts'

const month31 = '(?:0[13578]|1[02])'
const day = `(?:${month31}-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))`
const leapYear = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26]|00)00)'
const date = `(?:\\d{4}-${day}|${leapYear}-02-29)`
const time = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)'
const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const uriPart = "(?:[A-Za-z0-9._~:/@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})"

const PATTERNS: Record<string, string> = {
  date: `^${date}$`,
  time: `^${time}$`,
  'date-time': `^${date}T${time}$`,
  email: `^[A-Za-z0-9_+-]+(?:\\.[A-Za-z0-9_+-]+)*@(?:${label}\\.)+[A-Za-z]{2,63}$`,
  uuid: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
  uri: `^[A-Za-z][A-Za-z0-9+.-]*:${uriPart}+(?:\\?(?:${uriPart}|\\?)*)?(?:#${uriPart}*)?$`,
  ipv4: `^${octet}(?:\\.${octet}){3}$`,
}

/** The formats of JSON Schema that a grammar can hold a text to, each in its most usual form. */
export const formats: ReadonlyMap<string, Form> = new Map(
  Object.entries(PATTERNS).flatMap(([name, pattern]) => {
    const form = readPattern(pattern)
    return form ? [[name, form] as const] : []
  }),
)
