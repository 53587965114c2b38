import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileErrorCode } from '../../lib/expected-errors.ts'
import { hashOf } from '../../lib/shown-hash.ts'

/**
 * The files of a folder that decide what an import brings. The database of Hermes Agent is none of them: it changes as long as that
 * runs, and what is in it becomes nothing but chats.
 */
const NAMES =
  /^(?:conversations.*\.json|memories\.json|projects\.json|users\.json|config\.ya?ml|\.env|(?:SOUL|MEMORY|USER)\.md)$/i
const FOLDERS = ['memories', 'skills']

/** A hash of which files an import would read, and of when each was written to last. It is another one after any of them changed. */
export async function stampSource(path: string): Promise<string> {
  const top = await namesIn(path, false)
  if (top === undefined) return hashOf(await stampOf(path))
  const deeper = await Promise.all(
    FOLDERS.map(async name => ((await namesIn(join(path, name), true)) ?? []).map(each => join(name, each))),
  )
  const names = [...top.filter(name => NAMES.test(name)), ...deeper.flat()].toSorted()
  return hashOf(await Promise.all(names.map(async name => [name, await stampOf(join(path, name))])))
}

/** What is in a folder; undefined if it is none. */
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
