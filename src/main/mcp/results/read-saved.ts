import { basename } from 'node:path'
import type { Reading, ReadRefusal } from '../../documents/document.ts'
import { joinPages, nameDocument } from '../../documents/join-pages.ts'
import { KINDS } from '../../documents/document-kinds.ts'
import { isRefusal } from '../../lib/expected-errors.ts'

/** Reads a document in a process with limits. `name` is the server's name for it. */
export type ReadDocument = (path: string, name: string) => Promise<Reading | ReadRefusal>

/** Maximum number of documents read for one result: each takes a process, and up to 20 seconds. */
export const MOST_READ = 5

const ENDINGS = new Set(Object.values(KINDS).flatMap(({ endings }) => endings))

/** The file name at the end of a resource address. */
export function fileNameIn(uri: string): string {
  const path = uri.replace(/[?#].*$/s, '')
  const name = basename(path)
  try {
    return decodeURIComponent(name)
      .replaceAll(/[\p{Cc}\\/]/gu, ' ')
      .slice(-120)
  } catch {
    // The address has a % that encodes nothing.
    return name.slice(-120)
  }
}

/** The extension in an address, if documents with it can be read; `txt` for texts. */
export function endingIn(uri: string): string | undefined {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(fileNameIn(uri))?.[1]?.toLowerCase()
  return ending !== undefined && ENDINGS.has(ending) ? ending : undefined
}

/**
 * Describe a document from a server for a model: a line with its kind and path, then its text. Undefined for
 * a picture, which the model is shown.
 */
export function writeSaved(what: string, path: string, outcome: Reading | ReadRefusal): string | undefined {
  if (isRefusal(outcome)) return `[${what} saved as ${path}; it ${outcome.refused}]`
  if (outcome.kind === 'picture') return undefined
  if (outcome.kind === 'other') return `[${[`${what} saved as ${path}`, ...outcome.problems].join('. ')}]`
  const text = joinPages(outcome)
  const said = outcome.problems.length > 0 ? `\n[${outcome.problems.join(' ')}]` : ''
  return `[${what} is ${nameDocument(outcome)}, saved as ${path}. Its text:]\n${text}${said}`
}
