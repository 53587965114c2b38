import type { SkillImport } from '../../../shared/contract/skill-imports.ts'

/** A file that could be imported. Its content is not read yet. */
export type SourceFile = {
  /** Relative, with `/`, and safe on every system. */
  path: string
  bytes: number
  isProgram: boolean
}

/** A file that is left out. `why` completes the sentence “name: …”. */
export type LeftOut = { name: string; why: string }

/** A place to import from: its files, and how to read them. */
export type Source<F extends SourceFile = SourceFile> = {
  from: SkillImport['source']
  /** The path of its root within what `from` names; empty when that is the same. */
  within: string
  /** Fallback name of a skill at the root. */
  name: string
  files: readonly F[]
  leftOut: readonly LeftOut[]
  /** Read whole files, in any order. Files that have vanished are skipped. */
  read(files: readonly F[], signal: AbortSignal): AsyncIterable<{ file: F; bytes: Uint8Array }>
}

/**
 * Limits of one import. The largest public collections have some 500 skills of one to ten files, and the limits allow
 * twice that. Anything larger is not a collection of skills, or is meant to fill the disk.
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
  /** As much as `skills.save` takes, four times what the specification allows. */
  textChars: 400_000,
  /** Names to look at in a folder or a repository, including other files. */
  seen: 100_000,
  depth: 20,
  pathChars: 400,
  /** Deflate shrinks text five to ten times. A large entry with a higher ratio is a zip bomb. */
  ratio: 300,
  ratioBytes: 1_000_000,
  zipBytes: 200_000_000,
  repositoryBytes: 400_000_000,
  repositoryMs: 5 * 60_000,
  /** Characters of texts and diffs in one answer, so that it fits through a terminal's pipe. */
  shownChars: 12_000_000,
  /** Pending imports; the oldest one beyond that is discarded. */
  waiting: 8,
} as const

const LONGEST = 120

/** A foreign name for use in a sentence: shortened, and with invisible characters escaped. */
export function visibleName(name: string): string {
  const shown = name.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    sign => `\\u{${sign.codePointAt(0)!.toString(16)}}`,
  )
  return (shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown).toWellFormed()
}

/** Why a link is left out. Always reported, because it may point to a skill. */
export const LINK = 'links are not followed'

/** Names to list per reason. */
const TOLD = 5

/** What was left out, as one sentence per reason. */
export function tellLeftOut(leftOut: readonly LeftOut[]): string[] {
  const names = Map.groupBy(leftOut, ({ why }) => why)
  return [...names].map(([why, all]) => {
    const shown = all.slice(0, TOLD).map(({ name }) => `“${visibleName(name)}”`)
    const more = all.length - shown.length
    return `${shown.join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}: ${why}.`
  })
}
