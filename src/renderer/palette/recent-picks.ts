import { keepValue, readKept } from '../ui/local-storage.ts'

/** What was chosen in the palette in this browser, the newest first. */
const KEY = 'palette'
const MOST = 30

/** The ids of what was chosen lately, the newest first. */
export function readRecent(): string[] {
  try {
    const kept: unknown = JSON.parse(readKept(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(each => typeof each === 'string').slice(0, MOST) : []
  } catch {
    return []
  }
}

/** Note that this was chosen now. */
export function noteRecent(id: string): void {
  keepValue(KEY, JSON.stringify([id, ...readRecent().filter(each => each !== id)].slice(0, MOST)))
}
