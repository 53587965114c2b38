import { lstatSync, mkdirSync, readFileSync, readdirSync, rmdirSync, rmSync, unlinkSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { Fault } from '../../../shared/rpc.ts'
import { writeAtomic } from '../../lib/disk/durable-files.ts'
import { fileErrorCode, reasonOf } from '../../lib/expected-errors.ts'
import { OWN_NAMES } from './connection-record.ts'

type OwnFile = { name: string; text: string }

/** Create our folder under the home, for this user only. Throws a Fault if something else is in the way. */
export function makeFolder(folder: string): void {
  refuseLinks(folder)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new Fault('not_ready', `${folder} cannot be created: ${reasonOf(fileErrorCode(error))}.`)
  }
  for (const name of OWN_NAMES) dropLinks(folder, join(folder, name))
}

function refuseLinks(folder: string): void {
  for (const path of [dirname(folder), folder])
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new Fault(
        'not_ready',
        `${path} is a link. Remove it; Talaria writes only to its own home folder.`,
      )
}

/**
 * Write our files atomically, and remove those of `before` that are no longer wanted. Returns whether
 * anything changed. A link in their place is removed; its target is not touched.
 */
export function writeOwnFiles(folder: string, files: readonly OwnFile[], before: readonly string[]): boolean {
  refuseLinks(folder)
  let changed = false
  for (const { name, text } of files) {
    const path = pathIn(folder, name)
    if (!dropLinks(folder, path) && textOf(path) === text) continue
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeAtomic(path, text, { mode: 0o600 })
    changed = true
  }
  const wanted = new Set(files.map(({ name }) => name))
  for (const name of before.filter(each => !wanted.has(each))) {
    changed = true
    const path = pathIn(folder, name)
    dropLinks(folder, path)
    rmSync(path, { force: true })
    removeEmptyAbove(dirname(path), folder)
  }
  return changed
}

/** Remove links on the path to a file of ours, which would lead elsewhere. Returns whether there were any. */
export function dropLinks(folder: string, path: string): boolean {
  const names = relative(folder, path).split(sep)
  const links = names
    .map((_name, at) => join(folder, ...names.slice(0, at + 1)))
    .filter(each => lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink())
  // Whatever is behind the first link is not ours.
  if (links[0] !== undefined) unlinkSync(links[0])
  return links[0] !== undefined
}

/** Return the names of our files that differ from what was written. */
export const changedFiles = (folder: string, files: readonly OwnFile[]): string[] =>
  files.flatMap(({ name, text }) => (textOf(pathIn(folder, name)) === text ? [] : [name]))

/** Remove our folder with its content, the record last. */
export function removeFolder(folder: string): void {
  refuseLinks(folder)
  if (!lstatSync(folder, { throwIfNoEntry: false })) return
  for (const name of readdirSync(folder).filter(each => each !== OWN_NAMES[0]))
    rmSync(join(folder, name), { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
  removeEmptyAbove(dirname(folder), dirname(dirname(folder)))
}

function removeEmptyAbove(folder: string, end: string): void {
  try {
    for (let at = folder; at !== end && at.length > end.length; at = dirname(at)) rmdirSync(at)
  } catch (error) {
    // The folder is not empty.
    fileErrorCode(error)
  }
}

function pathIn(folder: string, name: string): string {
  const parts = name.split('/')
  if (
    OWN_NAMES.includes(name) ||
    parts.some(part => part === '' || part === '.' || part === '..' || part.includes('\\'))
  )
    throw new Error(`A connector may not write ${name}`)
  return join(folder, ...parts)
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    fileErrorCode(error)
    return undefined
  }
}
