import { posix } from 'node:path'
import { MARK, type Word } from '../shell-types.ts'

/** The kind of a path whose whole content is affected. */
export type Root = 'everything' | 'system' | 'home' | 'personal'

const SYSTEM = new Set(
  `bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin srv sys usr var
   usr/bin usr/sbin usr/lib usr/lib64 usr/libexec usr/share usr/local usr/include
   var/lib var/log lib/modules lib/firmware usr/lib/modules boot/grub boot/efi etc/systemd etc/init.d System/Library etc/ssl etc/ssh etc/pam.d
   Applications Library System Users Volumes cores private private/etc private/var`.split(/\s+/),
)
const SYSTEM_TOP = [...SYSTEM].filter(name => !name.includes('/'))
/** Folders in a home whose loss is as bad as that of the whole home: documents, pictures, keys, settings. */
const PERSONAL =
  /^(Documents|Desktop|Pictures|Photos|Music|Videos|Movies|Library|Dropbox|OneDrive|Nextcloud|\.ssh|\.gnupg|\.password-store|\.config|\.local|\.local\/share|\.mozilla|\.thunderbird)$/
const HOMES = /^\/(?:home|Users)\/[^/]+$|^\/root$/

/**
 * Whether a word names a root whose loss cannot be undone: everything, a system folder or a home folder, or
 * all its content. Unknown parts count as empty, because that is the dangerous case.
 */
export function rootOf(word: Word, folder: string, home: string): Root | undefined {
  const text = word.text.replaceAll(MARK.maybe, '').replaceAll(MARK.some, 'x')
  // A word of unknown parts only does not name a path.
  if (text === '' || (word.text !== text && !/[/]/.test(text))) return undefined
  const parts = partsOf(posix.resolve('/', folder, text))
  while (word.glob && parts.length > 0 && matchesAll(parts.at(-1)!)) parts.pop()
  return classify(parts, word.glob, home)
}

/** The kind of a folder, by its path alone. */
export const rootAt = (path: string, home: string): Root | undefined =>
  classify(partsOf(posix.resolve('/', path)), false, home)

const partsOf = (path: string) => path.split('/').filter(Boolean)

function classify(parts: readonly string[], glob: boolean, home: string): Root | undefined {
  if (parts.length === 0) return 'everything'
  const path = `/${parts.join('/')}`
  if (path === posix.resolve('/', home) || HOMES.test(path)) return 'home'
  const below = posix.relative(posix.resolve('/', home), path)
  if (PERSONAL.test(below)) return 'personal'
  if (SYSTEM.has(parts.join('/'))) return 'system'
  if (glob && parts.length === 1 && SYSTEM_TOP.some(name => matchesWildcard(parts[0]!, name))) return 'system'
  return glob && parts.length === 2 && /^(home|Users)$/.test(parts[0]!) && matchesAll(parts[1]!)
    ? 'home'
    : undefined
}

/** Whether a last segment such as `*`, `.*` or `[!.]*` matches everything in its folder. */
function matchesAll(segment: string): boolean {
  const rest = segment.replace(/\[[^\]]{0,60}\]/g, '*')
  return rest.includes('*') && /^[*?.]+$/.test(rest)
}

/** Match one name against shell wildcards, without exponential backtracking. */
export function matchesWildcard(pattern: string, name: string): boolean {
  const tokens = pattern.match(/\[[^\]]{1,60}\]|[^]/g) ?? []
  let reached = new Set([0])
  const past = (states: Set<number>) => {
    const all = new Set(states)
    for (const state of all) if (tokens[state] === '*') all.add(state + 1)
    return all
  }
  for (const letter of name) {
    const next = new Set<number>()
    for (const state of past(reached)) {
      const token = tokens[state]
      if (token === '*') next.add(state)
      else if (token !== undefined && matchesOne(token, letter)) next.add(state + 1)
    }
    reached = next
  }
  return past(reached).has(tokens.length)
}

function matchesOne(token: string, letter: string): boolean {
  if (token === '?') return true
  if (!token.startsWith('[') || token.length < 3) return token === letter
  const negated = /^\[[!^]/.test(token)
  const inside = token.slice(negated ? 2 : 1, -1)
  const ranges = inside.match(/.-.|[^]/g) ?? []
  const within = ranges.some(range =>
    range.length === 3 ? letter >= range[0]! && letter <= range[2]! : range === letter,
  )
  return within !== negated
}

const DISKS =
  /^\/dev\/(?:[shv]d[a-z]+\d*|xvd[a-z]+\d*|nvme\d+(?:n\d+)?(?:p\d+)?|mmcblk\d+(?:p\d+)?|r?disk\d+(?:s\d+)*|dm-\d+|md\d+|mapper\/.+|disk\/.+|vg[^/]*\/.+|mem|kmem|port)$/
const VITAL =
  /^\/(?:private\/)?(?:etc\/(?:passwd|shadow|gshadow|group|sudoers|sudoers\.d\/.+|fstab|crypttab|ld\.so\.preload|inittab|pam\.d\/.+)|boot\/.+|efi\/.+|sys\/firmware\/.+)$/

/** Whether a path is a disk, a partition or the memory of the machine. */
export function isDisk(path: string): boolean {
  return DISKS.test(path) || (path.startsWith('/dev/') && /[*?[]/.test(path) && wouldMatchDisk(path))
}

const wouldMatchDisk = (path: string) =>
  ['sda', 'sda1', 'nvme0n1', 'vda', 'hda', 'mmcblk0'].some(name => matchesWildcard(path.slice(5), name))

/** Whether a file is needed for the machine to start, or for users to log in. */
export const isVital = (path: string) => VITAL.test(path)
