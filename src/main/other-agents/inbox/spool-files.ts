import { lstat, opendir, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfMissing } from '../../lib/expected-errors.ts'
import { isOwnFile } from './read-lines.ts'
import { isProgramName, readSpoolName, takenName, type SpoolName } from './spool-names.ts'

/** A file of the spool, as listed. */
export type SpoolFile = SpoolName & { agent: string; name: string; path: string; size: number; at: number }

/** The content of the spool. `strange`: links, pipes, folders or foreign files with names like ours. */
export type SpoolListing = { files: SpoolFile[]; strange: string[] }

/** Maximum number of files to list per program and of programs; the rest is read next time. */
const MOST_FILES = 10_000
const MOST_PROGRAMS = 100

/** List the spool, with each session's files in the order they were written. Never follows links. */
export async function listSpool(folder: string): Promise<SpoolListing> {
  const found: SpoolListing = { files: [], strange: [] }
  if (!(await isOwnFolder(folder))) return found
  for (const agent of await namesOf(folder, isProgramName, MOST_PROGRAMS)) {
    const inside = join(folder, agent)
    if (!(await isOwnFolder(inside))) {
      found.strange.push(inside)
      continue
    }
    const isOurs = (name: string) => readSpoolName(agent, name) !== undefined
    for (const name of await namesOf(inside, isOurs, MOST_FILES)) {
      const path = join(inside, name)
      const stats = await lstat(path).catch(undefinedIfMissing)
      if (!stats) continue
      if (isOwnFile(stats))
        found.files.push({
          ...readSpoolName(agent, name)!,
          agent,
          name,
          path,
          size: stats.size,
          at: stats.mtimeMs,
        })
      else found.strange.push(path)
    }
  }
  return { ...found, files: found.files.toSorted(byOrder) }
}

/** Within a session, taken files come first in order, and the one still appended to comes last. */
const byOrder = (a: SpoolFile, b: SpoolFile): number =>
  compare(a.agent, b.agent) ||
  compare(a.session, b.session) ||
  Number(b.isTaken) - Number(a.isTaken) ||
  compare(a.name, b.name)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Take a file by renaming it, so that programs append to a new one. Undefined if it is gone, or the system
 * cannot rename it now.
 */
export async function takeFile(file: SpoolFile, now: number): Promise<SpoolFile | undefined> {
  const name = takenName(file.name, now)
  const path = join(file.path, '..', name)
  try {
    await rename(file.path, path)
    return { ...file, name, path, isTaken: true }
  } catch {
    return undefined
  }
}

/** Remove a file, if it still has this size. Returns whether it is gone. */
export async function removeFile({ path }: Pick<SpoolFile, 'path'>, size?: number): Promise<boolean> {
  try {
    if (size !== undefined && (await lstat(path)).size !== size) return false
    await unlink(path)
    return true
  } catch (error) {
    undefinedIfMissing(error)
    return true
  }
}

async function namesOf(folder: string, isWanted: (name: string) => boolean, most: number): Promise<string[]> {
  const names: string[] = []
  try {
    for await (const { name } of await opendir(folder)) {
      if (isWanted(name)) names.push(name)
      if (names.length >= most) break
    }
  } catch (error) {
    undefinedIfMissing(error)
  }
  return names.toSorted(compare)
}

async function isOwnFolder(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(undefinedIfMissing)
  return stats?.isDirectory() === true && (process.getuid === undefined || stats.uid === process.getuid())
}
