import { readdirSync, statSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import { isCredential, isEnvironmentFile } from '../tools/credential-paths.ts'
import { findOuterGit, linkedInside } from './protect-git.ts'
import { isWithin, type FolderFacts, type HiddenPath } from './profile.ts'

/** Folders that are searched at most. Each takes about 10 µs, because unchanged ones are only looked up. */
const MAX_FOLDERS = 8_000
/** Too large to search, and not a place for keys. */
const SKIPPED = new Set(['node_modules', '.venv', '__pycache__'])

/** What one folder holds, and the stamp that changes with its entries. */
type Known = Pick<Found, 'hidden' | 'repositories' | 'gitFiles'> & { stamp: string; folders: string[] }
type Found = { hidden: HiddenPath[]; repositories: string[]; gitFiles: string[]; outerGit: string[] }

/**
 * Finds credentials and repositories in folders of chats. Returns a search that remembers each folder: entries that come
 * or go change the time stamp of their folder, so that the next search reads only those.
 */
export function createFolderSearch(maxFolders = MAX_FOLDERS): (folder: string) => FolderFacts {
  const known = new Map<string, Known>()
  return root => {
    const all: Found = { hidden: [], repositories: [], gitFiles: [], outerGit: findOuterGit(root) }
    const waiting = [root]
    let count = 0
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      if (++count > maxFolders) return { ...all, isComplete: false }
      const found = lookUp(folder, known)
      if (!found) continue
      all.hidden.push(...found.hidden)
      all.repositories.push(...found.repositories)
      all.gitFiles.push(...found.gitFiles)
      waiting.push(...found.folders)
    }
    const linked = linkedInside(root, all.gitFiles).filter(
      git => !all.repositories.some(each => isWithin(each, git)),
    )
    return { ...all, repositories: [...all.repositories, ...linked], isComplete: true }
  }
}

function lookUp(folder: string, known: Map<string, Known>): Known | undefined {
  const stats = statSync(folder, { bigint: true, throwIfNoEntry: false })
  if (!stats?.isDirectory()) {
    known.delete(folder)
    return undefined
  }
  const stamp = `${stats.ino}:${stats.mtimeNs}:${stats.ctimeNs}`
  const before = known.get(folder)
  if (before?.stamp === stamp) return before
  const found: Known = { stamp, hidden: [], repositories: [], gitFiles: [], folders: [] }
  for (const entry of entriesOf(folder)) sortInto(found, folder, entry)
  known.set(folder, found)
  return found
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // The command cannot read what this process cannot read.
    return []
  }
}

function sortInto(found: Known, folder: string, entry: Dirent): void {
  const path = join(folder, entry.name)
  // The target of a link is hidden where it lies: inside the folder, or with everything outside it.
  if (entry.name === '.git' && !entry.isDirectory()) found.gitFiles.push(path)
  if (entry.isSymbolicLink()) return
  if (entry.isDirectory()) {
    if (entry.name === '.git') found.repositories.push(path)
    else if (isCredential(`${path}/`)) found.hidden.push({ path, kind: 'folder' })
    else if (!SKIPPED.has(entry.name)) found.folders.push(path)
  } else if (entry.isFile() && (isCredential(path) || isEnvironmentFile(path)))
    found.hidden.push({ path, kind: 'file' })
}
