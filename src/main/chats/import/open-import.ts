import { open, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Fault } from '../../../shared/rpc.ts'
import { fileErrorCode, reasonOf } from '../../lib/expected-errors.ts'
import { ZipTrouble } from '../../lib/disk/zip.ts'
import { sourceOfFile, sourceOfFolder, sourceOfZip } from './export-files.ts'
import type { ImportSource } from './import-source.ts'
import { isHermesHome } from './hermes-home.ts'
import { HERMES_NOTES, hermesSource, type HermesParts } from './hermes.ts'

const WANTED =
  'Choose the folder .hermes or a part of it, or an export from ChatGPT or Claude: the zip, the folder, or conversations.json.'

/** The folder for temporary copies, and the clock. */
export type ImportContext = { scratch: string; now: () => number }

/**
 * Detect the format of a path by reading it. Throws a `bad_input` Fault that lists the supported formats if
 * it cannot be imported.
 */
export async function openImport(path: string, { scratch, now }: ImportContext): Promise<ImportSource> {
  try {
    const stats = await stat(path)
    const source = stats.isDirectory()
      ? await inFolder(path)
      : stats.isFile()
        ? await inFile(path)
        : undefined
    if (source) return source
  } catch (error) {
    if (error instanceof ZipTrouble) throw new Fault('bad_input', `${path} ${error.message}. ${WANTED}`)
    const code = fileErrorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG')
      throw new Fault('bad_input', `There is nothing at ${path}.`)
    if (code === 'EACCES' || code === 'EPERM')
      throw new Fault('bad_input', `${path} cannot be opened: ${reasonOf(code)}.`)
    throw new Fault('bad_input', `${path} cannot be read: ${reasonOf(code)}. ${WANTED}`)
  }
  throw new Fault('bad_input', `${path} cannot be imported. ${WANTED}`)

  async function inFolder(folder: string): Promise<ImportSource | undefined> {
    const database = join(folder, 'state.db')
    const notes = Object.entries(HERMES_NOTES).flatMap(([name, target]) =>
      [join(folder, 'memories', name), join(folder, name)].map(each => ({ path: each, target })),
    )
    const there = await Promise.all(notes.map(async note => ((await isFile(note.path)) ? [note] : [])))
    const hasDatabase = await isFile(database)
    const parts: HermesParts = { notes: there.flat(), database: hasDatabase ? database : undefined }
    if (parts.notes.length > 0 || hasDatabase || (await isHermesHome(folder)))
      return hermesSource(parts, scratch, now)
    return sourceOfFolder(folder, now)
  }

  async function inFile(file: string): Promise<ImportSource | undefined> {
    const target = HERMES_NOTES[basename(file)]
    if (target) return hermesSource({ notes: [{ path: file, target }], database: undefined }, scratch, now)
    const start = await startOf(file)
    if (start.startsWith('SQLite format 3')) return hermesSource({ notes: [], database: file }, scratch, now)
    if (start.startsWith('PK')) return sourceOfZip(file, now)
    return BEGINS_AS_JSON.test(start) ? sourceOfFile(file, now) : undefined
  }
}

/** A bracket, possibly after a byte order mark of UTF-8 or UTF-16. */
const BEGINS_AS_JSON = /^(\u00EF\u00BB\u00BF|\u00FF\u00FE|\u00FE\u00FF)?[\s\0]*[[{]/

async function startOf(path: string): Promise<string> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(100), 0, 100, 0)
  return buffer.toString('latin1', 0, bytesRead)
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    stats => stats.isFile(),
    () => false,
  )
