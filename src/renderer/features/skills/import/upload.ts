import { importText } from './strings.ts'

/** Files that were dropped or chosen, as they are sent to the host. */
export type Upload = { kind: 'upload'; name: string; files: { path: string; base64: string }[] }

type Found = { path: string; file: File }

/** How much may be sent at once: a port of the desktop takes any message, a socket one of at most 16 MiB, encoded. */
export const uploadLimits = { bytes: window.desktop ? 20_000_000 : 11_000_000, files: 2_000 }

/** What programs leave in folders, and no skill needs. */
const LITTER = new Set(['.git', '.hg', '.svn', 'node_modules', '__MACOSX', '.DS_Store', 'Thumbs.db'])

/**
 * What a drop brings. It must be called while the drop is being told, because the browser forgets it after that. Rejects
 * with an `UploadProblem`, whose sentence is for people.
 */
export function readDrop(data: DataTransfer): Promise<Upload> {
  const entries = Array.from(data.items, item => item.webkitGetAsEntry()).filter(entry => entry !== null)
  // A drop that a script makes has files and no entries.
  const loose = entries.length === 0 ? Array.from(data.files, file => ({ path: file.name, file })) : []
  return (async () => {
    const found: Found[] = [...loose]
    for (const entry of entries) await walk(entry, '', found)
    return encoded(entries[0]?.name ?? loose[0]?.file.name ?? '', found)
  })()
}

/** What a file field brings; of a folder, the files have their paths. */
export function readChosen(list: FileList): Promise<Upload> {
  const found = Array.from(list, file => ({ path: file.webkitRelativePath || file.name, file }))
  const wanted = found.filter(({ path }) => !path.split('/').some(part => LITTER.has(part)))
  return encoded(found[0]?.path.split('/')[0] ?? '', wanted)
}

/** Why something cannot be sent, in words. */
export class UploadProblem extends Error {
  override readonly name = 'UploadProblem'
}

async function walk(entry: FileSystemEntry, above: string, found: Found[]): Promise<void> {
  if (LITTER.has(entry.name)) return
  const path = above === '' ? entry.name : `${above}/${entry.name}`
  if (found.length > uploadLimits.files) throw new UploadProblem(importText.tooMany(uploadLimits.files))
  if (isFile(entry)) {
    found.push({ path, file: await asked<File>(entry.name, (done, fail) => entry.file(done, fail)) })
    return
  }
  if (!isFolder(entry)) return
  const reader = entry.createReader()
  // It tells a hundred at a time, and none at the end.
  for (;;) {
    const some = await asked<FileSystemEntry[]>(entry.name, (done, fail) => reader.readEntries(done, fail))
    if (some.length === 0) return
    for (const each of some) await walk(each, path, found)
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

function asked<T>(name: string, ask: (done: (value: T) => void, fail: () => void) => void): Promise<T> {
  return new Promise((resolve, reject) =>
    ask(resolve, () => reject(new UploadProblem(importText.unreadable(name)))),
  )
}

async function encoded(first: string, found: readonly Found[]): Promise<Upload> {
  if (found.length === 0) throw new UploadProblem(importText.nothingDropped)
  if (found.length > uploadLimits.files) throw new UploadProblem(importText.tooMany(uploadLimits.files))
  const bytes = found.reduce((sum, { file }) => sum + file.size, 0)
  if (bytes > uploadLimits.bytes) throw new UploadProblem(importText.tooLarge(bytes, uploadLimits.bytes))
  const files = await Promise.all(found.map(async ({ path, file }) => ({ path, base64: await base64(file) })))
  return { kind: 'upload', name: first || importText.several(files.length), files }
}

/** The bytes of a file as text; the browser puts a head with a comma before them. */
async function base64(file: File): Promise<string> {
  const reader = new FileReader()
  const url = await asked<string>(file.name, (done, fail) => {
    reader.addEventListener('load', () => done(reader.result as string))
    reader.addEventListener('error', fail)
    reader.readAsDataURL(file)
  })
  return url.slice(url.indexOf(',') + 1)
}
