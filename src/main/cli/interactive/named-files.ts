import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { fileErrorCode } from '../../lib/expected-errors.ts'
import { isCredential, mayHoldKeys } from '../../files/paths/credential-paths.ts'

/** A path after an @: in quotes, or up to an unescaped space. */
const NAMED = /(?<=^|[\s([{“])@(?:"([^"\n]+)"|((?:\\.|[^\s\\"])+))/gu
/** Punctuation that may follow a path without being part of it. */
const ENDS = /(?<![.,;:!?)\]}”])[.,;:!?)\]}”]+$/u
/** Maximum number of names that Tab offers. */
const MOST_OFFERED = 100

/**
 * Find the files of a folder that a message names as `@path`, and remove those @ signs. Any other @ stays,
 * and one before a file that may contain keys: it may belong to code or pasted text.
 */
export function filesNamedIn(text: string, folder: string): { text: string; paths: string[] } {
  const paths = new Set<string>()
  const written = text.replaceAll(NAMED, (whole, quoted: string | undefined, plain: string | undefined) => {
    const given = quoted ?? unescaped(plain ?? '')
    const trimmed = given.replace(ENDS, '')
    const found = [given, ...(quoted === undefined && trimmed !== given ? [trimmed] : [])].find(each =>
      isOffered(folder, each),
    )
    if (found === undefined) return whole
    paths.add(resolve(folder, found))
    return found + given.slice(found.length)
  })
  return { text: written, paths: [...paths] }
}

/** Complete the text after an @ with names of files and folders, as in a shell. */
export function completeFile(typed: string, folder: string): string[] {
  const given = unescaped(typed)
  const at = given.endsWith('/') ? given : dirname(given) === '.' ? '' : `${dirname(given)}/`
  const start = given.endsWith('/') ? '' : basename(given)
  if (!isInside(folder, resolve(folder, at))) return []
  try {
    return readdirSync(resolve(folder, at), { withFileTypes: true })
      .filter(({ name }) => name.startsWith(start) && !name.startsWith('.'))
      .filter(each => each.isDirectory() || (each.isFile() && !isSecret(join(folder, at, each.name))))
      .slice(0, MOST_OFFERED)
      .map(each => escaped(`${at}${each.name}${each.isDirectory() ? '/' : ''}`))
      .toSorted()
  } catch (error) {
    fileErrorCode(error)
    return []
  }
}

const unescaped = (text: string): string => text.replaceAll(/\\(.)/gu, '$1')
const escaped = (text: string): string => text.replaceAll(/[\s\\"]/gu, '\\$&')
const isSecret = (path: string): boolean => isCredential(path) || mayHoldKeys(path)

function isInside(folder: string, path: string): boolean {
  const below = relative(folder, path)
  return below === '' || (!below.startsWith('..') && !isAbsolute(below))
}

function isOffered(folder: string, given: string): boolean {
  const path = resolve(folder, given)
  if (isAbsolute(given) || !isInside(folder, path) || isSecret(path)) return false
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  } catch (error) {
    fileErrorCode(error)
    return false
  }
}
