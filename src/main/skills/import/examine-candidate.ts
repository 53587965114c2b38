import { decodeText as decodeAny } from '../../lib/encodings/decode-text.ts'
import { renameSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SkillCandidate } from '../../../shared/contract/learned/skill-imports.ts'
import type { ScanReport, SkillIssue, SkillFileChange } from '../../../shared/contract/learned/skills.ts'
import { policyFor } from '../check/scan-skill.ts'
import { lintSkill } from '../files/lint-skill.ts'
import { readSkillText } from '../files/read-skill.ts'
import { hashShown } from '../../lib/shown-hash.ts'
import { digestOf, isProgram, partsOf, decodeText } from '../library/skill-files.ts'
import type { Library, LibrarySkill } from '../skill-types.ts'
import type { Fetched } from './copy-to-quarantine.ts'
import { licenceFor } from './licence.ts'
import { isSkillFile } from '../files/main-file.ts'
import { freeName, isSkillName, suggestName, renameSkillText } from '../files/skill-name.ts'
import { limits } from './skill-source.ts'

/** Parameters of `examineCandidate` besides the fetched skill. */
type Looking = {
  library: Pick<Library, 'scan' | 'scanFirst'>
  scan: ScanContent
  /** All skills of the library. */
  known: readonly LibrarySkill[]
  isTaken(name: string): boolean
  room: Room
  /** The trusted publisher; null if the skill comes from anyone else. */
  publisher: string | null
  /** The skill to update, even if the new version has another name. */
  updates?: LibrarySkill
}

/** Scans the folder of a fetched skill. `digest` identifies the scanned content. */
type ScanContent = (folder: string, bytes: number) => Promise<{ digest: string; report: ScanReport }>

const SEVERE = { safe: 0, caution: 1, dangerous: 2 }
const UNSCANNED: ScanReport = { verdict: 'safe', findings: [] }

/** Scan and lint a skill in quarantine. Its folder is renamed to the future name, returned as `folder`. */
export async function examineCandidate(
  fetched: Fetched,
  { library, scan: scanContent, known, isTaken, room, publisher, updates }: Looking,
): Promise<{ candidate: SkillCandidate; folder: string; pins: CandidatePins }> {
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

  const { digest, report: scan } =
    refused === null
      ? await scanContent(
          folder,
          files.reduce((sum, { bytes }) => sum + bytes.length, 0),
        )
      : { digest: digestOf(folder), report: UNSCANNED }
  const policy = policyFor(scan, 'imported', publisher !== null)
  const before = updates ?? sameName(known, name)
  const replaced = before && importedOf(known, before)
  if (replaced) await library.scanFirst(replaced.found.id)
  const changes = before
    ? changesBetween(filesIn((replaced ?? before).found.folder), withName(files, name), room)
    : []
  const candidate = {
    path,
    name,
    description: fields.description,
    text: fitting(shown, room),
    files: partsOf(folder).parts,
    issues: [...lintSkill(shown, { folder }), ...nameIssue(name, fields.name)],
    scan,
    policy,
    publisher,
    licence: licenceFor(fields.licence, fetched.licence),
    replaces: before
      ? { id: before.skill.id, origin: before.skill.origin, isEdited: before.skill.isEdited, changes }
      : null,
    on: refused === null && isOn(library, before, replaced, { scan, policy }, files.some(isScript)),
    refused,
  }
  const pins = { digest, replaced: digestOfReplaced(known, before) }
  return { candidate: { ...candidate, seen: hashShown({ candidate, pins }) }, folder, pins }
}

/** The skill in use under a name. Project skills are ignored, because their names are separate. */
function sameName(known: readonly LibrarySkill[], name: string): LibrarySkill | undefined {
  const all = known.filter(({ found }) => found.name === name && found.root.kind !== 'project')
  return all.find(({ skill }) => skill.shadowedBy === null) ?? all[0]
}

/** Digests of a candidate, and of the imported skill that it replaces, as shown to the user. */
export type CandidatePins = { digest: string; replaced: string | null }

