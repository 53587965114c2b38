/** Returns the path of a dropped file; empty when it has none. Only the desktop app provides it. */
type PathOf = (file: File) => string

/**
 * The content of a drop. `paths`: local paths, in the desktop app only. `files`: file objects, in a browser.
 * `folder`: a folder, whose path a browser hides.
 */
export type Dropped =
  | { kind: 'paths'; paths: string[] }
  | { kind: 'files'; files: File[] }
  | { kind: 'folder' | 'other' }

const isModel = (name: string) => /\.gguf$/iu.test(name)

/** Whether a drop surely contains models. A folder may contain anything. */
export const bringsModel = (data: DataTransfer): boolean =>
  Array.from(data.files).some(file => isModel(file.name))

/** Reads a drop. Call it inside the drop event, because the browser clears the data afterwards. */
export function readDrop(data: DataTransfer, pathOf: PathOf | undefined): Dropped {
  const entries = Array.from(data.items, item => item.webkitGetAsEntry())
  const files = Array.from(data.files)
  const isFolder = (at: number) => entries[at]?.isDirectory === true
  const models = files.filter((file, at) => !isFolder(at) && isModel(file.name))
  const folders = files.filter((_, at) => isFolder(at))
  if (pathOf) {
    const paths = [...models, ...folders].map(pathOf).filter(path => path !== '')
    if (paths.length > 0) return { kind: 'paths', paths }
  }
  if (models.length > 0) return { kind: 'files', files: models }
  return { kind: folders.length > 0 ? 'folder' : 'other' }
}
