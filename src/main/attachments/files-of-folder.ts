import { statSync } from 'node:fs'
import { isCredential, mayHoldKeys } from '../files/paths/credential-paths.ts'
import { walkFolder } from '../files/walk-folder.ts'
import { fileErrorCode } from '../lib/expected-errors.ts'
import { runInSlices } from '../lib/timing.ts'

type Found = { files: { path: string; bytes: number }[]; more: boolean }

/** Find files in a folder by parts of their paths, while the user is typing a path. */
export type FindFiles = (this: void, folder: string, query: string) => Promise<Found>

/** Maximum number of entries to look at, depth of folders, and number of files to offer. */
const MOST_WALKED = 20_000
const DEEPEST = 12
const MOST_OFFERED = 30
/** How long to cache the names in a folder, in ms: long enough to type a word. */
const KEPT_MS = 5_000

/** Create a file finder. It offers no hidden files, none ignored by git, and none that may contain keys. */
export function findsFiles(now: () => number): FindFiles {
  let last: { folder: string; at: number; names: Promise<string[]> } | undefined

  function namesIn(folder: string): Promise<string[]> {
    if (last?.folder !== folder || now() - last.at > KEPT_MS)
      last = { folder, at: now(), names: runInSlices(walk(folder)) }
    return last.names
  }

  return async (folder, query) => {
    const names = await namesIn(folder)
    const words = query.toLowerCase().replaceAll('\\', '/').split(/\s+/).filter(Boolean)
    const fitting =
      words.length === 0
        ? names.filter(name => !name.includes('/'))
        : names
            .map(name => ({ name, rank: rankOf(name.toLowerCase(), words) }))
            .filter(({ rank }) => rank > 0)
            .toSorted((a, b) => b.rank - a.rank || a.name.length - b.name.length)
            .map(({ name }) => name)
    const files = fitting.slice(0, MOST_OFFERED).flatMap(path => {
      const bytes = sizeOf(`${folder}/${path}`)
      return bytes === undefined ? [] : [{ path, bytes }]
    })
    return {
      files,
      more: fitting.length > MOST_OFFERED || (words.length === 0 && names.length > files.length),
    }
  }
}

/** Whether the folder itself, without subfolders, has a file to offer. */
export const hasFiles = (folder: string): Promise<boolean> => runInSlices(lookForOne(folder))

function* lookForOne(folder: string): Generator<undefined, boolean> {
  let count = 0
  for (const { path, kind } of walkFolder(folder, { depth: 1, hidden: false })) {
    if (isOffered(path, kind)) return true
    if (++count > MOST_WALKED) return false
    yield
  }
  return false
}

const isOffered = (path: string, kind: string) => kind === 'file' && !isCredential(path) && !mayHoldKeys(path)

/** The names of files in a folder, its own before those of subfolders, in case the walk ends early. */
function* walk(folder: string): Generator<undefined, string[]> {
  const names = new Set<string>()
  let count = 0
  for (const depth of [1, DEEPEST])
    for (const { name, path, kind } of walkFolder(folder, { depth, hidden: false })) {
      if (++count > MOST_WALKED) return [...names]
      if (isOffered(path, kind)) names.add(name)
      yield
    }
  return [...names]
}

/** How well a path matches words that it must all contain, else 0. The name counts more than folders. */
function rankOf(path: string, words: readonly string[]): number {
  const name = path.slice(path.lastIndexOf('/') + 1)
  let rank = 0
  for (const word of words) {
    if (!path.includes(word)) return 0
    if (path === word) rank += 5
    else if (name.startsWith(word)) rank += 4
    else if (name.includes(word)) rank += 3
    else if (path.startsWith(word)) rank += 2
    else rank += 1
  }
  return rank
}

function sizeOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size
  } catch (error) {
    fileErrorCode(error)
    return undefined
  }
}
