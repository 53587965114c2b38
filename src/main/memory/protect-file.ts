import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { keepNewest } from '../lib/disk/durable-files.ts'
import { fileErrorCode, namesIn, type Refusal } from '../lib/expected-errors.ts'
import type { writeNotes } from './note-files.ts'

/** Maximum number of copies to keep per file. */
const MOST_COPIES = 5

/** Length of the longest text, in characters. */
export const longestOf = (texts: readonly string[]): number => Math.max(0, ...texts.map(text => text.length))

/**
 * Stop an agent from replacing or removing anything in a file with an entry longer than the limit for the
 * whole file. Another program has probably left out the separators, so all its text counts as one entry. A
 * copy of the file is kept. Undefined if the file is fine.
 */
export function refuseDestroying(
  file: { path: string; text: string; limit: number },
  texts: readonly string[],
  disk: { now: () => number; write: typeof writeNotes },
): Refusal | undefined {
  const { path, limit } = file
  const longest = longestOf(texts)
  if (longest <= limit) return undefined
  const copy = copyBeside(file, disk)
  return {
    refused: [
      `Nothing was changed: ${path} holds an entry of ${longest} characters, and the whole file may hold ${limit}.`,
      'Another program may have left out the lines with “§” between entries, and a change could destroy what it wrote.',
      ...(copy === undefined ? [] : [`A copy is in ${copy}.`]),
      'Tell the user to split or shorten that entry on the Memory page.',
    ].join(' '),
  }
}

/** Copy a file to `<name>.bak.<seconds>`, once per content; undefined if the disk refuses. */
export function copyBeside(
  { path, text }: { path: string; text: string },
  { now, write }: { now: () => number; write: typeof writeNotes },
): string | undefined {
  const folder = dirname(path)
  const prefix = `${basename(path)}.bak.`
  try {
    const copies = namesIn(folder).filter(name => name.startsWith(prefix))
    const same = copies.find(name => readFileSync(join(folder, name), 'utf8') === text)
    if (same !== undefined) return join(folder, same)
    let seconds = Math.floor(now() / 1_000)
    while (copies.includes(`${prefix}${seconds}`)) seconds++
    write(join(folder, `${prefix}${seconds}`), text)
    keepNewest(folder, prefix, MOST_COPIES)
    return join(folder, `${prefix}${seconds}`)
  } catch (error) {
    fileErrorCode(error)
    return undefined
  }
}
