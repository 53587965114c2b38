import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SkillFileChange } from '../../../shared/contract/skills.ts'
import { partsOf } from '../library/parts.ts'
import { decodeText } from '../library/texts.ts'
import { renamed } from './renamed.ts'

/** A file of a skill with its bytes. */
export type FileBytes = { path: string; bytes: Buffer }

/** How many characters may still be shown. */
export type Room = { chars: number }

/** A text that is longer is shown as a file whose content nobody reads. */
const LONGEST_SHOWN = 1_000_000

/** All files in the folder of a skill. */
export const filesIn = (folder: string): FileBytes[] =>
  partsOf(folder).parts.map(({ path }) => ({ path, bytes: readFileSync(join(folder, path)) }))

/** Whether a file, by its path, is what makes a folder a skill. */
export const isSkillFile = (path: string): boolean => path === 'SKILL.md' || path === 'skill.md'

/** The files as they would be installed: with the name that the skill gets. */
export const withName = (files: readonly FileBytes[], name: string): FileBytes[] =>
  files.map(file => {
    if (!isSkillFile(file.path)) return file
    const before = decodeText(file.bytes)
    const after = before === undefined ? undefined : renamed(before, name)
    return after === undefined || after === before ? file : { path: file.path, bytes: Buffer.from(after) }
  })

/** What differs between two states of a skill, by path; texts as long as there is room for them. */
export function changesBetween(
  before: readonly FileBytes[],
  after: readonly FileBytes[],
  room: Room,
): SkillFileChange[] {
  const old = new Map(before.map(file => [file.path, file.bytes]))
  const fresh = new Map(after.map(file => [file.path, file.bytes]))
  const paths = [...new Set([...old.keys(), ...fresh.keys()])].toSorted()
  return paths.flatMap(path => {
    const [was, is] = [old.get(path), fresh.get(path)]
    if (was && is && was.equals(is)) return []
    const all = [was, is].filter(bytes => bytes !== undefined)
    const chars = all.reduce((sum, bytes) => sum + bytes.length, 0)
    const isShown =
      chars <= Math.min(LONGEST_SHOWN, room.chars) && all.every(bytes => decodeText(bytes) !== undefined)
    if (isShown) room.chars -= chars
    const textIf = (bytes: Buffer | undefined) => (bytes && isShown ? decodeText(bytes)! : null)
    return [{ path, before: textIf(was), after: textIf(is), binary: !isShown }]
  })
}
