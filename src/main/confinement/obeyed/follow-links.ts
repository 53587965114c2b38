import { lstatSync, readlinkSync, realpathSync, type BigIntStats } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** The end of a path, and the links on the way, each of which could be redirected. */
export type Followed = {
  /** The last target of the links. It may not exist. */
  end: string
  exists: boolean
  links: string[]
}

/** Maximum number of links to follow, as on Linux. */
const MAX_LINKS = 40

/** Stats of the path itself, without following links; undefined if it is missing or inaccessible. */
export function statOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    // The path is too long, circular, or in an inaccessible folder.
    return undefined
  }
}

/** A stamp that changes with each write to a file, and with its rights. */
export const stampOf = ({ ino, size, mode, mtimeNs, ctimeNs }: BigIntStats): string =>
  `${ino}:${size}:${mode}:${mtimeNs}:${ctimeNs}`

/**
 * Create a function that follows links. It remembers folders without links on the way, which most paths
 * share. Create a new one for each pass over the disk.
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

/** Follow all links of an absolute path, even if it leads to nothing. */
export function followLinks(path: string): Followed {
  try {
    if (realpathSync.native(path) === path) return { end: path, exists: true, links: [] }
  } catch {
    // The path does not exist as a whole, so follow it step by step.
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
    // The link vanished in between.
    return ''
  }
}
