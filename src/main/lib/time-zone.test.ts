import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { posixZone } from './posix-zone.ts'
import { rootFolder } from './disk/shipped-files.ts'
import { zoneOfComputer, type ZoneSource } from './time-zone.ts'

type Computer = {
  TZ?: string
  resolved?: string
  files?: Record<string, string>
  links?: Record<string, string>
}

const computer = ({ TZ, resolved, files = {}, links = {} }: Computer): ZoneSource => ({
  variable: TZ,
  resolved,
  read: path => (files[path] === undefined ? undefined : Buffer.from(files[path], 'latin1')),
  follow: path => links[path],
})
const zurich = { links: { '/etc/localtime': '/usr/share/zoneinfo/Europe/Zurich' } }
const copied = { files: { '/etc/localtime': 'TZif2 … \nCET-1CEST,M3.5.0,M10.5.0/3\n' } }

test.for([
  ['no TZ', { resolved: 'Asia/Tokyo' }, 'Asia/Tokyo', false],
  ['a name', { TZ: 'Europe/Zurich' }, 'Europe/Zurich', false],
  ['a name behind a colon', { TZ: ':Europe/Zurich' }, 'Europe/Zurich', false],
  ['a name in small letters', { TZ: 'europe/zurich' }, 'Europe/Zurich', false],
  ['a new name', { TZ: 'Europe/Kyiv' }, 'Europe/Kyiv', false],
  ['a name below posix/', { TZ: 'posix/Europe/Paris' }, 'Europe/Paris', false],
  ['the link of the computer', { TZ: ':/etc/localtime', ...zurich }, 'Europe/Zurich', true],
  ['the same without a colon', { TZ: '/etc/localtime', ...zurich }, 'Europe/Zurich', true],
  [
    'the link of a Mac',
    { TZ: ':/etc/localtime', links: { '/etc/localtime': '/var/db/timezone/zoneinfo/Europe/Rome' } },
    'Europe/Rome',
    true,
  ],
  ['a copy of a file, with a rule at its end', { TZ: ':/etc/localtime', ...copied }, 'Europe/Berlin', true],
  [
    'a copy with its name beside it',
    { TZ: ':/etc/localtime', files: { ...copied.files, '/etc/timezone': 'Europe/Vienna\n' } },
    'Europe/Vienna',
    true,
  ],
  ['a file of the database', { TZ: '/usr/share/zoneinfo/Europe/Zurich' }, 'Europe/Zurich', true],
  ['a file below right/', { TZ: ':/usr/share/zoneinfo/right/Asia/Tokyo' }, 'Asia/Tokyo', true],
  [
    'a file in three parts',
    { TZ: ':/usr/share/zoneinfo/America/Argentina/Salta' },
    'America/Argentina/Salta',
    true,
  ],
  ['nothing in TZ', { TZ: '', ...zurich }, 'UTC', true],
  ['a colon alone', { TZ: ':', ...zurich }, 'UTC', true],
  ['hours behind Greenwich', { TZ: 'UTC+2' }, 'Etc/GMT+2', true],
  ['hours ahead of it', { TZ: '<+03>-3' }, 'Etc/GMT-3', true],
  ['a rule', { TZ: 'CET-1CEST' }, 'Europe/Berlin', true],
  ['a rule with dates', { TZ: 'EST5EDT,M3.2.0,M11.1.0' }, 'America/New_York', true],
  ['half hours', { TZ: 'IST-5:30' }, 'Asia/Kolkata', true],
  ['Etc/Unknown', { TZ: 'Etc/Unknown', ...zurich }, 'Europe/Zurich', true],
  [
    'a place that does not exist',
    { TZ: 'Nowhere/Land', files: { '/etc/timezone': 'Asia/Seoul\n' } },
    'Asia/Seoul',
    true,
  ],
  [
    'a file that is no zone',
    { TZ: ':/etc/passwd', files: { '/etc/passwd': 'root:x:0' }, ...zurich },
    'Europe/Zurich',
    true,
  ],
  ['no name at all', { resolved: 'Etc/Unknown' }, 'UTC', true],
  ['an offset instead of a name', { resolved: '-03:00', ...zurich }, 'Europe/Zurich', true],
  ['nonsense in every place', { TZ: '\u001b[31m', files: { '/etc/timezone': '# none' } }, 'UTC', true],
] as const)('%s', ([, given, zone, isSaid]) => {
  const found = zoneOfComputer(computer(given))
  expect([found.zone, found.because !== undefined]).toEqual([zone, isSaid])
  if (found.because !== undefined) expect(found.because).toMatch(/^[ -~“”]+\.$/)
})

test('whatever the variable holds, there is a zone that this computer knows', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.option(fc.string()), (TZ, name) => {
      const { zone } = zoneOfComputer(computer({ TZ, files: { '/etc/timezone': name ?? '' } }))
      expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow()
    }),
  )
})

test.runIf(existsSync('/dev/zero'))('a device without an end is not read', () => {
  vi.stubEnv('TZ', '/dev/zero')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(zoneOfComputer().because).toContain('(TZ) has no name')
})

test('a rule has the offset that it names, in the middle of winter there', () => {
  const minutesOf = (zone: string, month: number) => {
    const at = new Date(Date.UTC(2026, month, 15, 12))
    const [hour = 0, minute = 0] = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' })
      .format(at)
      .split(':')
      .map(Number)
    return ((hour * 60 + minute - 720 + 1_440 + 720) % 1_440) - 720
  }
  for (const [rule, minutes] of [
    ['CET-1CEST', 60],
    ['GMT0BST', 0],
    ['PST8PDT', -480],
    ['NST3:30NDT', -210],
    ['AEST-10AEDT', 600],
    ['NPT-5:45', 345],
    ['XYZ-7', 420],
    ['<-11>11', -660],
  ] as const) {
    const zone = posixZone(rule)!
    expect([rule, [0, 6].map(month => minutesOf(zone, month))]).toEqual([
      rule,
      expect.arrayContaining([minutes]),
    ])
  }
})

test.for(['', 'CET', 'UTC+25', 'ABC-1DEF', 'UTC+2:70', 'x-1', 'GMT+13'])(
  '“%s” is no rule with a name',
  rule => {
    expect(posixZone(rule)).toBeUndefined()
  },
)

test.runIf(existsSync('/etc/localtime'))('a process shows times in the zone that it names', () => {
  const script = `
    import { nameTimeZone, zoneOfComputer } from ${JSON.stringify(join(rootFolder(), 'src/main/lib/time-zone.ts'))}
    nameTimeZone()
    console.log(process.env.TZ, new Date(Date.UTC(2026, 6, 1)).getTimezoneOffset(), zoneOfComputer().because !== undefined)`
  const said = execFileSync(process.execPath, ['--input-type=module-typescript', '-e', script], {
    env: { ...process.env, TZ: ':/usr/share/zoneinfo/Europe/Zurich' },
    encoding: 'utf8',
  })
  expect(said).toBe('Europe/Zurich -120 true\n')
})
