import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { adaptPassage } from './adapt-passage.ts'
import { findPassage, type Found, type Place } from './find-passage.ts'
import { openLineEnds } from './line-ends.ts'
import { nearestPassage } from './nearest-passage.ts'
import type { Adapted } from './passage.ts'
import { styleOf } from './text-style.ts'

export type Patch = { old: string; new: string; all: boolean }
/** `near` is the passage that was probably meant. */
export type Patched = { text: string; count: number } | (Refusal & { near?: string })

const SHOWN_PLACES = 5

/**
 * Replace a passage of a text, which must occur exactly once unless all places are wanted. The search ignores
 * differences in line ends, blanks, indentation and look-alikes, but the text always keeps its own versions.
 */
export function patchText(text: string, patch: Patch): Patched {
  if (patch.old === '')
    return { refused: 'old_string is empty. Give the text to replace, or use write_file.' }
  const [old, now] = [patch.old, patch.new].map(part => part.replaceAll('\r\n', '\n')) as [string, string]
  if (patch.old === patch.new || old === now)
    return { refused: 'old_string and new_string are the same, so nothing would change.' }
  const ends = openLineEnds(text)
  const found = findPassage(ends.plain, old)
  if (!found) return { refused: 'old_string was not found.', near: nearestPassage(ends.plain, old) }
  if (found.places.length > 1 && !patch.all) return tooMany(found.places, ends.plain)
  const places = apart(found.places)
  // Within a line there is no indentation and no line end to adapt.
  if (found.isExact && !old.includes('\n') && !now.includes('\n'))
    return { text: text.split(old).join(now), count: places.length }
  const style = styleOf(ends.plain)
  const pieces: string[] = []
  let at = 0
  for (const place of places) {
    const { end, ...rest } = fitLineBreaks(ends.plain, place, { old, now }, found)
    const passage = { ...rest, text: ends.plain, start: place.start, end: place.end, ...found }
    const adapted: Adapted | Refusal =
      rest.now === '' && now === '' ? { lines: [''], from: [] } : adaptPassage(passage, style)
    if (isRefusal(adapted)) return adapted
    pieces.push(ends.slice(at, place.start), ends.write(adapted, place))
    at = end
  }
  const changed = [...pieces, ends.slice(at, ends.plain.length)].join('')
  if (changed === text) return { refused: 'The file says that already, so nothing would change.' }
  return { text: changed, count: places.length }
}

/** Keep places that do not overlap, the first ones first. */
function apart(places: readonly Place[]): Place[] {
  const kept: Place[] = []
  for (const place of places) if (place.start >= (kept.at(-1)?.end ?? 0)) kept.push(place)
  return kept
}

/**
 * Give both texts the same line break at the end, if the place is whole lines and one of them lacks it. A
 * forgotten line break must not join lines. Also returns the end of the place.
 */
function fitLineBreaks(
  text: string,
  { start, end, next }: Place,
  { old, now }: { old: string; now: string },
  { wholeLines, isExact }: Found,
): { old: string; now: string; end: number } {
  const bare = (passage: string) => passage.replace(/\n$/, '')
  if (wholeLines) return { old: bare(old), now: bare(now), end: now === '' ? next : end }
  const beginsLine = text.slice(text.lastIndexOf('\n', start - 1) + 1, start).trim() === '' || start === 0
  // If only the line break differs, the model wants to change it.
  if (now === '' || !beginsLine || bare(old) === bare(now)) return { old, now, end }
  if (old.endsWith('\n') && !/\s$/.test(now)) return { old, now: `${now}\n`, end }
  // At the end of a text without a final line break, an exact quotation may add one.
  const endsLine = text[end] === '\n' || (end === text.length && !isExact)
  return !old.endsWith('\n') && endsLine ? { old, now: bare(now), end } : { old, now, end }
}

function tooMany(places: readonly Place[], text: string): Patched {
  const lines = places.slice(0, SHOWN_PLACES).map(({ start }) => text.slice(0, start).split('\n').length)
  const shown = lines.join(', ') + (places.length > SHOWN_PLACES ? ', …' : '')
  return {
    refused: `old_string occurs ${places.length} times (lines ${shown}). Add lines around it until it is unique, or set replace_all.`,
  }
}
