import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../lib/expected-errors.ts'
import { writeAtomic } from '../../lib/disk/durable-files.ts'

/** Findings that can be found out again if they are lost, newest first. */
export type KeptList<T> = {
  /** Return the current items. */
  current(): readonly T[]
  /** Store these items instead. Items beyond the maximum are dropped from the end. */
  replace(items: readonly T[]): void
}

/** Maximum length of a text in such a list: a path, or an address with the name of a model. */
export const LONGEST_TEXT = 10_000
/** Maximum size of a file. This code never writes a larger one. */
const MOST_BYTES = 8_000_000

type Parts<T> = {
  path: string
  /** The name of the list in its file. */
  name: string
  item: z.ZodType<T>
  most: number
  report(error: unknown): void
}

/**
 * Open a list in a file. Its content can be found out again, so a broken file counts as empty. Several
 * processes may write to the file, so it is read again after every change.
 */
export function openKeptList<T>({ path, name, item, most, report }: Parts<T>): KeptList<T> {
  const File = z.object({ version: z.literal(1), [name]: z.array(item) })
  let known: { stamp: string; items: readonly T[] } | undefined

  function read(): readonly T[] {
    try {
      const file = File.safeParse(parseJson(readFileSync(path, 'utf8')))
      const items: unknown = file.success ? file.data[name] : undefined
      return Array.isArray(items) ? items.slice(0, most) : []
    } catch (error) {
      if (error instanceof Error && 'code' in error) return []
      throw error
    }
  }
  return {
    current() {
      const stamp = stampOf(path)
      if (known?.stamp !== stamp) known = { stamp, items: stamp === '' ? [] : read() }
      return known.items
    },
    replace(given) {
      const items = given.slice(0, most)
      try {
        mkdirSync(dirname(path), { recursive: true })
        writeAtomic(path, `${JSON.stringify({ version: 1, [name]: items })}\n`)
      } catch (error) {
        report(error)
      }
      known = { stamp: stampOf(path), items }
    },
  }
}

/** Return a value that changes with the file; empty if there is no readable file. */
function stampOf(path: string): string {
  try {
    const stats = statSync(path)
    return stats.isFile() && stats.size <= MOST_BYTES ? `${stats.size} ${stats.mtimeMs} ${stats.ino}` : ''
  } catch (error) {
    if (error instanceof Error && 'code' in error) return ''
    throw error
  }
}