/** Refuse a candidate that is not the one shown, or that would replace another skill; else undefined. */
export function refuseChanged(
  { folder, candidate, pins }: { folder: string; candidate: SkillCandidate; pins: CandidatePins },
  known: readonly LibrarySkill[],
): string | undefined {
  if (digestOf(folder) !== pins.digest)
    return 'It has changed on disk since it was shown, so nothing was done. Fetch it again.'
  const { replaces, name } = candidate
  const before = replaces ? known.find(({ skill }) => skill.id === replaces.id) : sameName(known, name)
  return digestOfReplaced(known, before) === pins.replaced
    ? undefined
    : 'The skill that it replaces has changed since it was shown, so nothing was done. Fetch it again.'
}

/** The digest of the imported skill that would be replaced; null without such a skill. */
function digestOfReplaced(known: readonly LibrarySkill[], before: LibrarySkill | undefined): string | null {
  const old = before && importedOf(known, before)
  return old ? digestOf(old.found.folder, old.found.main) : null
}

/** The imported skill that would be replaced, even if an edited copy hides it. */
const importedOf = (known: readonly LibrarySkill[], { found }: LibrarySkill): LibrarySkill | undefined =>
  known.find(each => each.found.key === found.key && each.found.root.kind === 'imported')

/** Whether the skill starts on: a new one unless the scan objects, an update as before unless it is worse. */
function isOn(
  library: Pick<Library, 'scan'>,
  before: LibrarySkill | undefined,
  old: LibrarySkill | undefined,
  { scan, policy }: Pick<SkillCandidate, 'scan' | 'policy'>,
  hasScripts: boolean,
): boolean {
  if (!before || !old) return policy === 'use' && !hasScripts
  const isWorse = SEVERE[scan.verdict] > SEVERE[library.scan(old.found.id).verdict]
  return before.skill.enabled && policy !== 'block' && !isWorse && (!hasScripts || old.found.hasScripts)
}

/** Whether a file looks executable by its folder, extension or first line. */
const isScript = ({ path, bytes }: FileBytes) =>
  path.startsWith('scripts/') || isProgram(path) || bytes.toString('latin1', 0, 2) === '#!'

function refusedText(own: FileBytes | undefined, text: string | undefined): string | null {
  if (!own) return 'Its SKILL.md is too large, or cannot be read.'
  if (text === undefined) return 'Its SKILL.md is not text.'
  if (decodeAny(own.bytes)?.isUnsure) return 'Its SKILL.md is not UTF-8 text, and its encoding is uncertain.'
  if (text.trim() === '') return 'Its SKILL.md is empty.'
  if (text.length > limits.textChars)
    return `Its SKILL.md has more than ${limits.textChars.toLocaleString('en')} characters.`
  return null
}

function nameIssue(name: string, said: string): SkillIssue[] {
  if (name === said) return []
  const shown = said.slice(0, 100).toWellFormed()
  const text = isSkillName(said)
    ? `It calls itself “${shown}”. Another skill of this import has that name, so it would be imported as “${name}”.`
    : `It calls itself “${shown}”. That is not a valid name for a skill, so it would be imported as “${name}”.`
  return [{ line: null, level: 'info', rule: 'import-name', text }]
}

function fitting(text: string, room: Room): string {
  if (text.length > room.chars) return `${text.slice(0, 500).toWellFormed()}\n…`
  room.chars -= text.length
  return text
}

/** A file of a skill with its bytes. */
type FileBytes = { path: string; bytes: Buffer }

/** Remaining budget for shown text, in characters. */
type Room = { chars: number }

/** Maximum size of a text to show, in bytes. Longer texts are shown like binary files. */
const LONGEST_SHOWN = 1_000_000

/** All files in the folder of a skill. */
const filesIn = (folder: string): FileBytes[] =>
  partsOf(folder).parts.map(({ path }) => ({ path, bytes: readFileSync(join(folder, path)) }))

/** The files as installed, with the skill's future name in SKILL.md. */
const withName = (files: readonly FileBytes[], name: string): FileBytes[] =>
  files.map(file => {
    if (!isSkillFile(file.path)) return file
    const before = decodeText(file.bytes)
    const after = before === undefined ? undefined : renameSkillText(before, name)
    return after === undefined || after === before ? file : { path: file.path, bytes: Buffer.from(after) }
  })

/** Changed files between two versions of a skill, by path. Texts are included while the budget lasts. */
function changesBetween(
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
