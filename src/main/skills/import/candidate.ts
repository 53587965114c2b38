import { renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SkillCandidate } from '../../../shared/contract/skill-imports.ts'
import type { ScanReport, SkillIssue } from '../../../shared/contract/skills.ts'
import { isProgram, partsOf } from '../library/parts.ts'
import { decodeText } from '../library/texts.ts'
import { lintSkill } from '../read/lint.ts'
import { readSkillText } from '../read/read-skill.ts'
import { policyFor } from '../scan/policy.ts'
import type { Library, LibrarySkill } from '../types.ts'
import { changesBetween, filesIn, isSkillFile, withName, type FileBytes, type Room } from './changes.ts'
import type { Fetched } from './fetch-skills.ts'
import { licenceFor } from './licence.ts'
import { limits } from './limits.ts'
import { scanFolder } from './scan-folder.ts'
import { freeName, isSkillName, suggestName } from './skill-name.ts'

/** What a skill is looked at with. */
export type Looking = {
  library: Pick<Library, 'scan'>
  /** What the library has. */
  known: readonly LibrarySkill[]
  isTaken(name: string): boolean
  room: Room
  /** The skill that this is a new version of, whatever it calls itself. */
  updates?: LibrarySkill
}

const SEVERE = { safe: 0, caution: 1, dangerous: 2 }
const UNSCANNED: ScanReport = { verdict: 'safe', findings: [] }

/** Look at a skill in quarantine; its folder gets the name that it would have, and is where `folder` says from then on. */
export function examine(
  fetched: Fetched,
  { library, known, isTaken, room, updates }: Looking,
): { candidate: SkillCandidate; folder: string } {
  const { path, fallback } = fetched
  const files = filesIn(fetched.folder)
  const own = files.find(file => isSkillFile(file.path))
  const text = own && decodeText(own.bytes)
  const refused = fetched.refused ?? refusedText(own, text)
  const shown = (text ?? '').slice(0, limits.textChars)
  const { fields } = readSkillText(shown, fallback)
  const wanted = isSkillName(fields.name) ? fields.name : suggestName(fields.name, fallback)
  const name = updates?.found.name ?? freeName(wanted, isTaken)
  const folder = join(dirname(fetched.folder), suggestName(name))
  renameSync(fetched.folder, folder)

  const scan = refused === null ? scanFolder(folder) : UNSCANNED
  const before = updates ?? sameName(known, name)
  const changes = before
    ? changesBetween(filesIn((importedOf(known, before) ?? before).found.folder), withName(files, name), room)
    : []
  const candidate: SkillCandidate = {
    path,
    name,
    description: fields.description,
    text: fitting(shown, room),
    files: partsOf(folder).parts,
    issues: [...lintSkill(shown, { folder }), ...nameIssue(name, fields.name)],
    scan,
    licence: licenceFor(fields.licence, fetched.licence),
    replaces: before
      ? { id: before.skill.id, origin: before.skill.origin, isEdited: before.skill.isEdited, changes }
      : null,
    on:
      refused === null &&
      isOn(library, before, before && importedOf(known, before), scan, files.some(isScript)),
    refused,
  }
  return { candidate, folder }
}

/** The skill that counts under a name outside of projects, which keep theirs to themselves. */
function sameName(known: readonly LibrarySkill[], name: string): LibrarySkill | undefined {
  const all = known.filter(({ found }) => found.name === name && found.root.kind !== 'project')
  return all.find(({ skill }) => skill.shadowedBy === null) ?? all[0]
}

/** What an import really takes the place of: the imported skill, also when an edited copy lies above it. */
const importedOf = (known: readonly LibrarySkill[], { found }: LibrarySkill): LibrarySkill | undefined =>
  known.find(each => each.found.key === found.key && each.found.root.kind === 'imported')

/** A new skill is on when nothing speaks against it; a new version stays as the old one was while it is no worse. */
function isOn(
  library: Pick<Library, 'scan'>,
  before: LibrarySkill | undefined,
  old: LibrarySkill | undefined,
  scan: ScanReport,
  hasScripts: boolean,
): boolean {
  const policy = policyFor(scan, 'imported')
  if (!before || !old) return policy === 'use' && !hasScripts
  const isWorse = SEVERE[scan.verdict] > SEVERE[library.scan(old.found.id).verdict]
  return before.skill.enabled && policy !== 'block' && !isWorse && (!hasScripts || old.found.hasScripts)
}

/** Whether something may run a file, by its place, its ending or its first line. */
const isScript = ({ path, bytes }: FileBytes) =>
  path.startsWith('scripts/') || isProgram(path) || bytes.toString('latin1', 0, 2) === '#!'

function refusedText(own: FileBytes | undefined, text: string | undefined): string | null {
  if (!own) return 'Its SKILL.md is too large, or cannot be read.'
  if (text === undefined) return 'Its SKILL.md is no text.'
  if (text.trim() === '') return 'Its SKILL.md is empty.'
  if (text.length > limits.textChars)
    return `Its SKILL.md has more than ${limits.textChars.toLocaleString('en')} characters.`
  return null
}

function nameIssue(name: string, said: string): SkillIssue[] {
  if (name === said) return []
  const why = isSkillName(said)
    ? 'another skill of this import has that name'
    : 'no skill can be called that here'
  const text = `It calls itself “${said.slice(0, 100).toWellFormed()}”, and ${why}; it would come as “${name}”.`
  return [{ line: null, level: 'info', rule: 'import-name', text }]
}

function fitting(text: string, room: Room): string {
  if (text.length > room.chars) return `${text.slice(0, 500).toWellFormed()}\n…`
  room.chars -= text.length
  return text
}
