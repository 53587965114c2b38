import { lstatSync, rmdirSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { statOf } from './obeyed/follow-links.ts'
import type { FolderFacts, HiddenPath } from './profile.ts'

/**
 * Remember the files that masks will cover. If one vanishes before bubblewrap starts, bubblewrap creates an
 * empty file for the mask. The returned function deletes such files and folders after the command, unless
 * they have content.
 */
export function rememberMountPoints({ hidden }: FolderFacts): () => void {
  const ids = new Map<string, string>()
  for (const { path } of hidden) for (let at = path; !ids.has(at); at = dirname(at)) ids.set(at, idOf(at))
  const isOther = (path: string) => idOf(path) !== ids.get(path)

  function removeEmpty({ path, kind }: HiddenPath): void {
    try {
      const stats = lstatSync(path, { throwIfNoEntry: false })
      if (kind === 'folder' && stats?.isDirectory()) rmdirSync(path)
      // Files that bubblewrap creates are not writable.
      if (kind === 'file' && stats?.isFile() && stats.size === 0 && (stats.mode & 0o222) === 0)
        unlinkSync(path)
      // Their parent folders were created too.
      for (let at = dirname(path); isOther(at); at = dirname(at)) rmdirSync(at)
    } catch {
      // The folder is not empty, or is gone already.
    }
  }

  return () => {
    for (const each of hidden) if (isOther(each.path)) removeEmpty(each)
  }
}

const idOf = (path: string): string => {
  const stats = statOf(path)
  // The inode number of a deleted file is often reused at once.
  return stats ? `${stats.dev}:${stats.ino}:${stats.birthtimeNs}` : ''
}
