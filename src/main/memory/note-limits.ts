import type { MemoryEntry } from '../../shared/contract/learned/memory.ts'
import { entriesLength, isIn, placeName, type Place } from './note-files.ts'
import { previewEntry } from './locate-entry.ts'

/**
 * The reason why a change makes a file too long, with that file's entries; undefined if all files fit.
 * Shortening a file is always allowed.
 */
export function overLimit(
  before: readonly MemoryEntry[],
  after: readonly MemoryEntry[],
  limits: MemoryLimits,
): string | undefined {
  const places = new Map(
    after.map(entry => [placeName(entry), { target: entry.target, project: entry.project }]),
  )
  for (const place of places.values()) {
    const texts = after.filter(entry => isIn(entry, place)).map(entry => entry.text)
    const length = entriesLength(texts)
    const limit = limits[place.target]
    const was = entriesLength(before.filter(entry => isIn(entry, place)).map(entry => entry.text))
    if (length <= limit || length <= was) continue
    const sizes = before
      .filter(entry => isIn(entry, place))
      .map(entry => `- ${entry.text.length} characters: ${previewEntry(entry.text)}`)
    return [
      `Not saved: this would take ${length} of ${limit} characters. ${was} are in use now.`,
      'Make room in one batch: replace several entries by a shorter one, or remove what is out of date. The entries are:',
      ...sizes,
    ].join('\n')
  }
  return undefined
}

/** Maximum number of characters in each kind of notes file. */
export type MemoryLimits = Record<Place['target'], number>
