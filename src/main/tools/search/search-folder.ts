import { isAscii } from 'node:buffer'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileErrorCode, isRefusal } from '../../lib/expected-errors.ts'
import { isCredential, mayHoldKeys } from '../../files/paths/credential-paths.ts'
import { globFilter, type GlobFilter } from './glob-filter.ts'
import type { GlobList } from './read-globs.ts'
import { countLeftOut, leaveOut, type LeftOut, type LeftOutReason } from './left-out-files.ts'
import { isInside } from '../../files/paths/resolve-path.ts'
import { otherReadings } from './patterns/other-readings.ts'
import { readPattern, type SearchPattern } from './patterns/search-pattern.ts'
import { searchText, type SearchedText, type Version } from './search-text.ts'
import { decodeText, encodingName } from '../../lib/encodings/decode-text.ts'
import { walkFolder } from '../../files/walk-folder.ts'

/** `target`: the real path of a folder or file. `globs`: the ways to read the glob, the likeliest first. */
export type Search = { target: string; isFile: boolean; pattern: string; globs: readonly GlobList[] }
/** A match. `file` is relative to the searched folder, and `text` has all lines of the match. */
export type Match = { file: string; line: number; text: string }
export type SearchEnd = {
  matches: number
  files: number
  searched: number
  /** Files that do not match the glob. */
  unfit: number
  leftOut: LeftOut
  /** Set if the search ended early, at its limit of files or matches. */
  more: 'files' | 'matches' | undefined
  /** Notes on how ambiguous parts of the pattern were read, if it matters. */
  notes: readonly string[]
  /** The first files with matches that have an older encoding. */
  encodings: { file: string; encoding: string }[]
}

/** Maximum number of matches shown; further ones are only counted. */
export const MOST_MATCHES = 200
export const MOST_FILES = 50_000
const MOST_IN_FILE = 50
const MOST_COUNTED = 10_000
const MOST_BYTES = 8_000_000
const MOST_LINKS_FOLLOWED = 1_000
const DEEPEST = 64
const MOST_NAMED = 3

/** Follows a search while it runs. */
export type SearchListener = {
  found(match: Match): void
  /** Called before each file is searched. `leftOut` is set only if it has changed since the last call. */
  enter?(file: string, leftOut: LeftOut | undefined): void
  /** Called if the pattern as written found nothing and is now read in another way. */
  again?(nothing: SearchEnd, because: string): void
}
type File = { path: string; name: string }

/**
 * Search text files. Files are left out and counted if they are ignored by git, hidden, in module folders,
 * binary, very large or may hold keys. The target or a glob can name them, except those with keys. A pattern
 * that finds nothing is tried in other readings.
 */
export function searchFolder(search: Search, listener: SearchListener): SearchEnd {
  const pattern = readPattern(search.pattern)
  if (isRefusal(pattern)) throw new SyntaxError(pattern.refused)
  const end = searchOnce(search, pattern, listener)
  if (end.matches > 0) return { ...end, notes: [] }
  if (end.searched === 0) return end
  for (const other of otherReadings(search.pattern)) {
    listener.again?.(end, other.because)
    const again = searchOnce(search, other.pattern, listener)
    if (again.matches > 0) return { ...again, notes: [other.because] }
  }
  return end
}

function searchOnce(search: Search, pattern: SearchPattern, { found, enter }: SearchListener): SearchEnd {
  const end: SearchEnd = {
    matches: 0,
    files: 0,
    searched: 0,
    unfit: 0,
    leftOut: {},
    more: undefined,
    notes: pattern.notes,
    encodings: [],
  }
  let shown = 0
  let leftOutBefore = 0
  for (const { path, name } of search.isFile
    ? [{ path: search.target, name: basename(search.target) }]
    : filesIn(search, end)) {
    if (holdsKeys(path) && !(search.isFile && mayHoldKeys(path))) {
      leaveOut(end.leftOut, 'keys', name)
      continue
    }
    if (end.searched >= MOST_FILES || end.matches >= MOST_COUNTED) {
      end.more = end.searched >= MOST_FILES ? 'files' : 'matches'
      break
    }
    const text = textOf(path, pattern.returns)
    if (typeof text === 'string') {
      leaveOut(end.leftOut, text, name)
      continue
    }
    const leftOutNow = countLeftOut(end.leftOut)
    enter?.(name, leftOutNow === leftOutBefore ? undefined : end.leftOut)
    leftOutBefore = leftOutNow
    end.searched += 1
    let inFile = 0
    const count = searchText(pattern, text, hit => {
      inFile += 1
      if (shown >= MOST_MATCHES || inFile > MOST_IN_FILE) return
      shown += 1
      found({ file: name, ...hit })
    })
    end.matches += count
    if (count > 0) end.files += 1
    if (count > 0 && text.encoding && end.encodings.length < MOST_NAMED)
      end.encodings.push({ file: name, encoding: text.encoding })
  }
  return end
}

