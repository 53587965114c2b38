import { statSync } from 'node:fs'
import { isCredential, mayHoldKeys } from '../files/paths/credential-paths.ts'
import { walkFolder } from '../files/walk-folder.ts'
import { fileErrorCode } from '../lib/expected-errors.ts'
import { runInSlices } from '../lib/timing.ts'

type Found = { files: { path: string; bytes: number }[]; more: boolean }

/** Finds files of folders by parts of their paths, for a person who names one while writing. */
export type FindFiles = (this: void, folder: string, query: string) => Promise<Found>

/** The most entries that are looked at, levels that are walked, and files that are offered. */
const MOST_WALKED = 20_000
const DEEPEST = 12
const MOST_OFFERED = 30
/** How long the names of a folder are kept: for a word that is typed letter by letter. */
const KEPT_MS = 5_000

/** Start to find files of folders. What is hidden, ignored by git or may hold keys is not offered. */
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

/** Whether a folder itself holds a file that would be offered. */
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

/** The names of files below a folder, those of the folder itself first: a walk that ends early has them. */
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

/** How well a path fits words that all have to be in it; 0 when it does not. The name counts more than its folders. */
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
