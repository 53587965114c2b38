import { lstatSync, readlinkSync, realpathSync, type BigIntStats } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Where a path leads, and the links on the way, each of which could be made to lead elsewhere. */
export type Followed = {
  /** The last place that the links lead to. It may not be there. */
  end: string
  exists: boolean
  links: string[]
}

/** As many as Linux follows. */
const MAX_LINKS = 40

/** Facts of what is at a path itself; undefined if there is nothing, or nothing that this user can look at. */
export function statOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    // Too long, a circle, or in a folder without rights.
    return undefined
  }
}

/** What changes with each writing to a file, and with its rights. */
export const stampOf = ({ ino, size, mode, mtimeNs, ctimeNs }: BigIntStats): string =>
  `${ino}:${size}:${mode}:${mtimeNs}:${ctimeNs}`

/**
 * Follows links, and remembers in which folders no link leads, which most paths have in common. For one moment only: make a new one
 * for each look at the disk.
 */
export function createLinkFollower(): (path: string) => Followed {
  const plain = new Set<string>()
  return path => {
    const folder = dirname(path)
    if (!plain.has(folder)) {
      if (followLinks(folder).links.length > 0) return followLinks(path)
      plain.add(folder)
    }
    const stats = statOf(path)
    return stats?.isSymbolicLink() ? followLinks(path) : { end: path, exists: stats !== undefined, links: [] }
  }
}

/** Follow all links of an absolute path, also where it leads to nothing. */
export function followLinks(path: string): Followed {
  try {
    if (realpathSync.native(path) === path) return { end: path, exists: true, links: [] }
  } catch {
    // Step by step it is seen how far it leads.
  }
  const links: string[] = []
  let waiting = path.split('/').filter(part => part !== '')
  let at = '/'
  while (waiting.length > 0) {
    const [part = '', ...rest] = waiting
    const next = part === '..' ? dirname(at) : resolve(at, part)
    const stats = statOf(next)
    if (!stats) return { end: resolve(next, ...rest), exists: false, links }
    waiting = rest
    if (!stats.isSymbolicLink()) {
      at = next
      continue
    }
    links.push(next)
    if (links.length > MAX_LINKS) return { end: next, exists: false, links }
    const target = readTarget(next)
    if (target.startsWith('/')) at = '/'
    waiting = [...target.split('/').filter(each => each !== '' && each !== '.'), ...rest]
  }
  return { end: at, exists: true, links }
}

function readTarget(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    // It vanished in between.
    return ''
  }
}
