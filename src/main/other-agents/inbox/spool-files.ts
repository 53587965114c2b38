import { lstat, opendir, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfMissing } from '../../lib/expected-errors.ts'
import { isOwnFile } from './read-lines.ts'
import { isProgramName, readSpoolName, takenName, type SpoolName } from './spool-names.ts'

/** A file of the spool as it was when it was listed. */
export type SpoolFile = SpoolName & { agent: string; name: string; path: string; size: number; at: number }

/** What lies in the spool. `strange`: what has a name of ours, and is a link, a pipe, a folder or somebody else's. */
export type SpoolListing = { files: SpoolFile[]; strange: string[] }

/** Files that are listed of each program in one go; the rest is read the next time. */
const MOST_FILES = 10_000
const MOST_PROGRAMS = 100

/** List the spool: of each session in the order in which it was written. Links are never followed. */
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

/** Of a session, what was taken first comes first, and what is still appended to comes last. */
const byOrder = (a: SpoolFile, b: SpoolFile): number =>
  compare(a.agent, b.agent) ||
  compare(a.session, b.session) ||
  Number(b.isTaken) - Number(a.isTaken) ||
  compare(a.name, b.name)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Give a file that programs append to a name of ours: who appends meanwhile makes a new one. Undefined when it is gone, or the system
 * does not let go of it now.
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
