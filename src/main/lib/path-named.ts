import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import type { Refusal } from './expected-errors.ts'

/** The absolute path that a person wrote into a window, where `~` is their home; or why it is none, as a sentence. */
export function pathNamed(given: string): string | Refusal {
  const path = given.trim().replace(/^~(?=$|[/\\])/, homedir())
  if (path.includes('\0')) return { refused: 'The name of a file cannot contain a null character.' }
  if (!isAbsolute(path)) return { refused: `Write the whole path, not just “${path.slice(0, 100)}”.` }
  return resolve(path)
}
