import { lstatSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ScanReport, SkillIssue, SkillPart } from '../../../shared/contract/skills.ts'
import { reasonOf } from '../../lib/reason-of.ts'
import type { SkillText } from '../types.ts'
import { isProgram, kindOf } from './parts.ts'
import { readFile } from './read-inside.ts'
import { decodeText, MOST_TEXT_BYTES } from './texts.ts'
import { stampOf, walkSkill } from './walk-skill.ts'

/** What looking through a whole skill found; `digest` says of which content. */
export type Looked = {
  digest: string
  report: ScanReport
  issues: SkillIssue[]
  /** The content had lain unchanged for a while. */
  settled: boolean
}

/** What is kept of the folder of a skill until something in it changes. Plain JSON. */
export type Entry = {
  file: string
  text: Omit<SkillText, 'body'>
  parts: SkillPart[]
  /** One for each of the parts. */
  stamps: string[]
  folders: { path: string; stamp: string }[]
  /** There are more files than are looked at. */
  more: boolean
  bytes: number
  tokens: number
  hasScripts: boolean
  updatedAt: number
  /** It had lain unchanged for a while when it was read, so that a later change has another time. */
  settled: boolean
  /** Undefined until somebody had the time. */
  looked?: Looked | undefined
}

/** How a SKILL.md is read and measured. */
export type Reader = {
  read(text: string, fallbackName: string): SkillText
  count(text: string): number
  report(error: unknown): void
}

/** Some disks keep times in steps of two seconds. */
const STEP_MS = 2_000

/** Whether something whose last change of any kind was then cannot change again without its time telling. */
export const isSettled = (changedAt: number): boolean => Date.now() - changedAt > STEP_MS

/** Read the folder of a skill, or say why that cannot be done. */
export function readEntry(folder: string, file: string, reader: Reader): Entry | { reason: string } {
  const { files, folders, more } = walkSkill(folder)
  const read = readText(join(folder, file))
  if ('reason' in read) return read
  try {
    const { body: _, ...text } = reader.read(read.text, basename(folder))
    const parts = files.map(({ path, bytes }): SkillPart => ({ path, bytes, kind: kindOf(path) }))
    return {
      file,
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
    // One file that brings the reader down must not hide all the others.
    reader.report(error)
    return { reason: 'reading it failed' }
  }
}

/** The text of a SKILL.md, or why there is none. */
export function readText(path: string): { text: string } | { reason: string } {
  try {
    const read = readFile(path, MOST_TEXT_BYTES)
    if (!read) return { reason: 'it is no ordinary file' }
    if ('refused' in read) return { reason: read.refused.replace(/^It /, 'it ').replace(/\.$/, '') }
    const text = decodeText(read.bytes)
    return text === undefined ? { reason: 'it is no text' } : { text }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return { reason: code === 'ELOOP' ? 'it is a link' : reasonOf(code) }
  }
}

/** Whether a folder is still as it was when it was read; `now` is its own stamp, if that is known. */
export function isAsRead(folder: string, entry: Entry, now?: string): boolean {
  if (!entry.settled) return false
  return (
    entry.folders.every(({ path, stamp }) => {
      if (path !== '') return isStamped(`${folder}/${path}`, stamp)
      return now === undefined ? isStamped(folder, stamp) : now === stamp
    }) && entry.parts.every(({ path }, index) => isStamped(`${folder}/${path}`, entry.stamps[index]!))
  )
}

function isStamped(path: string, stamp: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats !== undefined && stampOf(stats) === stamp
}
