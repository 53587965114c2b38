import { useEffect, useRef, useState } from 'react'
import { countOf, formatBytes, formatCount } from '../../../ui/text/format-values.ts'

/** Dropped or chosen files, in the format sent to the host. */
export type Upload = { kind: 'upload'; name: string; files: { path: string; base64: string }[] }

type Found = { path: string; file: File }

/** Upload limits. The desktop port takes any size; a WebSocket takes messages of at most 16 MiB, encoded. */
export const uploadLimits = { bytes: window.desktop ? 20_000_000 : 11_000_000, files: 2_000 }

/** Files and folders of tools, which skills do not need. */
const LITTER = new Set(['.git', '.hg', '.svn', 'node_modules', '__MACOSX', '.DS_Store', 'Thumbs.db'])

/**
 * Read a drop. Call it synchronously in the drop event, because the browser clears the data afterwards.
 * Rejects with an `UploadProblem`, whose message is shown to the user.
 * @internal No test can put folders into a drop of the browser.
 */
export function readDrop(data: DataTransfer): Promise<Upload> {
  const entries = Array.from(data.items, item => item.webkitGetAsEntry()).filter(entry => entry !== null)
  // A drop made by a script has files but no entries.
  const loose = entries.length === 0 ? Array.from(data.files, file => ({ path: file.name, file })) : []
  return (async () => {
    const found: Found[] = [...loose]
    for (const entry of entries) await walk(entry, '', found)
    return encoded(entries[0]?.name ?? loose[0]?.file.name ?? '', found)
  })()
}

/** Read a file field. Files of a folder keep their relative paths. */
function readChosen(list: FileList): Promise<Upload> {
  const found = Array.from(list, file => ({ path: file.webkitRelativePath || file.name, file }))
  const wanted = found.filter(({ path }) => !path.split('/').some(part => LITTER.has(part)))
  return encoded(found[0]?.path.split('/')[0] ?? '', wanted)
}

/** The reason an upload is impossible, as text for the user. */
class UploadProblem extends Error {
  override readonly name = 'UploadProblem'
}

async function walk(entry: FileSystemEntry, above: string, found: Found[]): Promise<void> {
  if (LITTER.has(entry.name)) return
  const path = above === '' ? entry.name : `${above}/${entry.name}`
  if (found.length > uploadLimits.files)
    throw new UploadProblem(
      `It has more than ${formatCount(uploadLimits.files)} files. Choose a folder in it, or use its path on this computer.`,
    )
  if (isFile(entry)) {
    found.push({ path, file: await asked<File>(entry.name, (done, fail) => entry.file(done, fail)) })
    return
  }
  if (!isFolder(entry)) return
  const reader = entry.createReader()
  // The browser returns at most 100 entries per call, and an empty list at the end.
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
    ask(resolve, () => reject(new UploadProblem(`“${name}” could not be read.`))),
  )
}

async function encoded(first: string, found: readonly Found[]): Promise<Upload> {
  if (found.length === 0) throw new UploadProblem('It contains no files.')
  if (found.length > uploadLimits.files)
    throw new UploadProblem(
      `It has more than ${formatCount(uploadLimits.files)} files. Choose a folder in it, or use its path on this computer.`,
    )
  const bytes = found.reduce((sum, { file }) => sum + file.size, 0)
  if (bytes > uploadLimits.bytes)
    throw new UploadProblem(
      `It has ${formatBytes(bytes)}, and the limit here is ${formatBytes(uploadLimits.bytes)}. Use its path on this computer.`,
    )
  const files = await Promise.all(found.map(async ({ path, file }) => ({ path, base64: await base64(file) })))
  return { kind: 'upload', name: first || countOf(files.length, 'file', 'files'), files }
}

/** The file as base64, without the data URL prefix up to the comma. */
async function base64(file: File): Promise<string> {
  const reader = new FileReader()
  const url = await asked<string>(file.name, (done, fail) => {
    reader.addEventListener('load', () => done(reader.result as string))
    reader.addEventListener('error', fail)
    reader.readAsDataURL(file)
  })
  return url.slice(url.indexOf(',') + 1)
}

/** Reads dropped or chosen files. Results that arrive after unmount are ignored. */
export function useReading(onRead: (upload: Upload) => void) {
  const [reading, setReading] = useState(false)
  const [problem, setProblem] = useState('')
  const turn = useRef(0)
  useEffect(
    () => () => {
      turn.current++
    },
    [],
  )
  async function read(upload: Promise<Upload>) {
    const mine = ++turn.current
    setReading(true)
    setProblem('')
    try {
      const read = await upload
      if (mine === turn.current) onRead(read)
    } catch (error) {
      if (!(error instanceof UploadProblem)) throw error
      if (mine === turn.current) setProblem(error.message)
    } finally {
      if (mine === turn.current) setReading(false)
    }
  }
  return {
    reading,
    problem,
    drop: (data: DataTransfer) => void read(readDrop(data)),
    choose(field: HTMLInputElement) {
      if (field.files?.length) void read(readChosen(field.files))
      // Reset, so that the same file can be chosen again.
      field.value = ''
    },
  }
}
