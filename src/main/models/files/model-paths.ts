import { readdir, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'

/** What the system, or another one on a stick that is passed around, keeps to itself: bins, indexes, halves of files. */
const isHidden = (name: string) => /^[.$]/.test(name)
/** Folders that are looked into at most; more than a disk with models has, and less than a disk with everything. */
const MOST_FOLDERS = 5_000

/**
 * All models in a folder and in the folders below it, `depth` levels deep, as absolute paths in order of their names. A
 * model that is split over several files counts once, by its first file. A folder that does not exist has none.
 */
export async function findModelFiles(folder: string, depth = 1): Promise<string[]> {
  const found: string[] = []
  let level = [folder]
  let looked = 0
  for (let below = 0; below <= depth && level.length > 0; below++) {
    const next: string[] = []
    for (const each of level) {
      if (++looked > MOST_FOLDERS) break
      for (const { path, isFolder } of await entriesOf(each)) {
        if (isFolder) next.push(path)
        else if (isModelName(path)) found.push(firstPart(path))
      }
    }
    level = next
  }
  return [...new Set(found)].toSorted((a, b) => a.localeCompare(b))
}

async function entriesOf(folder: string): Promise<{ path: string; isFolder: boolean }[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries
      .filter(each => !isHidden(each.name))
      .map(each => ({
        path: join(folder, each.name),
        // What a link leads to shows when it is read; only its name says that it cannot be a folder.
        isFolder: each.isDirectory() || (each.isSymbolicLink() && !/\.gguf$/i.test(each.name)),
      }))
  } catch (error) {
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}

/** Whether a file by its name is what makes a model see images; it lies beside the model, and is none. */
export const isVisionName = (path: string): boolean =>
  /\.gguf$/i.test(path) && /(^|[-._])mmproj([-._]|$)/i.test(basename(path))

const isModelName = (path: string) => /\.gguf$/i.test(path) && !isVisionName(path)

/**
 * The projector for images that belongs to a model: one of its name, or whatever lies beside it when nothing else does.
 * Empty when there is none, or when it could be that of another model.
 */
export async function visionBeside(path: string): Promise<string> {
  const beside = (await entriesOf(dirname(path))).map(each => each.path).toSorted()
  const projectors = beside.filter(isVisionName)
  if (projectors.length === 0) return ''
  const stem = stemOf(path)
  const named = projectors.find(each => stemOf(each) === stem)
  const isAlone = beside.filter(isModelName).every(each => stemOf(each) === stem)
  return named ?? (isAlone ? projectors[0] : undefined) ?? ''
}

/** What files of the same model have in common in their names: not the way in which their weights are stored. */
const stemOf = (path: string): string =>
  modelFileName(path)
    .toLowerCase()
    .replace(/(^|[-._])mmproj(?=[-._]|$)/, '')
    .replace(/^[-._]/, '')
    .replace(/([-._](ud|i\d|i?q\d\w*|b?f16|fp16|f32|mxfp4\w*))+$/, '')

const PART = /-\d{5}-of-(\d{5})(\.gguf)$/i

/** The first file of a split model; any other path as it is. */
export const firstPart = (path: string): string => path.replace(PART, '-00001-of-$1$2')

/** All files of a split model, given its first; any other path alone. */
export function allParts(path: string): string[] {
  const [, count, ending] = PART.exec(path) ?? []
  const parts = Number(count)
  if (ending === undefined || parts < 1 || parts > 1_000) return [path]
  return Array.from({ length: parts }, (_, index) =>
    path.replace(PART, `-${String(index + 1).padStart(5, '0')}-of-$1$2`),
  )
}

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
