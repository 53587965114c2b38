import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { LeftOut } from '../../../shared/contract/data.ts'
import { Fault } from '../../../shared/rpc.ts'
import { fileErrorCode, reasonOf } from '../../lib/expected-errors.ts'
import { isCredential, isEnvironmentFile } from '../../tools/credential-paths.ts'
import { partOf, type InBackup } from '../home-parts.ts'
import { nameFlaw } from './file-names.ts'
import { MOST_FILES } from './manifest.ts'

/** A file to be put into a backup. */
export type FoundFile = { name: string; path: string; bytes: number }

export type Wanted = {
  keys: boolean
  /** Also the working folder and training data. */
  files: boolean
}

/** A file that another one of ours replaces at this moment (`lib/durable-files.ts`). */
const TEMPORARY = /^\..+\.[0-9a-f]{12}\.tmp$/

/**
 * The files of a home that go into a backup, without the database, and what is left out and why. Throws a `bad_input` Fault when
 * there are too many.
 */
export async function listFiles(
  home: string,
  wanted: Wanted,
): Promise<{ files: FoundFile[]; leftOut: LeftOut[] }> {
  const files: FoundFile[] = []
  const leftOut: LeftOut[] = []
  const leave = (path: string, why: string) => void leftOut.push({ path, why })
  const takes: Record<InBackup, boolean> = {
    always: true,
    files: wanted.files,
    keys: wanted.keys,
    never: false,
  }

  async function add(name: string): Promise<void> {
    const path = join(home, name)
    const flaw = nameFlaw(name)
    if (flaw !== undefined) return leave(name, flaw)
    // A link inside a part may lead to files that are not ours, or in circles. A whole part may be one.
    const isInside = name.includes('/')
    const stats = await (isInside ? lstat(path) : stat(path))
    if (stats.isSymbolicLink()) return leave(name, 'it is a link')
    if (stats.isDirectory()) return addFolder(name)
    if (!stats.isFile()) return leave(name, 'it is not a file')
    if (isInside && !wanted.keys && (isCredential(name) || isEnvironmentFile(name)))
      return leave(name, 'it may hold keys')
    files.push({ name, path: isInside ? path : await realpath(path), bytes: stats.size })
    if (files.length > MOST_FILES)
      throw new Fault(
        'bad_input',
        `There are more than ${MOST_FILES.toLocaleString('en')} files. Make the backup without the working folder.`,
      )
  }

  async function addFolder(name: string): Promise<void> {
    for (const entry of (await readdir(join(home, name))).toSorted())
      if (!TEMPORARY.test(entry)) await tried(`${name}/${entry}`)
  }

  async function tried(name: string): Promise<void> {
    try {
      await add(name)
    } catch (error) {
      if (error instanceof Fault) throw error
      const code = fileErrorCode(error)
      // What is gone was deleted a moment ago.
      if (code !== 'ENOENT') leave(name, `it cannot be read: ${reasonOf(code)}`)
    }
  }

  for (const name of (await readdir(home)).toSorted()) {
    if (TEMPORARY.test(name)) continue
    const part = partOf(name)
    if (!part) leave(name, 'it is not a file of Talaria')
    else if (takes[part.inBackup]) await tried(name)
    else if (part.why !== undefined) leave(name, part.why)
  }
  return { files, leftOut }
}
