import { join } from 'node:path'
import { Fault } from '../../../shared/rpc.ts'
import { decodeText } from '../library/texts.ts'
import { isLicenceFile } from './licence.ts'
import { limits } from './limits.ts'
import { keepFile, withinSkill } from './quarantine.ts'
import { folderOf, foldersAbove, skillFolders, type SkillFolder } from './skill-folders.ts'
import type { LeftOut, Source, SourceFile } from './source.ts'
import { LINK, tellLeftOut } from './tell-left-out.ts'
import { visibleName } from './visible-name.ts'

/** A skill that lies in quarantine now. */
export type Fetched = {
  /** Within the source. */
  path: string
  /** In quarantine, absolute. */
  folder: string
  /** What it is called when it says nothing itself. */
  fallback: string
  /** The text of the nearest licence file. */
  licence: string | undefined
  /** Why it was not brought whole, and cannot be installed. */
  refused: string | null
}

/** So deep do files of a skill lie that are still seen in the library. */
const DEEPEST = 8

/**
 * Bring the skills of a source into a folder of the quarantine: all of them, or that of one path. `leftOut` says in words
 * what of them does not come, and which links were not followed.
 */
export async function fetchSkills(
  source: Source,
  folder: string,
  only: string | undefined,
  signal: AbortSignal,
): Promise<{ skills: Fetched[]; leftOut: string[] }> {
  const all = skillFolders(source.files)
  const found = only === undefined ? all : all.filter(({ path }) => path === only)
  if (found.length === 0) throw noSkill(only)
  const isOurs = ({ name, why }: LeftOut) =>
    why === LINK || found.some(({ path }) => path === '' || name.startsWith(`${path}/`))
  const leftOut = source.leftOut.filter(isOurs)
  const planned = found.map((skill, index) => plan(skill, join(folder, `${index}`, 'skill'), leftOut))
  refuseTooMuch(planned)

  const owners = new Map(planned.flatMap(each => each.files.map(file => [file, each] as const)))
  const licenceFiles = licencesAbove(source.files, found)
  const licences = new Map<string, string>()
  const missing = new Set(owners.keys())
  const wanted = [...new Set([...owners.keys(), ...licenceFiles])]
  for await (const { file, bytes } of source.read(wanted, signal)) {
    signal.throwIfAborted()
    const owner = owners.get(file)
    if (owner && (await keepFile(owner.folder, owner.skill, file, bytes))) missing.delete(file)
    const at = folderOf(file.path)
    const licence = licenceFiles.has(file) ? decodeText(Buffer.from(bytes)) : undefined
    if (licence !== undefined && !licences.has(at)) licences.set(at, licence)
  }
  for (const { path } of missing) leftOut.push({ name: path, why: 'its content is not in what was fetched' })

  const skills = planned.map(({ skill, folder: own, refused }): Fetched => ({
    path: skill.path,
    folder: own,
    fallback: skill.path.slice(skill.path.lastIndexOf('/') + 1) || source.name,
    licence: foldersAbove(skill.skill.path)
      .map(at => licences.get(at))
      .find(text => text !== undefined),
    refused: missing.has(skill.skill) ? 'Its SKILL.md is only named, and not in what was fetched.' : refused,
  }))
  return { skills, leftOut: tellLeftOut(leftOut) }
}

type Planned = { skill: SkillFolder<SourceFile>; folder: string; files: SourceFile[]; refused: string | null }

/** What of a skill is brought: all that the library will see of it, or SKILL.md alone when it is too large. */
function plan(skill: SkillFolder<SourceFile>, folder: string, leftOut: LeftOut[]): Planned {
  const isSeen = (file: SourceFile) => withinSkill(skill, file).split('/').length <= DEEPEST
  const files = skill.files.filter(isSeen)
  const deeper = skill.files.filter(file => !isSeen(file))
  leftOut.push(...deeper.map(({ path }) => ({ name: path, why: 'it lies in too many folders' })))
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const refused =
    files.length > limits.skillFiles
      ? `It has more than ${limits.skillFiles.toLocaleString('en')} files; that is no skill.`
      : bytes > limits.skillBytes
        ? `It is larger than ${limits.skillBytes / 1e6} MB; that is no skill.`
        : null
  return { skill, folder, files: refused === null ? files : [skill.skill], refused }
}

function refuseTooMuch(planned: readonly Planned[]): void {
  const files = planned.reduce((sum, each) => sum + each.files.length, 0)
  const bytes = planned.flatMap(each => each.files).reduce((sum, file) => sum + file.bytes, 0)
  const much =
    planned.length > limits.skills
      ? `${limits.skills.toLocaleString('en')} skills`
      : files > limits.files
        ? `${limits.files.toLocaleString('en')} files`
        : bytes > limits.bytes
          ? `${limits.bytes / 1e6} MB`
          : undefined
  if (much)
    throw new Fault(
      'bad_input',
      `There is too much in it: more than ${much} of skills. Choose a folder in it.`,
    )
}

/** The licence files of skills and of the folders above them. */
function licencesAbove(
  files: readonly SourceFile[],
  skills: readonly SkillFolder<SourceFile>[],
): Set<SourceFile> {
  const above = new Set(skills.flatMap(({ skill }) => foldersAbove(skill.path)))
  return new Set(files.filter(({ path }) => isLicenceFile(path) && above.has(folderOf(path))))
}

function noSkill(only: string | undefined): Fault {
  if (only === undefined)
    return new Fault('bad_input', 'There is no skill in it: no file is called SKILL.md.')
  // One that lay at the top of what was fetched has no name there.
  const which = only === '' ? '' : ` “${visibleName(only)}”`
  return new Fault('not_found', `There is no skill${which} any more where it came from.`)
}
