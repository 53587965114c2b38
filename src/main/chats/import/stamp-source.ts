import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileErrorCode } from '../../lib/expected-errors.ts'
import { hashOf } from '../../lib/shown-hash.ts'

/**
 * The files in a folder that affect an import. Not the database of Hermes Agent: it changes while Hermes
 * runs, and only chats come from it.
 */
const NAMES =
  /^(?:conversations.*\.json|memories\.json|projects\.json|users\.json|config\.ya?ml|\.env|(?:SOUL|MEMORY|USER)\.md)$/i
const FOLDERS = ['memories', 'skills']

/** Return a hash of the files that an import would read and of their modification times. */
export async function stampSource(path: string): Promise<string> {
  const top = await namesIn(path, false)
  if (top === undefined) return hashOf(await stampOf(path))
  const deeper = await Promise.all(
    FOLDERS.map(async name => ((await namesIn(join(path, name), true)) ?? []).map(each => join(name, each))),
  )
  const names = [...top.filter(name => NAMES.test(name)), ...deeper.flat()].toSorted()
  return hashOf(await Promise.all(names.map(async name => [name, await stampOf(join(path, name))])))
}

/** Return the names in a folder; undefined if it is not one. */
async function namesIn(path: string, recursive: boolean): Promise<string[] | undefined> {
  try {
    return await readdir(path, { recursive })
  } catch (error) {
    fileErrorCode(error)
    return undefined
  }
}

async function stampOf(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true })
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
  } catch (error) {
    return fileErrorCode(error)
  }
}
