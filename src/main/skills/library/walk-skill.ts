import { lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { fileErrorCode } from '../../lib/expected-errors.ts'
import { isSkillFile } from '../files/main-file.ts'

/** A file or folder of a skill, with a stamp that changes whenever it does. `path` is relative, with `/`. */
type Stamped = { path: string; stamp: string; bytes: number; modifiedAt: number; changedAt: number }
type Walked = {
  /** Ordered by path, SKILL.md first. */
  files: Stamped[]
  /** The skill's own folder, with an empty path, and its subfolders. */
  folders: Stamped[]
  /** The skill has more files than Talaria reads. */
  more: boolean
}

const MOST_FILES = 1_000
const DEEPEST = 8
const MOST_FOLDERS = 300

/** A linked SKILL.md that the user agreed to: its name, and its real path. */
export type LinkedMain = { file: string; real: string }

/**
 * All files and folders of a skill, without links and `.git`, except a linked main file that the user
 * allowed. Unreadable folders count as empty.
 */
export function walkSkill(folder: string, main?: LinkedMain): Walked {
  const walked: Walked = { files: [], folders: [], more: false }
  enter(folder, '', 1, walked)
  const linked = main && lstatSync(main.real, { throwIfNoEntry: false })
  if (linked?.isFile()) walked.files.push(stamped(main!.file, linked))
  walked.files.sort((a, b) => rank(a.path) - rank(b.path) || (a.path < b.path ? -1 : 1))
  return walked
}

const rank = (path: string) => (isSkillFile(path) ? 0 : 1)

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
    fileErrorCode(error)
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

/** A stamp to detect changes. A program can reset a file's modification time, but not its change time. */
export const stampOf = (stats: Stats): string =>
  `${stats.isDirectory() ? '' : stats.size}/${stats.mtimeMs}/${stats.ctimeMs}/${stats.ino}`

/** The real path of a folder, or the given path if it does not exist. */
export function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch (error) {
    fileErrorCode(error)
    return folder
  }
}
