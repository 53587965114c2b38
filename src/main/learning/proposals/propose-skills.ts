import type { SkillRevision } from '../../../shared/contract/learned/skills.ts'
import { lintSkill } from '../../skills/files/lint-skill.ts'
import { readSkillText } from '../../skills/files/read-skill.ts'
import { policyFor, scanSkill } from '../../skills/check/scan-skill.ts'
import type {
  Library,
  LibrarySkill,
  SkillBy,
  SkillChanged,
  SkillRefusal,
  SkillEditor,
} from '../../skills/skill-types.ts'
import type { Store } from '../../db/store.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { holdsPrivate } from '../../untrusted/secrets/personal-secrets.ts'
import type { Candidate } from './proposed-change.ts'
import type { ProposalSink } from './propose-memory.ts'

type Parts = { editor: SkillEditor; library: Library; skills: Pick<Store['skills'], 'history'> }

const HOLDS_KEY: SkillRefusal = {
  refused: 'Not saved: it holds a key or a password, which no skill keeps. Say where it is kept instead.',
}
const NOT_HERE: SkillRefusal = { refused: 'A review cannot do this.' }
const PINNED: SkillRefusal = { refused: 'The user has pinned this skill, so it is not changed without them.' }
/** Origins of skills that are not edited in place: a change makes a copy that is used instead. */
const FOREIGN: Partial<Record<LibrarySkill['skill']['origin'], string>> = {
  builtin: 'It would change a skill that ships with Talaria.',
  imported: 'It would change a skill that you imported.',
}
const WRITES = new Set<SkillRevision['op']>(['create', 'edit', 'restore'])

/**
 * The skill editor of a review. A change becomes a proposal if the mode asks. It always does if it would
 * change a skill that no agent made, delete a skill, or write text that the scan finds dangerous. A text with
 * a key is refused, because an open proposal would store it.
 */
