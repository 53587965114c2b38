import type { SkillImport } from '../../../shared/contract/learned/skill-imports.ts'
import { Fault } from '../../../shared/rpc.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { entryPath } from './entry-path.ts'

/** A file that could be imported. Its content is not read yet. */
export type SourceFile = {
  /** Relative, with `/`, and safe on every system. */
  path: string
  bytes: number
  isProgram: boolean
}

/** A file that is left out. `why` completes the sentence “name: …”. */
export type LeftOut = { name: string; why: string }

/** A source to import from: its files, and how to read them. */
export type Source<F extends SourceFile = SourceFile> = {
  from: SkillImport['source']
  /** The path of its root within the place that `from` names; empty if that is the root. */
  within: string
  /** Fallback name of a skill at the root. */
  name: string
  files: readonly F[]
  leftOut: readonly LeftOut[]
  /** Read whole files, in any order. Files that have vanished are skipped. */
  read(files: readonly F[], signal: AbortSignal): AsyncIterable<{ file: F; bytes: Uint8Array }>
}

/**
 * Limits of one import. The largest public collections have some 500 skills of one to ten files, and the
 * limits allow twice that. Anything larger is no collection of skills, or is meant to fill the disk.
 */
export const limits = {
  skills: 1_000,
  files: 5_000,
  bytes: 100_000_000,
  /** Per skill. Anything larger is a program that happens to contain a SKILL.md. */
  skillFiles: 1_000,
  skillBytes: 30_000_000,
  /** Fonts and pictures are smaller; a larger file is left out. */
  fileBytes: 10_000_000,
  /** The same limit as in `skills.save`: four times what the specification allows. */
  textChars: 400_000,
  /** Maximum number of names to look at in a folder or a repository, including other files. */
  seen: 100_000,
  depth: 20,
  /** Deflate shrinks text five to ten times. A large entry with a higher ratio is a zip bomb. */
  ratio: 300,
  ratioBytes: 1_000_000,
  zipBytes: 200_000_000,
  repositoryBytes: 400_000_000,
  repositoryMs: 5 * 60_000,
  /** Maximum characters of texts and diffs in an answer, so that it fits through a terminal's pipe. */
  shownChars: 12_000_000,
  /** Maximum number of pending imports. The oldest one beyond that is discarded. */
  waiting: 8,
} as const

const LONGEST = 120

/** A foreign name as part of a sentence: shortened, with hidden characters written out. */
export function visibleName(name: string): string {
  const shown = showHiddenInLine(name)
  return (shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown).toWellFormed()
}

/** The reason for leaving out a link. Links are always reported, because they may point to a skill. */
export const LINK = 'links are not followed'

/** Maximum number of names to list per reason. */
const TOLD = 5

/** The left-out files as text, one sentence per reason. */
export function tellLeftOut(leftOut: readonly LeftOut[]): string[] {
  const names = Map.groupBy(leftOut, ({ why }) => why)
  return [...names].map(([why, all]) => {
    const shown = all.slice(0, TOLD).map(({ name }) => `“${visibleName(name)}”`)
    const more = all.length - shown.length
    return `${shown.join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}: ${why}.`
  })
}

/** Collects the files of a source, and the left-out names with their reasons. */
type FileList<T> = {
  /** Add a file. Throws a Fault if its path leads out of the archive. */
  add(name: string, entry: Omit<T, 'path'>): void
  /** Check the name of a folder, which must not lead out of the archive either. */
  checkFolder(name: string): void
  leaveOut(name: string, why: string): void
  files: (T & { path: string })[]
  leftOut: LeftOut[]
}

/** Files that tools leave behind; they are skipped silently. */
const LITTER =
  /(^|[/\\])(\.git|node_modules|__pycache__|\.venv|__MACOSX|\.DS_Store|Thumbs\.db|desktop\.ini)([/\\]|$)/

/** Whether a file never belongs to a skill. */
export const isLitter = (name: string): boolean => LITTER.test(name)

/**
 * Start a list of files. `what` names the source in a refusal, such as “This zip”. Names in a `realFolder`
 * come from the file system and cannot lead out of it.
 */
export function createFileList<T extends { bytes: number }>(
  what: string,
  { realFolder = false } = {},
): FileList<T> {
  const files: (T & { path: string })[] = []
  const seen = new Set<string>()
  const left: LeftOut[] = []
  let names = 0

  function seeOne() {
    if (++names > limits.seen)
      throw new Fault(
        'bad_input',
        `${what} contains more than ${count(limits.seen)} files. Choose a folder in it.`,
      )
  }

  const leaveOut = (name: string, why: string): void => void left.push({ name, why })

  function outside(name: string) {
    if (realFolder) return leaveOut(name, 'its name looks like a path out of the folder')
    throw new Fault(
      'bad_input',
      `${what} was refused, because it names “${visibleName(name)}”, which would lie outside the skill.`,
    )
  }

  return {
    files,
    leaveOut(name, why) {
      seeOne()
      leaveOut(name, why)
    },
    checkFolder(name) {
      seeOne()
      if ('outside' in entryPath(name)) outside(name)
    },
    add(name, entry) {
      seeOne()
      if (isLitter(name)) return
      const found = entryPath(name)
      if ('outside' in found) return outside(name)
      if (isRefusal(found)) return leaveOut(name, found.refused)
      if ((entry as { bytes: number }).bytes > limits.fileBytes)
        return leaveOut(name, `it is larger than ${limits.fileBytes / 1e6} MB`)
      const key = sameFileKey(found.path)
      if (seen.has(key)) return leaveOut(name, 'another file has the same name')
      seen.add(key)
      files.push({ ...(entry as T), path: found.path })
    },
    leftOut: left,
  }
}

const count = (number: number) => number.toLocaleString('en')

/** Paths with the same key are one file on case-insensitive systems. */
const sameFileKey = (path: string): string => path.normalize('NFC').toLowerCase()
