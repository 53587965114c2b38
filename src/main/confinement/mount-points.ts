import { lstatSync, rmdirSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { statOf } from './obeyed/follow-links.ts'
import type { FolderFacts, HiddenPath } from './profile.ts'

/**
 * Remember what masks will lie over. A file that vanishes before bubblewrap starts is made by it, empty, as a place for its mask:
 * the returned function removes such files and folders after the command. What has anything in it stays.
 */
export function rememberMountPoints({ hidden }: FolderFacts): () => void {
  const ids = new Map<string, string>()
  for (const { path } of hidden) for (let at = path; !ids.has(at); at = dirname(at)) ids.set(at, idOf(at))
  const isOther = (path: string) => idOf(path) !== ids.get(path)

  function removeEmpty({ path, kind }: HiddenPath): void {
    try {
      const stats = lstatSync(path, { throwIfNoEntry: false })
      if (kind === 'folder' && stats?.isDirectory()) rmdirSync(path)
      // Nobody may write to what bubblewrap makes.
      if (kind === 'file' && stats?.isFile() && stats.size === 0 && (stats.mode & 0o222) === 0)
        unlinkSync(path)
      // The folders that led to it were made again with it.
      for (let at = dirname(path); isOther(at); at = dirname(at)) rmdirSync(at)
    } catch {
      // It is not empty, or has gone already.
    }
  }

  return () => {
    for (const each of hidden) if (isOther(each.path)) removeEmpty(each)
  }
}

const idOf = (path: string): string => {
  const stats = statOf(path)
  // The number of a file that has gone is often given to the next one.
  return stats ? `${stats.dev}:${stats.ino}:${stats.birthtimeNs}` : ''
}