export function proposingEditor({ editor, library, skills }: Parts, sink: ProposalSink): SkillEditor {
  /** Make the change, or propose it. */
  function through(
    candidate: Candidate,
    by: SkillBy,
    id: string,
    work: () => SkillChanged | SkillRefusal,
  ): SkillChanged | SkillRefusal {
    if (addsSecret(candidate)) {
      sink.heldBack(candidate.after ?? '')
      return HOLDS_KEY
    }
    const why = sink.refuses(candidate)
    if (why !== undefined) return { refused: why }
    if (!sink.asks && candidate.because === '') {
      const outcome = work()
      if (!isRefusal(outcome)) sink.changed({ skills: outcome.revisions.map(each => each.id) })
      return outcome
    }
    // An identical open proposal counts as success for the model.
    sink.propose(candidate)
    return { revisions: [asRevision(candidate, by)], id }
  }

  /** The format errors that would prevent a SKILL.md from being saved. */
  function formOf(text: string): SkillRefusal | undefined {
    const errors = lintSkill(text).filter(issue => issue.level === 'error')
    return errors.length === 0
      ? undefined
      : { refused: `Not saved: ${errors.map(issue => issue.text).join(' ')}` }
  }

  /** Whether the user wrote the skill or edited its current text. */
  const isUserWritten = ({ skill, found }: LibrarySkill): boolean =>
    skill.origin === 'user' ||
    skills
      .history({ key: found.key, limit: 200 })
      .revisions.some(
        each => each.actor === 'you' && each.undoes === null && each.undoneBy === null && WRITES.has(each.op),
      )

  return {
    create(skill, by) {
      const refused = formOf(skill.text)
      if (refused) return refused
      if (library.list().some(each => each.skill.name === skill.name && each.skill.shadowedBy === null))
        return { refused: `There is a skill ${skill.name} already; view it and patch it.` }
      const { description } = readSkillText(skill.text, skill.name).fields
      const because = dangersOf(skill.text)
      const candidate: Candidate = {
        change: {
          kind: 'skill.create',
          name: skill.name,
          category: skill.category,
          text: skill.text,
          despite: because !== '',
        },
        headline: `New skill “${skill.name}”: ${description}`,
        place: skill.name,
        before: null,
        after: skill.text,
        because,
      }
      return through(candidate, by, `own/${skill.name}`, () => editor.create(skill, by))
    },
    save(change, by) {
      const known = library.get(change.id)
      if (!known) return { refused: 'This skill no longer exists.' }
      if (known.skill.pinned) return PINNED
      const isSkill = change.path === 'SKILL.md'
      const refused = isSkill ? formOf(change.text) : undefined
      if (refused) return refused
      const before = isSkill
        ? (library.read(change.id) ?? null)
        : textOf(library.file(change.id, change.path))
      if (before === change.text) return { revisions: [], id: change.id }
      const dangers = dangersOf(change.text)
      const because =
        dangers ||
        (isUserWritten(known)
          ? 'It would change a skill that you wrote yourself.'
          : FOREIGN[known.skill.origin]) ||
        ''
      const { name } = known.skill
      const candidate: Candidate = {
        change: {
          kind: 'skill.save',
          id: change.id,
          path: change.path,
          text: change.text,
          despite: dangers !== '',
        },
        headline: before === null ? `New file in the skill “${name}”` : `Change of the skill “${name}”`,
        place: isSkill ? name : `${name}/${change.path}`,
        before,
        after: change.text,
        because,
      }
      return through(candidate, by, change.id, () => editor.save(change, by))
    },
    removeFile(change, by) {
      const known = library.get(change.id)
      if (!known) return { refused: 'This skill no longer exists.' }
      if (known.skill.pinned) return PINNED
      const { name } = known.skill
      const candidate: Candidate = {
        change: { kind: 'skill.removeFile', ...change },
        headline: `Remove ${change.path} from the skill “${name}”`,
        place: `${name}/${change.path}`,
        before: textOf(library.file(change.id, change.path)),
        after: null,
        because: 'It would remove a file.',
      }
      return through(candidate, by, change.id, () => editor.removeFile(change, by))
    },
    remove(ids, by) {
      const revisions: SkillRevision[] = []
      for (const id of ids) {
        const known = library.get(id)
        if (!known) return { refused: 'This skill no longer exists.' }
        if (known.skill.pinned) return PINNED
        const candidate: Candidate = {
          change: { kind: 'skill.remove', id },
          headline: `Delete the skill “${known.skill.name}”`,
          place: known.skill.name,
          before: library.read(id) ?? null,
          after: null,
          because: 'It would delete a skill.',
        }
        const outcome = through(candidate, by, id, () => NOT_HERE)
        if (isRefusal(outcome)) return outcome
        revisions.push(...outcome.revisions)
      }
      return { revisions }
    },
    reset: () => NOT_HERE,
    setEnabled: () => NOT_HERE,
    setPinned: () => NOT_HERE,
    undo: () => NOT_HERE,
    restore: () => NOT_HERE,
    install: () => NOT_HERE,
  }
}

/** Whether a change adds a key or a password. One already in the skill does not block other changes. */
function addsSecret({ before, after }: Candidate): boolean {
  if (after === null || !holdsPrivate(after)) return false
  const known = new Set(before?.split('\n'))
  const added = after.split('\n').filter(line => !known.has(line))
  return !holdsPrivate(before ?? '') || holdsPrivate(added.join('\n'))
}

/** The scan's findings against a text, as a sentence; empty if it may be saved. */
function dangersOf(text: string): string {
  const report = scanSkill([{ path: 'SKILL.md', text }])
  if (policyFor(report, 'agent') !== 'block') return ''
  return `The security scan found: ${report.findings
    .filter(finding => finding.block)
    .slice(0, 3)
    .map(finding => `${finding.reason} (line ${finding.line})`)
    .join(' ')}`
}

const textOf = (file: ReturnType<Library['file']>): string | null =>
  isRefusal(file) ? null : new TextDecoder().decode(file.bytes)

const asRevision = ({ place, change, before, after }: Candidate, by: SkillBy): SkillRevision => ({
  id: 0,
  key: place,
  name: place,
  op: change.kind === 'skill.create' ? 'create' : change.kind === 'skill.remove' ? 'delete' : 'edit',
  ...by,
  at: 0,
  files: [{ path: 'path' in change ? change.path : 'SKILL.md', before, after, binary: false }],
  undoes: null,
  undoneBy: null,
})
