import { similarity } from '../lib/similarity.ts'
import type { Refusal } from '../lib/expected-errors.ts'
import { byCount } from '../../shared/amounts.ts'

export type Patch = { old: string; new: string; all: boolean }
/** `near` is the passage that was probably meant. */
export type Patched = { text: string; count: number } | (Refusal & { near?: string })

/** Ways to normalise lines for comparison, the strictest first. */
const TOLERANCES: readonly ((line: string) => string)[] = [
  line => line,
  line => line.trimEnd(),
  line => line.trim(),
]
const MOST_COMPARED = 5_000
const SHOWN_PLACES = 5
const SHOWN_LINES = 12

/**
 * Replace a passage of a text, which must occur exactly once unless all are wanted. Try an exact match first,
 * then whole lines, ignoring line endings, trailing spaces and indentation depth. The text keeps its line
 * endings.
 */
export function patchText(text: string, patch: Patch): Patched {
  if (patch.old === '')
    return { refused: 'old_string is empty. Give the text to replace, or use write_file.' }
  if (patch.old === patch.new)
    return { refused: 'old_string and new_string are the same, so nothing would change.' }
  const ending = endingOf(text)
  const fit = (part: string) => part.replace(/\r?\n/g, ending)
  return (
    replaceExact(text, fit(patch.old), fit(patch.new), patch.all) ??
    replaceExact(text, patch.old, patch.new, patch.all) ??
    replaceLines(text, patch, ending) ?? {
      refused: 'old_string was not found.',
      near: placeLike(text, patch.old),
    }
  )
}

/** The most common line ending. */
function endingOf(text: string): '\n' | '\r\n' {
  const all = text.split('\n').length - 1
  return (text.split('\r\n').length - 1) * 2 > all ? '\r\n' : '\n'
}

function replaceExact(text: string, old: string, now: string, all: boolean): Patched | undefined {
  const places: number[] = []
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + old.length)) places.push(at)
  if (places.length === 0) return undefined
  if (places.length > 1 && !all) return tooMany(places.map(at => text.slice(0, at).split('\n').length))
  return { text: text.split(old).join(now), count: places.length }
}

function replaceLines(text: string, patch: Patch, ending: string): Patched | undefined {
  const lines = text.split(/(?<=\n)/)
  const bare = lines.map(line => line.replace(/\r?\n$/, ''))
  const wanted = wholeLines(patch.old)
  if (wanted.every(line => line.trim() === '')) return undefined
  for (const tolerate of TOLERANCES) {
    const places = placesOf(bare.map(tolerate), wanted.map(tolerate))
    if (places.length === 0) continue
    if (places.length > 1 && !patch.all) return tooMany(places.map(at => at + 1))
    for (const at of places.toReversed()) {
      const end = at + wanted.length
      const last = /\r?\n$/.exec(lines[end - 1]!)?.[0] ?? ''
      const now = patch.new === '' ? [] : reindent(wholeLines(patch.new), wanted, bare.slice(at, end))
      lines.splice(at, wanted.length, now.join(ending) + (now.length > 0 ? last : ''))
    }
    return { text: lines.join(''), count: places.length }
  }
  return undefined
}

/** The lines of a passage; a trailing line break does not start another line. */
function wholeLines(passage: string): string[] {
  const lines = passage.split(/\r?\n/)
  if (lines.length > 1 && lines.at(-1) === '') lines.pop()
  return lines
}

/** Where the wanted lines occur, without overlaps. */
function placesOf(lines: readonly string[], wanted: readonly string[]): number[] {
  const places: number[] = []
  for (let at = 0; at + wanted.length <= lines.length; at++) {
    if (!wanted.every((line, index) => lines[at + index] === line)) continue
    places.push(at)
    at += wanted.length - 1
  }
  return places
}

/** Indent new lines to the actual depth of the old ones. */
function reindent(now: readonly string[], wanted: readonly string[], found: readonly string[]): string[] {
  const first = wanted.findIndex(line => line.trim() !== '')
  const [given, real] = [indentOf(wanted[first]!), indentOf(found[first]!)]
  if (given === real) return [...now]
  return now.map(line =>
    line.trim() !== '' && line.startsWith(given) ? real + line.slice(given.length) : line,
  )
}

const indentOf = (line: string) => /^[ \t]*/.exec(line)![0]

function tooMany(lines: readonly number[]): Patched {
  const shown = lines.slice(0, SHOWN_PLACES).join(', ') + (lines.length > SHOWN_PLACES ? ', …' : '')
  return {
    refused: `old_string occurs ${lines.length} times (lines ${shown}). Add lines around it until it is unique, or set replace_all.`,
  }
}

/** The passage most similar to the wanted one, so that the model can quote it next time. */
function placeLike(text: string, old: string): string {
  const lines = text.split(/\r?\n/).slice(0, MOST_COMPARED)
  const wanted = wholeLines(old)
  const first = Math.max(
    0,
    wanted.findIndex(line => line.trim() !== ''),
  )
  let best = { at: -1, score: 0.5 }
  for (const [at, line] of lines.entries()) {
    const score = similarity(line.trim().toLowerCase(), wanted[first]!.trim().toLowerCase())
    if (score > best.score) best = { at, score }
  }
  if (best.at === -1) return 'Read the file and quote the text as it is.'
  const from = Math.max(0, best.at - first)
  const shown = lines.slice(from, from + Math.min(wanted.length, SHOWN_LINES))
  const where = byCount(shown.length, `Line ${from + 1} is`, `Lines ${from + 1}-${from + shown.length} are`)
  return `${where} nearest to it:\n${shown.map(line => line.slice(0, 300)).join('\n')}`
}
