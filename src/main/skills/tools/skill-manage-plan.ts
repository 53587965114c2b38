import { oneLine } from '../prompt-index.ts'
import { refusePinned } from '../edits/manage-skill.ts'
import { policyFor } from '../check/scan-skill.ts'
import { findLikeSkills } from '../library/like-skills.ts'
import type { Library, LibrarySkill } from '../skill-types.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { patchText } from '../../files/patch/patch-text.ts'
import { editedText, newText, refuseSlips, unwrapContent } from './skill-manage-text.ts'
import { isMain, findSkill, pathIn } from './skill-view.ts'
import { decodeText } from '../../lib/encodings/decode-text.ts'

export type SkillChange = {
  action: 'create' | 'edit' | 'patch' | 'delete' | 'write_file' | 'remove_file'
  name?: string | undefined
  description?: string | undefined
  content?: string | undefined
  category?: string | undefined
  file_path?: string | undefined
  old_string?: string | undefined
  new_string?: string | undefined
  replace_all?: boolean | undefined
  /** For a deletion: the skill with these steps now. Not in the schema; models know it from other agents. */
  absorbed_into?: unknown
}

/** The planned effect of a call. `notes` tell the model how its arguments were corrected. */
export type SkillPlan =
  | { kind: 'create'; name: string; category: string; text: string; notes: string[] }
  | { kind: 'write'; of: LibrarySkill; path: string; before: string | null; after: string; notes: string[] }
  | { kind: 'remove'; of: LibrarySkill; path: string; before: string | null }
  | { kind: 'delete'; of: LibrarySkill; text: string; into?: string }

/** Maximum length of a call's texts, in characters, to limit the work. The limits for skills are lower. */
const MOST_GIVEN = 1_000_000
const FIELDS = [
  'name',
  'description',
  'content',
  'category',
  'file_path',
  'old_string',
  'new_string',
] as const
/** How many characters to scan when deciding whether to ask the user. Saving scans the whole skill. */
const MOST_SCANNED = 2_000_000

/** Plan a call against the current library, or return a refusal. Slips are refused with the correct form. */
export function planChange(library: Library, change: SkillChange, workspace: string): SkillPlan | Refusal {
  const long = FIELDS.find(field => (change[field]?.length ?? 0) > MOST_GIVEN)
  if (long !== undefined)
    return { refused: `${long} is far too long: at most ${MOST_GIVEN.toLocaleString('en')} characters.` }
  if (change.action === 'create') return refuseSlips(change) ?? planNew(library, change, workspace)
  const of = findSkill(library, change.name ?? '', { workspace })
  if (isRefusal(of)) return of
  const text = library.read(of.skill.id)
  if (text === undefined) return { refused: `The skill “${of.skill.name}” cannot be read any more.` }
  if (change.action === 'delete') {
    const refused = refusePinned(of.skill.name, of.skill)
    return refused ?? planDeletion(library, of, { text, absorbedInto: change.absorbed_into, workspace })
  }
  const path = pathIn(of.found, change.file_path ?? '')
  switch (change.action) {
    case 'edit': {
      const slip = refuseSlips(change, of.skill.name)
      if (slip) return slip
      const made = editedText(change, { name: of.skill.name, text })
      if (isRefusal(made)) return made
      return changed({
        kind: 'write',
        of,
        path: 'SKILL.md',
        before: text,
        after: made.text,
        notes: made.notes,
      })
    }
    case 'patch':
      return planPatch(library, change, { of, path, text })
    case 'write_file': {
      if (change.content === undefined) return { refused: 'content is missing: the whole text of the file.' }
      if (isMain(path)) {
        return {
          refused:
            'file_path is missing: a file such as references/notes.md. To rewrite SKILL.md itself use edit.',
        }
      }
      const before = fileText(library, of, path)
      if (typeof before === 'object' && before !== null) return before
      return changed({ kind: 'write', of, path, before, after: unwrapContent(change.content), notes: [] })
    }
    case 'remove_file': {
      if (isMain(path))
        return { refused: 'file_path is missing: the file to remove. The whole skill goes with delete.' }
      if (!of.found.parts.some(part => part.path === path)) return { refused: missing(of, path) }
      const before = fileText(library, of, path)
      return { kind: 'remove', of, path, before: typeof before === 'string' ? before : null }
    }
  }
}

/** Plan a deletion. A skill that is said to have these steps now must exist, or they would be lost. */
function planDeletion(
  library: Library,
  of: LibrarySkill,
  { text, absorbedInto, workspace }: { text: string; absorbedInto: unknown; workspace: string },
): SkillPlan | Refusal {
  if (absorbedInto === undefined || absorbedInto === null || absorbedInto === '')
    return { kind: 'delete', of, text }
  if (typeof absorbedInto !== 'string')
    return { refused: `absorbed_into is not a name. ${NAME_OR_LEAVE_OUT}` }
  const into = findSkill(library, absorbedInto, { workspace })
  if (isRefusal(into)) return { refused: `absorbed_into: ${into.refused} ${NAME_OR_LEAVE_OUT}` }
  if (into.skill.id === of.skill.id)
    return { refused: `absorbed_into names the skill that is to be deleted. ${NAME_OR_LEAVE_OUT}` }
  return { kind: 'delete', of, text, into: into.skill.name }
}

const NAME_OR_LEAVE_OUT = 'Name the other skill that has these steps now, or leave absorbed_into out.'

