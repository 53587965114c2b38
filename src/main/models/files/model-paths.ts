import { readdir, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Whether a file or folder is hidden or belongs to a system: trash, indexes, partial files of any system. */
const isHidden = (name: string) => /^[.$]/.test(name)
/** Maximum number of folders to search: more than a disk of models has, and fewer than a full system disk. */
const MOST_FOLDERS = 5_000

/**
 * Find all models in a folder and its subfolders, `depth` levels deep, as absolute paths sorted by name. A
 * split model counts once, by its first file. A missing folder has none.
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
        // The target of a link is checked when it is read. Only a model name rules out a folder.
        isFolder: each.isDirectory() || (each.isSymbolicLink() && !/\.gguf$/i.test(each.name)),
      }))
  } catch (error) {
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}

/** Whether a file is an image projector, by its name. It comes with a model and is not one itself. */
export const isVisionName = (path: string): boolean =>
  /\.gguf$/i.test(path) && /(^|[-._])mmproj([-._]|$)/i.test(basename(path))

const isModelName = (path: string) => /\.gguf$/i.test(path) && !isVisionName(path)

/**
 * Find the image projector of a model: one with its name, or the only candidate if no other model is in the
 * folder. Empty if there is none, or if it could belong to another model.
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

/** Return the part of the name that all files of a model share, without the quantization. */
const stemOf = (path: string): string =>
  modelFileName(path)
    .toLowerCase()
    .replace(/(^|[-._])mmproj(?=[-._]|$)/, '')
    .replace(/^[-._]/, '')
    .replace(/([-._](ud|i\d|i?q\d\w*|b?f16|fp16|f32|mxfp4\w*))+$/, '')

const PART = /-\d{5}-of-(\d{5})(\.gguf)$/i

/** Return the first file of a split model; any other path unchanged. */
export const firstPart = (path: string): string => path.replace(PART, '-00001-of-$1$2')

/** Return all files of a split model, given its first; any other path alone. */
export function allPartPaths(path: string): string[] {
  const [, count, ending] = PART.exec(path) ?? []
  const parts = Number(count)
  if (ending === undefined || parts < 1 || parts > 1_000) return [path]
  return Array.from({ length: parts }, (_, index) =>
    path.replace(PART, `-${String(index + 1).padStart(5, '0')}-of-$1$2`),
  )
}

/** Return the display name of a model file. */
export const modelFileName = (path: string): string =>
  basename(path)
    .replace(PART, '$2')
    .replace(/\.gguf$/i, '')

/** Resolve typed or pasted text to an absolute path. Handles quotes, `~` and `file://`. */
export function resolveTypedPath(typed: string): string {
  const bare = typed
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim()
  if (/^file:\/\//i.test(bare)) {
    try {
      return fileURLToPath(bare)
    } catch {
      // It names another computer, or a character that is escaped wrongly: the text is shown as it was typed.
    }
  }
  return resolve(bare.replace(/^~(?=$|[/\\])/, homedir()))
}

/** Return the real path of a file for comparison; the path itself if the file is missing. */
export async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return path
    throw error
  }
}

/** Return the folder of a file, shortened for display. */
export const folderForDisplay = (path: string): string => {
  const folder = dirname(path)
  const home = homedir()
  return folder === home || folder.startsWith(join(home, '/')) ? `~${folder.slice(home.length)}` : folder
}
