/** Tells where a dropped file lies; empty for one that lies nowhere. Only the desktop has it. */
type PathOf = (file: File) => string

/**
 * What a drop brings. `paths`: places on this computer, which only the desktop can tell; `files`: what a browser has of
 * them; `folder`: a folder, of which a browser has no path.
 */
export type Dropped =
  | { kind: 'paths'; paths: string[] }
  | { kind: 'files'; files: File[] }
  | { kind: 'folder' | 'other' }

const isModel = (name: string) => /\.gguf$/iu.test(name)

/** Whether a drop is certainly about models; a folder may be about anything. */
export const bringsModel = (data: DataTransfer): boolean =>
  Array.from(data.files).some(file => isModel(file.name))

/** Read a drop while it is being told; the browser forgets it after that. */
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