/** The identity of a plan, to recognise it after approval. */
export function keyOf(plan: SkillPlan): string {
  // The `generated` field may change while the user decides.
  const withoutWork = (text: string) => text.replace(/^ {2}generated: .*$/m, '')
  if (plan.kind === 'create')
    return JSON.stringify([plan.kind, plan.category, plan.name, withoutWork(plan.text)])
  const { id } = plan.of.skill
  if (plan.kind === 'write') return JSON.stringify([plan.kind, id, plan.path, plan.before, plan.after])
  return JSON.stringify([plan.kind, id, plan.kind === 'remove' ? plan.path : plan.text])
}

/** Dangers that the scan finds in the planned skill, as text; empty if it finds none. */
export async function dangersOf(library: Library, plan: SkillPlan): Promise<string[]> {
  if (plan.kind !== 'create' && plan.kind !== 'write') return []
  const files =
    plan.kind === 'create'
      ? [{ path: 'SKILL.md', text: plan.text }]
      : [{ path: plan.path, text: plan.after }, ...othersOf(library, plan.of, plan.path)]
  const report = await library.scanTexts(files)
  if (policyFor(report, 'agent') !== 'block') return []
  return report.findings
    .filter(finding => finding.block)
    .map(({ path, line, reason }) => `${path}, line ${line}: ${reason}`)
}

function planNew(library: Library, change: SkillChange, workspace: string): SkillPlan | Refusal {
  const made = newText(change)
  if (isRefusal(made)) return made
  const known = library.named(made.name, workspace)
  const isTaken = 'found' in known || library.list().some(({ found }) => found.key === made.name)
  if (!isTaken) return refuseLikeSkill(library, made, workspace)
  const why = 'found' in known ? 'Improve that one with patch or edit' : known.refused
  return {
    refused: `There is a skill ${made.name} already. ${why.replace(/(?<![.\s])[.\s]+$/, '')}, or choose another name.`,
  }
}

/** Refuse a new skill that exists under another name. Skills that are only similar are named in a note. */
function refuseLikeSkill(
  library: Library,
  made: Omit<Extract<SkillPlan, { kind: 'create' }>, 'kind'>,
  workspace: string,
): SkillPlan | Refusal {
  const here = library.forChat(workspace)
  const off = library.list().filter(({ skill, found }) => !skill.enabled && found.root.kind !== 'project')
  const like = findLikeSkills(made, [...here, ...off], id => library.read(id))
  const twin = like.find(({ same }) => same)?.of
  if (!twin) {
    const names = like.map(({ of }) => of.skill.name).join(', ')
    const note = names === '' ? [] : [`Like it: ${names}. If one does the same, keep only the better one.`]
    return { kind: 'create', ...made, notes: [...made.notes, ...note] }
  }
  const { name, enabled } = twin.skill
  const says = oneLine(twin.found.text.fields.description, 200)
  const instead = enabled
    ? `Improve it with patch or edit (read it with skill_view first)`
    : 'The user has switched it off, so ask them'
  return {
    refused: `Not created: there is such a skill already, ${name} (“${says}”). ${instead}. If yours does something else, say in its description and steps what ${name} does not do.`,
  }
}

function planPatch(
  library: Library,
  change: SkillChange,
  { of, path, text }: { of: LibrarySkill; path: string; text: string },
): SkillPlan | Refusal {
  const { old_string: old, new_string: now } = change
  if (old === undefined || now === undefined) {
    const which = old === undefined ? 'old_string' : 'new_string'
    const what = old === undefined ? 'the passage to replace, as it stands there' : 'what to put in its place'
    return { refused: `${which} is missing: ${what}. To rewrite all of it use edit with content.` }
  }
  const before = isMain(path) ? text : fileText(library, of, path)
  if (before === null) return { refused: missing(of, path) }
  if (typeof before === 'object') return before
  const patched = patchText(before, { old, new: now, all: change.replace_all ?? false })
  if (isRefusal(patched)) {
    const { refused, near } = patched
    return { refused: near === undefined ? refused : `${refused} ${near}` }
  }
  const target = isMain(path) ? 'SKILL.md' : path
  return changed({ kind: 'write', of, path: target, before, after: patched.text, notes: [] })
}

const changed = (plan: Extract<SkillPlan, { kind: 'write' }>): SkillPlan | Refusal =>
  plan.before === plan.after
    ? { refused: 'That is what stands there already, so nothing would change.' }
    : plan

/** The text of a file; null if it does not exist. */
function fileText(library: Library, of: LibrarySkill, path: string): string | null | Refusal {
  if (!of.found.parts.some(part => part.path === path)) return null
  const read = library.file(of.skill.id, path)
  if (isRefusal(read)) return { refused: `${oneLine(path, 120)}: ${read.refused}` }
  const file = decodeText(Buffer.from(read.bytes))
  if (file?.encoding !== 'utf8' || !file.exact) return { refused: `${path} is not UTF-8 text.` }
  return file.mark ? `\uFEFF${file.text}` : file.text
}

function missing({ found, skill }: LibrarySkill, path: string): string {
  const others = found.parts.map(part => part.path).slice(0, 40)
  return `The skill “${skill.name}” has no file ${oneLine(path, 120)}. Its files are ${others.join(', ')}.`
}

function othersOf(
  library: Library,
  { skill, found }: LibrarySkill,
  but: string,
): { path: string; text: string }[] {
  let left = MOST_SCANNED
  return found.parts.flatMap(({ path, bytes }) => {
    const isIt = path === but || (isMain(path) && isMain(but))
    if (isIt || bytes > left) return []
    const read = library.file(skill.id, path)
    const file = isRefusal(read) ? undefined : decodeText(Buffer.from(read.bytes))
    if (!file) return []
    left -= bytes
    return [{ path, text: file.text }]
  })
}