/** Whether a file may hold keys. A `.env` named by the call is approved; credentials never get here. */
const holdsKeys = (path: string) => isCredential(path) || mayHoldKeys(path)

/** Yield the files for the first reading of the glob that any file matches. */
function filesIn(search: Search, end: SearchEnd): Iterable<File> {
  const filters = search.globs.map(globFilter)
  if (filters.length < 2) return walked(search.target, filters[0], end)
  const [whole, parts] = filters as [GlobFilter, GlobFilter]
  const either: GlobFilter = {
    wants: name => whole.wants(name) || parts.wants(name),
    reaches: name => whole.reaches(name) || parts.reaches(name),
    names: name => whole.names(name) || parts.names(name),
  }
  const all = [...walked(search.target, either, end)]
  const chosen = all.some(({ name }) => whole.wants(name)) ? whole : parts
  return all.filter(({ name }) => chosen.wants(name))
}

function* walked(folder: string, filter: GlobFilter | undefined, end: SearchEnd): Generator<File> {
  let links = 0
  const isWanted = (name: string) => filter?.wants(name) ?? true
  const options = {
    depth: DEEPEST,
    hidden: false,
    ...(filter && { isNamed: filter.names, isWanted: filter.reaches }),
    onLeftOut(name: string, reason: LeftOutReason, isFolder: boolean) {
      if (reason === 'git' && !filter?.names(name)) return
      if (!isFolder && !isWanted(name)) return
      leaveOut(end.leftOut, holdsKeys(join(folder, name)) ? 'keys' : reason, isFolder ? `${name}/` : name)
    },
  }
  for (const { path, name, kind } of walkFolder(folder, options)) {
    if (kind === 'folder') continue
    if (kind === 'link') {
      links += 1
      const isLeftOut = links > MOST_LINKS_FOLLOWED || leadsOut(path, folder)
      if (isLeftOut && (isWanted(name) || (filter?.reaches(name) ?? false)))
        leaveOut(end.leftOut, 'link', name)
    } else if (isWanted(name)) yield { path, name }
    else end.unfit += 1
  }
}

/** Whether a link leads to a place outside the searched folder. */
function leadsOut(path: string, folder: string): boolean {
  try {
    return !isInside(folder, realpathSync(path))
  } catch (error) {
    // The link is broken or leads in a circle.
    fileErrorCode(error)
    return false
  }
}

const CR = /\r\n/g

/** Read a file in the versions that a pattern may be meant for, or return why it is not searched. */
function textOf(path: string, withReturns: boolean): SearchedText | LeftOutReason {
  try {
    const stats = statSync(path)
    if (!stats.isFile()) return 'binary'
    if (stats.size > MOST_BYTES) return 'big'
    const bytes = readFileSync(path)
    const decoded = decodeText(bytes)
    if (!decoded) return 'binary'
    const inLines = (text: string) => (withReturns ? text : text.replaceAll(CR, '\n'))
    const shown = inLines(decoded.text)
    if (decoded.encoding === 'utf8' && isAscii(bytes))
      return { versions: [{ text: shown, shown }], isEnglish: true }
    const versions = versionsOf(shown)
    const isMarked = decoded.encoding === 'utf8' || decoded.mark
    const encoding = isMarked ? '' : `${decoded.isUnsure ? 'perhaps ' : ''}${encodingName(decoded.encoding)}`
    const isSure = decoded.isUnsure !== true && (decoded.encoding !== 'utf8' || decoded.exact)
    if (isSure) return { versions, isEnglish: false, encoding }
    // If the encoding is uncertain, Windows-1252 is the likeliest alternative.
    const western = versionsOf(inLines(new TextDecoder('windows-1252').decode(bytes)))
    return { versions: [...versions, ...western], isEnglish: false, encoding }
  } catch (error) {
    fileErrorCode(error)
    return 'unreadable'
  }
}

/** The composed text first, then the original if it differs: a pattern may look for separate accents. */
function versionsOf(shown: string): Version[] {
  const text = shown.normalize('NFC')
  return text === shown
    ? [{ text, shown }]
    : [
        { text, shown },
        { text: shown, shown },
      ]
}
