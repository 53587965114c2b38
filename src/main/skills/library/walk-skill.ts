import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'

/** A file or folder of a skill and what tells whether it was changed; `path` is relative, with `/`. */
export type Stamped = { path: string; stamp: string; bytes: number; modifiedAt: number; changedAt: number }
export type Walked = {
  /** By path, SKILL.md first. */
  files: Stamped[]
  /** The skill's own folder, with an empty path, and those in it. */
  folders: Stamped[]
  /** There are more files than are looked at. */
  more: boolean
}

export const MOST_FILES = 1_000
const DEEPEST = 8
const MOST_FOLDERS = 300

/** Everything in the folder of a skill. Links are left out, as is `.git`; folders that may not be read count as empty. */
export function walkSkill(folder: string): Walked {
  const walked: Walked = { files: [], folders: [], more: false }
  enter(folder, '', 1, walked)
  walked.files.sort((a, b) => rank(a.path) - rank(b.path) || (a.path < b.path ? -1 : 1))
  return walked
}

const rank = (path: string) => (path === 'SKILL.md' || path === 'skill.md' ? 0 : 1)

function enter(root: string, within: string, depth: number, walked: Walked): void {
  const folder = join(root, within)
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return
  walked.folders.push(stamped(within, stats))
  for (const each of entriesOf(folder)) {
    const path = within === '' ? each.name : `${within}/${each.name}`
    if (each.isDirectory()) {
      if (each.name.toLowerCase() === '.git') continue
      if (depth < DEEPEST && walked.folders.length < MOST_FOLDERS) enter(root, path, depth + 1, walked)
      else walked.more = true
    } else if (each.isFile()) {
      if (walked.files.length >= MOST_FILES) {
        walked.more = true
        return
      }
      const file = lstatSync(join(folder, each.name), { throwIfNoEntry: false })
      if (file?.isFile()) walked.files.push(stamped(path, file))
    }
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return []
  }
}

const stamped = (path: string, stats: Stats): Stamped => ({
  path,
  stamp: stampOf(stats),
  bytes: stats.size,
  modifiedAt: stats.mtimeMs,
  changedAt: stats.ctimeMs,
})

/** The times alone can be set back by whoever writes a file, but not that of its last change of any kind. */
export const stampOf = (stats: Stats): string =>
  `${stats.isDirectory() ? '' : stats.size}/${stats.mtimeMs}/${stats.ctimeMs}/${stats.ino}`
