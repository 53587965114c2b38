import { lstatSync } from 'node:fs'
import { join } from 'node:path'
// The entry for browsers: both the Node entry and the build would declare a `require`.
import { zipSync, type Zippable } from 'fflate/browser'
import { Fault } from '../../../shared/rpc.ts'
import { fileErrorCode, reasonOf, type Refusal } from '../../lib/expected-errors.ts'
import { partsOf } from '../library/skill-files.ts'
import { readFile } from '../library/resolve-skill-path.ts'
import type { FoundSkill } from '../skill-types.ts'
import { freeName, suggestName } from '../files/skill-name.ts'
import { visibleName } from './skill-source.ts'

/** Maximum size of the zip, in bytes: it is sent to the window in one message, as base64. */
const MOST_BYTES = 40_000_000
/** The earliest date that a zip can store. A fixed date makes the output reproducible. */
const LONG_AGO = new Date(1980, 0, 1)
const UNIX = 3
const PROGRAM = 0o100755
const TEXT = 0o100644

/**
 * Pack skills into a zip, one folder per skill. The same skills give the same bytes. Throws a Fault if a file
 * cannot be read or the zip gets too large.
 */
export function exportSkills(skills: readonly FoundSkill[]): { name: string; bytes: Uint8Array } {
  const packed: Zippable = {}
  const folders = new Set<string>()
  let bytes = 0
  for (const skill of skills.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const folder = freeName(suggestName(skill.name), name => folders.has(name))
    folders.add(folder)
    for (const { path } of partsOf(skill.folder, skill.main).parts) {
      const content = readPart(skill, path, MOST_BYTES - bytes)
      bytes += content.length
      packed[`${folder}/${path}`] = [
        content,
        { os: UNIX, attrs: modeOf(skill, path) * 2 ** 16, mtime: LONG_AGO },
      ]
    }
  }
  const [only] = folders
  return { name: folders.size === 1 ? `${only}.zip` : 'skills.zip', bytes: zipSync(packed) }
}

function readPart(skill: FoundSkill, path: string, room: number): Uint8Array {
  const { name } = skill
  const read = readOr(pathOf(skill, path), room)
  if ('bytes' in read) return read.bytes
  throw new Fault(
    'bad_input',
    `${visibleName(name)} cannot be exported because of its file ${visibleName(path)}: ${read.refused}.`,
  )
}

function readOr(path: string, room: number): { bytes: Uint8Array } | Refusal {
  try {
    const read = readFile(path, room)
    if (read === undefined) return { refused: 'it is no file any more' }
    if ('bytes' in read) return read
    return { refused: `together they have more than ${MOST_BYTES / 1e6} MB. Export fewer skills at once` }
  } catch (error) {
    const code = fileErrorCode(error)
    return { refused: reasonOf(code) }
  }
}

const pathOf = ({ folder, main }: FoundSkill, path: string) =>
  path === main?.file ? main.real : join(folder, path)

const modeOf = (skill: FoundSkill, path: string) =>
  ((lstatSync(pathOf(skill, path), { throwIfNoEntry: false })?.mode ?? 0) & 0o100) === 0 ? TEXT : PROGRAM
