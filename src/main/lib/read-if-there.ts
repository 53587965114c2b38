import { readdirSync, readFileSync } from 'node:fs'

/** The names in a folder; none if it is missing or cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The text of a file; empty if it is missing or cannot be read. */
export function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
