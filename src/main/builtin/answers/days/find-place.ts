/** Places that differ from their zone's name: cities, countries with one zone, abbreviations. */
const NAMED: Readonly<Record<string, string>> = {
  washington: 'America/New_York',
  'washington dc': 'America/New_York',
  'new york city': 'America/New_York',
  nyc: 'America/New_York',
  boston: 'America/New_York',
  miami: 'America/New_York',
  atlanta: 'America/New_York',
  philadelphia: 'America/New_York',
  'san francisco': 'America/Los_Angeles',
  'los angeles': 'America/Los_Angeles',
  la: 'America/Los_Angeles',
  seattle: 'America/Los_Angeles',
  'san diego': 'America/Los_Angeles',
  'las vegas': 'America/Los_Angeles',
  california: 'America/Los_Angeles',
  houston: 'America/Chicago',
  dallas: 'America/Chicago',
  austin: 'America/Chicago',
  montreal: 'America/Toronto',
  rio: 'America/Sao_Paulo',
  'rio de janeiro': 'America/Sao_Paulo',
  'sao paulo': 'America/Sao_Paulo',
  munich: 'Europe/Berlin',
  hamburg: 'Europe/Berlin',
  cologne: 'Europe/Berlin',
  frankfurt: 'Europe/Berlin',
  germany: 'Europe/Berlin',
  graz: 'Europe/Vienna',
  salzburg: 'Europe/Vienna',
  austria: 'Europe/Vienna',
  geneva: 'Europe/Zurich',
  switzerland: 'Europe/Zurich',
  france: 'Europe/Paris',
  lyon: 'Europe/Paris',
  milan: 'Europe/Rome',
  venice: 'Europe/Rome',
  italy: 'Europe/Rome',
  barcelona: 'Europe/Madrid',
  spain: 'Europe/Madrid',
  england: 'Europe/London',
  'the uk': 'Europe/London',
  uk: 'Europe/London',
  edinburgh: 'Europe/London',
  ireland: 'Europe/Dublin',
  greece: 'Europe/Athens',
  poland: 'Europe/Warsaw',
  norway: 'Europe/Oslo',
  sweden: 'Europe/Stockholm',
  finland: 'Europe/Helsinki',
  turkey: 'Europe/Istanbul',
  kyiv: 'Europe/Kiev',
  kiev: 'Europe/Kiev',
  tokio: 'Asia/Tokyo',
  osaka: 'Asia/Tokyo',
  japan: 'Asia/Tokyo',
  korea: 'Asia/Seoul',
  'south korea': 'Asia/Seoul',
  beijing: 'Asia/Shanghai',
  china: 'Asia/Shanghai',
  india: 'Asia/Kolkata',
  delhi: 'Asia/Kolkata',
  'new delhi': 'Asia/Kolkata',
  mumbai: 'Asia/Kolkata',
  bangalore: 'Asia/Kolkata',
  'abu dhabi': 'Asia/Dubai',
  'tel aviv': 'Asia/Jerusalem',
  israel: 'Asia/Jerusalem',
  thailand: 'Asia/Bangkok',
  vietnam: 'Asia/Ho_Chi_Minh',
  egypt: 'Africa/Cairo',
  'cape town': 'Africa/Johannesburg',
  canberra: 'Australia/Sydney',
  'new zealand': 'Pacific/Auckland',
  hawaii: 'Pacific/Honolulu',
  utc: 'Etc/UTC',
  gmt: 'Etc/UTC',
}
const CAPITALS: Readonly<Record<string, string>> = {
  nyc: 'NYC',
  la: 'LA',
  uk: 'UK',
  'the uk': 'The UK',
  utc: 'UTC',
  gmt: 'GMT',
}

let zones: ReadonlyMap<string, string> | undefined
/** The time zones known to this computer, by the city in their names. */
const zonesByCity = () =>
  (zones ??= new Map(
    Intl.supportedValuesOf('timeZone')
      .filter(zone => zone.includes('/') && !zone.startsWith('Etc/'))
      .map(zone => [zone.split('/').at(-1)!.replaceAll('_', ' ').toLowerCase(), zone]),
  ))

/** A place and its time zone; undefined for unknown places. */
export function findPlace(text: string): { name: string; zone: string } | undefined {
  const plain = text.trim().toLowerCase()
  const zone = Object.hasOwn(NAMED, plain) ? NAMED[plain] : zonesByCity().get(plain)
  if (zone === undefined) return undefined
  const name = Object.hasOwn(CAPITALS, plain)
    ? CAPITALS[plain]!
    : plain.replaceAll(/(?<!\p{L})\p{L}/gu, letter => letter.toUpperCase())
  return { name, zone }
}
