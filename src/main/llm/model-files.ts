import { readdir, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'

/**
 * All models in a folder and its folders, one level deep, as absolute paths in order of their names. A model that is
 * split over several files counts once, by its first file. A folder that does not exist has none.
 */
export async function findModelFiles(folder: string): Promise<string[]> {
  const top = await entriesOf(folder)
  const below = await Promise.all(top.filter(each => each.isFolder).map(each => entriesOf(each.path)))
  const files = [...top, ...below.flat()].filter(each => !each.isFolder).map(each => each.path)
  return [...new Set(files.filter(isModelName).map(firstPart))].toSorted((a, b) => a.localeCompare(b))
}

async function entriesOf(folder: string): Promise<{ path: string; isFolder: boolean }[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.map(each => ({
      path: join(folder, each.name),
      // What a link leads to shows when it is read; only its name says that it cannot be a folder.
      isFolder: each.isDirectory() || (each.isSymbolicLink() && !isModelName(each.name)),
    }))
  } catch (error) {
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}

/** Projectors for images lie beside their models under this name, and are none. */
const isModelName = (path: string) => /\.gguf$/i.test(path) && !/^mmproj/i.test(basename(path))

const PART = /-\d{5}-of-(\d{5})(\.gguf)$/i

/** The first file of a split model; any other path as it is. */
export const firstPart = (path: string): string => path.replace(PART, '-00001-of-$1$2')

/** What a person calls a model file. */
export const modelFileName = (path: string): string =>
  basename(path)
    .replace(PART, '$2')
    .replace(/\.gguf$/i, '')

/** An absolute path from what a person typed or pasted: quotes around it, `~` and `file://` are understood. */
export function resolveTyped(typed: string): string {
  const bare = typed
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim()
  if (/^file:\/\//i.test(bare)) {
    const url = URL.parse(bare)
    if (url) return resolve(decodeURIComponent(url.pathname))
  }
  return resolve(bare.replace(/^~(?=$|[/\\])/, homedir()))
}

/** The path that a file really has, for comparison; the path itself when there is no such file. */
export async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return path
    throw error
  }
}

/** The folder of a file, short enough to be shown. */
export const shownFolder = (path: string): string => {
  const folder = dirname(path)
  const home = homedir()
  return folder === home || folder.startsWith(join(home, '/')) ? `~${folder.slice(home.length)}` : folder
}
