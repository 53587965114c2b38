import { decodeText as decodeAny } from '../../lib/encodings/decode-text.ts'
import { lstatSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ScanReport, SkillIssue, SkillPart } from '../../../shared/contract/learned/skills.ts'
import { fileErrorCode, reasonOf, isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import type { SkillText } from '../skill-types.ts'
import { isProgram, kindOf, decodeText, MOST_TEXT_BYTES } from './skill-files.ts'
import { readFile } from './resolve-skill-path.ts'
import { stampOf, walkSkill, type LinkedMain } from './walk-skill.ts'

/** The result of checking a whole skill; `digest` identifies the content. */
export type CheckResult = {
  digest: string
  report: ScanReport
  issues: SkillIssue[]
  /** Files had been unchanged long enough for their times to be reliable. */
  settled: boolean
}

/** Cached data about a skill's folder, valid until a file in it changes. Plain JSON. */
export type CachedSkill = {
  file: string
  /** The real file, if `file` is a link that is followed. */
  main?: string | undefined
  text: Omit<SkillText, 'body'>
  parts: SkillPart[]
  /** One stamp per part. */
  stamps: string[]
  folders: { path: string; stamp: string }[]
  /** The folder has more files than Talaria reads. */
  more: boolean
  bytes: number
  tokens: number
  hasScripts: boolean
  updatedAt: number
  /** The files had been unchanged long enough when read that any later change has a different time. */
  settled: boolean
  /** Undefined until the skill is checked. */
  looked?: CheckResult | undefined
}

/** Functions to read and measure a SKILL.md. */
export type Reader = {
  read(text: string, fallbackName: string): SkillText
  count(text: string): number
  report(error: unknown): void
}

/** Some file systems store times in steps of two seconds. */
const STEP_MS = 2_000

/** Whether any later change is sure to have a different time. */
export const isSettled = (changedAt: number): boolean => Date.now() - changedAt > STEP_MS

/** The real path of a skill's SKILL.md. */
export const mainOf = (folder: string, { file, main }: Pick<CachedSkill, 'file' | 'main'>): string =>
  main ?? join(folder, file)

/** The SKILL.md as a link, for functions that walk the folder; undefined if it is not a link. */
export const linkedMain = ({ file, main }: Pick<CachedSkill, 'file' | 'main'>): LinkedMain | undefined =>
  main === undefined ? undefined : { file, real: main }

/** Read the folder of a skill, or return why that failed. `main` is the real file if SKILL.md is a link. */
export function readSkillEntry(
  folder: string,
  file: string,
  reader: Reader,
  main: string | undefined,
): CachedSkill | Refusal {
  const { files, folders, more } = walkSkill(folder, linkedMain({ file, main }))
  const read = readText(mainOf(folder, { file, main }))
  if (isRefusal(read)) return read
  try {
    const { body: _, ...text } = reader.read(read.text, basename(folder))
    const parts = files.map(({ path, bytes }): SkillPart => ({ path, bytes, kind: kindOf(path) }))
    return {
      file,
      main,
      text,
      parts,
      stamps: files.map(each => each.stamp),
      folders: folders.map(({ path, stamp }) => ({ path, stamp })),
      more,
      bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
      tokens: reader.count(read.text),
      hasScripts: parts.some(part => part.kind === 'script' || isProgram(part.path)),
      updatedAt: files.reduce((latest, each) => Math.max(latest, each.modifiedAt), 0),
      settled: [...files, ...folders].every(each => isSettled(each.changedAt)),
    }
  } catch (error) {
    // A file that crashes the parser must not hide all other skills.
    reader.report(error)
    return { refused: 'reading it failed' }
  }
}

/** The text of a SKILL.md, or the reason it cannot be read. */
export function readText(path: string): { text: string } | Refusal {
  try {
    const read = readFile(path, MOST_TEXT_BYTES)
    if (!read) return { refused: 'it is no ordinary file' }
    if (isRefusal(read)) return { refused: read.refused.replace(/^It /, 'it ').replace(/\.$/, '') }
    const text = decodeText(read.bytes)
    if (text === undefined) return { refused: 'it is no text' }
    // Text in an unknown encoding would be shown as garbage.
    return decodeAny(read.bytes)?.isUnsure
      ? { refused: 'it is not UTF-8 text, and its encoding is not sure; save it as UTF-8' }
      : { text }
  } catch (error) {
    const code = fileErrorCode(error)
    return { refused: code === 'ELOOP' ? 'it is a link' : reasonOf(code) }
  }
}

/** Whether a folder is unchanged since it was read; `now` is its current stamp, if known. */
export function isAsRead(folder: string, entry: CachedSkill, now?: string): boolean {
  if (!entry.settled) return false
  return (
    entry.folders.every(({ path, stamp }) => {
      if (path !== '') return isStamped(`${folder}/${path}`, stamp)
      return now === undefined ? isStamped(folder, stamp) : now === stamp
    }) &&
    entry.parts.every(({ path }, index) =>
      isStamped(path === entry.file ? mainOf(folder, entry) : `${folder}/${path}`, entry.stamps[index]!),
    )
  )
}

function isStamped(path: string, stamp: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats !== undefined && stampOf(stats) === stamp
}
