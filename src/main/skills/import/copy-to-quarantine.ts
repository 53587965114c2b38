import { mkdir, writeFile } from 'node:fs/promises'
import { join, dirname } from 'node:path'
import { Fault } from '../../../shared/rpc.ts'
import { fileErrorCode } from '../../lib/expected-errors.ts'
import { removeTree } from '../../lib/removal/remove-tree.ts'
import { decodeText } from '../library/skill-files.ts'
import { isLicenceFile } from './licence.ts'
import {
  limits,
  LINK,
  tellLeftOut,
  visibleName,
  type LeftOut,
  type Source,
  type SourceFile,
} from './skill-source.ts'

/** A skill in quarantine. */
export type Fetched = {
  /** The path relative to the root of the source. */
  path: string
  /** The absolute path in quarantine. */
  folder: string
  /** The name to use if SKILL.md has none. */
  fallback: string
  /** The text of the nearest licence file. */
  licence: string | undefined
  /** The reason why the skill is incomplete and cannot be installed. */
  refused: string | null
}

/** Maximum depth of a skill's files. The library ignores deeper ones. */
const DEEPEST = 8

/**
 * Copy the skills of a source into quarantine: all of them, or only the skill at `only`. `leftOut` has
 * sentences about files that were left out and links that were not followed.
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
    refused: missing.has(skill.skill) ? 'Its SKILL.md is listed, but was not fetched.' : refused,
  }))
  return { skills, leftOut: tellLeftOut(leftOut) }
}

type Planned = { skill: SkillFolder<SourceFile>; folder: string; files: SourceFile[]; refused: string | null }

/** The files of a skill to fetch: all that the library reads, or only SKILL.md if the skill is too large. */
function plan(skill: SkillFolder<SourceFile>, folder: string, leftOut: LeftOut[]): Planned {
  const isSeen = (file: SourceFile) => withinSkill(skill, file).split('/').length <= DEEPEST
  const files = skill.files.filter(isSeen)
  const deeper = skill.files.filter(file => !isSeen(file))
  leftOut.push(...deeper.map(({ path }) => ({ name: path, why: 'it lies in too many folders' })))
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const refused =
    files.length > limits.skillFiles
      ? `It has more than ${limits.skillFiles.toLocaleString('en')} files, too many for a skill.`
      : bytes > limits.skillBytes
        ? `It is larger than ${limits.skillBytes / 1e6} MB, too large for a skill.`
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
  if (much) throw new Fault('bad_input', `It contains more than ${much} of skills. Choose a folder in it.`)
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
    return new Fault('bad_input', 'It contains no skill, because no file is called SKILL.md.')
  // A skill at the root of its source has an empty path.
  const which = only === '' ? '' : ` “${visibleName(only)}”`
  return new Fault('not_found', `Its source no longer contains the skill${which}.`)
}

/** Holds fetched skills until the user decides. Nothing is ever run or loaded from there. */
type Quarantine = {
  /** Make a folder that only this user can open. */
  enter(id: string): Promise<string>
  leave(id: string): Promise<unknown>
  /** Remove everything, including leftovers of a crash. Files that cannot be removed do no harm. */
  empty(): Promise<unknown>
}

/** The quarantine of a home folder. */
export function createQuarantine(home: string): Quarantine {
  const root = join(home, 'quarantine')
  return {
    async enter(id) {
      await mkdir(root, { recursive: true, mode: 0o700 })
      const folder = join(root, id)
      await mkdir(folder, { mode: 0o700 })
      return folder
    },
    leave: id => removeTree(join(root, id)),
    empty: () => removeTree(root),
  }
}

/** Write one file of a skill into quarantine. False if its path conflicts with another file. */
export async function keepFile(
  folder: string,
  skill: SkillFolder<SourceFile>,
  file: SourceFile,
  bytes: Uint8Array,
): Promise<boolean> {
  const path = join(folder, withinSkill(skill, file))
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(path, bytes, { flag: 'wx', mode: file.isProgram ? 0o700 : 0o600 })
    return true
  } catch (error) {
    const code = fileErrorCode(error)
    // An archive can contain a file and a folder with the same name.
    if (['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(code)) return false
    throw error
  }
}

/** The path of a file within its skill. */
const withinSkill = ({ path }: { path: string }, file: SourceFile): string =>
  path === '' ? file.path : file.path.slice(path.length + 1)

/** A folder with a SKILL.md and its files. The file paths include the folder's path. */
export type SkillFolder<F> = { path: string; skill: F; files: F[] }

const isSkillText = (path: string) => /(^|\/)skill\.md$/i.test(path)

/** The parent folder of a path; empty for the root. */
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** The skills among files, by path: every folder with a SKILL.md that is not inside another skill. */
export function skillFolders<F extends SourceFile>(files: readonly F[]): SkillFolder<F>[] {
  const found = new Map<string, SkillFolder<F>>()
  for (const file of files)
    if (isSkillText(file.path)) {
      const path = folderOf(file.path)
      found.set(path, { path, skill: file, files: [] })
    }
  for (const file of files) outermost(found, file.path)?.files.push(file)
  return [...found.values()]
    .filter(({ files: own }) => own.length > 0)
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** The outermost skill folder around a path, because skills do not nest. */
function outermost<S>(skills: ReadonlyMap<string, S>, path: string): S | undefined {
  let outer: S | undefined
  for (const folder of foldersAbove(path)) outer = skills.get(folder) ?? outer
  return outer
}

/** The parent folders of a path, from the nearest to the root. */
function foldersAbove(path: string): string[] {
  const above: string[] = []
  for (let at = path; at !== '';) {
    at = folderOf(at)
    above.push(at)
  }
  return above
}
